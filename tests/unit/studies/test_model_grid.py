"""BERTScore by model, idf dictionary and penalty, beside what meta-evaluation gives one by one."""

import shutil
from pathlib import Path

import numpy as np
import pytest

import tenbin
from tenbin.api.meta import meta_evaluate
from tenbin.api.model_grid import GridOptions, study_grid
from tenbin.building.idf import DocumentUnit, build_idf
from tenbin.core.agreement import SamplingUnit
from tenbin.core.errors import InputError, UsageError
from tenbin.core.model_grid import GridColumn, GridRow, PlaceGrid
from tenbin.formats.mt_metrics_eval import read_score_file
from tenbin.penalty.choices import NameSource

JUDGED = Path(__file__).parents[2] / "data" / "judged"
PAIR = "de-en"
MACHINES = ("alpha", "beta", "gamma", "delta", "epsilon")
STATIC = "static:glove-en-small"
TEXT = "The cat sat on the mat.\nIt rained all night.\n\nThe shop was closed.\nA cat sat there.\n"


@pytest.fixture(autouse=True)
def _own_caches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TENBIN_SCORES", str(tmp_path / "scores"))
    monkeypatch.setenv("TENBIN_ENCODINGS", str(tmp_path / "encodings"))


@pytest.fixture
def dictionary(tmp_path: Path) -> Path:
    """A dictionary of the words of the vectors, called after the model ``glove``."""
    corpus, target = tmp_path / "corpus.txt", tmp_path / "small.glove.idf"
    corpus.write_text(TEXT)
    build_idf([str(corpus)], "en", str(target), document=DocumentUnit.LINE)
    return target


def grid(options: GridOptions, folder: Path = JUDGED) -> PlaceGrid:
    (one,) = study_grid([str(folder)], [PAIR], options).grids
    return one


def by_setting(found: PlaceGrid) -> dict[tuple[str, str | None, str | None], GridRow]:
    return {(row.model, row.idf, row.penalty): row for row in found.rows}


def measured(spec: str, *measures: str) -> list[float]:
    table = meta_evaluate(
        str(JUDGED), PAIR, metrics=spec, measures=measures, references=["refA", "refB"]
    )
    return [row.value for row in table.rows]


def test_every_setting_has_what_meta_evaluation_gives_it(dictionary: Path) -> None:
    measures = ("segment-pearson", "segment-kendall")
    options = GridOptions(
        models={"glove": STATIC},
        idfs={
            "none": False,
            "references": True,
            "small": str(dictionary.with_name("small.{model}.idf")),
        },
        names=(NameSource.RARE, NameSource.CAPITALS),
        measures=measures,
        resamples=20,
    )
    found = grid(options)
    rows = by_setting(found)
    assert found.columns == tuple(GridColumn(name) for name in measures)
    assert rows["glove", "small", "rare"].spec == (
        f'bertscore(model="{STATIC}", idf="{dictionary}", penalty="names", names="rare")'
    )
    scored = [row for row in found.rows if row.missing is None]
    assert len(scored) == 8  # without a dictionary nothing is rare; and sentbleu
    for row in scored:
        expected = measured(row.spec, *measures)
        assert [one.value for one in row.values] == pytest.approx(expected, abs=1e-12)
        assert all(one.ci is not None and one.segments == 6 for one in row.values)
    plain, rare = rows["glove", "small", "none"], rows["glove", "small", "rare"]
    gap = rare.values[0].difference
    assert gap is not None
    assert gap.value == pytest.approx(rare.values[0].value - plain.values[0].value, abs=1e-12)
    assert plain.values[0].difference is None
    assert rows["sentbleu", None, None].values[0].difference is None


def test_a_model_in_context(tiny_model: Path) -> None:
    options = GridOptions(
        models={"tiny": str(tiny_model), "glove": STATIC},
        layers={"tiny": 1},
        names=(NameSource.CAPITALS,),
        metrics=(),
        resamples=0,
    )
    rows = by_setting(grid(options))
    assert list(rows) == [
        ("tiny", "none", "none"),
        ("tiny", "none", "capitals"),
        ("glove", "none", "none"),
        ("glove", "none", "capitals"),
    ]
    one = rows["tiny", "none", "none"]
    assert "layer:1" in str(one.signature)
    assert one.values[0].value == pytest.approx(measured(one.spec, "segment-pearson")[0], abs=1e-12)
    assert one.values[0].ci is None
    gap = rows["tiny", "none", "capitals"].values[0].difference
    assert gap is not None
    assert np.isnan(gap.ci).all()


def test_what_is_missing_has_a_row_that_says_so(tmp_path: Path) -> None:
    options = GridOptions(
        models={"glove": STATIC, "wikipedia": str(tmp_path / "no-model")},
        idfs={"none": False, "wiki": str(tmp_path / "wiki.{model}.idf")},
        names=(NameSource.CAPITALS,),
        metrics=(),
        resamples=0,
    )
    table = study_grid([str(JUDGED)], [PAIR], options)
    (found,) = table.grids
    rows = by_setting(found)
    assert rows["glove", "none", "none"].missing is None
    absent = rows["glove", "wiki", "none"]
    assert "wiki.glove.idf" in str(absent.missing)
    assert (absent.values, absent.signature) == ((), None)
    assert "no-model" in str(rows["wikipedia", "none", "capitals"].missing)
    notes = " ".join(table.notes)
    assert "missing: glove, idf wiki, penalty none; glove, idf wiki, penalty capitals" in notes
    text = table.to_markdown()
    assert text.count("| missing |") == 6
    assert "no-model" in table.to_tsv()
    nothing = GridOptions(models={"wikipedia": str(tmp_path / "no-model")}, metrics=())
    with pytest.raises(InputError, match=r"no setting of the grid can be scored.*no-model"):
        study_grid([str(JUDGED)], [PAIR], nothing)


def test_domains_are_measured_on_their_own_segments(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(JUDGED, tmp_path / "judged"))
    domains = ["tales", "news", "tales", "news", "tales", "tales"]
    lines = [f"{domain}\t{domain}{number}\n" for number, domain in enumerate(domains)]
    (folder / "documents" / f"{PAIR}.docs").write_text("".join(lines))
    options = GridOptions(
        models={"glove": STATIC}, metrics=(), by_domain=True, resamples=10, references=("refA",)
    )
    found = grid(options, folder)
    assert [column.domain for column in found.columns] == [None, "tales", "news"]
    (row,) = (one for one in found.rows if one.missing is None)
    scores = tenbin.score(
        {
            name: [
                "" if line == "[No translation supplied]" else line
                for line in (JUDGED / "system-outputs" / PAIR / f"{name}.txt")
                .read_text()
                .splitlines()
            ]
            for name in MACHINES
        },
        (JUDGED / "references" / f"{PAIR}.refA.txt").read_text().splitlines(),
        metrics=[f'bertscore(model="{STATIC}")'],
        language="en",
        segments=True,
    ).score_set.results[0]
    assert scores.segments is not None
    people = read_score_file(str(JUDGED / "human-scores" / f"{PAIR}.mqm.seg.score"))
    gold = people.chosen(MACHINES).scores
    for column, value in zip(found.columns, row.values, strict=True):
        inside = np.array([column.domain in (None, domain) for domain in domains])
        own, other = scores.segments[:, inside], gold[:, inside]
        known = ~np.isnan(other)
        expected = np.corrcoef(own[known], other[known])[0, 1]
        assert value.value == pytest.approx(expected, abs=1e-12)
        assert value.segments == inside.sum()


def test_domains_must_be_known(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(JUDGED, tmp_path / "judged"))
    (folder / "documents" / f"{PAIR}.docs").unlink()
    options = GridOptions(models={"glove": STATIC}, by_domain=True, resamples=0)
    with pytest.raises(InputError, match="domains are not known"):
        grid(options, folder)


def test_options_that_are_not_possible() -> None:
    with pytest.raises(UsageError, match=r"no model is called novel\. There are: glove\."):
        GridOptions(models={"glove": STATIC}, layers={"novel": 1})
    with pytest.raises(UsageError, match="needs a model"):
        GridOptions(models={})
    with pytest.raises(UsageError, match="is a mean over samples"):
        GridOptions(models={"glove": STATIC}, measures=("paraeval-spearman",))
    with pytest.raises(UsageError, match="resamples=-1"):
        GridOptions(models={"glove": STATIC}, resamples=-1)
    with pytest.raises(UsageError, match="not judgments"):
        GridOptions(models={"glove": STATIC}, unit=SamplingUnit.JUDGMENTS)
