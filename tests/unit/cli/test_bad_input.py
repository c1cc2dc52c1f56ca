"""Every bad input of the brief: what is said, and the exit code."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import pytest

Cli = Callable[..., subprocess.CompletedProcess[str]]
INPUT = ("-r", "ref.txt", "-t", "good.txt", "-l", "en")


def scores(done: subprocess.CompletedProcess[str]) -> list[float]:
    assert done.returncode == 0, done.stderr
    return [result["score"] for result in json.loads(done.stdout)["results"]]


def refused(done: subprocess.CompletedProcess[str], code: int) -> str:
    """Return the message of a refusal: one line or more, no traceback, nothing on stdout."""
    assert done.returncode == code, done.stderr
    assert done.stdout == ""
    assert done.stderr.startswith("tenbin: error: ")
    assert "Traceback" not in done.stderr
    return done.stderr


def test_unequal_lengths(cli: Cli, texts: Path) -> None:
    (texts / "short.txt").write_text("one\ntwo\n")
    message = refused(cli("score", "-r", "ref.txt", "-t", "good.txt", "short.txt", "-l", "en"), 3)
    assert "ref.txt: 6, good.txt: 6, short.txt: 2" in message


def test_references_given_line_by_line_do_not_pass(cli: Cli, texts: Path) -> None:
    # The transposed shape of the library: one file per segment instead of one per reference.
    lines = (texts / "ref.txt").read_text().splitlines(keepends=True)
    names = [f"r{number}.txt" for number in range(len(lines))]
    for name, line in zip(names, lines, strict=True):
        (texts / name).write_text(line)
    message = refused(cli("score", "-r", *names, "-t", "good.txt", "-l", "en"), 3)
    assert "r0.txt: 1" in message
    assert "good.txt: 6" in message
    assert "one segment per line" in message


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "bad.txt: the file is empty"),
        (b"a\nb\xe9\n", "bad.txt, line 2: byte 2 of the line (0xe9) is not valid UTF-8"),
        (b"a\nb\nc\0\n", "bad.txt, line 3: NUL character at byte 2"),
        ("a\nb\n".encode("utf-16"), "bad.txt, line 1: the file is UTF-16, expected UTF-8"),
        (b"\x1f\x8b\x08\x00cut", "bad.txt: the compressed file is damaged or truncated"),
    ],
)
@pytest.mark.parametrize("place", ["-t", "-r", "-s"])
def test_files_that_cannot_be_read(
    cli: Cli, texts: Path, content: bytes, words: str, place: str
) -> None:
    (texts / "bad.txt").write_bytes(content)
    given = {"-t": "good.txt", "-r": "ref.txt", "-s": "ref.txt"} | {place: "bad.txt"}
    options = [word for option in given.items() for word in option]
    assert words in refused(cli("score", *options, "-l", "en"), 3)


def test_no_file_and_directory(cli: Cli, texts: Path) -> None:
    (texts / "folder").mkdir()
    message = refused(cli("score", "-r", "none.txt", "-t", "folder", "-l", "en"), 3)
    assert "none.txt: there is no such file" in message
    assert "folder: this is a directory, not a file" in message
    assert "name of a file is empty" in refused(
        cli("score", "-r", "ref.txt", "-t", "", "-l", "en"), 3
    )


@pytest.mark.usefixtures("texts")
def test_a_file_that_the_system_refuses(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    # Permissions do not bind root, so the answer of the system is played.
    really = Path.open

    def guarded(path: Path, mode: str = "r", **options: Any) -> IO[Any]:
        if path.name == "good.txt":
            raise PermissionError(13, "Permission denied", str(path))
        return really(path, mode, **options)

    monkeypatch.setattr(Path, "open", guarded)
    assert "good.txt: no permission to read the file" in refused(cli("score", *INPUT), 3)


def test_empty_lines_are_scored_and_counted(cli: Cli, texts: Path) -> None:
    lines = (texts / "good.txt").read_text().splitlines()
    (texts / "gaps.txt").write_text("\n".join(["", *lines[1:4], " \t", lines[5]]) + "\n")
    words = ("-r", "ref.txt", "-t", "gaps.txt", "-l", "en", "-m", "bleu", "chrf")
    done = cli("score", *words, "--segments", "-f", "json")
    results = json.loads(done.stdout)["results"]
    assert [result["segments"][0] for result in results] == [0.0, 0.0]
    assert done.stderr == "note: gaps: 2 segments of 6 empty; scored as empty.\n"


@pytest.mark.parametrize("kind", ["CR LF", "mark", "both", "mixed"])
def test_line_ends_and_marks_do_not_change_a_score(cli: Cli, texts: Path, kind: str) -> None:
    expected = scores(cli("score", *INPUT, "-m", "bleu", "chrf", "ter", "-f", "json"))
    text = (texts / "good.txt").read_bytes()
    content = {
        "CR LF": text.replace(b"\n", b"\r\n"),
        "mark": b"\xef\xbb\xbf" + text,
        "both": b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n"),
        "mixed": text.replace(b"\n", b"\r\n", 2),
    }[kind]
    (texts / "good.txt").write_bytes(content)
    done = cli("score", *INPUT, "-m", "bleu", "chrf", "ter", "-f", "json")
    assert scores(done) == expected
    assert ("CR LF; read as LF" in done.stderr) == (kind != "mark")
    assert ("byte order mark" in done.stderr) == (kind in {"mark", "both"})
    assert cli("score", *INPUT, "-q").stderr == ""


def test_a_missing_newline_at_the_end_changes_nothing(cli: Cli, texts: Path) -> None:
    expected = scores(cli("score", *INPUT, "-m", "chrf", "-f", "json"))
    (texts / "good.txt").write_text((texts / "good.txt").read_text().rstrip("\n"))
    done = cli("score", *INPUT, "-m", "chrf", "-f", "json")
    assert scores(done) == expected
    assert done.stderr == ""


def test_other_line_breaks_do_not_split_a_segment(cli: Cli, texts: Path) -> None:
    lines = (texts / "good.txt").read_text().replace("leave", "leave\u2028\u0085\x0b")
    (texts / "good.txt").write_text(lines)
    assert cli("score", *INPUT).returncode == 0


@pytest.mark.usefixtures("texts")
@pytest.mark.parametrize(
    ("metric", "near"),
    [("blue", "bleu"), ("chrff", "chrf"), ("RIBE", "ribes"), ("charactr", "character")],
)
def test_an_unknown_metric_is_answered_with_near_names(cli: Cli, metric: str, near: str) -> None:
    message = refused(cli("score", *INPUT, "-m", metric), 2)
    assert f"unknown metric '{metric}'. did you mean".lower() in message.lower()
    assert near in message


@pytest.mark.usefixtures("texts")
def test_all_bad_metrics_are_reported_at_once(cli: Cli) -> None:
    bad = ["blue", "chrf(word_ordr=2)", "bleu(max_ngram=x)", "ter(", "chrf(beta='two')", "wer"]
    message = refused(cli("score", *INPUT, "-m", *bad), 2)
    assert "unknown metric 'blue'" in message
    assert "metric 'chrf' has no parameter 'word_ordr'. Did you mean 'word_order'?" in message
    assert "cannot read the metric 'ter('" in message
    assert "parameter beta='two' is not possible; expected a number" in message
    assert "wer" not in message.replace("lower", "")


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("chrf(char_order=0)", "char_order=0 is not possible"),
        ("chrf(char_order=2.5)", "char_order=2.5 is not possible; expected a whole number"),
        ("chrf(lowercase=1)", "expected True or False"),
        ("chrf(6)", "a value without a parameter name"),
        ("bleu(tokenizer=1 3b)", "cannot read the metric"),
        ("bleu(tokenizer=13b)", "there is no tokenizer '13b'. Tokenizers: 13a"),
        ('bleu(tokenizer="13b")', "there is no tokenizer '13b'. Tokenizers: 13a"),
    ],
)
@pytest.mark.usefixtures("texts")
def test_wrong_values(cli: Cli, spec: str, words: str) -> None:
    assert words in refused(cli("score", *INPUT, "-m", spec), 2)


def test_ragged_references(cli: Cli, texts: Path) -> None:
    lines = (texts / "ref.txt").read_text().splitlines()
    second = ["A cat was sitting on the mat.", "", *[""] * (len(lines) - 2)]
    (texts / "second.txt").write_text("\n".join(second) + "\n")
    words = ("-r", "ref.txt", "second.txt", "-t", "good.txt", "-l", "en", "-f", "json")
    ragged = cli("score", *words, "-m", "chrf", "--segments", "--empty-references", "absent")
    found = json.loads(ragged.stdout)["results"][0]
    assert "nrefs:var" in found["signature"]
    assert ragged.stderr == ""
    own = cli("score", *INPUT, "-f", "json", "-m", "chrf", "--segments")
    assert found["segments"][1:] == json.loads(own.stdout)["results"][0]["segments"][1:]
    kept = cli("score", *words, "-m", "chrf")
    assert "nrefs:2" in json.loads(kept.stdout)["results"][0]["signature"]
    assert "references: 5 segments empty" in kept.stderr


@pytest.mark.usefixtures("texts")
def test_language_is_required(cli: Cli) -> None:
    message = refused(cli("score", "-r", "ref.txt", "-t", "good.txt"), 2)
    assert "the target language is missing" in message
    assert "--pair de-en" in message


@pytest.mark.usefixtures("texts")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("-l", "en-de"), "target language alone, -l de; for a region write -l en-DE."),
        (("-l", "de-en"), "target language alone, -l en."),
        (("-l", "jp"), "Did you mean 'ja'?"),
        (("-l", "english"), "'english' is not a language tag"),
        (("--pair", "en"), "'en' is not a language pair"),
        (("-l", "fr", "--pair", "de-en"), "the language fr contradicts the pair de-en"),
        (("-l", "ja"), "the references are not in the script of the target language 'ja'"),
    ],
)
def test_languages_that_cannot_be(cli: Cli, words: tuple[str, ...], said: str) -> None:
    code = 3 if words == ("-l", "ja") else 2
    assert said in refused(cli("score", "-r", "ref.txt", "-t", "good.txt", *words), code)


@pytest.mark.usefixtures("texts")
@pytest.mark.parametrize("words", [("-l", "en-DE"), ("-l", "en-us"), ("--pair", "de-en")])
def test_languages_that_can_be(cli: Cli, words: tuple[str, ...]) -> None:
    assert cli("score", "-r", "ref.txt", "-t", "good.txt", *words).returncode == 0


@pytest.mark.usefixtures("texts")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((*INPUT, "--jobs", "-1"), "--jobs -1"),
        ((*INPUT, "--seed", "-5"), "--seed -5: give a number of at least 0"),
        ((*INPUT, "--ci", "--resamples", "0"), "--resamples 0: give a number of at least 1"),
        ((*INPUT, "--resamples", "10"), "add --ci"),
        (
            ("-t", "good.txt", "-l", "en"),
            "'chrf++', 'we_wpi' read references, and there are none. Give",
        ),
        (("-l", "en"), "missing -r REF and -t SYS"),
        (("-l", "en", "--set", "x"), "--set needs --pair"),
        (("--set", "x", "--pair", "de-en", "-s", "ref.txt"), "-s is not needed with --set"),
        (("--set", "bundled:none", "--pair", "de-en"), "there is bundled:example"),
        ((*INPUT, "-t", "good.txt"), "the system good.txt was given twice"),
        (("-r", "-", "-t", "-", "-l", "en"), "standard input (-) can be given for one text only"),
    ],
)
def test_requests_that_cannot_be_carried_out(cli: Cli, words: tuple[str, ...], said: str) -> None:
    assert said in refused(cli("score", *words), 2)


@pytest.mark.usefixtures("texts")
@pytest.mark.parametrize(
    "words", [("score", "--nonsense"), ("score", "--seed", "x"), ("scroe",), ("score", "-f", "xml")]
)
def test_options_that_do_not_exist(cli: Cli, words: tuple[str, ...]) -> None:
    done = cli(*words)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("usage: tenbin")


@pytest.mark.parametrize("metric", ["bleu", "ribes"])
def test_a_missing_extra_says_how_to_get_it(tmp_path: Path, metric: str) -> None:
    (tmp_path / "ja.txt").write_text("吾輩は猫である。\n名前はまだ無い。\n")
    blocked = "import sys; sys.modules.update(dict.fromkeys(['sudachipy', 'MeCab', 'ipadic']))"
    code = f"{blocked}; from tenbin.cli.main import main; sys.exit(main())"
    words = ["score", "-r", "ja.txt", "-t", "ja.txt", "-l", "ja", "-m", metric]
    done = subprocess.run(
        [sys.executable, "-c", code, *words],
        text=True,
        capture_output=True,
        cwd=tmp_path,
        check=False,
    )
    assert "pip install 'tenbin[ja]'" in refused(done, 4)
    words[-1] = f'{metric}(tokenizer="char")'
    done = subprocess.run(
        [sys.executable, "-c", code, *words],
        text=True,
        capture_output=True,
        cwd=tmp_path,
        check=False,
    )
    assert done.returncode == 0, done.stderr
