"""What metrics over tokens share: the tokeniser and the case, settled by the target language."""

from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from tenbin.annotation.languages import TokenizerFamily, parse_language
from tenbin.annotation.tokenizers import canonical_tokenizer, load_tokenizer
from tenbin.core.arrays import FloatArray
from tenbin.core.batch import Annotation, AnnotationKind, Batch, Column
from tenbin.core.metric import AUTO, BaseMetric, Needs, parameter_fields


@dataclass(frozen=True, kw_only=True)
class TokenMetric(BaseMetric):
    """A metric that reads tokens.

    Attributes:
        tokenizer: Name of a tokeniser, or ``auto``: the one that suits the target language.
        lowercase: Whether texts are lower-cased before they are cut into tokens.
    """

    family: ClassVar[TokenizerFamily] = TokenizerFamily.WORDS

    tokenizer: str = AUTO
    lowercase: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.tokenizer != AUTO:
            object.__setattr__(self, "tokenizer", canonical_tokenizer(self.tokenizer))

    def bind(self, language: str) -> Self:
        """Return the metric with the tokeniser settled."""
        if self.tokenizer != AUTO:
            return self
        return replace(self, tokenizer=parse_language(language).tokenizer(self.family))

    @property
    def tokens(self) -> Annotation:
        """The annotation the metric reads."""
        return Annotation(
            kind=AnnotationKind.TOKENS, method=self.tokenizer, lowercase=self.lowercase
        )

    @property
    def needs(self) -> Needs:
        """Tokens of hypotheses and references."""
        return Needs(annotations=frozenset({self.tokens}))

    def token_column(self, batch: Batch) -> Column:
        """Return the tokens of the pool."""
        return batch.column(self.tokens)

    def signature_fields(self) -> tuple[tuple[str, str], ...]:
        """Return case and tokeniser under sacrebleu's keys, then the metric's own parameters."""
        name = self.tokenizer if self.tokenizer == AUTO else load_tokenizer(self.tokenizer).name
        own = parameter_fields(self, without={"tokenizer", "lowercase"})
        return (("case", "lc" if self.lowercase else "mixed"), ("tok", name), *own)

    def signature_versions(self) -> tuple[tuple[str, str], ...]:
        """Return the versions behind the tokeniser."""
        return () if self.tokenizer == AUTO else load_tokenizer(self.tokenizer).versions


def best_segment_rows(batch: Batch, pair_scores: FloatArray, *, highest: bool) -> FloatArray:
    """Return rows ``(score, 1)`` with each item's best score over its references."""
    best = pair_scores[batch.best_pairs(pair_scores, highest=highest)]
    return np.column_stack([best, np.ones(len(best))])
