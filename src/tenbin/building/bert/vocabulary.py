"""The vocabulary of a model and the tokenizer that finds its subwords in raw text.

A ``tokenizer.json`` cannot call a morphological analyzer of Japanese. So the words of the analyzer
determine the subwords and their counts, and a unigram model with these counts finds the most likely
subwords in raw text. For languages with spaces the tokenizer is WordPiece, as in BERT.
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
from tenbin.building.bert.recipe import SPECIAL_TOKENS
from tenbin.building.corpus import Corpus, Phase, count_words, no_progress, require_words
from tenbin.core.counting import counted
from tenbin.core.errors import InputError, MissingExtra
from tenbin.core.metric import AUTO

_UNKNOWN, _FIRST, _LAST = SPECIAL_TOKENS[1], SPECIAL_TOKENS[2], SPECIAL_TOKENS[3]
_CONTINUATION = "##"
_LEAST_COUNT = 2  # of a subword
_LEAST_CHARACTER_COUNT = 3
_WORDS_AT_ONCE = 10_000


def words_for_subwords(paths: list[str], language: str, tokenizer: str = AUTO) -> Corpus:
    """Return a corpus with the words from which subwords are learned.

    Raises:
        MissingExtra: The package ``tokenizers`` or an analyzer is not installed.
        UsageError: No such language or tokenizer.
    """
    plain = Corpus(paths, language, tokenizer=tokenizer)
    if plain.language.spaced:
        cut = _library().pre_tokenizers.BertPreTokenizer().pre_tokenize_str
        named = Tokenizer("bert", lambda line: [word for word, _ in cut(line)], cuts_unspaced=False)
    else:
        named = plain.tokenizer
    own = named.tokenize
    # The model reads only normalized text.
    in_form = replace(named, tokenize=lambda line: own(normalize("NFKC", line)), by_word=False)
    return Corpus(paths, language, tokenizer=in_form)


def learned_tokenizer(corpus: Corpus, size: int, *, phase: Phase = no_progress) -> Any:  # noqa: ANN401
    """Return a tokenizer of the library ``tokenizers``, learned from a corpus.

    Args:
        corpus: The text, as `words_for_subwords` gives it.
        size: Maximum size of the vocabulary; subwords that occur in no word at the end are dropped.
        phase: Shows the progress.

    Raises:
        InputError: The corpus cannot be read, has no words, or too few subwords.
    """
    with phase("tokenizing", corpus.size) as advance:
        counted = count_words(corpus.segments(advance))
    require_words(corpus, counted.total)
    with phase("learning subwords", None):
        # In WordPiece a character is two subwords: one begins a word, one continues it.
        spaced = corpus.language.spaced
        words = _in_alphabet(counted.counts, size // 3 if spaced else size // 2)
        library = _library()
        make = _wordpiece if spaced else _unigram
        return _with_special_tokens(library, make(library, words, size))


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
    """Return words without rare characters, which will be unknown subwords."""
    characters = _characters(words)
    common = [one for one, count in characters.items() if count >= _LEAST_CHARACTER_COUNT]
    # In a small corpus everything is rare.
    common = sorted(common or characters, key=lambda one: (-characters[one], one))[:most]
    alphabet = frozenset(common)
    found: Counter[str] = Counter()
    for word, count in words.items():
        if alphabet.issuperset(word):
            found[word] += count
            continue
        parts = "".join(one if one in alphabet else " " for one in word).split()
        for part in parts:
            found[part] += count
    return found


def _wordpiece(library: Any, words: Counter[str], size: int) -> Any:  # noqa: ANN401
    """Return a WordPiece model, as in BERT: subwords inside a word have a prefix."""
    counts: Counter[str] = Counter()
    for subwords, count in _in_subwords(library, words, size):
        for place, subword in enumerate(subwords):
            counts[f"{_CONTINUATION}{subword}" if place else subword] += count
    # An unseen word may have any character in any position.
    for character in _characters(words):
        counts[character] += 0
        counts[f"{_CONTINUATION}{character}"] += 0
    # (The trainer of the library numbers subwords in a different order each time.)
    ranked = sorted(
        counts,
        key=lambda subword: (
            len(subword.removeprefix(_CONTINUATION)) > 1,
            -counts[subword],
            subword,
        ),
    )
    numbers = {subword: number for number, subword in enumerate([*SPECIAL_TOKENS, *ranked][:size])}
    return library.models.WordPiece(
        numbers, unk_token=_UNKNOWN, continuing_subword_prefix=_CONTINUATION
    )


def _unigram(library: Any, words: Counter[str], size: int) -> Any:  # noqa: ANN401
    """Return a unigram model with the counts of subwords in the words."""
    counts: Counter[str] = Counter()
    for subwords, count in _in_subwords(library, words, size):
        for subword in subwords:
            counts[subword] += count
    # Every character may be needed, even if all words with it are subwords.
    for character in _characters(words):
        counts[character] += 0
    total = counts.total()
    ranked = sorted(counts, key=lambda subword: (-counts[subword], subword))
    scored = [(subword, math.log(max(counts[subword], 0.5) / total)) for subword in ranked]
    special = [(token, 0.0) for token in SPECIAL_TOKENS]
    return library.models.Unigram([*special, *scored], unk_id=SPECIAL_TOKENS.index(_UNKNOWN))


def _in_subwords(
    library: Any,  # noqa: ANN401 - an optional extra without types of its own
    words: Counter[str],
    size: int,
) -> Iterator[tuple[list[str], int]]:
    """Yield the subwords of each word and its count; subwords are learned by BPE.

    Subwords that are only intermediate merges occur in no word.
    """
    learner = library.Tokenizer(library.models.BPE(unk_token=_UNKNOWN))
    teaching = library.trainers.BpeTrainer(
        vocab_size=size,
        special_tokens=list(SPECIAL_TOKENS),
        min_frequency=_LEAST_COUNT,
        show_progress=False,
    )
    learner.train_from_iterator(_repeated(words), teaching)
    found = learner.get_vocab_size()
    if found < size:
        raise InputError(
            f"the corpus is too small for a vocabulary of {size}: it has "
            f"{counted(found, 'subword')} that occur at least {_LEAST_COUNT} times. Give more "
            "text, or a smaller vocabulary."
        )
    listed = sorted(words)
    for start in range(0, len(listed), _WORDS_AT_ONCE):
        some = listed[start : start + _WORDS_AT_ONCE]
        for word, subwords in zip(some, learner.encode_batch(some), strict=True):
            yield subwords.tokens, words[word]


def _repeated(words: Counter[str]) -> Iterator[list[str]]:
    """Yield each word as often as it occurs; the library takes no counts."""
    for word in sorted(words):
        left = words[word]
        while left > 0:
            some = min(left, _WORDS_AT_ONCE)
            yield list(repeat(word, some))
            left -= some


def _with_special_tokens(library: Any, model: Any) -> Any:  # noqa: ANN401
    """Return a tokenizer with the model, a normalizer and special tokens."""
    made = library.Tokenizer(model)
    spaces = library.normalizers.Replace(library.Regex(r"\s+"), " ")
    made.normalizer = library.normalizers.Sequence(
        [library.normalizers.NFKC(), spaces, library.normalizers.Strip()]
    )
    made.pre_tokenizer = library.pre_tokenizers.BertPreTokenizer()
    ids = [(token, SPECIAL_TOKENS.index(token)) for token in (_FIRST, _LAST)]
    made.post_processor = library.processors.TemplateProcessing(
        single=f"{_FIRST} $A {_LAST}",
        pair=f"{_FIRST} $A {_LAST} $B:1 {_LAST}:1",
        special_tokens=ids,
    )
    if type(model).__name__ == "WordPiece":
        made.decoder = library.decoders.WordPiece()
    else:
        made.decoder = library.decoders.Fuse()
    made.add_special_tokens(list(SPECIAL_TOKENS))
    return made
