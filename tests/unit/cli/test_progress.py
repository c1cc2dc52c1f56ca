"""When and how progress is shown, by a clock of our own."""

import argparse
import io
import logging
import re
import tarfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenbin.cli.main import COMMANDS, build_parser, main
from tenbin.cli.progress import (
    VARIABLE,
    Bars,
    CommandProgress,
    Drawing,
    Lines,
    StepCount,
    duration,
    erasing,
    shown_progress,
)
from tenbin.core.progress import is_shown, step
from tenbin.formats.lines import TextFile

CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f]")


class Clock:
    """A clock that moves when it is told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


class Seen:
    """A drawing that writes down which steps it was to show."""

    seconds = 0.1

    def __init__(self) -> None:
        self.drawn: list[tuple[str, ...]] = []
        self.cleared = 0

    def draw(self, steps: Sequence[StepCount], _now: float) -> None:
        self.drawn.append(tuple(one.label for one in steps))

    def end(self, closed: StepCount, _now: float) -> None:
        pass

    def clear(self) -> None:
        self.cleared += 1


def made(drawing: Drawing) -> tuple[CommandProgress, Clock]:
    clock = Clock()
    return CommandProgress(drawing, clock, ticking=False), clock


def test_nothing_is_shown_for_less_than_two_seconds() -> None:
    seen = Seen()
    progress, clock = made(seen)
    with progress.step("scoring", 10):
        progress.tick()
        clock.now += 1.9
        progress.tick()
    assert seen.drawn == []


def test_work_is_shown_after_two_seconds_also_if_it_says_nothing() -> None:
    seen = Seen()
    progress, clock = made(seen)
    with progress.step("scoring", 10):
        clock.now += 2.0
        progress.tick()
    assert seen.drawn == [("scoring",)]
    assert seen.cleared == 1


def test_many_short_steps_are_long_work() -> None:
    seen = Seen()
    progress, clock = made(seen)
    for name in "abc":
        with progress.step(name, 1):
            clock.now += 0.9
            progress.tick()
    assert seen.drawn == [("c",)]


def test_what_is_shown_is_not_drawn_more_often_than_it_should() -> None:
    seen = Seen()
    progress, clock = made(seen)
    with progress.step("scoring", 10):
        clock.now += 3
        for _ in range(100):
            with progress.step("encoding", 1):
                clock.now += 0.01
    assert 10 <= len(seen.drawn) <= 12


def test_percentage_rate_and_remaining_time() -> None:
    one = StepCount("scoring", 1_000, 100.0)
    assert one.figures(103.0) == ("0 %", "", "0:03 so far")
    one.advance(250)
    assert one.figures(110.0) == ("25 %", "25.0/s", "0:30 left")
    one.advance(900)
    assert one.figures(120.0) == ("100 %", "57.5/s", "0:00 left")


def test_work_that_does_not_count_itself_is_asked(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_text("line\n" * 200_000)
    file = TextFile(str(path))
    stream = io.StringIO()
    progress, clock = made(Lines(stream))
    with progress.step("reading", file.size, lambda: file.position):
        lines = file.lines()
        for _ in range(100_000):
            next(lines)
        clock.now += 10
        progress.tick()
        list(lines)
        clock.now += 10
    first, *_ = stream.getvalue().splitlines()
    assert file.size == 1_000_000
    assert re.fullmatch(r"reading: (4|5|6)\d % \([\d,]+ of 1,000,000\), .*", first)
    assert file.position == 0


@pytest.mark.parametrize("error", [OSError, ValueError])
def test_what_was_closed_meanwhile_is_not_asked(error: type[Exception]) -> None:
    def closed() -> int:
        raise error

    one = StepCount("reading", 10, 0.0, 3, closed)
    one.look()
    assert one.done == 3


def test_without_a_known_end_there_is_a_rate() -> None:
    one = StepCount("reading", None, 0.0)
    one.advance(3_000)
    assert one.share is None
    assert one.figures(4.0) == ("", "750/s", "0:04 so far")


@given(
    total=st.one_of(st.none(), st.integers(0, 10**12)),
    done=st.integers(0, 10**13),
    seconds=st.floats(0, 10**7, allow_nan=False),
)
def test_figures_are_always_defined(total: int | None, done: int, seconds: float) -> None:
    one = StepCount("scoring", total, 0.0, done)
    percent, rate, left = one.figures(seconds)
    assert percent == "" or 0 <= int(percent.removesuffix(" %")) <= 100
    assert "nan" not in rate + left
    assert "-" not in rate + left


@pytest.mark.parametrize(("seconds", "text"), [(0, "0:00"), (59.6, "1:00"), (36_000, "10:00:00")])
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def run_lines(seconds: float, total: int | None = 1_000) -> list[str]:
    """Return the lines of evenly done work of that length."""
    stream = io.StringIO()
    progress, clock = made(Lines(stream))
    with progress.step("scoring", total) as advance:
        for _ in range(1_000):
            clock.now += seconds / 1_000
            advance(1)
            progress.tick()
    return stream.getvalue().splitlines()


def test_lines_of_short_work() -> None:
    assert run_lines(1.9) == []
    assert run_lines(4) == [
        "scoring: 50 % (500 of 1,000), 250/s, 0:02 left",
        "scoring: done (1,000) in 0:04",
    ]


def test_a_line_for_every_tenth_but_not_more_than_every_five_seconds() -> None:
    shown = run_lines(100)
    assert 9 < len(shown) < 13
    assert re.fullmatch(r"scoring: 2 % \(\d+ of 1,000\), 10.0/s, 1:38 left", shown[0])
    assert shown[-1] == "scoring: done (1,000) in 1:40"
    assert len(run_lines(30)) <= 7


def test_the_log_of_a_long_night_is_short() -> None:
    assert len(run_lines(12 * 3600)) < 60
    assert len(run_lines(12 * 3600, total=None)) < 60


def test_what_failed_is_not_called_done() -> None:
    stream = io.StringIO()
    progress, clock = made(Lines(stream))

    def failing() -> None:
        with progress.step("scoring", 10):
            clock.now += 5
            progress.tick()
            raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        failing()
    assert stream.getvalue() == "scoring: 0 % (0 of 10), 0:05 so far\n"


def test_lines_have_no_control_characters() -> None:
    text = "\n".join(run_lines(100))
    assert not CONTROL.search(text)


def test_lines_tell_of_the_whole_not_of_each_batch() -> None:
    stream = io.StringIO()
    progress, clock = made(Lines(stream))
    with progress.step("scoring", 100) as advance:
        for _ in range(100):
            with progress.step("encoding texts", 10):
                clock.now += 1
                progress.tick()
            advance(1)
    shown = stream.getvalue().splitlines()
    assert all(line.startswith("scoring: ") for line in shown)
    assert len(shown) <= 13


def test_lines_tell_of_the_inner_step_if_that_is_what_takes_long() -> None:
    stream = io.StringIO()
    progress, clock = made(Lines(stream))
    with progress.step("scoring", 100), progress.step("encoding texts", 1_000) as advance:
        for _ in range(100):
            clock.now += 1
            advance(10)
            progress.tick()
    assert "encoding texts: " in stream.getvalue()


def test_bars_show_the_whole_and_what_happens() -> None:
    stream = Terminal()
    progress, clock = made(Bars(stream, colored=False))
    with (
        progress.step("tuning", None),
        progress.step("trying settings", 8) as outer,
        progress.step("measuring", 4),
        progress.step("encoding texts", 100) as inner,
    ):
        outer(2)
        inner(50)
        clock.now += 10
        progress.tick()
        shown = stream.getvalue()
    assert "trying settings" in shown
    assert "25 %" in shown
    assert "0:30 left" in shown
    assert "encoding texts" in shown
    assert "tuning" not in shown
    assert "measuring" not in shown


def test_bars_are_erased() -> None:
    stream = Terminal()
    progress, clock = made(Bars(stream, colored=True))

    def interrupted() -> None:
        with progress.step("scoring", 8):
            clock.now += 10
            progress.tick()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    shown = stream.getvalue()
    assert shown.rindex("\x1b[2K") > shown.rindex("scoring")
    assert shown.count("\x1b[?25l") == shown.count("\x1b[?25h") == 1


def test_what_a_hurried_end_has_to_erase(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("sys.stderr", Terminal())
    clock = Clock()
    assert erasing() == ""
    with shown_progress(quiet=False, clock=clock), step("scoring", 8):
        with step("encoding", 9):
            clock.now += 10
        # The inner step was drawn when it ended.
        assert erasing() == "\r\x1b[2K\x1b[1A\x1b[2K"
    assert erasing() == ""


def test_a_closed_display_shows_nothing() -> None:
    seen = Seen()
    progress, clock = made(seen)
    with progress.step("scoring", 8):
        clock.now += 10
        progress.close()
        progress.tick()
    assert seen.drawn == []


@pytest.mark.parametrize("quiet", [True, False])
def test_quiet_and_the_variable(monkeypatch: pytest.MonkeyPatch, *, quiet: bool) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    with shown_progress(quiet=quiet):
        assert is_shown() is not quiet
    monkeypatch.setenv(VARIABLE, "never")
    with shown_progress(quiet=quiet):
        assert not is_shown()


def test_a_closed_stderr_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setattr("sys.stderr", None)
    with shown_progress(quiet=False):
        assert not is_shown()


class Recorded(Seen):
    """A drawing that writes down every step that ended, and how much of it was done."""

    def __init__(self) -> None:
        super().__init__()
        self.ended: dict[str, tuple[int, int | None]] = {}

    def end(self, closed: StepCount, _now: float) -> None:
        done, total = self.ended.get(closed.label, (0, closed.total))
        self.ended[closed.label] = done + closed.done, total


EXAMPLE = ("--set", "bundled:example", "--pair", "ja-en", "-m", "chrf", "ter")
SEGMENTS = 60
BITEXT = "".join(f"{word} tree\t{word} Baum\n" for word in ("one", "two", "three"))


def steps_of(
    words: Sequence[object], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> dict[str, tuple[int, int | None]]:
    """Return the steps of a command; what it prints must not depend on them."""
    arguments = [str(word) for word in words]
    capsys.readouterr()
    assert main(arguments) == 0
    plain = capsys.readouterr()
    recorded = Recorded()
    with monkeypatch.context() as patch:
        patch.setattr("tenbin.cli.progress._drawing", lambda _: recorded)
        assert main(arguments) == 0
        assert capsys.readouterr().out == plain.out
        seen = dict(recorded.ended)
        assert main([*arguments, "--quiet"]) == 0
    quiet = capsys.readouterr()
    assert quiet.out == plain.out
    assert quiet.err == ""
    assert recorded.ended == seen
    return seen


@pytest.fixture
def shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., dict[str, tuple[int, int | None]]]:
    return lambda *words: steps_of(words, monkeypatch, capsys)


Shown = Callable[..., dict[str, tuple[int, int | None]]]


@pytest.mark.parametrize("jobs", [1, 2])
def test_scoring(shown: Shown, jobs: int) -> None:
    found = shown("score", *EXAMPLE, "--ci", "--resamples", "20", "--jobs", jobs)
    assert found["scoring"] == (2 * SEGMENTS, 2 * SEGMENTS)
    assert found["drawing resamples"] == (20, 20)
    assert found["reading ja-en.refA.txt"][1] == 5_842


def test_workers_report(shown: Shown, tmp_path: Path) -> None:
    for name in ("ref", "a"):
        (tmp_path / name).write_text("a cat sat\n" * 17_000)
    words = ("-r", tmp_path / "ref", "-t", tmp_path / "a", "-l", "en", "-m", "wer", "bleu")
    assert shown("score", *words, "--jobs", 2)["scoring"] == (34_000, 34_000)


def test_comparing(shown: Shown) -> None:
    found = shown("compare", *EXAMPLE, "--rounds", "50")
    assert found["scoring"] == (2 * SEGMENTS, 2 * SEGMENTS)
    assert found["testing differences"] == (50, 50)


def test_explaining_and_reports(shown: Shown, tmp_path: Path) -> None:
    example = EXAMPLE[:4]
    assert shown("explain", *example, "-m", "meteor", "-n", "3")["explaining segments"] == (1, 1)
    page = tmp_path / "page.html"
    found = shown("score", *example, "-m", "meteor", "--report", page)
    done, total = found["explaining segments"]
    assert done == total
    assert done > 0


def test_choosing(shown: Shown, tmp_path: Path) -> None:
    for name in "abc":
        (tmp_path / name).write_text(f"the {name} cat\nthe {name} dog\n")
    files = [tmp_path / name for name in "abc"]
    assert shown("mbr", "-t", *files, "-l", "en", "-m", "chrf")["comparing"] == (2, 2)
    words = ("oracle", "-t", *files, "-r", files[0], "-l", "en", "-m", "chrf")
    assert shown(*words)["scoring"] == (6, 6)


def test_checking(shown: Shown, tmp_path: Path) -> None:
    words = ("check", *EXAMPLE[:4], "-t", "careful")
    baseline = tmp_path / "old.json"
    shown(*words, "-m", "chrf", "--write-baseline", baseline)
    found = shown(*words, "--baseline", baseline, "--rounds", "40")
    assert found["testing differences"][1] == 40
    assert "checking" in found


def test_meta_and_tuning(shown: Shown, make_judged_set: Callable[..., Path]) -> None:
    folder = make_judged_set()
    words = ("--set", folder, "--pair", "de-en", "--no-cache", "-m")
    found = shown("meta", *words, "chrf", "bleu", "--compare", "--resamples", "20", "--ci")
    assert found["language pairs"] == (1, 1)
    assert found["scoring"][0] == 2 * 60
    assert found["testing pairs of metrics"][0] > 0
    assert found["drawing samples"][0] > 0
    found = shown("tune", *words, "chrf", "--parameter", "beta=1,2", "--measure", "segment-pearson")
    assert found["trying settings"][0] == found["trying settings"][1]
    assert found["choosing on folds"] == (10, 10)


@pytest.mark.parametrize("ending", ["csv", "jsonl", "xlsx", "tmx"])
def test_reading_files_of_texts(shown: Shown, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"texts.{ending}"
    rows = [(f"the cat {number}", f"a cat {number}") for number in range(2_500)]
    if ending == "csv":
        path.write_text("ref,mt\n" + "".join(f"{one},{other}\n" for one, other in rows))
    elif ending == "jsonl":
        path.write_text("".join(f'{{"ref": "{one}", "mt": "{two}"}}\n' for one, two in rows))
    elif ending == "xlsx":
        openpyxl = pytest.importorskip("openpyxl", reason="the extra 'formats' is not installed")
        book = openpyxl.Workbook()
        for row in (("ref", "mt"), *rows):
            book.active.append(row)
        book.save(path)
    else:
        units = "".join(
            f'<tu><tuv xml:lang="en"><seg>{one}</seg></tuv><tuv xml:lang="de"><seg>{two}</seg>'
            "</tuv></tu>"
            for one, two in rows
        )
        path.write_text(f'<tmx version="1.4"><header srclang="en"/><body>{units}</body></tmx>')
    columns = ("--columns", "reference=en,system=de") if ending == "tmx" else ()
    found = shown("score", "--input", path, *columns, "-l", "en", "-m", "wer")
    done, total = found[f"reading texts.{ending}"]
    assert total == (2_500 if ending == "xlsx" else path.stat().st_size)
    assert done == (2_500 if ending == "xlsx" else 0)  # a file is asked how far it was read


def test_building(shown: Shown, tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    corpus.write_text("one two three\n" * 20)
    for what in ("function-words", "idf"):
        words = ("build", what, corpus, "-l", "en", "-o", tmp_path / what, "--force")
        (label,) = (one for one in shown(*words) if one.startswith("counting"))
        assert label


def test_unpacking_test_sets(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    make_judged_set: Callable[..., Path],
) -> None:
    folder = make_judged_set()
    archive = tmp_path / "sets.tgz"
    with tarfile.open(archive, "w:gz") as packed:
        packed.add(folder, "made")
    recorded = Recorded()
    monkeypatch.setattr("tenbin.cli.progress._drawing", lambda _: recorded)
    target = tmp_path / "installed"
    words = ["sets", "install", "--archive", str(archive), "--folder", str(target)]
    assert main(words) == 0
    done, total = recorded.ended["unpacking sets.tgz"]
    assert total == archive.stat().st_size
    assert 0 < done <= total
    assert capsys.readouterr().err == ""


def parsers() -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Yield every command, and every action of a command, with its parser."""

    def below(
        parser: argparse.ArgumentParser, name: str
    ) -> Iterator[tuple[str, argparse.ArgumentParser]]:
        actions = [one for one in parser._actions if isinstance(one, argparse._SubParsersAction)]
        if not actions:
            yield name, parser
        for one in actions:
            for word, inner in one.choices.items():
                yield from below(inner, f"{name} {word}")

    for command in COMMANDS:
        top = build_parser([command])
        (choices,) = (one for one in top._actions if isinstance(one, argparse._SubParsersAction))
        yield from below(choices.choices[command], command)


PARSERS = dict(parsers())


@pytest.mark.parametrize("name", PARSERS)
def test_every_command_can_be_quiet(name: str) -> None:
    known = PARSERS[name]._option_string_actions
    assert known["-q"] is known["--quiet"]
    assert known["-q"].dest == "quiet"


def test_quiet_silences_what_is_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def run(_: object) -> int:
        logging.getLogger("tenbin.resources").warning("a note")
        return 0

    monkeypatch.setattr("tenbin.cli.metrics.run", run)
    assert main(["metrics", "-q"]) == 0
    assert caplog.messages == []
    assert main(["metrics"]) == 0
    assert caplog.messages == ["a note"]
