"""The vocabulary of several languages: a Unigram model of the library ``tokenizers``.

Kudo (2018), "Subword Regularization". The mark of a word's beginning stands before letters and
digits of scripts with spaces only, so that no subword of Japanese or Chinese exists twice. Between
a hiragana and a following kanji or katakana a word ends, as nearly always in Japanese; whole
phrases would be subwords otherwise.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any
from unicodedata import normalize

from tenbin.annotation.encoders.settings import EXTRA
from tenbin.building.bert.recipe import SPECIAL_TOKENS
from tenbin.building.encoder.texts import EncoderTexts
from tenbin.core.errors import InputError, MissingExtra, UnreadableFile
from tenbin.formats.lines import TextFile
from tenbin.resources.scripts import load_scripts

WORD_START = "\N{LOWER ONE EIGHTH BLOCK}"
"""Before a subword that begins a word, as in SentencePiece."""

_UNKNOWN, _FIRST, _LAST = SPECIAL_TOKENS[1], SPECIAL_TOKENS[2], SPECIAL_TOKENS[3]
# Lines of one side of a bitext that subwords are learned from; more change few of them.
_MOST_LINES = 60_000
_LEAST_CHARACTER_COUNT = 3
_LEAST_WORD_COUNT = 3
_MARK = "\ue000"  # of private use
_SPARE = 1.15  # subwords learned for each that is wanted: long ones are dropped
_LONGEST = 16
# Longer ones without spaces are phrases.
_LONGEST_HAN, _LONGEST_HIRAGANA = 4, 6
_DIGITS = 6  # of a score: the library adds in another order each time
_HIRAGANA = ("\N{HIRAGANA LETTER SMALL A}", "\N{HIRAGANA LETTER SMALL KE}")
_HAN = ("\N{CJK UNIFIED IDEOGRAPH-4E00}", "\N{CJK UNIFIED IDEOGRAPH-9FFF}")


def sampled_lines(texts: EncoderTexts, most: int = _MOST_LINES) -> Iterator[str]:
    """Yield lines of all sides of the bitexts, and of the texts.

    Of a side with more lines than ``most`` every n-th is taken: sources stand together in a file.
    """
    for bitext in texts.bitexts:
        step = max(sum(1 for _ in bitext.pairs()) // most, 1)
        for pair in islice(bitext.pairs(), 0, None, step):
            yield from pair
    for path in texts.texts:
        step = max(sum(1 for _ in TextFile(path).lines()) // most, 1)
        yield from islice(TextFile(path).lines(), 0, None, step)


def learned_unigrams(lines: Iterable[str], size: int, *, cased: bool) -> Any:  # noqa: ANN401
    """Return a tokenizer of the library ``tokenizers``, learned from lines of text.

    The same lines give the same tokenizer.

    Args:
        lines: The text.
        size: Maximum size of the vocabulary; a small text has fewer subwords.
        cased: Whether text keeps its case.

    Raises:
        InputError: There is no word in the text.
    """
    library = _library()
    known = list(lines)
    alphabet = _alphabet(known, size // 2)
    if not alphabet:
        raise InputError("there is no word in the text. Give text in two languages.")
    learner = _tokenizer(library, library.models.Unigram(), cased=cased)
    teaching = library.trainers.UnigramTrainer(
        vocab_size=int(_SPARE * size),
        special_tokens=list(SPECIAL_TOKENS),
        unk_token=_UNKNOWN,
        max_piece_length=_LONGEST,
        show_progress=False,
    )
    clean = [_in_alphabet(line, alphabet) for line in known]
    learner.train_from_iterator([*clean, *_common_words(learner, clean)], teaching)
    found = json.loads(learner.to_str())["model"]["vocab"]
    unwanted = (*SPECIAL_TOKENS, _MARK)
    scored = _chosen({piece: score for piece, score in found if piece not in unwanted}, size)
    special = [(token, 0.0) for token in SPECIAL_TOKENS]
    model = library.models.Unigram([*special, *scored], unk_id=SPECIAL_TOKENS.index(_UNKNOWN))
    made = _tokenizer(library, model, cased=cased)
    made.post_processor = library.processors.TemplateProcessing(
        single=f"{_FIRST} $A {_LAST}",
        pair=f"{_FIRST} $A {_LAST} $B:1 {_LAST}:1",
        special_tokens=[(token, SPECIAL_TOKENS.index(token)) for token in (_FIRST, _LAST)],
    )
    made.decoder = library.decoders.Metaspace(replacement=WORD_START)
    made.add_special_tokens(list(SPECIAL_TOKENS))
    return made


def known_unigrams(path: Path) -> Any:  # noqa: ANN401 - of tokenizers
    """Return the tokenizer of another encoder.

    Args:
        path: A ``tokenizer.json``, or the folder that it is in.

    Raises:
        UnreadableFile: It cannot be opened, or has other special tokens.
    """
    file = path / "tokenizer.json" if path.is_dir() else path
    try:
        made = _library().Tokenizer.from_file(str(file))
    # The library raises a bare Exception.
    except Exception as error:
        said = (str(error).strip() or type(error).__name__).splitlines()[0]
        problem = f"the tokenizer cannot be opened ({said})"
        raise UnreadableFile(str(file), problem, "Leave it out, and one is learned.") from error
    found = [made.id_to_token(number) for number in range(len(SPECIAL_TOKENS))]
    if found != list(SPECIAL_TOKENS):
        problem = f"its first tokens are {found}, expected {list(SPECIAL_TOKENS)}"
        advice = "Name an encoder of `tenbin build encoder`, or leave it out."
        raise UnreadableFile(str(file), problem, advice)
    return made


def _library() -> Any:  # noqa: ANN401 - an optional extra without types of its own
    try:
        return import_module("tokenizers")
    except ImportError as error:
        raise MissingExtra("the distillation of an encoder", EXTRA) from error


def _alphabet(lines: Iterable[str], most: int) -> frozenset[str]:
    """Return the characters that are not rare; the others will be unknown."""
    found: Counter[str] = Counter()
    for line in lines:
        found.update(normalize("NFKC", line))
    characters = {one: count for one, count in found.items() if not one.isspace()}
    common = [one for one, count in characters.items() if count >= _LEAST_CHARACTER_COUNT]
    # In a small corpus everything is rare.
    return frozenset(sorted(common or characters, key=lambda one: (-found[one], one))[:most])


def _in_alphabet(line: str, alphabet: frozenset[str]) -> str:
    text = normalize("NFKC", line)
    return text if alphabet.issuperset(text) else "".join(_kept(text, alphabet))


def _kept(text: str, alphabet: frozenset[str]) -> Iterator[str]:
    return (one if one in alphabet else " " for one in text)


def _common_words(learner: Any, lines: Iterable[str]) -> list[str]:  # noqa: ANN401 - of tokenizers
    """Return words that occur several times, each with a mark behind it.

    The library begins with strings that are in two different words at least, so that a frequent
    word that is no part of another one could not become a subword.
    """
    normalized, cut = learner.normalizer.normalize_str, learner.pre_tokenizer.pre_tokenize_str
    found: Counter[str] = Counter()
    for line in lines:
        found.update(word for word, _ in cut(normalized(line)))
    common = sorted(word for word, count in found.items() if count >= _LEAST_WORD_COUNT)
    return [f"{word.removeprefix(WORD_START)}{_MARK}" for word in common if len(word) <= _LONGEST]


def _chosen(scores: dict[str, float], size: int) -> list[tuple[str, float]]:
    """Return the best subwords with their scores, the best first; all single characters stay.

    The library gives characters that it would have dropped the lowest scores, in another order
    each time; here they get the same one.
    """
    singles = sum(len(piece) == 1 for piece in scores)
    lowest = min(scores.values())
    # The library counts up by .0001 from the lowest score.
    added = lowest + (singles + 1) * 1e-4
    settled = {
        piece: round(lowest if len(piece) == 1 and score <= added else score, _DIGITS)
        for piece, score in scores.items()
        if not _is_phrase(piece)
    }
    ranked = sorted(settled, key=lambda piece: (len(piece) > 1, -settled[piece], piece))
    kept = ranked[: size - len(SPECIAL_TOKENS)]
    return [(one, settled[one]) for one in sorted(kept, key=lambda one: (-settled[one], one))]


def _is_phrase(piece: str) -> bool:
    if len(piece) <= _LONGEST_HAN:
        return False
    if any(_HAN[0] <= one <= _HAN[1] for one in piece):
        return True
    return len(piece) > _LONGEST_HIRAGANA and all(
        _HIRAGANA[0] <= one <= _HIRAGANA[1] for one in piece
    )


def _tokenizer(library: Any, model: Any, *, cased: bool) -> Any:  # noqa: ANN401
    """Return a tokenizer with the model and the normalizer, without special tokens."""
    unspaced = "".join(
        dict.fromkeys(
            script.pattern.replace("Script=", "")
            for script in load_scripts().values()
            if not script.spaced
        )
    )
    normalizers, regex = library.normalizers, library.Regex
    starts = rf"(?<![\p{{L}}\p{{M}}\p{{N}}])(?=[[\p{{L}}\p{{N}}]&&[^{unspaced}]])"
    made = library.Tokenizer(model)
    made.normalizer = normalizers.Sequence(
        [
            normalizers.NFKC(),
            *([] if cased else [normalizers.Lowercase()]),
            normalizers.Replace(regex(r"(?<=\p{Hiragana})(?=[\p{Han}\p{Katakana}])"), " "),
            normalizers.Replace(regex(r"\s+"), " "),
            normalizers.Strip(),
            normalizers.Replace(regex(starts), WORD_START),
        ]
    )
    made.pre_tokenizer = library.pre_tokenizers.BertPreTokenizer()
    return made
