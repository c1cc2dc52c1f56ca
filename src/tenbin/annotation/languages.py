"""Target languages: their tags, scripts and default tokenizers."""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any

from tenbin.core.errors import UnknownLanguage, UsageError
from tenbin.resources.scripts import Script, load_scripts

# Country codes that are often written for languages.
_COUNTRY_CODES = {
    "jp": "ja",
    "cn": "zh",
    "cz": "cs",
    "ua": "uk",
    "gr": "el",
    "dk": "da",
    "vn": "vi",
}
_PAIR = re.compile("([a-z]{2,3})[-_]([a-z]{2,3})")
# Scripts that are written from right to left.
_RIGHT_TO_LEFT = frozenset(
    ("Adlm", "Arab", "Aran", "Hebr", "Mand", "Nkoo", "Rohg", "Samr", "Syrc", "Thaa")
)


class TokenizerFamily(StrEnum):
    """The purpose of the tokens, which decides the default tokenizer of a language.

    COMPARABLE follows sacrebleu, so that BLEU is comparable with published numbers; WORDS asks for
    the best words; BLANKS takes text that is already tokenized, if the script has spaces.
    """

    COMPARABLE = "comparable"
    WORDS = "words"
    BLANKS = "blanks"


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """A target language."""

    tag: str
    code: str
    script_code: str

    @property
    def script(self) -> Script | None:
        """The script of the language, if Tenbin knows it."""
        return load_scripts().get(self.script_code)

    @property
    def spaced(self) -> bool:
        """Whether its words are separated by spaces."""
        return self.script is None or self.script.spaced

    @property
    def right_to_left(self) -> bool:
        """Whether it is written from right to left."""
        return self.script_code in _RIGHT_TO_LEFT

    def tokenizer(self, family: TokenizerFamily) -> str:
        """Return the name of the default tokenizer."""
        if self.code == "ja":
            return "ja-mecab" if family is TokenizerFamily.COMPARABLE else "sudachi-c"
        if self.code == "ko" and family is TokenizerFamily.COMPARABLE:
            return "ko-mecab"
        if self.script_code in {"Hans", "Hant"}:
            return "zh"
        if not self.spaced:
            return "char"
        return "none" if family is TokenizerFamily.BLANKS else "13a"


@lru_cache(maxsize=256)
def parse_language(tag: str) -> Language:
    """Return the language of an ISO 639 code or BCP 47 tag.

    A tag that looks like a language pair (``en-de``) is rejected: users of sacrebleu write pairs
    after ``-l``, and a wrong guess would score with the source language. A country in upper case
    (``en-DE``, ``pt-BR``) is a valid tag.

    >>> parse_language("jpn").code, parse_language("sr-Latn").script_code
    ('ja', 'Latn')
    """
    import langcodes  # noqa: PLC0415 - 40 ms at start-up

    if tag.lower() in _COUNTRY_CODES:
        raise UsageError(
            f"{tag!r} is not a language tag. Did you mean {_COUNTRY_CODES[tag.lower()]!r}? "
            "Language tags name languages (ja, zh, cs), not countries."
        )
    try:
        parsed = langcodes.Language.get(tag)
    except ValueError as error:
        raise UnknownLanguage(tag) from error
    _refuse_pair(tag, parsed)
    if not parsed.language or not parsed.is_valid():
        raise UnknownLanguage(tag)
    return Language(
        tag=parsed.to_tag(), code=parsed.language, script_code=parsed.maximize().script or ""
    )


def _refuse_pair(tag: str, parsed: Any) -> None:  # noqa: ANN401 - langcodes ships no types
    import langcodes  # noqa: PLC0415

    found = _PAIR.fullmatch(tag)
    # Both readings of de-de and of zh-yue mean the same target language.
    if found is None or found[2] in {found[1], parsed.language}:
        return
    if not langcodes.tag_is_valid(found[2]):
        return
    source, target = found[1], found[2]
    is_region = parsed.territory is not None and parsed.is_valid()
    region = f'; for a region write `language="{source}-{target.upper()}"`' if is_region else ""
    raise UsageError(
        f"{tag!r} looks like a language pair. Give the target language alone, "
        f'`language="{target}"`{region}.'
    )


def target_language(pair: str) -> str:
    """Return the target language of a language pair such as ``de-en`` or ``en-zh_TW``."""
    source, dash, target = pair.partition("-")
    if not (source and dash and target):
        raise UsageError(
            f"{pair!r} is not a language pair. Write SOURCE-TARGET, for example de-en."
        )
    return target.replace("_", "-")
