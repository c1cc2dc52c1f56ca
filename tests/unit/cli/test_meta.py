"""The command that measures how far metrics agree with human judgment."""

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tenbin.api.meta import list_measures
from tenbin.cli.wording import in_options

Cli = Callable[..., subprocess.CompletedProcess[str]]
JUDGED = Path(__file__).parents[2] / "data" / "judged"
SET = ("meta", "--set", JUDGED, "--pair", "de-en")
IMPORTED = (*SET, "--import-scores", JUDGED)


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TENBIN_SCORES", str(tmp_path / "scores"))
    monkeypatch.chdir(tmp_path)


def test_json_has_the_promised_rows(cli: Cli) -> None:
    done = cli(*IMPORTED, "-m", "chrf", "--measure", "system-pearson", "acc-eq", "-f", "json")
    assert done.returncode == 0, done.stderr
    payload = json.loads(done.stdout)
    rows = {(row["metric"], row["measure"]): row for row in payload["rows"]}
    promised = {"pair", "metric", "measure", "human", "value", "ci", "n", "rank"}
    assert all(promised <= row.keys() for row in payload["rows"])
    good = rows["Good-refA", "system-pearson"]
    assert (good["pair"], good["human"], good["n"], good["ci"]) == ("de-en", "mqm", 5, None)
    assert good["value"] == pytest.approx(0.9982, abs=5e-5)
    assert rows["Partial-refA", "acc-eq"]["value"] is None
    assert rows["chrf", "acc-eq"]["signature"].startswith("chrf|lang:en|nrefs:1|")
    assert good["signature"] is None
    assert payload["comparisons"] == []
    assert any(note.startswith("Partial-refA: no") for note in payload["notes"])
    assert all(f"note: {in_options(note)}" in done.stderr for note in payload["notes"])


def test_without_metrics_bleu_and_chrf_are_measured(cli: Cli) -> None:
    done = cli(*SET, "-q", "-f", "tsv")
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert {row[2] for row in rows[1:]} == {"bleu", "chrf"}
    assert done.stderr == ""


def test_imported_scores_alone_need_no_metric(cli: Cli) -> None:
    done = cli(*IMPORTED, "--imported", "Good*", "--measure", "system-pearson", "-f", "tsv")
    assert [line.split("\t")[2] for line in done.stdout.splitlines()[1:]] == ["Good-refA"]


def test_ranks_intervals_and_differences(cli: Cli) -> None:
    words = ("-m", "chrf", "ter", "--measure", "darr-tau", "--ci", "--resamples", "50", "--compare")
    done = cli(*SET, *words, "-f", "json")
    assert done.returncode == 0, done.stderr
    payload = json.loads(done.stdout)
    assert [row["rank"] for row in payload["rows"]] == [1, 1]
    assert all(row["ci"][0] <= row["value"] <= row["ci"][1] for row in payload["rows"])
    (one,) = payload["comparisons"]
    assert (one["better"], one["worse"], one["test"]) == ("chrf", "ter", "perm-both")
    assert one["ci"][0] <= one["difference"] <= one["ci"][1]
    text = cli(*SET, *words, "-q").stdout
    assert "judged de-en, darr-tau against darr" in text
    assert "Δ to next" in text


def test_the_same_seed_gives_the_same_result(cli: Cli) -> None:
    words = ("-m", "ter", "chrf", "--measure", "segment-pearson", "--ci", "--compare", "-f", "json")
    first, second = (cli(*SET, *words).stdout for _ in range(2))
    assert first == second
    assert first != cli(*SET, *words, "--seed", "7").stdout


def test_a_plot_is_written(cli: Cli, tmp_path: Path) -> None:
    done = cli(*SET, "-m", "chrf", "--measure", "system-pearson", "--plot", "ranks.svg")
    assert done.returncode == 0, done.stderr
    drawing = (tmp_path / "ranks.svg").read_text(encoding="utf-8")
    assert "<svg" in drawing
    assert "epsilon" in drawing


def test_own_files(cli: Cli, tmp_path: Path) -> None:
    scores = {"A": 0.9, "B": 0.5, "C": 0.1, "D": 0.3}
    (tmp_path / "mine.tsv").write_text(
        "name\tvalue\n" + "".join(f"{name}\t{-score}\n" for name, score in scores.items())
    )
    (tmp_path / "judges.csv").write_text("system,score\nA,4\nB,3\nC,1\nD,2\n")
    done = cli(
        "meta",
        "--scores",
        "mine.tsv",
        "--human-scores",
        "judges.csv",
        "--columns",
        "system=name,score=value,segment=",
        "--human-columns",
        "segment=",
        "--negate",
        "mine",
        "--measure",
        "system-spearman",
        "-f",
        "json",
    )
    assert done.returncode == 0, done.stderr
    (row,) = json.loads(done.stdout)["rows"]
    assert (row["metric"], row["human"], row["value"]) == ("mine", "judges", pytest.approx(1.0))


def measure_names() -> list[str]:
    return [one.name for one in list_measures().measures]


def test_the_list_holds_every_measure(cli: Cli) -> None:
    shown = cli("meta", "--list").stdout
    assert all(f"\n{name} " in shown for name in measure_names())
    listed = json.loads(cli("meta", "--list", "-f", "json").stdout)["measures"]
    assert [one["name"] for one in listed] == measure_names()


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["meta"], 2, "missing --set DIR --pair PAIR, or --input FILE -l LANG, or --scores"),
        (["meta", "--set", JUDGED], 2, "--set needs --pair"),
        (["meta", "--set", "nowhere", "--pair", "all"], 3, "nowhere: there is no such folder"),
        (["meta", "--set", JUDGED, "--pair", "xx-yy"], 3, "Language pairs that have some: de-en."),
        ([*SET, "--measure", "darr", "tau"], 2, "unknown measure 'tau'"),
        ([*SET, "--human", "esa"], 2, "there are: mqm, da-raw, rr, darr."),
        ([*SET, "--imported", "X"], 2, "go with --import-scores"),
        ([*IMPORTED, "--imported", "X"], 2, "has no scores of X for de-en. There are: Constant"),
        ([*IMPORTED, "--negate", "X"], 2, "cannot negate X: no such scores were read"),
        ([*SET, "--import-scores", "nowhere"], 3, "Check the path of the scores to import"),
        ([*SET, "--resamples", "9"], 2, "add --ci"),
        ([*SET, "--ci", "--resamples", "0"], 2, "--resamples 0"),
        ([*SET, "--compare", "--rounds", "0"], 2, "--rounds 0"),
        ([*SET, "--test", "williams"], 2, "add --compare"),
        ([*SET, "--plot", "ranks.jpg"], 2, "ends in .svg"),
        ([*SET, "--human-scores", "x"], 2, "--scores needs --human-scores"),
        (["meta", "--scores", "x"], 2, "--scores needs --human-scores"),
        ([*SET, "--columns", "score=z"], 2, "--columns: not with a test set (--set)"),
        (
            ["meta", "--input", "x.csv", "-l", "en", "--imported", "X"],
            2,
            "--imported: not with --input, which holds all there is",
        ),
        ([*SET, "--scores", "x", "--human-scores", "y"], 2, "--set, --pair: not with --scores"),
        (
            ["meta", "--scores", "x", "--human-scores", "y", "--columns", "word=z"],
            2,
            "expected system=NAME,segment=NAME,score=NAME",
        ),
    ],
)
def test_wrong_requests(cli: Cli, words: list[object], code: int, message: str) -> None:
    done = cli(*words)
    assert (done.returncode, done.stdout) == (code, "")
    assert message in done.stderr


def test_the_way_to_bring_scores_of_a_trained_metric_works(cli: Cli, tmp_path: Path) -> None:
    refused = cli("meta", "--set", JUDGED, "--pair", "de-en", "-m", "comet")
    assert refused.returncode == 2
    assert "--import-scores DIR" in refused.stderr
    name = re.search(r"DIR/(\S+\.seg\.score)", refused.stderr)
    assert name is not None
    given = (JUDGED / "metric-scores" / "de-en" / "Good-refA.seg.score").read_bytes()
    (tmp_path / "brought").mkdir()
    (tmp_path / "brought" / name[1]).write_bytes(given)
    done = cli(
        *("meta", "--set", JUDGED, "--pair", "de-en", "-m", "chrf"),
        *("--import-scores", tmp_path / "brought", "--measure", "segment-pearson", "-f", "tsv"),
    )
    assert done.returncode == 0, done.stderr
    assert "COMET-refA" in done.stdout


def test_a_curve_is_printed_and_written(cli: Cli, tmp_path: Path) -> None:
    words = ("-m", "chrf", "ter", "--resamples", "20", "-f", "json")
    done = cli(*SET, *words, "--curve", "--curve-output", "curves.json")
    assert done.returncode == 0, done.stderr
    payload = json.loads(done.stdout)
    assert [curve["metric"] for curve in payload["curves"]] == ["chrf", "ter"]
    assert [one["share"] for one in payload["curves"][0]["needed"]] == [0.6, 0.7, 0.8, 0.9, 0.95]
    assert payload["data"][0]["place"] == "judged de-en"
    assert "fewer than 100 system pairs from 5 language pairs" in done.stderr
    written = json.loads((tmp_path / "curves.json").read_text())
    assert [curve["metric"] for curve in written["curves"]] == ["chrf", "ter"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--measure", "acc-eq"], "--measure: not with --curve"),
        (["--compare"], "--compare: not with --curve"),
        (["--curve-output", "no/such/folder.json"], "there is no folder"),
        (["--resamples", "0"], "--resamples 0"),
    ],
)
def test_a_curve_with_other_questions_is_refused(cli: Cli, words: list[str], said: str) -> None:
    done = cli(*SET, "-m", "chrf", "--curve", *words)
    assert done.returncode in {1, 2}
    assert said in done.stderr
    assert done.stdout == ""
