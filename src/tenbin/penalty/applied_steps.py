"""The penalty for wrong names and numbers explained: what is wrong, and what it costs."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from tenbin.core.explanation import Step
from tenbin.penalty.texts import TextFactors, WrongSpan

BEFORE = "score before penalty"


class SideLosses(NamedTuple):
    """What the penalty leaves of precision and recall.

    Attributes:
        precision: The factor of precision.
        recall: The factor of recall.
        extra: Names and numbers that the reference has not, as text.
        missing: Those of the reference that the translation has not.
    """

    precision: float = 1.0
    recall: float = 1.0
    extra: str = ""
    missing: str = ""

    def precision_steps(self, value: float) -> list[Step]:
        """Return the steps from a precision to what is kept of it; none where that is all."""
        return side_steps("precision", value, self.precision, self.extra)

    def recall_steps(self, value: float) -> list[Step]:
        """Return the steps from a recall to what is kept of it; none where that is all."""
        return side_steps("recall", value, self.recall, self.missing)


def side_steps(label: str, value: float, kept: float, wrong: str) -> list[Step]:
    """Return the steps from a precision or recall to what is kept of it; none where that is all.

    Args:
        label: ``precision`` or ``recall``.
        value: Before the penalty.
        kept: The factor.
        wrong: The names and numbers that are penalized.
    """
    if kept >= 1 or value <= 0:
        return []
    side = "the reference has not" if label == "precision" else "the translation has not"
    formula = f"{value:.4f} × {kept:.4f}"
    return [
        Step(f"factor of {label}", f"names and numbers that {side}: {wrong}", "", kept),
        Step(f"{label}, penalized", "after the penalty", formula, value * kept),
    ]


def penalized_steps(
    steps: Sequence[Step], factors: TextFactors, strength: float
) -> tuple[Step, ...]:
    """Return the steps to a score, and from there to the score after the penalty.

    Args:
        steps: The way to the score, which is the last one.
        factors: What is wrong, and what it costs.
        strength: The share of the score that one wrong name or number takes off.
    """
    *before, plain = steps
    score, factor = plain.value, factors.score
    lowered = score * factor if score > 0 else score
    formula = f"{score:.4f} × {factor:.4f}" if score > 0 else "what is not above 0 stays"
    return (
        *before,
        replace(plain, label=BEFORE),
        *_factor_steps(factors, strength),
        Step(plain.label, "after the penalty", formula, lowered),
    )


def _factor_steps(factors: TextFactors, strength: float) -> tuple[Step, ...]:
    if not factors.findings:
        return (Step("factor", "no wrong name or number", "", factors.score),)
    extra = [one for one in factors.findings if not one.of_reference]
    missing = [one for one in factors.findings if one.of_reference]
    both = f"2 × {factors.precision:.4f} × {factors.recall:.4f} / "
    both += f"({factors.precision:.4f} + {factors.recall:.4f})"
    has = factors.precision + factors.recall > 0
    return (
        _counted("extra", "that the reference has not", extra, factors.precision, strength),
        _counted("missing", "of the reference, not here", missing, factors.recall, strength),
        Step("factor", "harmonic mean of the two", both if has else "", factors.score),
    )


def _counted(
    side: str, which: str, found: Sequence[WrongSpan], factor: float, strength: float
) -> Step:
    listed = ", ".join(one.text for one in found)
    costs = " - ".join(f"{strength / 2**place:g}" for place in range(len(found)))
    meaning = f"names and numbers {which}: {listed}" if found else f"nothing {which}"
    return Step(f"factor, {side}", meaning, f"1 - {costs}" if found else "", factor)
