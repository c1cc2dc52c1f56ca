"""Every worked example of the specification of ParaEval that concerns the metric.

Provenance: `specs/paraeval.md`, sections 2 and 3, of the shared folder, which has them from figures
1 and 4 of Zhou, Lin and Hovy (2006); read 2026-11-15. Those of section 4 are in
`test_sacrebleu_options.py`.
"""

import pytest

import tenbin
from tenbin.building.paraphrases.conversion import convert_paraphrases

HYPOTHESIS = "blown up bombing was happening"
REFERENCES = ["the bombing resulted in an explosion", "there was an explosion"]


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The one set of figure 4, by way of a list of sets."""
    folder = tmp_path_factory.mktemp("figure-4")
    source = folder / "sets.tsv"
    source.write_text("1\tblown up\n1\tbombing\n1\texplosion\n", encoding="utf-8")
    target = folder / "figure-4.paraphrases"
    convert_paraphrases([str(source)], "sets", str(target), language="en", tokenizer="13a")
    return str(target)


def score(spec: str, hypothesis: str = HYPOTHESIS, references: list[str] = REFERENCES) -> float:
    return tenbin.load_metric(spec, language="en").score([hypothesis], [references]).score


def test_figure_4(table: str) -> None:
    assert score(f"paraeval(table={table!r})") == 4 / 5
    assert score("mup") == 2 / 5
    assert score("paraeval(table='none')") == 2 / 5


def test_figure_4_with_long_paraphrases_only(table: str) -> None:
    assert score(f"paraeval(table={table!r}, min_length=3)") == 2 / 5


def test_figure_4_recall(table: str) -> None:
    spec = f"paraeval(table={table!r}, measure='recall')"
    assert score(spec) == 0.5
    assert [score(spec, references=[one]) for one in REFERENCES] == [2 / 6, 2 / 4]
    mean = f"paraeval(table={table!r}, measure='recall', references='mean')"
    assert score(mean) == pytest.approx((2 / 6 + 2 / 4) / 2)


def test_figure_1(table: str) -> None:
    references = ["The cat is on the mat", "There is a cat on the mat"]
    for spec in (f"paraeval(table={table!r})", "paraeval(table='none')"):
        assert score(spec, "the the the the the the the", references) == 2 / 7
