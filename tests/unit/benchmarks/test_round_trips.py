"""Translations of Apertium keep sentences apart, and say so where the program does not."""

import lzma
import stat
from pathlib import Path

import pytest

round_trips = pytest.importorskip(
    "benchmarks.prose.round_trips", reason="not run from the repository"
)

from benchmarks.prose import apertium, bitext, translations  # noqa: E402 - after the skip

# Like Apertium: marks a word whose form it does not find, and spreads blanks.
_PROGRAM = """#!/bin/sh
[ "$3" = html ] || exit 2
[ "$4" = en-xx ] && exec cat
sed -e 's/strange/#strange/g' -e 's/<p>/ <p>\\n  /g'
"""


def _installed(folder: Path, program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = folder / "apertium"
    path.write_text(program, encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")


def test_sentences_come_back_one_by_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _installed(tmp_path, _PROGRAM, monkeypatch)
    found = apertium.translations(["A strange <b> & c.", "5 * 3 is 15."], ("en-xx", "xx-en"))
    assert found == ["A strange <b> & c.", "5 * 3 is 15."]


def test_rows_have_all_routes_and_come_from_all_over_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _installed(tmp_path, _PROGRAM, monkeypatch)
    path, output = tmp_path / "some.txt", tmp_path / "trips.tsv"
    path.write_text("".join(f"Sentence {number}.\n" for number in range(10)), encoding="utf-8")
    assert round_trips.write_round_trips([path], 5, output) == 5
    rows = [line.split("\t") for line in output.read_text(encoding="utf-8").splitlines()]
    assert [row[0] for row in rows] == [f"Sentence {number}." for number in range(0, 10, 2)]
    assert {len(row) for row in rows} == {1 + len(round_trips.ROUTES)}


def test_bitexts_are_translated_into_english(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Only modes from Spanish and French see the other side.
    _installed(tmp_path, "#!/bin/sh\nsed -e 's/Uno/One/' -e 's/Un /One /'\n", monkeypatch)
    folder, output = tmp_path / "bitexts", tmp_path / "translations.tsv"
    folder.mkdir()
    for pair, other in (("en-es", "Uno."), ("en-fr", "Un ."), ("en-de", "Das erste.")):
        with lzma.open(folder / f"{pair}.tsv.xz", "wt", encoding="utf-8") as file:
            file.write(f"The first.\t{other}\nNot taken.\t{other}\n")
    monkeypatch.setattr(bitext, "_TAKEN", dict.fromkeys(("en-es", "en-fr", "en-de"), ((1, 1),)))
    assert translations.write_translations(folder, 5, output) == 3
    rows = [line.split("\t") for line in output.read_text(encoding="utf-8").splitlines()]
    assert rows[0] == ["The first.", *["One."] * 4, *["The first."] * 2]
    assert rows[1] == ["The first.", *["One ."] * 4, *["The first."] * 2]
    german = {"Das first.", "The erste.", "Das erste."}
    assert rows[2][0] == rows[2][3] == rows[2][4] == "The first."
    assert {rows[2][place] for place in (1, 2, 5, 6)} <= german


def test_a_sentence_that_is_lost_on_all_routes_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _installed(tmp_path, "#!/bin/sh\nsed -e 's/gone//'\n", monkeypatch)
    path, output = tmp_path / "some.txt", tmp_path / "trips.tsv"
    path.write_text("gone\nthere\n", encoding="utf-8")
    assert round_trips.write_round_trips([path], 2, output) == 1
    assert output.read_text(encoding="utf-8").startswith("there\t")


def test_a_run_that_fails_leaves_the_file_that_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _installed(tmp_path, "#!/bin/sh\nexit 1\n", monkeypatch)
    path, output = tmp_path / "some.txt", tmp_path / "trips.tsv"
    path.write_text("One.\n", encoding="utf-8")
    output.write_text("before\n", encoding="utf-8")
    with pytest.raises(SystemExit, match="apt-get install apertium"):
        round_trips.write_round_trips([path], 1, output)
    assert output.read_text(encoding="utf-8") == "before\n"


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("#!/bin/sh\ncat > /dev/null\n", "2 sentences, 0 back"),
        ("#!/bin/sh\necho no such mode >&2\nexit 1\n", "no such mode"),
    ],
)
def test_a_program_that_fails_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str, said: str
) -> None:
    _installed(tmp_path, program, monkeypatch)
    with pytest.raises(SystemExit, match=said):
        apertium.translations(["One.", "Two."], ("en-xx", "xx-en"))


def test_a_missing_program_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(SystemExit, match="apertium -u -f html en-xx"):
        apertium.translations(["One."], ("en-xx", "xx-en"))
