"""Tokens as a part of a metric: the tokenizer and the case, settled by the target language."""

from dataclasses import dataclass, replace
from typing import Self

from tenbin.annotation.glossary_words import with_glossary_names
from tenbin.annotation.languages import TokenizerFamily, parse_language
from tenbin.annotation.tokenizers import canonical_tokenizer, load_tokenizer
from tenbin.core.batch import Annotation, AnnotationKind
from tenbin.core.metric import AUTO, Needs
from tenbin.core.part import Entries, Part, SignatureFacts


@dataclass(frozen=True, kw_only=True)
class Tokens(Part):
    """What cuts texts into tokens.

    Attributes:
        tokenizer: Name of a tokenizer, or ``auto``: the one that suits the target language.
        lowercase: Whether texts are lower-cased before they are cut into tokens.
        family: Which of the tokenizers of a language suits the metric; no parameter.
    """

    tokenizer: str
    lowercase: bool
    family: TokenizerFamily = TokenizerFamily.WORDS

    def __post_init__(self) -> None:
        if self.tokenizer != AUTO:
            object.__setattr__(self, "tokenizer", canonical_tokenizer(self.tokenizer))

    def bind(self, language: str, metric: str) -> Self:  # noqa: ARG002 - there is no fault to tell
        """Return the part with the tokenizer settled."""
        tokenizer = self.tokenizer
        if tokenizer == AUTO:
            tokenizer = parse_language(language).tokenizer(self.family)
        return replace(self, tokenizer=with_glossary_names(tokenizer, language))

    @property
    def annotation(self) -> Annotation:
        """The column that holds the tokens."""
        return Annotation(
            kind=AnnotationKind.TOKENS, method=self.tokenizer, lowercase=self.lowercase
        )

    @property
    def needs(self) -> Needs:
        """The tokens."""
        return Needs(annotations=frozenset({self.annotation}))

    def signature_facts(self) -> SignatureFacts:
        """Return case and tokenizer under sacrebleu's keys."""
        name = self.tokenizer if self.tokenizer == AUTO else load_tokenizer(self.tokenizer).name
        return SignatureFacts(
            first=(("case", "lc" if self.lowercase else "mixed"), ("tok", name)),
            replaced=frozenset({"tokenizer", "lowercase"}),
        )

    def versions(self) -> Entries:
        """Return the versions behind the tokenizer."""
        return () if self.tokenizer == AUTO else load_tokenizer(self.tokenizer).versions
