"""The penalty for wrong names and numbers, computed from two texts, for any metric.

No alignment is needed: a segment has few names, and each is searched in the whole other text. So a
name is found in another spelling, in another position or inside a longer word.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from tenbin.annotation.languages import parse_language
from tenbin.core.errors import UsageError
from tenbin.penalty.factor import Scale, harmonic, penalty_factor
from tenbin.penalty.names.comparison import agreement
from tenbin.penalty.names.forms import (
    is_abbreviated,
    known_things,
    name_form,
    name_groups,
    stands_undivided,
    text_form,
)
from tenbin.penalty.names.recognition import NameSource, name_spans, settled_source
from tenbin.penalty.numbers.comparison import compared_numbers
from tenbin.penalty.numbers.recognition import Number, numbers

# Enough for a wrong name to score below a paraphrase in nearly all minimal pairs.
STRENGTH = 0.5
# Spellings of one name differ in one letter of five; more is another name (Anna, Anne; 坂本, 岡本).
_SAME_NAME = 0.8
# Lower where names are declined: Иванов, Иванова, Иванову.
_SAME_DECLINED_NAME = 0.7
_UNDECLINED = frozenset(
    ("da", "en", "es", "fr", "id", "it", "ja", "nb", "nl", "no", "pt", "sv", "zh")
)
# No spaces between words.
_UNSPACED = frozenset(("ja", "zh"))
# A shorter string may be part of a word by chance.
_SHORTEST_SUBSTRING = 4
_SHORTEST_READING = 2


class Penalty(StrEnum):
    """What is penalized."""

    NONE = "none"
    NAMES = "names"
    NUMBERS = "numbers"
    BOTH = "names+numbers"

    @property
    def names(self) -> bool:
        """Whether wrong names are penalized."""
        return self in {Penalty.NAMES, Penalty.BOTH}

    @property
    def numbers(self) -> bool:
        """Whether wrong numbers are penalized."""
        return self in {Penalty.NUMBERS, Penalty.BOTH}


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
        strength: The share of the score that one wrong name or number takes off.
    """

    penalty: Penalty
    language: str
    names: NameSource = NameSource.AUTO
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
            findings += self._wrong_names(hypothesis, reference, of_reference=False)
            findings += self._wrong_names(reference, hypothesis, of_reference=True)
        if self.penalty.numbers:
            code = parse_language(self.language).code
            compared = compared_numbers(numbers(hypothesis, code), numbers(reference, code))
            findings += _numbers(compared.extra, of_reference=False)
            findings += _numbers(compared.missing, of_reference=True)
        lost = sum(one.of_reference for one in findings)
        return TextFactors(self._factor(len(findings) - lost), self._factor(lost), tuple(findings))

    def _factor(self, wrong: int) -> float:
        return penalty_factor([0.0] * wrong, wrong, scale=Scale.EACH, strength=self.strength)

    def _wrong_names(self, own: str, other: str, *, of_reference: bool) -> list[WrongSpan]:
        code = parse_language(self.language).code
        named = name_spans(own, self.language, self.names)
        candidates = [name.text for name in name_spans(other, self.language, self.names)]
        return [
            WrongSpan(name.text, of_reference, is_number=False)
            for name in named
            if not _is_there(name.text, other, candidates, code)
            and (code in _UNSPACED or not is_abbreviated(name.text, name.start, own, other))
        ]


def _numbers(left: Iterable[Number], *, of_reference: bool) -> list[WrongSpan]:
    return [WrongSpan(one.text, of_reference, is_number=True) for one in left]


def _is_there(name: str, text: str, candidates: list[str], code: str) -> bool:
    """Return whether a text has a name, in some spelling or as another common name.

    Args:
        name: The name.
        text: The other text.
        candidates: The names of the other text.
        code: The language.
    """
    form, whole = name_form(name, code), text_form(text, code)
    if code in _UNSPACED:
        # As written, or by its reading.
        found = name in text or (len(form) >= _SHORTEST_READING and form in whole)
        found = found or (code == "ja" and stands_undivided(name, text))
    else:
        # As a word or inside one: Hongkong and Hong Kong, al-Qaeda and alqaeda.
        within = len(form) >= _SHORTEST_SUBSTRING and _joined(form) in _joined(whole)
        found = within or f" {form} " in whole
    if found:
        return True
    least = _SAME_NAME if code in _UNDECLINED else _SAME_DECLINED_NAME
    if any(_is_same_name(name, other, code, least) for other in candidates):
        return True
    groups = name_groups(name, code)
    others = candidates if code in _UNSPACED else whole.split()
    return any(groups & name_groups(other, code) for other in others) if groups else False


def _is_same_name(name: str, other: str, code: str, least: float) -> bool:
    """Return whether two names are known to name one thing, or else are spelled alike."""
    things, others = known_things(name, code), known_things(other, code)
    if things & others:
        return True
    form, other_form = name_form(name, code), name_form(other, code)
    # Zambia is not Gambia, but Texan goes with Texas.
    if things and others and not form.startswith(other_form[:-1]):
        return False
    return agreement(form, other_form) >= least


def _joined(form: str) -> str:
    return "".join(character for character in form if character.isalnum())
