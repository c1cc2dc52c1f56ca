"""The penalty for wrong names and numbers, computed from two texts, for any metric.

No alignment is needed: a segment has few names, and each is searched in the whole other text. So a
name is found in another spelling, in another position or inside a longer word.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from tenbin.annotation.languages import parse_language
from tenbin.core.errors import UsageError
from tenbin.penalty.choices import STRENGTH, NameSource, Penalty, settled_source
from tenbin.penalty.factor import Scale, harmonic, penalty_factor

if TYPE_CHECKING:
    from tenbin.penalty.names.listed import ListedNames


class WrongSpan(NamedTuple):
    """A name or number that the other text lacks.

    Attributes:
        text: The name or number as written.
        of_reference: Whether it is in the reference and missing from the hypothesis.
        is_number: Whether it is a number, not a name.
    """

    text: str
    of_reference: bool
    is_number: bool


class TextFactors(NamedTuple):
    """The penalty factors of a pair of texts.

    Attributes:
        precision: Factor for names and numbers that only the hypothesis has.
        recall: Factor for names and numbers that it lacks.
        findings: The wrong names and numbers.
    """

    precision: float
    recall: float
    findings: tuple[WrongSpan, ...]

    @property
    def score(self) -> float:
        """The factor of a score that is neither precision nor recall: the harmonic mean."""
        return harmonic(self.precision, self.recall)


@dataclass(frozen=True, slots=True, kw_only=True)
class TextPenalty:
    """The settings of the penalty.

    Attributes:
        penalty: What is penalized.
        language: The language of the texts.
        names: How names are recognized; ``rare`` is not possible here.
        listed: Names of a glossary, which are known whatever recognizes others.
        strength: The share of the score that one wrong name or number takes off.
    """

    penalty: Penalty
    language: str
    names: NameSource = NameSource.AUTO
    listed: "ListedNames | None" = None
    strength: float = STRENGTH

    def __post_init__(self) -> None:
        if self.names is NameSource.RARE:
            raise UsageError("names=rare needs the tokens of a metric that weights them by idf.")
        if self.penalty.names:
            settled_source(self.names, self.language)  # raises for a language without names

    def factors(self, hypothesis: str, reference: str) -> TextFactors:
        """Return the factors of a pair of texts.

        >>> wrong = TextPenalty(penalty=Penalty.BOTH, language="en")
        >>> wrong.factors("Mr Sato paid 5 dollars.", "Mr Tanaka paid $5.").precision
        0.5
        """
        findings: list[WrongSpan] = []
        if self.penalty.names:
            findings += self._names(hypothesis, reference)
        if self.penalty.numbers:
            findings += self._numbers(hypothesis, reference)
        lost = sum(one.of_reference for one in findings)
        return TextFactors(self._factor(len(findings) - lost), self._factor(lost), tuple(findings))

    def _factor(self, wrong: int) -> float:
        return penalty_factor([0.0] * wrong, wrong, scale=Scale.EACH, strength=self.strength)

    def _names(self, hypothesis: str, reference: str) -> Iterator[WrongSpan]:
        from tenbin.penalty.names.search import named_text  # noqa: PLC0415 - slow
        from tenbin.penalty.names.wrong import wrong_names  # noqa: PLC0415 - slow

        recognized = self.names is not NameSource.GLOSSARY
        listed = None
        if self.listed is not None:

            def has(text: str, name: str) -> bool:
                return named_text(text, self.language, self.names).has(name)

            listed = self.listed.wrong(hypothesis, reference, has if recognized else None)
            for side, name in listed.sides():
                yield WrongSpan(name, of_reference=side, is_number=False)
        if not recognized:
            return
        named = (named_text(text, self.language, self.names) for text in (hypothesis, reference))
        for of_reference, names in enumerate(wrong_names(*named)):
            for name in names:
                if listed is None or not listed.decides(name):
                    yield WrongSpan(name, of_reference=bool(of_reference), is_number=False)

    def _numbers(self, hypothesis: str, reference: str) -> Iterator[WrongSpan]:
        from tenbin.penalty.numbers.comparison import wrong_numbers  # noqa: PLC0415 - slow

        wrong = wrong_numbers(hypothesis, reference, parse_language(self.language).code)
        for side, found in enumerate(wrong):
            for one in found:
                yield WrongSpan(one.text, of_reference=bool(side), is_number=True)
