"""METEOR's arithmetic for one segment, step by step with the numbers put in."""

from dataclasses import dataclass

from tenbin.core.arrays import FloatArray
from tenbin.core.explanation import Step
from tenbin.metrics.meteor.formula import LENGTHS, PER_STAGE, TAIL, MeteorParts
from tenbin.metrics.meteor.parameters import Stage
from tenbin.metrics.written_numbers import divided, n, quotient
from tenbin.penalty.applied_steps import SideLosses

_MEANINGS = {
    Stage.EXACT: "the same word",
    Stage.STEM: "another form of the word",
    Stage.SYNONYM: "a word with the same meaning",
    Stage.PARAPHRASE: "a phrase known as a paraphrase",
    Stage.VECTOR: "a word with a near vector",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Formula:
    """The parameters of one configuration."""

    stages: tuple[Stage, ...]
    weights: tuple[float, ...]
    alpha: float
    beta: float
    gamma: float
    delta: float
    unit: str = "words"

    def weighted(self, content: float, function: float) -> str:
        """Return content and function words by their weights, as a sum in writing."""
        terms = ((self.delta, content), (1 - self.delta, function))
        return " + ".join(f"{n(weight)} × {n(count)}" for weight, count in terms if count) or "0"

    def value(self, content: float, function: float) -> float:
        """Return the value of that sum."""
        return self.delta * content + (1 - self.delta) * function


def score_steps(
    statistics: FloatArray, parts: MeteorParts, formula: Formula, losses: SideLosses
) -> tuple[Step, ...]:
    """Return the way from the statistics of one segment to its score.

    Args:
        statistics: One row, as `tenbin.metrics.meteor.formula.meteor_parts` takes it, before
            wrong names and numbers are penalized.
        parts: What the score is made of, from that same row after it.
        formula: The parameters.
        losses: What the penalty leaves.
    """
    own, other, own_function, other_function = statistics[:LENGTHS].tolist()
    rows = statistics[LENGTHS:-TAIL].reshape(-1, PER_STAGE).tolist()
    own_steps = _side("translation", own, own_function, [row[:2] for row in rows], formula)
    other_steps = _side("reference", other, other_function, [row[2:] for row in rows], formula)
    shares = [step.value for step in (*own_steps, *other_steps)]
    return (
        _length_step("translation", own, own_function, formula),
        _length_step("reference", other, other_function, formula),
        *_stage_steps(rows, formula),
        *own_steps,
        *other_steps,
        *_mean_steps(shares, parts, formula, losses),
        *_order_steps(statistics[-TAIL:].tolist(), parts, formula),
    )


def _length_step(name: str, total: float, function: float, formula: Formula) -> Step:
    return Step(
        f"{name} length",
        f"content {formula.unit} + function {formula.unit} (the commonest)",
        f"{n(total - function)} + {n(function)}",
        total,
    )


def _stage_steps(rows: list[list[float]], formula: Formula) -> list[Step]:
    steps = []
    for stage, weight, row in zip(formula.stages, formula.weights, rows, strict=True):
        if not any(row):
            continue
        counts = f"{n(row[0])} + {n(row[1])}"
        if row[:2] != row[2:]:
            counts += f" (in the reference {n(row[2])} + {n(row[3])})"
        meaning = f"{_MEANINGS[stage]}, counts {n(weight)}"
        steps.append(Step(f"{stage} matches", meaning, counts, row[0] + row[1]))
    return steps


def _side(
    name: str, total: float, function: float, matched: list[list[float]], formula: Formula
) -> list[Step]:
    """Return the weight of one segment, and how much of it is matched."""
    weight = formula.value(total - function, function)
    terms = [
        (factor, content, functional)
        for factor, (content, functional) in zip(formula.weights, matched, strict=True)
        if content or functional
    ]
    written = " + ".join(f"{n(w)} × ({formula.weighted(c, f)})" for w, c, f in terms) or "0"
    value = sum(w * formula.value(c, f) for w, c, f in terms)
    heavy, light = n(formula.delta), n(1 - formula.delta)
    return [
        Step(
            f"{name} weight",
            f"content {formula.unit} weigh {heavy}, function {formula.unit} {light}",
            formula.weighted(total - function, function),
            weight,
        ),
        Step(
            f"{name} matched",
            "the same for matches, times what their kind counts",
            written,
            value,
        ),
    ]


def _mean_steps(
    shares: list[float], parts: MeteorParts, formula: Formula, losses: SideLosses
) -> list[Step]:
    own, own_matched, other, other_matched = shares
    precision, recall, mean = float(parts.precision), float(parts.recall), float(parts.mean)
    plain = [
        value if factor == 1 else quotient(matched, total)
        for value, factor, matched, total in (
            (precision, losses.precision, own_matched, own),
            (recall, losses.recall, other_matched, other),
        )
    ]
    alpha = formula.alpha
    harmonic = f"1 / ({n(1 - alpha)} / {n(precision)} + {n(alpha)} / {n(recall)})"
    return [
        Step(
            "precision",
            "how much of the translation is in the reference",
            divided(own_matched, own)[0],
            plain[0],
        ),
        *losses.precision_steps(plain[0]),
        Step(
            "recall",
            "how much of the reference is in the translation",
            divided(other_matched, other)[0],
            plain[1],
        ),
        *losses.recall_steps(plain[1]),
        Step(
            "F-mean",
            f"harmonic mean, recall weighs {n(alpha)}",
            harmonic if mean else "0, for nothing is matched",
            mean,
        ),
    ]


def _order_steps(tail: list[float], parts: MeteorParts, formula: Formula) -> list[Step]:
    chunks, own_words, other_words = tail
    words = (own_words + other_words) / 2
    if words and not chunks:
        counted = "none counts where both sentences match as a whole in one run"
    else:
        counted = ""
    fragmentation, penalty = float(parts.fragmentation), float(parts.penalty)
    score, mean = float(parts.score), float(parts.mean)
    power = f"{n(formula.gamma)} × {n(fragmentation)} ^ {n(formula.beta)}"
    product = f"{n(mean)} × (1 - {n(penalty)})"
    return [
        Step("chunks", "runs of matches in the same order in both sentences", counted, chunks),
        Step(
            "matched words",
            "mean of translation and reference",
            f"({n(own_words)} + {n(other_words)}) / 2",
            words,
        ),
        Step(
            "fragmentation",
            "how broken up the order is",
            divided(chunks, words)[0],
            fragmentation,
        ),
        Step("penalty", "the price of broken order", power, penalty),
        Step(
            "score",
            "F-mean less the penalty",
            product if penalty <= 1 else f"{product}, never below 0",
            score,
        ),
    ]
