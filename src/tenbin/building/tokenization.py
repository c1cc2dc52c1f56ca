"""How lines of one language become tokens: tokenizer, case and lemmas."""

from functools import lru_cache

from tenbin.annotation.languages import Language, TokenizerFamily, parse_language
from tenbin.annotation.lemmas import load_lemmatizer
from tenbin.annotation.meteor.normalizer import NORMALIZED_LANGUAGES
from tenbin.annotation.tokenizers import (
    METEOR_TOKENIZERS,
    Tokenize,
    Tokenizer,
    canonical_tokenizer,
    load_tokenizer,
)
from tenbin.core.metric import AUTO

_MOST_CUT_WORDS = 500_000


class Tokenization:
    """Makes tokens of the lines of a text.

    Attributes:
        language: The language of the text.
        tokenizer: The tokenizer.
        lowercase: Whether tokens are lower-cased.
        lemmas: Whether tokens are replaced by their lemmas, which are lower-cased.
    """

    def __init__(
        self,
        language: str,
        *,
        tokenizer: str | Tokenizer = AUTO,
        lowercase: bool = False,
        lemmas: bool = False,
        for_meteor: bool = False,
    ) -> None:
        """Load what tokens are made with.

        Args:
            language: The language of the text.
            tokenizer: A tokenizer, or the name of one of Tenbin; ``auto``: the words of the
                language.
            lowercase: Whether tokens are lower-cased.
            lemmas: Whether tokens are replaced by their lemmas.
            for_meteor: Whether ``auto`` means METEOR's own tokens in the languages it has them for.

        Raises:
            UsageError: No such language or tokenizer, or no lemmas for the language.
            MissingExtra: Tokenizer or lemmas need a package that is not installed.
        """
        self.language: Language = parse_language(language)
        self.tokenizer = _tokenizer(tokenizer, self.language, for_meteor=for_meteor)
        self.lowercase = lowercase or lemmas
        self.lemmas = lemmas
        self._lemmatizer = load_lemmatizer(self.language.code) if lemmas else None

    @property
    def versions(self) -> dict[str, str]:
        """Programs and dictionaries that shape the tokens."""
        lemmas = self._lemmatizer.versions if self._lemmatizer else ()
        return dict((*self.tokenizer.versions, *lemmas))

    def function(self) -> Tokenize:
        """Return the function from a line to its tokens, with a cache of its own."""
        cut = self.with_case()
        if self._lemmatizer is not None:
            lemma = self._lemmatizer.lemma
            return lambda line: [lemma(token.lower()) for token in cut(line)]
        # METEOR's own tokens are lower-cased after they were cut: its rules look at capitals.
        if self.lowercase and self.tokenizer.name not in METEOR_TOKENIZERS:
            return lambda line: cut(line.lower())
        return cut

    def with_case(self) -> Tokenize:
        """Return the function from a line to its tokens as they stand in the text."""
        return (
            _cached_by_word(self.tokenizer) if self.tokenizer.by_word else self.tokenizer.tokenize
        )


def _tokenizer(name: str | Tokenizer, language: Language, *, for_meteor: bool) -> Tokenizer:
    if isinstance(name, Tokenizer):
        return name
    if name == AUTO:
        own = for_meteor and language.code in NORMALIZED_LANGUAGES
        name = METEOR_TOKENIZERS[0] if own else language.tokenizer(TokenizerFamily.WORDS)
    if name in METEOR_TOKENIZERS:
        return load_tokenizer(f"{name}:{language.code}")
    return load_tokenizer(canonical_tokenizer(name))


def _cached_by_word(tokenizer: Tokenizer) -> Tokenize:
    """Return a function that caches the tokens of words."""
    cut = lru_cache(maxsize=_MOST_CUT_WORDS)(lambda word: tuple(tokenizer.tokenize(word)))
    return lambda line: [token for word in line.split() for token in cut(word)]
