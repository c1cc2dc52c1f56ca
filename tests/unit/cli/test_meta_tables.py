"""Texts and human scores in tables give what the same test set gives."""

import csv
import json
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from tenbin.api.judged_texts import read_judged_texts
from tenbin.api.meta import meta_evaluate
from tenbin.cli.main import main
from tenbin.core.errors import InputError, UsageError

JUDGED = Path(__file__).parents[2] / "data" / "judged"
MEASURES = "segment-pearson segment-kendall acc-eq darr-tau"
LEFT_OUT = {"refA", "refB", "absent"}
Run = Callable[..., str]
Row = list[str]


def _lines(path: str) -> list[str]:
    return (JUDGED / path).read_text("utf-8").splitlines()


def _scores() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in _lines("human-scores/de-en.mqm.seg.score"):
        system, score = line.split("\t")
        found.setdefault(system, []).append(score)
    return {system: scores for system, scores in found.items() if system not in LEFT_OUT}


@pytest.fixture
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TENBIN_SCORES", str(tmp_path / "scores"))
    scores = _scores()
    references = _lines("references/de-en.refA.txt")
    outputs = {name: _lines(f"system-outputs/de-en/{name}.txt") for name in scores}
    documents = [line.split("\t")[1] for line in _lines("documents/de-en.docs")]
    numbers = range(len(references))
    long = [
        [str(n), documents[n], references[n], name, outputs[name][n], scores[name][n]]
        for name in scores
        for n in numbers
    ]
    wide = [
        [
            documents[n],
            references[n],
            *(cell for s in scores for cell in (outputs[s][n], scores[s][n])),
        ]
        for n in numbers
    ]
    heads = [head for name in scores for head in (f"mt_{name}", f"score_{name}")]
    _write("long.csv", ["id", "doc", "ref", "system", "output", "mqm"], long)
    _write("mixed.csv", ["id", "doc", "ref", "system", "output", "mqm"], sorted(long))
    _write("wide.csv", ["doc", "ref", *heads], wide)
    return tmp_path


def _write(name: str, header: Row, rows: list[Row]) -> None:
    with Path(name).open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([header, *rows])


@pytest.fixture
def run(tables: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    assert tables.is_dir()

    def called(command: str, code: int = 0) -> str:
        assert main(shlex.split(command)) == code, capsys.readouterr().err
        found = capsys.readouterr()
        return found.err if code else found.out

    return called


def _values(text: str) -> dict[tuple[str, str], float]:
    return {(r["metric"], r["measure"]): r["value"] for r in json.loads(text)["rows"]}


@pytest.mark.parametrize("name", ["long.csv", "mixed.csv", "wide.csv"])
def test_a_table_gives_what_a_test_set_gives(run: Run, name: str) -> None:
    options = f"-m chrf ter --measure {MEASURES} -f json"
    expected = run(f"meta --set {shlex.quote(str(JUDGED))} --pair de-en --human mqm {options}")
    found = run(f"meta --input {name} -l en {options}")
    assert _values(found) == pytest.approx(_values(expected), nan_ok=True)


def test_ranks_pages_and_curves(run: Run, tables: Path) -> None:
    found = run(
        "meta --input long.csv --pair de-en -m chrf bleu --ci --resamples 20 --compare "
        "--report page.html -f json"
    )
    assert {row["human"] for row in json.loads(found)["rows"]} == {"mqm"}
    assert "acc-eq" in {row["measure"] for row in json.loads(found)["rows"]}
    assert "<html" in (tables / "page.html").read_text("utf-8")
    assert "chrf" in run("meta --input long.csv -l en -m chrf --curve --resamples 20 -f json")


def test_columns_by_choice(run: Run, tables: Path) -> None:
    text = (tables / "long.csv").read_text("utf-8")
    (tables / "own.csv").write_text(text.replace("system,output,mqm", "engine,result,points", 1))
    chosen = "--columns name=engine system=result,human=points"
    found = run(f"meta --input own.csv {chosen} -l en -m chrf --measure segment-pearson -f json")
    assert [row["human"] for row in json.loads(found)["rows"]] == ["points"]


def test_in_python(tables: Path) -> None:
    judged = read_judged_texts(str(tables / "long.csv"))
    table = meta_evaluate(judged=judged, language="en", metrics=["chrf"], measures=["acc-eq"])
    assert [row.human for row in table.rows] == ["mqm"]
    with pytest.raises(UsageError, match="the target language of the texts is missing"):
        meta_evaluate(judged=judged, metrics=["chrf"])
    with pytest.raises(UsageError, match="there are no metrics"):
        meta_evaluate(judged=judged, language="en")


@pytest.mark.parametrize(
    ("command", "code", "message"),
    [
        ("meta --input long.csv", 2, "the target language is missing"),
        ("meta --input long.csv --pair de-en fr-en", 2, "one language pair"),
        ("meta --input long.csv -l en --set x -r refA", 2, "--set, -r: not with --input"),
        ("meta --set x --pair de-en -l en --tags hide", 2, "--tags, -l: only with --input"),
        ("meta --input plain.csv -l en", 2, "no column holds human scores; the columns there are"),
        ("meta --input three.csv -l en", 2, "no column holds human scores of 'mt2'"),
        ("meta --input word.csv -l en", 3, "word.csv, line 3: column 'score': the score 'good' is"),
        ("meta --input long.csv -l en -m yisi2", 2, "source"),
        ("score --input long.csv -l en --columns human=mqm", 2, "--columns human=..."),
    ],
)
def test_wrong_requests(run: Run, tables: Path, command: str, code: int, message: str) -> None:
    (tables / "plain.csv").write_text("ref,mt\na,b\n")
    (tables / "three.csv").write_text("ref,mt1,mt2,mt1_score\na,b,c,1\n")
    (tables / "word.csv").write_text("ref,mt,score\na,b,1\nc,d,good\n")
    assert message in run(command, code)


def test_a_table_without_a_row_of_a_system(tables: Path) -> None:
    lines = (tables / "long.csv").read_text("utf-8").splitlines(keepends=True)
    (tables / "ragged.csv").write_text("".join(lines[:-1]))
    with pytest.raises(InputError, match=r"ragged\.csv, line \d+: this segment has no row of the"):
        read_judged_texts(str(tables / "ragged.csv"))
