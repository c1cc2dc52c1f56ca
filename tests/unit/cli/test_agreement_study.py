"""The commands that set agreement beside the tables of papers."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Cli = Callable[..., subprocess.CompletedProcess[str]]
DATA = Path(__file__).parents[2] / "data"
JUDGED = DATA / "judged"
TOY = DATA / "toy-vectors" / "toy.vec"
SET = ("--set", JUDGED, "--pair", "de-en", "-r", "refA")
QUICK = ("--resamples", "20", "--paraphrases", "none")


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TENBIN_SCORES", str(tmp_path / "scores"))
    monkeypatch.chdir(tmp_path)


def test_vectors_as_text_and_as_data(cli: Cli) -> None:
    words = ("study", "vectors", *SET, *QUICK, "--vectors", f"mono={TOY}")
    done = cli(*words)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("judged de-en: wmt14-tau against rr, n = ")
    assert "\nmono      0.80 " in done.stdout
    data = json.loads(cli(*words, "-f", "json", "-q").stdout)
    assert (data["study"], data["baseline"], data["resamples"]) == ("vectors", "Baseline", 20)
    settings = [(row["metric"], row["setting"]) for row in data["rows"]]
    assert settings == [("Baseline", ""), ("mono", "0.80"), ("mono", "cross-validated")]
    assert data["missing"] == []


def test_thresholds_by_default(cli: Cli) -> None:
    words = ("study", "vectors", *SET, *QUICK, "--vectors", f"mono={TOY}", "--by", "segments")
    given = ("--thresholds", "0.7,0.75,0.8,0.85,0.9,0.95,1")
    assert cli(*words, "-f", "tsv").stdout == cli(*words, *given, "-f", "tsv").stdout
    finer = cli(*words, "--thresholds", "0.8", "-f", "json", "-q")
    chosen = json.loads(finer.stdout)["rows"][-1]["thresholds"]
    assert set(chosen) == {0.8}


def test_lexicons_say_what_is_missing(cli: Cli) -> None:
    done = cli("study", "lexicons", *SET, *QUICK, "--vectors", TOY, "--folds", "0")
    assert done.returncode == 0, done.stderr
    assert "Missing: DBnary: no lexicon was named (--lexicon), such as en.synsets." in done.stdout
    assert "cross-validated" not in done.stdout
    for form in ("markdown", "latex", "tsv"):
        again = cli("study", "lexicons", *SET, *QUICK, "--vectors", TOY, "-f", form)
        assert again.returncode == 0, again.stderr
        assert "Baseline+Vector" in again.stdout


def test_attention_beside_imported_scores(cli: Cli) -> None:
    words = ("-m", "we_wpi", "impact", "--vectors", TOY, "--import-scores", JUDGED)
    measures = ("--measure", "segment-pearson", "system-pearson", "--resamples", "20")
    done = cli("study", "attention", *SET, *words, *measures, "-f", "json")
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)["rows"]
    found = {(row["metric"], row["measure"], row["origin"]) for row in rows}
    assert ("WE_WPI", "segment-pearson", "computed") in found
    assert ("IMPACT", "system-pearson", "computed") in found
    assert ("Good", "segment-pearson", "imported") in found
    assert ("Errors", "system-pearson", "imported") in found
    text = cli("study", "attention", *SET, *words, *measures).stdout
    assert "Metric" in text
    assert "imported" in text


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("vectors",), 2, "give --set DIR --pair PAIR"),
        (("vectors", *SET), 2, "name some (--vectors)"),
        (("vectors", *SET, "--vectors", "mono"), 2, "--vectors: cannot read 'mono'"),
        (("vectors", *SET, "--vectors", f"monu={TOY}"), 2, "unknown variant 'monu'"),
        (("vectors", *SET, "--vectors", "mono=./no.bin"), 3, "no such file"),
        (("vectors", *SET, "--bitext", "en-de=x.tsv"), 2, "name one (--work)"),
        (("vectors", *SET, "--variants", "tri"), 2, "unknown variant tri"),
        (("vectors", *SET, "--vectors", f"mono={TOY}", "--folds", "-1"), 2, "--folds -1"),
        (("vectors", *SET, "--vectors", f"mono={TOY}", "--folds", "99"), 2, "99 folds"),
        (("vectors", *SET, "--vectors", f"mono={TOY}", "--thresholds", "2"), 2, "from 0 to 1"),
        (("vectors", *SET, "--vectors", f"mono={TOY}", "--measure", "spa"), 2, "is about systems"),
        (("vectors", *SET, "--vectors", f"mono={TOY}", "--resamples", "0"), 2, "--resamples 0"),
        (("lexicons", *SET, "--lexicon", "./no.synsets"), 3, "no such file"),
        (("lexicons", *SET, "--vectors", TOY, "--human", "esa"), 3, "no human preferences"),
        (("attention", *SET, "-m", "blue"), 2, "'blue'"),
        (("attention", *SET, "--measure", "tau"), 2, "unknown measure 'tau'"),
        (("attention", "--set", "nowhere", "--pair", "de-en"), 3, "no such folder"),
    ],
)
def test_errors_say_what_to_do(cli: Cli, words: tuple[object, ...], code: int, told: str) -> None:
    done = cli("study", *words)
    assert (done.returncode, done.stdout) == (code, "")
    assert told in done.stderr


@pytest.mark.parametrize("study", ["vectors", "lexicons", "attention"])
def test_every_experiment_has_help_and_examples(cli: Cli, study: str) -> None:
    done = cli("study", study, "--help")
    assert done.returncode == 0
    assert done.stdout.count(f"tenbin study {study} --set") == 2
    assert ("--bitext" in done.stdout) == (study == "vectors")
    assert ("--lexicon FILE" in done.stdout) == (study == "lexicons")
    assert ("--context DIR" in done.stdout) == (study == "attention")
