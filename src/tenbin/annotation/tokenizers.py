"""Tokenizers by name. Those of sacrebleu are sacrebleu's own code, so BLEU stays comparable."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import version

from tenbin.annotation.meteor.normalizer import (
    MeteorNormalization,
    MeteorNormalizer,
    meteor_tokenizer,
)
from tenbin.core.errors import MissingExtra, SpecError
from tenbin.resources.jieba_words import load_segmenter
from tenbin.resources.lexicons.sudachi import bounded_parts
from tenbin.resources.lexicons.sudachi_names import KEY, load_names_dictionary

Tokenize = Callable[[str], list[str]]

_ALIASES = {"ja": "sudachi-c", "sudachi": "sudachi-c"}
_TER_OPTIONS = ("normalized", "no_punct", "asian_support", "case_sensitive")
_METEOR_MODES = {
    "meteor": MeteorNormalization.NORM,
    "meteor-nopunct": MeteorNormalization.NO_PUNCTUATION,
    "meteor-lower": MeteorNormalization.LOWER,
}
METEOR_TOKENIZERS = tuple(_METEOR_MODES)
_ASCII_PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")


@dataclass(frozen=True, slots=True)
class Tokenizer:
    """A named tokenizer.

    Attributes:
        name: Its name in parameters and signatures.
        tokenize: The function.
        cuts_unspaced: Whether it finds words in scripts without spaces.
        versions: Libraries and dictionaries that determine its output.
        by_word: Whether it tokenizes each word between white space without regard to its context,
            in a text without line feeds, so that each distinct word is tokenized once.
        by_field: For a tokenizer of which that is true of most fields between single spaces: what
            knows the tokens of a field, and which fields depend on their context.
    """

    name: str
    tokenize: Tokenize
    cuts_unspaced: bool
    versions: tuple[tuple[str, str], ...] = ()
    by_word: bool = False
    by_field: MeteorNormalizer | None = None


def tokenizer_names() -> tuple[str, ...]:
    """Return the names a metric's ``tokenizer`` parameter may take, without aliases."""
    return tuple(_FACTORIES)


def canonical_tokenizer(name: str) -> str:
    """Return the full name of a tokenizer; raise `SpecError` if it is unknown."""
    full = _ALIASES.get(name, name)
    plain, _, key = full.partition("+")
    if is_sudachi(plain) and KEY.fullmatch(key):
        return full
    if full not in _FACTORIES:
        raise SpecError(
            f"there is no tokenizer {name!r}. Tokenizers: {', '.join(tokenizer_names())}."
        )
    return full


def is_sudachi(name: str) -> bool:
    """Return whether a full name is that of Sudachi, which takes dictionaries of names."""
    return name.startswith("sudachi-")


def plain_tokenizer(name: str) -> str:
    """Return the name of a tokenizer without the dictionary of names that it has.

    >>> plain_tokenizer("sudachi-c+0123456789ab"), plain_tokenizer("13a")
    ('sudachi-c', '13a')
    """
    return name.partition("+")[0] if is_sudachi(name) else name


@cache
def load_tokenizer(name: str) -> Tokenizer:
    """Return a tokenizer, ready to run."""
    if name in _INTERNAL:
        return _INTERNAL[name]()
    if name.startswith("tercom"):
        return _tercom(name)
    if name.startswith("meteor"):
        return _meteor(name)
    full = canonical_tokenizer(name)
    plain, _, key = full.partition("+")
    return _sudachi(plain.removeprefix("sudachi-"), key) if key else _FACTORIES[full]()


def tercom_name(**options: bool) -> str:
    """Return the internal name of TER's tokenizer with some of its options on."""
    return "tercom" + "".join(f"+{key}" for key in _TER_OPTIONS if options[key])


def _meteor(name: str) -> Tokenizer:
    mode, _, language = name.partition(":")
    tokenize = meteor_tokenizer(_METEOR_MODES[mode], language)
    by_field = tokenize if isinstance(tokenize, MeteorNormalizer) else None
    return Tokenizer(mode, tokenize, cuts_unspaced=False, by_field=by_field)


def _none() -> Tokenizer:
    return Tokenizer("none", str.split, cuts_unspaced=False)


def _from_sacrebleu(
    name: str, class_name: str, *, cuts_unspaced: bool, by_word: bool = False
) -> Tokenizer:
    from importlib import import_module  # noqa: PLC0415 - sacrebleu is loaded on first use

    module = import_module(f"sacrebleu.tokenizers.tokenizer_{name.replace('-', '_')}")
    instance = getattr(module, class_name)()

    def tokenize(text: str) -> list[str]:
        return str(instance(text.rstrip())).split()

    versions = (("sacrebleu", version("sacrebleu")),)
    return Tokenizer(str(instance.signature()), tokenize, cuts_unspaced, versions, by_word)


def _13a() -> Tokenizer:
    # By word: the text is wrapped in spaces, and none of its four patterns looks past a space.
    # (intl wraps nothing, so it treats the last word of a text differently.)
    slow = _from_sacrebleu("13a", "Tokenizer13a", cuts_unspaced=False, by_word=True)

    def tokenize(text: str) -> list[str]:
        # Its patterns match punctuation only; most words have none.
        return [text] if text.isalnum() else slow.tokenize(text)

    return replace(slow, tokenize=tokenize)


def _intl() -> Tokenizer:
    return _from_sacrebleu("intl", "TokenizerV14International", cuts_unspaced=False)


def _zh() -> Tokenizer:
    return _from_sacrebleu("zh", "TokenizerZh", cuts_unspaced=True)


def _char() -> Tokenizer:
    return _from_sacrebleu("char", "TokenizerChar", cuts_unspaced=True)


def _ja_mecab() -> Tokenizer:
    return _optional_mecab("ja-mecab", "TokenizerJaMecab", "Japanese", "ja")


def _ko_mecab() -> Tokenizer:
    return _optional_mecab("ko-mecab", "TokenizerKoMecab", "Korean", "ko")


def _optional_mecab(name: str, class_name: str, language: str, extra: str) -> Tokenizer:
    try:
        return _from_sacrebleu(name, class_name, cuts_unspaced=True)
    except (ImportError, RuntimeError) as error:
        raise MissingExtra(
            f"the {language} tokenizer {name}", extra, 'Or choose tokenizer="char".'
        ) from error


def _sudachi(mode: str, key: str = "") -> Tokenizer:
    try:
        from sudachipy import Dictionary, SplitMode  # noqa: PLC0415 - an optional extra

        if key:
            analyzer = load_names_dictionary(key)()
        else:
            dictionary = Dictionary(dict="core")
            # SudachiPy 0.7 renamed create() to tokenizer().
            analyzer = getattr(dictionary, "tokenizer", dictionary.create)()
    except (ImportError, ModuleNotFoundError) as error:
        raise MissingExtra(
            f"the Japanese tokenizer sudachi-{mode}", "ja", 'Or choose tokenizer="char".'
        ) from error
    split_mode = {"a": SplitMode.A, "b": SplitMode.B, "c": SplitMode.C}[mode]

    def tokenize(text: str) -> list[str]:
        # Sudachi has entries of several words ('ice cream'). A token never has a space, so that
        # text that is already tokenized gets the same score.
        return [
            word
            for part in bounded_parts(text)
            for morpheme in analyzer.tokenize(part, split_mode)
            for word in morpheme.surface().split()
        ]

    versions = (
        ("sudachipy", version("sudachipy")),
        ("sudachidict_core", version("sudachidict_core")),
    )
    name = f"sudachi-{mode}+{key}" if key else f"sudachi-{mode}"
    return Tokenizer(name, tokenize, cuts_unspaced=True, versions=versions)


def _jieba() -> Tokenizer:
    try:
        segmenter = load_segmenter()
    except ImportError as error:
        raise MissingExtra(
            "the Chinese tokenizer jieba", "zh", 'Or choose tokenizer="zh" or "char".'
        ) from error

    def tokenize(text: str) -> list[str]:
        return [word for part in segmenter.cut(text, HMM=True) for word in part.split()]

    versions = (("jieba", version("jieba")),)
    return Tokenizer("jieba", tokenize, cuts_unspaced=True, versions=versions)


def _chrf_words() -> Tokenizer:
    def tokenize(text: str) -> list[str]:
        words: list[str] = []
        for word in text.split():
            # One punctuation character is split off, the last one first: '(hi)' -> '(hi', ')'.
            if len(word) > 1 and word[-1] in _ASCII_PUNCTUATION:
                words += (word[:-1], word[-1])
            elif len(word) > 1 and word[0] in _ASCII_PUNCTUATION:
                words += (word[0], word[1:])
            else:
                words.append(word)
        return words

    return Tokenizer("chrf-words", tokenize, cuts_unspaced=False, by_word=True)


def _tercom(name: str) -> Tokenizer:
    from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer  # noqa: PLC0415

    chosen = name.split("+")[1:]
    instance = TercomTokenizer(**{key: key in chosen for key in _TER_OPTIONS})

    def tokenize(text: str) -> list[str]:
        return str(instance(text.rstrip())).split()

    cuts = "normalized" in chosen and "asian_support" in chosen
    return Tokenizer(name, tokenize, cuts, (("sacrebleu", version("sacrebleu")),))


_FACTORIES: dict[str, Callable[[], Tokenizer]] = {
    "13a": _13a,
    "intl": _intl,
    "none": _none,
    "char": _char,
    "zh": _zh,
    "jieba": _jieba,
    "ja-mecab": _ja_mecab,
    "ko-mecab": _ko_mecab,
    "sudachi-a": lambda: _sudachi("a"),
    "sudachi-b": lambda: _sudachi("b"),
    "sudachi-c": lambda: _sudachi("c"),
}
_INTERNAL: dict[str, Callable[[], Tokenizer]] = {"chrf-words": _chrf_words}
