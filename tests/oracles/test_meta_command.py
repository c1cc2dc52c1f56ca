"""``tenbin meta`` on the WMT sets, from the texts to the number.

Provenance: `data/README.md` of the shared folder ("What was checked"): sentence BLEU, chrF and
corpus BLEU of sacrebleu 2.6.0 on wmt14, wmt16, wmt19 and wmt20, system Pearson of submitted scores
on wmt23; read 2026-11-15.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from tenbin.cli.main import main

pytestmark = [pytest.mark.oracle, pytest.mark.slow]

Values = dict[tuple[str, str, str], float | None]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("scores")


@pytest.fixture
def run(
    shared: Path, kept: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Any:
    monkeypatch.setenv("TENBIN_SCORES", str(kept))
    monkeypatch.chdir(shared / "data")

    def rows(words: str) -> list[dict[str, Any]]:
        assert main(["meta", *words.split(), "-f", "json", "-q"]) == 0
        found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)["rows"]
        return found

    return rows


def rounded(rows: list[dict[str, Any]], decimals: int) -> Values:
    return {
        (row["pair"], row["metric"], row["measure"]): round(row["value"], decimals) for row in rows
    }


def test_wmt20(run: Any) -> None:
    rows = run("--set wmt20 --pair en-de -m sentbleu chrf --measure darr-tau")
    assert rounded(rows, 4) == {
        ("en-de", "sentbleu", "darr-tau"): 0.3034,
        ("en-de", "chrf", "darr-tau"): 0.3796,
    }
    assert {row["n"] for row in rows} == {9_339}


def test_darr_made_of_raw_scores_is_the_file(run: Any, shared: Path, tmp_path: Path) -> None:
    for folder in ("human-scores", "references", "system-outputs"):
        (tmp_path / folder).symlink_to(shared / "data" / "wmt20" / folder)
    rows = run(f"--set {tmp_path} --pair en-de -m chrf --measure darr-tau")
    assert rounded(rows, 4) == {("en-de", "chrf", "darr-tau"): 0.3796}
    assert rows[0]["n"] == 9_339


def test_wmt14(run: Any) -> None:
    words = "--set wmt14 --pair all -m sentbleu bleu --measure"
    assert rounded(run(f"{words} wmt14-tau"), 3) == {
        (pair, metric, "wmt14-tau"): value
        for pair, value in (("cs-en", 0.197), ("de-en", 0.256), ("fr-en", 0.362))
        for metric in ("sentbleu", "bleu")
    }
    systems = rounded(run(f"{words} system-pearson"), 3)
    pearson = {"cs-en": 0.946, "de-en": 0.812, "fr-en": 0.954}
    assert {pair: systems[pair, "bleu", "system-pearson"] for pair in pearson} == pearson


def test_wmt16(run: Any) -> None:
    rows = run("--set wmt16.daseg --pair all -m sentbleu --measure segment-pearson")
    assert [round(row["value"], 3) for row in rows] == [0.557, 0.454, 0.426, 0.480]
    assert {row["n"] for row in rows} == {560}


def test_wmt19(run: Any) -> None:
    rows = run("--set wmt19.darr --pair lt-en -m sentbleu chrf")
    assert rounded(rows, 3) == {
        ("lt-en", "sentbleu", "darr-tau"): 0.251,
        ("lt-en", "chrf", "darr-tau"): 0.304,
    }


def test_wmt23(run: Any) -> None:
    rows = run(
        "--set wmt23 --pair he-en -m chrf bleu --import-scores wmt23 --measure system-pearson"
    )
    found = {row["metric"]: row["value"] for row in rows}
    expected = {
        "chrF-refA": 0.730,
        "BLEU-refA": 0.715,
        "COMET-refA": 0.881,
        "MetricX-23-refA": 0.912,
        "XCOMET-Ensemble-refA": 0.950,
    }
    assert {name: round(found[name], 3) for name in expected} == expected
    assert {row["n"] for row in rows} == {12}
    assert len(rows) == 22
    # From the texts, as from the file.
    assert found["chrf"] == pytest.approx(found["chrF-refA"], abs=1e-4)
    assert found["bleu"] == pytest.approx(found["BLEU-refA"], abs=1e-4)


def test_wmt20_without_text_has_every_submitted_metric(run: Any, shared: Path) -> None:
    rows = run("--set wmt20 --pair de-en --import-scores wmt20 --measure system-pearson")
    folder = shared / "data" / "wmt20" / "metric-scores" / "de-en"
    names = {path.name.removesuffix(".sys.score") for path in folder.glob("*.sys.score")}
    assert {row["metric"] for row in rows} >= names
    assert all(row["value"] is not None for row in rows if row["metric"] in names)
