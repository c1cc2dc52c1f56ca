"""The pieces of a model and the tokenizer that finds them in raw text.

A ``tokenizer.json`` can call no analyser of Japanese. So the words of the analyser decide which
pieces there are and how often each occurs, and a unigram model with these counts finds the most
likely pieces in text that nobody has cut: what the analyser knows of frequent words is in the
counts. Where words stand between spaces, the tokenizer is BERT's own (WordPiece).
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from importlib import import_module
from itertools import repeat
from pathlib import Path
from typing import Any
from unicodedata import normalize

from tenbin.annotation.encoders.settings import EXTRA
from tenbin.annotation.tokenizers import Tokenizer
from tenbin.building.bert.recipe import SPECIALS
from tenbin.building.corpus import Corpus, Phase, count_words, require_words, unseen
from tenbin.core.errors import InputError, MissingExtra
from tenbin.core.metric import AUTO

_UNKNOWN, _FIRST, _LAST = SPECIALS[1], SPECIALS[2], SPECIALS[3]
_GOES_ON = "##"
_LEAST_COUNT = 2  # of a piece
_LEAST_CHARACTER_COUNT = 3
_WORDS_AT_ONCE = 10_000


def words_for_pieces(paths: list[str], language: str, tokenizer: str = AUTO) -> Corpus:
    """Return a corpus whose words are those that pieces are looked for in.

    Raises:
        MissingExtra: The package ``tokenizers`` or an analyser is not installed.
        UsageError: No such language or tokenizer.
    """
    plain = Corpus(paths, language, tokenizer=tokenizer)
    if plain.language.spaced:
        cut = _library().pre_tokenizers.BertPreTokenizer().pre_tokenize_str
        named = Tokenizer("bert", lambda line: [word for word, _ in cut(line)], cuts_unspaced=False)
    else:
        named = plain.tokenizer
    own = named.tokenize
    # The model reads text in this form only.
    in_form = replace(named, tokenize=lambda line: own(normalize("NFKC", line)), by_word=False)
    return Corpus(paths, language, tokenizer=in_form)


def learned_tokenizer(corpus: Corpus, size: int, *, phase: Phase = unseen) -> Any:  # noqa: ANN401
    """Return a tokenizer of the library ``tokenizers``, learned from a corpus.

    Args:
        corpus: The text, as `words_for_pieces` gives it.
        size: Most pieces; some that nothing is left of at the end are not kept.
        phase: Shows the progress.

    Raises:
        InputError: The corpus cannot be read, has no word, or too few pieces.
    """
    with phase("cutting into words", corpus.size) as advance:
        counted = count_words(corpus.segments(advance))
    require_words(corpus, counted.total)
    with phase("learning pieces", None):
        # In WordPiece a character is two pieces: one begins a word, one goes on with it.
        spaced = corpus.language.spaced
        words = _in_alphabet(counted.counts, size // 3 if spaced else size // 2)
        library = _library()
        make = _word_pieces if spaced else _unigram
        return _around(library, make(library, words, size))


def opened_tokenizer(path: Path) -> Any:  # noqa: ANN401 - of the library tokenizers
    """Return the tokenizer in a file."""
    return _library().Tokenizer.from_file(str(path))


def _library() -> Any:  # noqa: ANN401 - an optional extra without types of its own
    try:
        return import_module("tokenizers")
    except ImportError as error:
        raise MissingExtra("the pretraining of a model", EXTRA) from error


def _characters(words: Mapping[str, int]) -> Counter[str]:
    """Return how often each character occurs."""
    found: Counter[str] = Counter()
    for word, count in words.items():
        for character in word:
            found[character] += count
    return found


def _in_alphabet(words: Mapping[str, int], most: int) -> Counter[str]:
    """Return words with rare characters cut out of them; those will be unknown pieces."""
    characters = _characters(words)
    kept = [one for one, count in characters.items() if count >= _LEAST_CHARACTER_COUNT]
    # In a small corpus everything is rare.
    kept = sorted(kept or characters, key=lambda one: (-characters[one], one))[:most]
    alphabet = frozenset(kept)
    found: Counter[str] = Counter()
    for word, count in words.items():
        if alphabet.issuperset(word):
            found[word] += count
            continue
        parts = "".join(one if one in alphabet else " " for one in word).split()
        for part in parts:
            found[part] += count
    return found


def _word_pieces(library: Any, words: Counter[str], size: int) -> Any:  # noqa: ANN401
    """Return BERT's own model: pieces that go on with a word are marked."""
    counts: Counter[str] = Counter()
    for pieces, count in _in_pieces(library, words, size):
        for place, piece in enumerate(pieces):
            counts[f"{_GOES_ON}{piece}" if place else piece] += count
    # A word that was never seen may have any character anywhere.
    for character in _characters(words):
        counts[character] += 0
        counts[f"{_GOES_ON}{character}"] += 0
    # (The library's own trainer for it numbers pieces in another order each time.)
    ranked = sorted(
        counts,
        key=lambda piece: (len(piece.removeprefix(_GOES_ON)) > 1, -counts[piece], piece),
    )
    numbers = {piece: number for number, piece in enumerate([*SPECIALS, *ranked][:size])}
    return library.models.WordPiece(numbers, unk_token=_UNKNOWN, continuing_subword_prefix=_GOES_ON)


def _unigram(library: Any, words: Counter[str], size: int) -> Any:  # noqa: ANN401
    """Return a model that finds the most likely pieces, by how often each occurs in the words."""
    counts: Counter[str] = Counter()
    for pieces, count in _in_pieces(library, words, size):
        for piece in pieces:
            counts[piece] += count
    # Every character may be needed, though all the words that it occurs in are pieces.
    for character in _characters(words):
        counts[character] += 0
    total = counts.total()
    ranked = sorted(counts, key=lambda piece: (-counts[piece], piece))
    scored = [(piece, math.log(max(counts[piece], 0.5) / total)) for piece in ranked]
    marks = [(mark, 0.0) for mark in SPECIALS]
    return library.models.Unigram([*marks, *scored], unk_id=SPECIALS.index(_UNKNOWN))


def _in_pieces(
    library: Any,  # noqa: ANN401 - an optional extra without types of its own
    words: Counter[str],
    size: int,
) -> Iterator[tuple[list[str], int]]:
    """Yield the pieces of each word and how often it occurs; pieces are learned by joining pairs.

    Pieces that are only steps on the way to longer ones occur in no word any more.
    """
    learner = library.Tokenizer(library.models.BPE(unk_token=_UNKNOWN))
    teaching = library.trainers.BpeTrainer(
        vocab_size=size,
        special_tokens=list(SPECIALS),
        min_frequency=_LEAST_COUNT,
        show_progress=False,
    )
    learner.train_from_iterator(_repeated(words), teaching)
    found = learner.get_vocab_size()
    if found < size:
        raise InputError(
            f"the corpus is too small for --vocabulary {size}: it has {found:,} pieces that occur "
            f"at least {_LEAST_COUNT} times. Give more text, or a smaller vocabulary."
        )
    listed = sorted(words)
    for start in range(0, len(listed), _WORDS_AT_ONCE):
        some = listed[start : start + _WORDS_AT_ONCE]
        for word, pieces in zip(some, learner.encode_batch(some), strict=True):
            yield pieces.tokens, words[word]


def _repeated(words: Counter[str]) -> Iterator[list[str]]:
    """Yield each word as often as it occurs; the library takes no counts."""
    for word in sorted(words):
        left = words[word]
        while left > 0:
            some = min(left, _WORDS_AT_ONCE)
            yield list(repeat(word, some))
            left -= some


def _around(library: Any, model: Any) -> Any:  # noqa: ANN401
    """Return a tokenizer with the model: what is done to a text before and after."""
    made = library.Tokenizer(model)
    blanks = library.normalizers.Replace(library.Regex(r"\s+"), " ")
    made.normalizer = library.normalizers.Sequence(
        [library.normalizers.NFKC(), blanks, library.normalizers.Strip()]
    )
    made.pre_tokenizer = library.pre_tokenizers.BertPreTokenizer()
    ids = [(mark, SPECIALS.index(mark)) for mark in (_FIRST, _LAST)]
    made.post_processor = library.processors.TemplateProcessing(
        single=f"{_FIRST} $A {_LAST}",
        pair=f"{_FIRST} $A {_LAST} $B:1 {_LAST}:1",
        special_tokens=ids,
    )
    if type(model).__name__ == "WordPiece":
        made.decoder = library.decoders.WordPiece()
    else:
        made.decoder = library.decoders.Fuse()
    made.add_special_tokens(list(SPECIALS))
    return made
