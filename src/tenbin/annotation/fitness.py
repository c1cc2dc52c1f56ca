"""Checks that a text fits the language and the tokenizer it is scored with."""

from collections.abc import Sequence
from functools import cache
from itertools import islice
from typing import Any

import numpy as np

from tenbin.annotation.languages import Language
from tenbin.annotation.tokenizers import Tokenizer
from tenbin.core.errors import ScriptMismatch
from tenbin.resources.scripts import Script, load_scripts

_SAMPLE_SEGMENTS = 2_000
# Catalogs and social media in Japanese may be mostly Latin; a text in the wrong language is not
# in the script of the language at all.
_LEAST_SHARE = 0.1
_RIGHT_TOKENIZERS = {
    "ja": 'tokenizer="sudachi-c", "ja-mecab" or "char"',
    "zh": 'tokenizer="zh", "jieba" or "char"',
}


def check_script(language: Language, references: Sequence[str]) -> None:
    """Raise `ScriptMismatch` if the references are not written in the script of the language.

    Texts without letters and scripts that Tenbin does not know always pass.
    """
    expected = script_share(language, references)
    if expected is None or expected >= _LEAST_SHARE:
        return
    text = text_sample(references)
    letters = count_letters(r"\p{L}", text)
    found = max(load_scripts().values(), key=lambda script: _script_weight(script, text))
    share = round(100 * count_letters(found.pattern, text) / letters)
    if share == 0:
        return
    # Serbian has two scripts and Japanese may be in Latin letters; English is never in Japanese.
    by_tag = f', or name the script in the tag: `language="{language.code}-{found.code}"`'
    way_out = by_tag if found.spaced else ""
    raise ScriptMismatch(
        f"the references are not in the script of the target language {language.tag!r} "
        f"({language.script_code}): {share} % of their letters are {found.code}. "
        f'Give the language of the text, for example `language="{found.language}"`{way_out}.'
    )


def check_segmentation(language: Language, tokenizer: Tokenizer, references: Sequence[str]) -> None:
    """Raise `ScriptMismatch` if text without spaces goes to a tokenizer that needs them."""
    if not is_uncut(language, tokenizer, references):
        return
    right = _RIGHT_TOKENIZERS.get(language.code, 'tokenizer="char"')
    raise ScriptMismatch(
        f"the tokenizer {tokenizer.name!r} does not find words in {language.tag!r}, which is "
        f"written without spaces: whole sentences would be compared as single words. Use "
        f"{right}, or separate the words by spaces first."
    )


def is_uncut(language: Language, tokenizer: Tokenizer, references: Sequence[str]) -> bool:
    """Return whether a tokenizer would get unsegmented text of a script without spaces."""
    script = language.script
    if tokenizer.cuts_unspaced or script is None or script.spaced:
        return False
    runs = _pattern(f"[{script.pattern}]+").findall(text_sample(references))
    return bool(runs) and sum(map(len, runs)) / len(runs) > script.run_limit


def script_share(language: Language, texts: Sequence[str]) -> float | None:
    """Return the share of letters in the language's script; None without letters or script."""
    script = language.script
    text = text_sample(texts)
    letters = count_letters(r"\p{L}", text)
    return None if script is None or letters == 0 else count_letters(script.pattern, text) / letters


def _script_weight(script: Script, text: str) -> int:
    # Han letters belong to several scripts; kana or hangul beside them decide, Hans otherwise.
    return 2 * count_letters(script.pattern, text) + (script.code == "Hans")


def text_sample(texts: Sequence[str]) -> str:
    """Return the first of some texts, enough of them to judge all by."""
    return "\n".join(islice(texts, _SAMPLE_SEGMENTS))


@cache
def _pattern(expression: str) -> Any:  # noqa: ANN401 - regex ships no types
    import regex  # noqa: PLC0415 - the standard library knows no script properties

    return regex.compile(expression)


def count_letters(pattern: str, text: str) -> int:
    """Return how many letters of a text the body of a character class matches.

    Vowel signs and other marks, of which scripts of India and Thai have many, are no letters.
    """
    # A text has few distinct characters, and matching a property is slow: each is matched once.
    encoded = text.encode("utf-32-le", "surrogatepass")
    times = np.bincount(np.frombuffer(encoded, dtype=np.int32))
    matches, is_letter = _pattern(f"[{pattern}]").match, _pattern(r"\p{L}").match
    return sum(
        int(times[code])
        for code in np.flatnonzero(times)
        if matches(chr(code)) and is_letter(chr(code))
    )
