"""What a user takes away from score and compare: wide tables, bare scores, signatures."""

import csv
import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tenbin.api.files import read_texts
from tenbin.formats.score_table import ScoreColumns, read_score_table

Cli = Callable[..., subprocess.CompletedProcess[str]]

TWO = ("-r", "ref.txt", "-t", "good.txt", "poor.txt", "-l", "en", "-m", "chrf", "ter")
ONE = ("-r", "ref.txt", "-t", "good.txt", "-l", "en", "-m", "chrf")
TESTED = ("--by", "segments", "--rounds", "20")
HOSTILE = ["=1+1", "+49 30 1234", "- Yes.", "@home", '"a", b; c', "  two  blanks "]

pytestmark = pytest.mark.usefixtures("texts")


def rows(path: str) -> list[dict[str, str]]:
    with Path(path).open(encoding="utf-8-sig", newline="") as stream:
        return list(csv.DictReader(stream))


def csv_text(path: str) -> str:
    return Path(path).read_text(encoding="utf-8-sig")


def book(path: str) -> Any:
    reader = pytest.importorskip("openpyxl", reason="the extra 'formats' is not installed")
    return reader.load_workbook(path)


# Wide tables.


@pytest.mark.parametrize("command", ["score", "compare"])
def test_csv_has_a_row_per_segment_with_texts_and_scores(cli: Cli, command: str) -> None:
    done = cli(command, *TWO, "-s", "ref.txt", "-o", "out.csv")
    assert (done.returncode, done.stdout) == (0, "")
    found = rows("out.csv")
    assert list(found[0]) == [
        *("segment", "source", "reference"),
        *("system:good", "chrf:good", "ter:good", "system:poor", "chrf:poor", "ter:poor"),
    ]
    for name in ("good", "poor"):
        texts = Path(f"{name}.txt").read_text().splitlines()
        assert [row[f"system:{name}"] for row in found] == texts
    asked = json.loads(cli("score", *TWO, "-f", "json", "--segments").stdout)["results"]
    for result in asked:
        column = f"{result['metric']}:{result['system']}"
        assert [float(row[column]) for row in found] == result["segments"]
    assert "chrf|" not in Path("out.csv").read_text()


def test_a_workbook_has_sheets_and_numbers(cli: Cli) -> None:
    assert cli("compare", *TWO, *TESTED, "--differences", "1", "-o", "out.xlsx").returncode == 0
    found = book("out.xlsx")
    assert found.sheetnames == ["Segments", "Systems", "Comparison", "Signatures"]
    segments = found["Segments"]
    assert segments.freeze_panes == "A2"
    assert segments.auto_filter.ref == "A1:H7"
    assert [segments.column_dimensions[letter].width for letter in "ABC"] == [10, 60, 60]
    assert isinstance(segments["D2"].value, float)
    assert segments["D2"].number_format == "0.00"
    assert [row[0].value for row in found["Systems"].iter_rows(min_row=2)] == ["good", "poor"]
    assert found["Comparison"]["E1"].value == "p_value"
    assert "translation_a" in [cell.value for cell in found["Comparison"][1]]
    assert found["Signatures"]["C2"].value.startswith("chrf|ar:20|")


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_what_is_written_can_be_scored_again(cli: Cli, ending: str, tmp_path: Path) -> None:
    pytest.importorskip("openpyxl", reason="the extra 'formats' is not installed")
    (tmp_path / "good.txt").write_text("".join(f"{line}\n" for line in HOSTILE))
    path = f"out.{ending}"
    assert cli("score", *TWO, "-s", "poor.txt", "-o", path).returncode == 0
    whole = read_texts(path)
    assert whole.hypotheses["good"] == tuple(HOSTILE)
    first, again = (
        json.loads(cli("score", *words, "-f", "json", "--segments").stdout)["results"]
        for words in (TWO, ("--input", path, "-l", "en", "-m", "chrf", "ter"))
    )
    assert [(one["system"], one["segments"]) for one in again] == [
        (one["system"], one["segments"]) for one in first
    ]


def test_texts_are_never_formulas_in_a_workbook(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "good.txt").write_text("".join(f"{line}\n" for line in HOSTILE))
    done = cli("score", *ONE, "-o", "out.xlsx")
    assert "formula" not in done.stderr
    cells = [row[2] for row in book("out.xlsx")["Segments"].iter_rows(min_row=2)]
    assert [cell.value for cell in cells] == HOSTILE
    assert {cell.data_type for cell in cells} <= {"s", "inlineStr"}


def test_csv_keeps_texts_and_says_which_may_be_taken_for_formulas(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "good.txt").write_text("".join(f"{line}\n" for line in HOSTILE))
    done = cli("score", *ONE, "-o", "out.csv")
    assert [row["system:good"] for row in rows("out.csv")] == HOSTILE
    assert "note: 4 texts begin with =, +, -, @, a tab or CR" in done.stderr
    assert "note:" not in cli("score", *ONE, "-o", "out.csv", "-q").stderr


def test_csv_on_standard_output_is_the_same_without_a_byte_order_mark(cli: Cli) -> None:
    cli("score", *ONE, "-o", "out.csv")
    assert Path("out.csv").read_bytes().startswith(b"\xef\xbb\xbf")
    assert cli("score", *ONE, "-f", "csv").stdout == csv_text("out.csv")


def test_ids_and_documents_of_the_input_are_kept(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("id,doc,ref,mt\nm.1,menu,a b,a c\nm.2,menu,b,b\ns,story,c,d\n")
    assert cli("score", "--input", "in.csv", "-l", "en", "-m", "chrf", "-o", "out.csv").stdout == ""
    found = rows("out.csv")
    assert [(row["segment"], row["id"], row["document"]) for row in found] == [
        ("1", "m.1", "menu"),
        ("2", "m.2", "menu"),
        ("3", "s", "story"),
    ]
    again = cli("score", "--input", "out.csv", "-l", "en", "-m", "chrf", "-f", "csv", "-q")
    assert again.stdout == csv_text("out.csv")


def test_the_worst_come_first(cli: Cli) -> None:
    cli("score", *TWO, "--worst", "all", "-o", "all.csv")
    found = rows("all.csv")
    key = [min(float(row["chrf:good"]), float(row["chrf:poor"])) for row in found]
    assert key == sorted(key)
    assert len(found) == 6
    cli("score", *TWO, "--worst", "1", "--worst-by", "ter", "-o", "one.csv")
    picked = {row["segment"] for row in rows("one.csv")}
    worst = {
        max(found, key=lambda row: float(row[f"ter:{name}"]))["segment"]
        for name in ("good", "poor")
    }
    assert picked == worst
    compared = cli("compare", *TWO, *TESTED, "--worst", "all", "-f", "csv", "-q").stdout
    assert compared == csv_text("all.csv")


def test_all_of_the_worst_in_text(cli: Cli) -> None:
    done = cli("score", *ONE, "--worst", "all")
    assert "The 6 worst segments by chrF" in done.stdout


def test_a_name_that_reads_as_a_text_is_marked(cli: Cli) -> None:
    words = ("-r", "ref.txt", "-t", "good.txt", "-l", "en", "-m", "ref=chrf", "-f", "csv", "-q")
    assert '"score:ref:good"' in cli("score", *words).stdout.splitlines()[0]


@pytest.mark.slow
def test_libreoffice_sees_the_same_texts(cli: Cli, tmp_path: Path) -> None:
    office = shutil.which("soffice")
    if office is None:
        pytest.skip("LibreOffice is not installed")
    (tmp_path / "good.txt").write_text("".join(f"{line}\n" for line in HOSTILE))
    cli("score", *ONE, "-o", "out.xlsx")
    profile = f"-env:UserInstallation=file://{tmp_path}/profile"
    form = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,1"
    command = [office, profile, "--headless", "--convert-to", form, "out.xlsx"]
    subprocess.run(command, check=True, capture_output=True, cwd=tmp_path)
    assert [row["system:good"] for row in rows("out-Segments.csv")] == HOSTILE


# Where a result goes, and what cannot be.


def test_the_ending_of_a_file_is_its_form(cli: Cli) -> None:
    for name, form in (
        ("a.json", "json"),
        ("a.TSV", "tsv"),
        ("a.md", "markdown"),
        ("a.tex", "latex"),
    ):
        cli("score", *ONE, "-o", name)
        assert Path(name).read_text() == cli("score", *ONE, "-f", form).stdout
    cli("score", *ONE, "-o", "a.csv", "-f", "text")
    assert Path("a.csv").read_text() == cli("score", *ONE).stdout


def test_an_old_file_stays_if_the_new_one_cannot_be_written(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> Iterator[list[object]]:
        yield [1, [], ["a"]]
        raise OSError(28, "No space left on device")

    for ending in ("csv", "xlsx"):
        path = tmp_path / f"out.{ending}"
        path.write_text("old")
        monkeypatch.setattr("tenbin.api.wide_tables.text_rows", broken)
        done = cli("score", *ONE, "-o", path)
        assert done.returncode == 1
        assert "nothing there was changed" in done.stderr
        assert path.read_text() == "old"
    assert not list(tmp_path.glob(".tenbin-*"))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("score", *ONE, "-f", "xlsx"), "add -o FILE.xlsx"),
        (("score", *ONE, "-f", "xlsx", "-o", "-"), "add -o FILE.xlsx"),
        (("score", *ONE, "-o", "out.xls"), "Call a spreadsheet .xlsx"),
        (("compare", *TWO, "-o", "out.HTML"), "name a page with --report"),
        (("score", *ONE, "-f", "csv", "--signatures"), "--signatures FILE"),
        (("score", *ONE, "-o", "a.csv", "--signatures", "a.csv"), "the same file"),
        (("score", *ONE, "--signatures", "-"), "name a file"),
        (("score", *ONE, "-f", "tsv", "-w", "2"), "tsv has every number"),
        (("score", *ONE, "-w", "16"), "from 0 to 15"),
        (("score", *ONE, "-f", "score", "--ci"), "--ci: -f score prints the scores alone"),
        (("score", *ONE, "-f", "score", "--worst", "1"), "-f score prints the scores alone"),
        (("score", *TWO, "-f", "score", "-sl"), "one system by one metric"),
        (("score", *ONE, "--worst", "some"), "expected a number of segments, or all"),
        (("score", *ONE, "-f", "csv", "--worst", "0"), "--worst 0: give a number of at least 1"),
        (("score", *ONE, "-f", "csv", "--worst", "2", "--worst-by", "ter"), "not among"),
        (("compare", *TWO, "--worst", "2"), "--worst is about the rows of -f csv and xlsx"),
        (("compare", *TWO, "-f", "csv", "--differences", "2"), "--differences: not in csv"),
        (("compare", *TWO, "-f", "score"), "invalid choice"),
    ],
)
def test_what_has_no_effect_is_refused(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], message: str
) -> None:
    for command in ("score.score", "compare.compare"):
        monkeypatch.setattr(
            f"tenbin.cli.{command}_test_set", lambda *_, **__: pytest.fail("scored")
        )
    done = cli(*words)
    assert done.returncode == 2
    assert message in done.stderr


def test_what_no_cell_can_hold_is_refused_before_scoring(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = (tmp_path / "good.txt").read_text().splitlines()
    (tmp_path / "good.txt").write_text("\n".join([*lines[:4], "😀" * 16_384, lines[5]]) + "\n")
    monkeypatch.setattr("tenbin.cli.score.score_test_set", lambda *_, **__: pytest.fail("scored"))
    done = cli("score", *ONE, "-o", "out.xlsx")
    assert done.returncode == 2
    assert "good.txt, line 5: the text has 32,768 characters" in done.stderr
    assert "take the format csv" in done.stderr
    monkeypatch.setattr("tenbin.api.wide_tables.MOST_ROWS", 6)
    assert (
        "a sheet has 6 rows, and there are 6 segments"
        in cli("score", "-r", "ref.txt", "-t", "poor.txt", "-l", "en", "-o", "out.xlsx").stderr
    )
    monkeypatch.setattr("tenbin.api.wide_tables.MOST_COLUMNS", 5)
    monkeypatch.setattr("tenbin.api.wide_tables.MOST_ROWS", 600)
    assert "a sheet has 5 columns" in cli("score", *ONE, "-o", "out.xlsx").stderr


def test_a_table_in_parquet_is_not_written_as_csv(cli: Cli) -> None:
    done = cli("score", "--input", "in.parquet", "-o", "out.csv", "-l", "en")
    assert done.returncode == 2
    assert "-f csv: the rows of a table in Parquet are written to -o FILE.parquet" in done.stderr


# Signatures.


def test_signatures_are_in_every_row_of_tsv_only_on_request(cli: Cli) -> None:
    for command in (("score", "--segments"), ("compare", *TESTED)):
        plain = cli(*command, *TWO, "-f", "tsv")
        signed = cli(*command, *TWO, "-f", "tsv", "--signatures")
        assert "|" not in plain.stdout
        assert plain.stderr.count("signature: ") == 2
        assert "signature" not in signed.stderr
        at = signed.stdout.splitlines()[0].split("\t").index("signature")
        shown = {line.split("\t")[at] for line in signed.stdout.splitlines()[1:]}
        told = [line for line in plain.stderr.splitlines() if not line.startswith("note: ")]
        assert shown == {line.removeprefix("signature: ") for line in told}
        left_out = [line.split("\t") for line in signed.stdout.splitlines()]
        assert plain.stdout.splitlines() == [
            "\t".join(fields[:at] + fields[at + 1 :]) for fields in left_out
        ]
        assert cli(*command, *TWO, "-f", "tsv", "-q").stderr == ""


@pytest.mark.parametrize("form", ["csv", "tsv", "text", "score"])
def test_signatures_in_a_file_of_their_own(cli: Cli, form: str) -> None:
    done = cli("score", *TWO, "-f", form, "--signatures", "signatures.tsv")
    assert (done.returncode, done.stderr) == (0, "")
    head, *lines = Path("signatures.tsv").read_text().splitlines()
    assert head == "metric\tsignature"
    assert [line.partition("|")[0] for line in lines] == ["chrf\tchrf", "ter\tter"]


@pytest.mark.parametrize("option", [(), ("--signatures",)])
def test_our_readers_of_scores_read_both_forms(cli: Cli, option: tuple[str, ...]) -> None:
    words = ("-r", "ref.txt", "-t", "good.txt", "poor.txt", "-l", "en", "-m", "chrf")
    assert cli("score", *words, "--segments", *option, "-o", "scores.tsv").returncode == 0
    found = read_score_table("scores.tsv")
    assert (found.systems, found.segments) == (("good", "poor"), tuple("123456"))
    assert cli("score", *words, "-f", "score", "-w", "9", "-q").stdout == "".join(
        f"{value:.9f}\n"
        for value in read_score_table("scores.tsv", ScoreColumns(segment=None)).scores
    )
    cli("score", *words, "-m", "ter", "--segments", *option, "-o", "two.tsv")
    with pytest.raises(Exception, match=r"scores of several metrics \(chrf, ter\)"):
        read_score_table("two.tsv")


# Bare scores.


def test_the_bare_number(cli: Cli) -> None:
    done = cli("score", *ONE, "-f", "score")
    asked = json.loads(cli("score", *ONE, "-f", "json").stdout)["results"][0]["score"]
    assert done.stdout == f"{asked:.2f}\n"
    assert done.stderr.startswith("signature: chrf|")
    assert cli("score", *ONE, "-f", "score", "-w", "0", "-q").stdout.strip().isdigit()


def test_bare_numbers_are_one_per_line_system_by_system(cli: Cli) -> None:
    asked = json.loads(cli("score", *TWO, "-f", "json").stdout)["results"]
    by_system = sorted(asked, key=lambda one: one["system"])
    done = cli("score", *TWO, "-f", "score", "-w", "3")
    assert done.stdout.split() == [f"{one['score']:.3f}" for one in by_system]
    segments = json.loads(cli("score", *ONE, "-f", "json", "-sl").stdout)["results"][0]["segments"]
    bare = cli("score", *ONE, "-f", "score", "-sl").stdout.split()
    assert bare == [f"{value:.2f}" for value in segments]


def test_decimals_are_those_asked_for_in_tables(cli: Cli) -> None:
    shown = cli("score", *ONE, "-w", "5").stdout.splitlines()[2].split()[1]
    assert len(shown.partition(".")[2]) == 5
    cli("score", *ONE, "-w", "3", "-o", "out.xlsx")
    assert book("out.xlsx")["Segments"]["D2"].number_format == "0.000"


def test_scores_of_other_programs_are_columns_too(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "comet.txt").write_text("".join(f"0.{number}\n" for number in range(1, 7)))
    words = ("-r", "ref.txt", "-t", "good.txt", "-l", "en", "-m", "short=chrf")
    scored = (*words, "--scores", "COMET=comet.txt", "--worst", "2", "--worst-by", "COMET")
    done = cli("score", *scored, "-o", "out.csv")
    assert done.returncode == 0, done.stderr
    found = rows("out.csv")
    assert list(found[0])[-3:] == ["system:good", "short:good", "COMET:good"]
    assert [(row["segment"], row["COMET:good"]) for row in found] == [("1", "0.1"), ("2", "0.2")]
    assert cli("score", *scored[:-4], "-f", "score", "-q").stdout.count("\n") == 2
