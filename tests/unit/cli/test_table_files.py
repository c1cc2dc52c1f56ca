"""Tables and translation files as input of the commands."""

import json
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from tenbin.cli.main import main

SOURCES = ["猫が座っている。", "雨が降っている。", "駅まで歩いた。"]
REFERENCES = ["The cat is sitting.", "It is raining.", "I walked to the station."]
OUTPUTS = {
    "a": ["A cat sits.", "It rains.", "I went to the station on foot."],
    "b": ["Cat.", "Rain falls down.", "Walked station."],
}

Run = Callable[..., str]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, texts in {"src": SOURCES, "ref": REFERENCES, **OUTPUTS}.items():
        (tmp_path / f"{name}.txt").write_text("\n".join(texts) + "\n", encoding="utf-8")
    rows = zip(SOURCES, REFERENCES, *OUTPUTS.values(), strict=True)
    table = "ja,en,a,b\n" + "".join(",".join(row) + "\n" for row in rows)
    (tmp_path / "all.csv").write_text(table, encoding="utf-8")
    (tmp_path / "sjis.csv").write_bytes(table.encode("cp932"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TENBIN_SCORES", str(tmp_path / "scores"))
    return tmp_path


COLUMNS = "--columns source=ja,reference=en system=a system=b"


@pytest.fixture
def run(folder: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    assert folder.is_dir()

    def called(command: str, code: int = 0) -> str:
        assert main(shlex.split(command)) == code, capsys.readouterr().err
        found = capsys.readouterr()
        return found.err if code else found.out

    return called


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("score", "-m chrf bleu -sl"),
        ("compare", "-m chrf"),
        ("explain", "-m meteor -n 2-3 -f json"),
    ],
)
@pytest.mark.parametrize("table", ["all.csv", "sjis.csv --encoding CP932"])
def test_a_table_gives_what_plain_files_give(
    run: Run, command: str, options: str, table: str
) -> None:
    common = f"-l en -q {options}"
    plain = run(f"{command} -s src.txt -r ref.txt -t a.txt b.txt {common}")
    assert run(f"{command} --input {table} {COLUMNS} {common}") == plain


def test_a_page_of_a_table(run: Run, folder: Path) -> None:
    run(f"score --input all.csv {COLUMNS} -l en -m chrf -q -f json -o s.json --report a.html")
    run(f"report s.json --input all.csv {COLUMNS} -o b.html -q")
    assert {"a.html", "b.html"} <= {path.name for path in folder.iterdir()}
    assert json.loads((folder / "s.json").read_text("utf-8"))


def test_shift_jis_is_named_with_the_option_that_reads_it(run: Run, folder: Path) -> None:
    for name in ("src", "ref", "a"):
        text = "猫が座っている。\n" * 3
        (folder / f"{name}.sjis").write_bytes(text.encode("cp932"))
    failed = run("score -r ref.sjis -t a.sjis -l ja -m chrf", 3)
    assert (
        "It looks like CP932 (Shift_JIS); read it with --encoding CP932, or convert it: iconv -f"
        in failed
    )
    assert "100.00" in run("score -r ref.sjis -t a.sjis -l ja -m chrf -q --encoding CP932")


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("score --input all.csv -l en -m chrf", "no column holds the output of a system"),
        ("score --input all.csv --columns system=x -l en -m chrf", "there is no column 'x'"),
        ("score --input all.csv -r ref.txt -l en -m chrf", "-r reviewed.xlf -t mt.xlf"),
        (
            "score --input all.csv --columns system=a -l en -m chrf",
            "no column holds the reference; the columns there are: ",
        ),
        ("score -r ref.txt -t a.txt -l en -m chrf --sheet x", "--sheet: the texts have one"),
        ("score -r ref.txt -t a.txt -l en -m chrf --encoding x", "--encoding x: there is no such"),
        ("score --set bundled:example --pair ja-en -m chrf --tags hide", "--tags: not with --set"),
        ("score --input all.csv a.parquet -o x.parquet -l en", "give one table"),
        ("compare --input all.csv --input-format lines -l en", "is given as -r, -t or -s"),
    ],
)
def test_what_does_not_fit_is_refused(run: Run, command: str, message: str) -> None:
    assert message in run(command, 2)


@pytest.mark.parametrize("option", ["", " --input-format csv"])
def test_a_table_from_standard_input(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch, option: str
) -> None:
    expected = run(f"score --input all.csv {COLUMNS} -l en -m chrf -q")
    with (folder / "all.csv").open(encoding="utf-8") as stream:
        monkeypatch.setattr("sys.stdin", stream)
        assert run(f"score --input - {COLUMNS} -l en -m chrf -q{option}") == expected


def test_a_test_set_is_not_told_of_an_option_that_it_refuses(run: Run, folder: Path) -> None:
    for place in ("references/ja-en.refA.txt", "system-outputs/ja-en/a.txt"):
        path = folder / "set" / place
        path.parent.mkdir(parents=True)
        path.write_bytes("déjà vu, où ?\n".encode("cp1252"))
    failed = run("score --set set --pair ja-en -m chrf", 3)
    assert "It looks like CP1252; convert it" in failed
    assert "--encoding" not in failed


def test_the_systems_of_a_table_are_candidates(run: Run) -> None:
    (Path("ref.csv")).write_text("reference\n" + "\n".join(REFERENCES) + "\n", encoding="utf-8")
    plain = run("oracle -r ref.txt -t a.txt b.txt -l en -f json")
    assert run(f"oracle --input all.csv {COLUMNS} -l en -f json") == plain
    assert run("oracle -r ref.csv -t a.txt b.txt -l en -f json") == plain
    plain = run("mbr -t a.txt b.txt -l en")
    assert run(f"mbr --input all.csv {COLUMNS} -l en") == plain
    failed = run("oracle --input all.csv -t a.txt -r ref.txt -l en", 2)
    assert "-t, -r: not with --input, whose files hold all texts" in failed
    assert "missing -t FILE ... (or --input FILE)" in run("rerank -l en", 2)


def test_doctor_looks_at_tables(run: Run) -> None:
    run(f"doctor --input all.csv {COLUMNS} -l ja", 3)  # the references are English
    assert "all.csv, column 'en'" in run(f"doctor --input all.csv {COLUMNS} -l en")
    assert "3 segments" in run(f"doctor --input sjis.csv {COLUMNS} -l en --encoding CP932")
    assert "valid cp932" in run("doctor -r ref.txt -t a.txt --encoding CP932").lower()
    Path("twins.csv").write_text("ref,mt1,mt2\na b c,d,d\n,x,x\n", encoding="utf-8")
    found = run("doctor --input twins.csv")
    assert "the same text as twins.csv, column 'mt1'" in found
    assert "1 segment empty: 2" in found


def test_doctor_names_the_place_in_a_table(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "bad.csv").write_text("ref,mt\na,b\nc\n", encoding="utf-8")
    assert main(shlex.split("doctor --input bad.csv")) == 3
    assert "line 3: found 1 field, expected 2" in capsys.readouterr().out
    assert main(shlex.split("doctor -r ref.txt -t bad.csv")) == 3
    assert "bad.csv, line 3: found 1 field" in capsys.readouterr().out
