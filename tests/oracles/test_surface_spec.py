"""Every worked example of the specification of surface metrics, sections 1 to 8.

Provenance: `specs/surface.md` of the shared folder, whose numbers come from sacrebleu 2.6.0, NLTK,
RIBES.py 1.03.1, cer 1.2.0 and the Python function of EED's authors; read 2026-11-15. The four
segments T7 are in `tests/data/t7`. A tolerance is half a unit of the last printed digit. Section 4
(NIST) is in `test_nltk_nist.py`.
"""

from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import tenbin
from tenbin.core.arrays import FloatArray

T7_FILE = Path(__file__).resolve().parents[1] / "data" / "t7" / "segments.tsv"

CAT = ("the cat is on mat", "the cat sat on the mat")


def t7() -> tuple[list[str], list[str]]:
    """Return hypotheses and references of the example set."""
    rows = [line.split("\t") for line in T7_FILE.read_text("utf-8").splitlines()[1:]]
    return [hypothesis for hypothesis, _ in rows], [reference for _, reference in rows]


def scores(
    spec: str, hypotheses: list[str], references: list[str] | list[list[str]]
) -> tuple[float, FloatArray]:
    """Return corpus score and segment scores."""
    table = tenbin.score(hypotheses, references, metrics=[spec], language="en", segments=True)
    segments = table.score_set.results[0].segments
    assert segments is not None
    return float(table.score_set.results[0].scores[0]), segments[0]


def assert_printed(found: float, printed: str) -> None:
    """Assert that a number prints as the specification prints it."""
    decimals = len(printed.partition(".")[2])
    assert found == pytest.approx(float(printed), abs=0.5000001 * 10.0**-decimals)


class Example(NamedTuple):
    """A metric on one pair."""

    spec: str
    hypothesis: str
    reference: str
    printed: str


ORDER = "the cat sat on the mat"

PAIRS = [
    # Section 1, BLEU.
    Example("bleu", *CAT, "20.801195"),
    Example("bleu(smoothing=floor)", *CAT, "11.062691"),
    Example('bleu(smoothing="add-k")', *CAT, "33.085164"),
    Example("bleu(smoothing=none)", *CAT, "0"),
    # Section 2, chrF.
    Example("chrf", *CAT, "35.00"),
    Example("chrf++", *CAT, "37.49"),
    # Section 3, TER; WER and PER by their definitions: one word replaced, one missing.
    Example("ter", *CAT, "33.33"),
    Example("wer", *CAT, "33.33"),
    Example("per", *CAT, "33.33"),
    Example("wer", "on the mat the cat sat", ORDER, "100"),
    Example("per", "on the mat the cat sat", ORDER, "0"),
    # Section 6, IMPACT.
    Example("impact", ORDER, ORDER, "1.0"),
    Example("impact", "on the mat the cat sat", ORDER, "0.541332"),
    Example("impact", "a b c d", "b a d c", "0.482272"),
    # Section 7, CharacTER.
    Example("character", *CAT, "0.411765"),
    Example("character", "on the mat sat the cat", ORDER, "0.121212"),
    Example("character", "", ORDER, "1"),
    Example("character", ORDER, ORDER, "0"),
    # Section 8, EED.
    Example("eed", ORDER, ORDER, "0.012346"),
    Example("eed", *CAT, "0.368794"),
    Example('eed(variant="cpp")', ORDER, ORDER, "0"),
]


@pytest.mark.parametrize("case", PAIRS, ids=lambda case: f"{case.spec}: {case.hypothesis}")
def test_pair(case: Example) -> None:
    corpus, segments = scores(case.spec, [case.hypothesis], [case.reference])
    assert_printed(corpus, case.printed)
    assert_printed(segments[0], case.printed)


class Table(NamedTuple):
    """A metric on the four segments T7."""

    spec: str
    segments: list[str]
    corpus: str | None = None


TABLES = [
    Table("bleu", ["17.286", "17.7474", "27.3793", "14.5586"], "16.56"),
    Table("sentbleu", ["17.286", "17.7474", "27.3793", "14.5586"]),
    Table("chrf", ["68.7718", "61.3359", "69.6056", "47.0248"], "54.52"),
    Table("chrf(word_order=2)", ["68.3856", "56.8283", "65.0567", "44.1977"], "51.62"),
    Table("ter", ["25.0", "85.7143", "38.4615", "95.3488"], "76.06"),
    Table("ribes", ["0.9199", "0.5886", "0.8694", "0.7161"]),
    Table("impact", ["0.640713", "0.403447", "0.527472"]),  # segment 4 is not printed
    Table("character", ["0.183673", "0.663265", "0.179487", "0.719681"]),
    Table('character(tokenizer="13a")', ["0.117647", "0.764706", "0.177215", "0.737616"]),
    Table("eed", ["0.17193", "0.426443", "0.228814", "0.496981"]),
]


@pytest.mark.parametrize("case", TABLES, ids=lambda case: case.spec)
def test_t7(case: Table) -> None:
    corpus, segments = scores(case.spec, *t7())
    for found, printed in zip(segments, case.segments, strict=False):
        assert_printed(found, printed)
    if case.corpus is not None:
        assert_printed(corpus, case.corpus)
    else:
        assert corpus == pytest.approx(float(np.mean(segments)), abs=1e-12)


def test_brevity_penalty_of_bleu() -> None:
    # c = 5, r = 6: BP-BLEU over GM is the penalty, at the orders that have matches.
    penalised, _ = scores("bp-bleu(max_order=2)", [CAT[0]], [CAT[1]])
    mean, _ = scores("gm(max_order=2)", [CAT[0]], [CAT[1]])
    assert_printed(penalised / mean, "0.818731")
    assert_printed(scores("mup", [CAT[0]], [CAT[1]])[0], "0.8")
    assert_printed(mean**2 / 0.8, "0.25")


def test_precisions_of_bleu_on_t7() -> None:
    # GM of n orders to the power n is the product of their precisions.
    products = [scores(f"gm(max_order={n})", *t7())[0] ** n for n in (1, 2, 3, 4)]
    precisions = [products[0], *(b / a for a, b in pairwise(products))]
    for found, printed in zip(precisions, ["52.2", "25.6", "11.0", "5.1"], strict=True):
        assert_printed(100 * found, printed)
    # 90 hypothesis tokens against 80: no penalty.
    assert scores("bp-bleu", *t7())[0] == pytest.approx(products[3] ** 0.25, abs=1e-12)


def test_factors_of_ribes_on_t7() -> None:
    _, correlation = scores("ribes(alpha=0, beta=0)", *t7())
    _, with_precision = scores("ribes(alpha=1, beta=0)", *t7())
    _, with_penalty = scores("ribes(alpha=0, beta=1)", *t7())
    expected = [("0.9444", "0.9"), ("0.7", "0.5"), ("1", "0.5714")]
    for segment, (printed_correlation, printed_precision) in enumerate(expected):
        assert_printed(correlation[segment], printed_correlation)
        assert_printed(with_precision[segment] / correlation[segment], printed_precision)
        assert with_penalty[segment] == correlation[segment]


def test_weights_of_impact() -> None:
    # With m = n the score is (W / n**beta)**(1/beta).
    same_length, _ = scores("impact", ["on the mat the cat sat"], [ORDER])
    assert_printed((6 * same_length) ** 1.2, "4.110912")
    crossed, _ = scores("impact", ["a b c d"], ["b a d c"])
    assert_printed((4 * crossed) ** 1.2, "2.2")
    precision, recall = 0.371959, 0.464948  # of segment 2 of T7: 10 words against 8
    gamma = precision / recall
    printed = (1 + gamma**2) * recall * precision / (recall + gamma**2 * precision)
    assert_printed(printed, "0.403447")
    assert_printed(gamma, "0.8")


def test_empty_sides_of_ter() -> None:
    _, segments = scores("ter", ["a b", "", "a b"], ["", "", "a b"])
    assert segments.tolist() == [100.0, 0.0, 0.0]


def test_ribes_of_one_word() -> None:
    _, segments = scores("ribes", ["a", "a b", "", "x", "a b"], ["a", "a", "a b", "a", "b a"])
    # One linked word is an order only where the reference has no other.
    assert segments.tolist() == [1.0, 0.5**0.25, 0.0, 0.0, 0.0]


def test_best_reference_counts() -> None:
    hypothesis, reference = CAT
    for spec in ("chrf", "ribes", "impact", "character", "eed", "wer", "per"):
        alone, _ = scores(spec, [hypothesis], [reference])
        both, _ = scores(spec, [hypothesis], [["nothing of the kind at all", reference]])
        assert both == alone, spec
    # TER divides by the mean length of all references: 2 edits over (6 + 10) / 2 words.
    longer = "a much longer reference that has ten words in it"
    assert scores("ter", [hypothesis], [[reference, longer]])[0] == 25.0
