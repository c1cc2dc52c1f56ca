"""What each member of a combination adds to a score, step by step."""

from difflib import SequenceMatcher

from tenbin.core.alignment import Alignment, Match, MatchKind, Span
from tenbin.core.arrays import FloatArray
from tenbin.core.combination import CombinationModel, LanguageScale
from tenbin.core.explanation import Step
from tenbin.metrics.combination.arithmetic import combined, contributions, ends_of_scale


def combination_steps(
    model: CombinationModel, scale: LanguageScale, scores: FloatArray
) -> tuple[Step, ...]:
    """Return the score of a mean translation, what each member adds, and their sum.

    Args:
        model: The combination.
        scale: The scale of its members in the target language.
        scores: The scores of the members for one translation.
    """
    start, added = contributions(model, scale, scores)
    low, high = ends_of_scale(model, scale)
    steps = [Step("mean", "the score where every member is at its mean", "", start)]
    for place, spec in enumerate(model.members):
        value, mean = float(scores[place]), scale.mean[place]
        formula = f"its score is {value:.4f}, the mean {mean:.4f}"
        if model.weights:
            better = f"{value:.4f} - {mean:.4f}"
            if not model.higher_is_better[place]:
                better = f"{mean:.4f} - {value:.4f}"
            formula = f"{model.weights[place]:.4f} * ({better}) / {scale.sd[place]:.4f}"
            formula += f" / {high - low:.4f}"
        steps.append(Step(spec, "what this member adds", formula, float(added[place])))
    score = float(combined(model, scale, scores[None, :])[0])
    total = "the mean and what the members add"
    return (*steps, Step("score", f"{total}, from 0 (worst) to 1 (best)", "", score))


def equal_words(hypothesis: str, reference: str) -> Alignment:
    """Return two texts with their equal words linked, where no member links any.

    Text without blanks is shown character by character.

    >>> len(equal_words("a b c", "b c d").matches)
    2
    """
    blanks = " " in hypothesis or " " in reference
    own = tuple(hypothesis.split() if blanks else hypothesis)
    other = tuple(reference.split() if blanks else reference)
    blocks = SequenceMatcher(None, own, other, autojunk=False).get_matching_blocks()
    matches = [
        Match(
            hypothesis=Span(block.a + step, block.a + step + 1),
            reference=Span(block.b + step, block.b + step + 1),
            kind=MatchKind.EXACT,
            similarity=1.0,
            evidence="equal",
        )
        for block in blocks
        for step in range(block.size)
    ]
    return Alignment(hypothesis=own, reference=other, matches=tuple(matches))
