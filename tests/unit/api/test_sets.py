"""Test sets of a machine: found by name, listed, described and installed."""

import io
import json
import os
import tarfile
from pathlib import Path

import pytest

from tenbin.api.files import open_set, set_folder
from tenbin.api.sets import describe_set, install_sets, list_sets
from tenbin.cli.main import main
from tenbin.core.errors import ResourceError, UnreadableFile, UsageError

FILES = {
    "documents/de-en.docs": "news\td0\n" * 3,
    "sources/de-en.txt": "eins\nzwei\ndrei\n",
    "references/de-en.refA.txt": "one\ntwo\nthree\n",
    "system-outputs/de-en/good.txt": "one\ntwo\nthree\n",
    "system-outputs/de-en/poor.txt": "one\ntow\ntree\n",
    "human-scores/de-en.mqm.seg.score": "good\t1\n",
}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with a set of mt-metrics-eval and two of sacrebleu."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.delenv("SACREBLEU", raising=False)
    monkeypatch.delenv("TENBIN_SETS", raising=False)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    write(tmp_path / ".mt-metrics-eval" / "mt-metrics-eval-v2" / "wmt20", FILES)
    cached = {
        "wmt20.de-en.src": "eins\nzwei\n",
        "wmt20.de-en.ref": "one\ntwo\n",
        "raw/x.de-en.src": "no\n",
    }
    write(tmp_path / ".sacrebleu" / "wmt20", cached)
    nested = {"wmt14_full.de-en.src": "eins\n", "wmt14_full.de-en.ref-A": "one\n"}
    nested |= {"wmt14_full.de-en.ref-B": "1\n", "wmt14_full.de-en.docid": "d\n"}
    write(tmp_path / ".sacrebleu" / "wmt14" / "full", nested)
    return tmp_path


def write(folder: Path, files: dict[str, str]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")


def archive(path: Path, files: dict[str, str], *others: tarfile.TarInfo) -> str:
    with tarfile.open(path, "w:gz") as made:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content.encode())
            made.addfile(member, io.BytesIO(content.encode()))
        for member in others:
            made.addfile(member)
    return str(path)


def test_sets_are_found_where_programs_put_them() -> None:
    found = {(str(one.kind), one.name): one for one in list_sets().sets}
    assert list(found) == [
        ("mt-metrics-eval", "wmt20"),
        ("sacrebleu", "wmt14/full"),
        ("sacrebleu", "wmt20"),
    ]
    (pair,) = found["mt-metrics-eval", "wmt20"].pairs
    assert (pair.pair, pair.references, pair.systems) == ("de-en", ("refA",), ("good", "poor"))
    assert (pair.human, pair.documents) == (("mqm",), True)
    (pair,) = found["sacrebleu", "wmt14/full"].pairs
    assert (pair.references, pair.documents) == (("ref-A", "ref-B"), True)


def test_a_variable_names_other_folders(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(home / "own" / "wmt20", FILES)
    write(home / "own" / "mine", FILES)
    monkeypatch.setenv("TENBIN_SETS", f"{home / 'nowhere'}{os.pathsep}{home / 'own'}")
    assert describe_set("wmt20").folder == home / "own" / "wmt20"
    assert set_folder("mine") == str(home / "own" / "mine")
    assert open_set("mine", "de-en").segment_count == 3


def test_a_folder_here_comes_first(home: Path) -> None:
    write(home / "here" / "wmt20", FILES | {"sources/de-en.txt": "1\n2\n3\n"})
    assert set_folder("wmt20") == "wmt20"
    assert set_folder("nosuch") == "nosuch"
    with pytest.raises(UnreadableFile, match="no such folder"):
        open_set("nosuch", "de-en")


def test_scores_to_import_are_found_by_the_name_of_their_set(
    capsys: pytest.CaptureFixture[str], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    segments = {"good": (0.9, 0.8, 0.7), "poor": (0.5, 0.4, 0.2)}
    scores = "".join(f"{name}\t{one}\n" for name, own in segments.items() for one in own)
    files = {"metric-scores/de-en/COMET-refA.seg.score": scores}
    files["human-scores/de-en.mqm.seg.score"] = scores
    write(home / "own" / "mine", FILES | files)
    monkeypatch.setenv("TENBIN_SETS", str(home / "own"))
    words = ["--set", "mine", "--pair", "de-en", "--import-scores", "mine", "-f", "json"]
    assert main(["meta", *words, "--measure", "segment-pearson"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["rows"]
    assert (row["metric"], row["value"]) == ("COMET-refA", pytest.approx(1))


def test_commands_take_names(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    assert main(["score", "--set", "wmt20", "--pair", "de-en", "-m", "chrf", "-f", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [one["system"] for one in data["results"]] == ["good", "poor"]
    (home / "here" / "out.txt").write_text("one\ntwo\n")
    words = ["--set", "sacrebleu:wmt20", "--pair", "de-en", "-t", "out.txt", "-m", "chrf"]
    assert main(["score", *words, "-f", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["results"][0]["score"] == 100
    (home / "here" / "one.txt").write_text("1\n")
    words = ["--set", "wmt14/full", "--pair", "de-en", "-t", "one.txt", "-m", "chrf"]
    assert main(["score", *words, "-f", "json"]) == 0
    assert "nrefs:2" in capsys.readouterr().out


def test_sets_of_sacrebleu_have_no_systems() -> None:
    with pytest.raises(UsageError, match="has no systems"):
        open_set("sacrebleu:wmt20", "de-en")
    with pytest.raises(UsageError, match="no reference refX of de-en; there is ref-A, ref-B"):
        open_set("wmt14/full", "de-en", systems=["x"], references=["refX"])
    with pytest.raises(UsageError, match="has no en-de; fetch it with sacrebleu"):
        open_set("wmt14/full", "en-de", systems=["x"])
    with pytest.raises(UsageError, match="neither systems nor judgments"):
        set_folder("wmt14/full")


def test_an_unknown_set_is_named_with_near_ones() -> None:
    with pytest.raises(UsageError, match=r"no test set 'wmt21' .* Did you mean wmt20"):
        describe_set("wmt21")


def test_archives_are_unpacked_whole(home: Path) -> None:
    files = {f"mt-metrics-eval-v2/wmt9/{name}": text for name, text in FILES.items()}
    files |= {f"mt-metrics-eval-v2/wmt8/{name}": text for name, text in FILES.items()}
    path = archive(home / "all.tgz", files)
    assert install_sets(["wmt9"], archive=path) == [home / "data" / "tenbin" / "sets" / "wmt9"]
    assert open_set("wmt9", "de-en").systems == ("good", "poor")
    with pytest.raises(UsageError, match="1 test set installed already"):
        install_sets(archive=path)
    with pytest.raises(UsageError, match="has no wmt7; it has wmt8, wmt9"):
        install_sets(["wmt7"], archive=path)
    (made,) = install_sets(["wmt8"], archive=path, folder=home / "elsewhere")
    assert sorted(one.name for one in made.parent.iterdir()) == ["wmt8"]


def test_nothing_is_written_outside(home: Path) -> None:
    link = tarfile.TarInfo("v2/wmt9/sources/link")
    link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
    bad = {
        "v2/wmt9/references/../../../../escaped.txt": "x",
        "/v2/wmt9/.hidden/references/x.txt": "x",
        "references/x.txt": "x",
        "v2/wmt9/other/x.txt": "x",
        "v2/wmt9/references/de-en.refA.txt": "one\n",
    }
    path = archive(home / "bad.tgz", bad, link)
    (made,) = install_sets(archive=path)
    assert [one.relative_to(made).as_posix() for one in made.rglob("*") if one.is_file()] == [
        "references/de-en.refA.txt"
    ]
    assert not list(home.rglob("escaped.txt"))


def test_what_is_no_archive_is_refused(home: Path) -> None:
    (home / "x.tgz").write_bytes(b"no archive")
    with pytest.raises(UnreadableFile, match="not an archive"):
        install_sets(archive=str(home / "x.tgz"))
    with pytest.raises(UnreadableFile, match="no test set in it"):
        install_sets(archive=archive(home / "y.tgz", {"a/b.txt": "x"}))
    with pytest.raises(ResourceError, match=r"mt_metrics_eval\.mtme --download"):
        install_sets()


def test_the_command(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    assert main(["sets", "list"]) == 0
    shown = capsys.readouterr().out
    assert "wmt14/full  sacrebleu" in shown
    assert str(home / ".mt-metrics-eval") in shown
    assert main(["sets", "show", "wmt20", "-f", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["pairs"][0]["systems"] == ["good", "poor"]
    assert main(["sets", "show", "wmt20"]) == 0
    assert "de-en  refA" in capsys.readouterr().out
    assert main(["sets", "install"]) == 4
    assert "--archive FILE" in capsys.readouterr().err
