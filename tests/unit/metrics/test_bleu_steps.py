"""MUP, GM and BP-BLEU: the worked example of Papineni et al. (2002), and BLEU put together."""

import numpy as np
import pytest

from tenbin.core.text import TestSet
from tenbin.evaluation.statistics import chunk_statistics
from tenbin.metrics import registry

# Papineni et al. (2002), section 2.1, example 1: modified unigram precisions 17/18 and 8/14,
# modified bigram precisions 10/17 and 1/13; their words are lower-cased here.
CANDIDATES = (
    (
        "it is a guide to action which ensures that the military always obeys the commands of the "
        "party"
    ),
    "it is to insure the troops forever hearing the activity guidebook that party direct",
)
REFERENCES = (
    "it is a guide to action that ensures that the military will forever heed party commands",
    (
        "it is the guiding principle which guarantees the military forces always being under the "
        "command of the party"
    ),
    "it is the practical guide for the army always to heed the directions of the party",
)


def scores(spec: str, *hypotheses: str, references: tuple[str, ...]) -> list[float]:
    test_set = TestSet(hypotheses={"A": hypotheses}, references=(references,) * len(hypotheses))
    metric = registry.load(spec).bind("en")
    found: list[float] = metric.segment_score(chunk_statistics(test_set, [metric])[0][0]).tolist()
    return found


def test_unigram_precision_of_the_paper() -> None:
    assert scores("mup", *CANDIDATES, references=REFERENCES) == [17 / 18, 8 / 14]


def test_clipping_of_the_paper() -> None:
    """Section 2.1, example 2: seven times 'the' is credited twice."""
    references = ("the cat is on the mat", "there is a cat on the mat")
    assert scores("mup", "the the the the the the the", references=references) == [2 / 7]


def test_bigram_precision_of_the_paper() -> None:
    expected = [(17 / 18 * 10 / 17) ** 0.5, (8 / 14 * 1 / 13) ** 0.5]
    found = scores("gm(max_order=2)", *CANDIDATES, references=REFERENCES)
    assert found == pytest.approx(expected, rel=1e-12)


def test_the_third_step_is_bleu_without_smoothing() -> None:
    steps = scores("bp-bleu", *CANDIDATES, references=REFERENCES)
    whole = scores(
        "bleu(smoothing=none, effective_order=never)", *CANDIDATES, references=REFERENCES
    )
    assert [100 * step for step in steps] == pytest.approx(whole, rel=1e-12)
    assert scores("bp-bleu", "it is a guide", references=REFERENCES)[0] < np.exp(-2)
