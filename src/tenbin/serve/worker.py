"""The process of one job: reads a request, scores, and writes the files of a report.

It says on its standard output, one JSON object per line, how far it is. Its standard input stays
open as long as the server lives: at its end the process ends too.
"""

import errno
import json
import os
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from tenbin.core.errors import (
    LengthMismatch,
    MalformedLine,
    OutputError,
    TenbinError,
    UnreadableFile,
)
from tenbin.core.scores import Comparison, ScoreTable
from tenbin.serve.requests import ScoreRequest
from tenbin.serve.wording import in_fields

if TYPE_CHECKING:
    from tenbin.api.files import FileTestSet

FILES = {
    "html": "report.html",
    "xlsx": "scores.xlsx",
    "csv": "scores.csv",
    "json": "scores.json",
    "latex": "table.tex",
}
"""What a report consists of, by format."""

Say = Callable[..., None]
_FULL = {errno.ENOSPC, errno.EDQUOT}


def main() -> int:
    """Do one job; return 1 if it failed, after saying why."""
    # Libraries may print; what they print is not for the server.
    channel = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    request = ScoreRequest.from_text(sys.stdin.readline())
    threading.Thread(target=_end_with_server, args=(sys.stdin,), daemon=True).start()

    def say(**what: object) -> None:
        channel.write(json.dumps(what) + "\n")
        channel.flush()

    return _guarded(request, Path(sys.argv[1]), say)


def _guarded(request: ScoreRequest, folder: Path, say: Say) -> int:
    try:
        notes = fulfil(request, folder, say)
    except TenbinError as error:
        say(error=_full(error) or in_fields(str(error)), files=_files(error))
    except MemoryError:
        say(error="not enough memory; score fewer systems or metrics at a time.")
    except OSError as error:
        say(error=_full(error) or f"{error.strerror or error}; the report was not written.")
    except Exception as error:
        say(
            error=f"an unexpected error, which is a fault of Tenbin: {type(error).__name__}: "
            f"{error}. The terminal of 'tenbin serve' says more."
        )
        raise
    else:
        say(stage="done", progress=1.0, notes=[in_fields(note) for note in notes])
        return 0
    return 1


def fulfil(request: ScoreRequest, folder: Path, say: Say) -> tuple[str, ...]:
    """Score what was asked for and write all files of its report; return the notes.

    Args:
        request: What was asked for.
        folder: Where the files are written.
        say: Is told how far the work is.
    """
    from tenbin.api.downloads import write_downloads  # noqa: PLC0415 - after the first line is said
    from tenbin.api.files import open_texts  # noqa: PLC0415
    from tenbin.api.page import write_page  # noqa: PLC0415
    from tenbin.api.scoring import check_given_texts  # noqa: PLC0415
    from tenbin.api.table_parts import with_tables  # noqa: PLC0415

    say(stage="reading")
    check_given_texts(
        request.metrics,
        language=request.language,
        references=bool(request.references),
        source=request.source is not None,
    )
    test_set = open_texts(request.systems, request.references, request.source, shown=request.shown)
    test_set = with_tables(test_set, request.given_tables)
    result = _scored(request, test_set, say)
    say(stage="writing", progress=1.0)
    write_page(
        result,
        str(folder / FILES["html"]),
        test_set=test_set,
        page_language=request.page_language,
        command=request.command(),
        title=request.title,
        pair=request.pair,
        explain_command=request.explaining_command(),
        wording=in_fields,
    )
    write_downloads(result, test_set, {name: str(folder / file) for name, file in FILES.items()})
    return result.notes


def _scored(request: ScoreRequest, test_set: "FileTestSet", say: Say) -> ScoreTable | Comparison:
    from tenbin.api.scoring import (  # noqa: PLC0415
        DEFAULT_RESAMPLES,
        compare_test_set,
        score_test_set,
    )

    both = request.compare and request.intervals
    total = max(1, (1 + both) * test_set.segment_count * len(request.metrics))
    done = 0

    def advance(count: int) -> None:
        nonlocal done
        done += count
        say(stage="scoring", progress=min(1.0, done / total))

    say(stage="scoring")
    metrics, language = request.metrics, request.language
    if not request.compare:
        resamples = DEFAULT_RESAMPLES if request.intervals else 0
        return score_test_set(
            test_set, metrics, language, segments=True, resamples=resamples, advance=advance
        )
    comparison = compare_test_set(test_set, metrics, language, segments=True, advance=advance)
    if not request.intervals:
        return comparison
    table = score_test_set(
        test_set, metrics, language, resamples=DEFAULT_RESAMPLES, advance=advance
    )
    return _with_intervals(comparison, table)


def _with_intervals(comparison: Comparison, table: ScoreTable) -> Comparison:
    """Return a comparison that has the intervals of a table too."""
    results = tuple(
        replace(own, intervals=other.intervals)
        for own, other in zip(comparison.scores.results, table.results, strict=True)
    )
    metrics = tuple(
        replace(metric, scores=scores)
        for metric, scores in zip(comparison.metrics, results, strict=True)
    )
    return replace(comparison, scores=replace(comparison.scores, results=results), metrics=metrics)


def _files(error: TenbinError) -> list[str]:
    """Return the names of the files that an error is about."""
    if isinstance(error, LengthMismatch):
        return list(error.counts)
    return [error.path] if isinstance(error, UnreadableFile | MalformedLine) else []


def _full(error: BaseException) -> str:
    """Return what to say if a disk is full, else nothing."""
    cause = error.__cause__ if isinstance(error, OutputError) else error
    if not isinstance(cause, OSError) or cause.errno not in _FULL:
        return ""
    return (
        "the disk of the temporary folder is full, so the report could not be written. Free some "
        "space, remove older reports, or start 'tenbin serve' with TMPDIR set to another folder."
    )


def _end_with_server(stream: IO[Any]) -> None:
    while stream.read(1):
        pass
    os._exit(1)


if __name__ == "__main__":
    raise SystemExit(main())
