"""What a visitor asks for: checked where it arrives, and passed to the process that does it."""

import json
import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Self

from tenbin.core.errors import UsageError
from tenbin.reports.page.words import DEFAULT_LANGUAGE, page_languages
from tenbin.serve.uploads import Upload

_MOST_SYSTEMS = 200
_MOST_METRICS = 50
_LONGEST = 200
_METRIC = re.compile(r"[\w+.-]+")
_ACTING = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreRequest:
    """One scoring run.

    Attributes:
        systems: Path of each system's output, by the name of the system.
        references: Paths of the references.
        source: Path of the source text.
        source_language: Its language, where its script tells it; else empty.
        shown: What messages call a file, by its path.
        language: The target language.
        metrics: Specs.
        intervals: Whether confidence intervals are drawn.
        compare: Whether systems are compared in pairs.
        page_language: The language of the report's words.
        title: What the report is called.
    """

    systems: Mapping[str, str]
    references: tuple[str, ...]
    source: str | None
    source_language: str
    shown: Mapping[str, str]
    language: str
    metrics: tuple[str, ...]
    intervals: bool
    compare: bool
    page_language: str
    title: str

    @classmethod
    def from_page(cls, data: object, upload: Callable[[object], Upload | None]) -> Self:
        """Return what the page asks for.

        Args:
            data: What the page sent.
            upload: Returns the file of an id.

        Raises:
            UsageError: Something of it is missing or impossible.
        """
        given = data if isinstance(data, dict) else {}
        systems = _list(given.get("systems"), _MOST_SYSTEMS, "systems")
        if not systems:
            raise UsageError("there is no system output; add at least one file to score.")
        names = [_text(one.get("name") if isinstance(one, dict) else None) for one in systems]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise UsageError(f"two systems are called {twice[0]!r}; give each a name of its own.")
        if not all(names):
            raise UsageError("a system has no name; give each a name of its own.")
        files = [
            _file(one.get("file") if isinstance(one, dict) else None, upload) for one in systems
        ]
        references = [
            _file(one, upload) for one in _list(given.get("references"), 50, "references")
        ]
        source = None if given.get("source") is None else _file(given["source"], upload)
        metrics = [_text(one) for one in _list(given.get("metrics"), _MOST_METRICS, "metrics")]
        if not metrics or not all(metrics):
            raise UsageError("no metric is chosen; choose at least one.")
        if odd := [one for one in metrics if not _METRIC.fullmatch(one)]:
            raise UsageError(
                f"{odd[0]!r} is not the name of a metric; parameters are for the command line."
            )
        language = _text(given.get("language"))
        if not language:
            raise UsageError(
                "the target language is not chosen; it decides how text is cut into words."
            )
        every = [*references, *([] if source is None else [source]), *files]
        page_language = given.get("page_language")
        return cls(
            systems={name: str(file.path) for name, file in zip(names, files, strict=True)},
            references=tuple(str(file.path) for file in references),
            source=None if source is None else str(source.path),
            source_language=(source and source.text.guess.language) or "",
            shown=_distinct(every),
            language=language,
            metrics=tuple(dict.fromkeys(metrics)),
            intervals=given.get("intervals") is True,
            compare=given.get("compare") is True and len(systems) > 1,
            page_language=page_language if page_language in page_languages() else DEFAULT_LANGUAGE,
            title=_text(given.get("title")),
        )

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Return the request that `to_text` wrote."""
        given = json.loads(text)
        given["references"] = tuple(given["references"])
        given["metrics"] = tuple(given["metrics"])
        return cls(**given)

    def to_text(self) -> str:
        """Return the request as one line."""
        return json.dumps(asdict(self))

    @property
    def files(self) -> tuple[str, ...]:
        """The paths of all files that are read."""
        source = () if self.source is None else (self.source,)
        return tuple(dict.fromkeys((*self.references, *source, *self.systems.values())))

    @property
    def pair(self) -> str | None:
        """The language pair, where the source language is known."""
        return f"{self.source_language}-{self.language}" if self.source_language else None

    def command(self) -> str:
        """Return the command that gives the same scores, with files under their own names."""
        words = ["tenbin", "compare" if self.compare else "score", *self._texts()]
        words += ["-m", *self.metrics]
        words += ["--ci"] if self.intervals and not self.compare else []
        return shlex.join(words)

    def explaining_command(self) -> str:
        """Return a command that explains a segment; the page puts in which, and by which metric."""
        return f"{shlex.join(['tenbin', 'explain', *self._texts()])} -n {{segment}} -m '{{metric}}'"

    def _texts(self) -> list[str]:
        words = []
        if self.references:
            words += ["-r", *(self.shown[path] for path in self.references)]
        if self.source is not None:
            words += ["-s", self.shown[self.source]]
        return [
            *words,
            "-t",
            *(self.shown[path] for path in self.systems.values()),
            "-l",
            self.language,
        ]


def _list(value: object, most: int, what: str) -> Sequence[Any]:
    if value is None:
        return []
    if not isinstance(value, list):
        raise UsageError(f"the {what} are not a list.")
    if len(value) > most:
        raise UsageError(f"there are more than {most} {what}; score them in several runs.")
    return value


def _text(value: object) -> str:
    """Return a text of one line that is not too long; empty for anything else."""
    if not isinstance(value, str):
        return ""
    plain = _ACTING.sub(" ", value.encode("utf-8", "replace").decode()).strip()
    if len(plain) > _LONGEST:
        raise UsageError(f"{plain[:40]!r}... is longer than {_LONGEST} characters.")
    return plain


def _file(wanted: object, upload: Callable[[object], Upload | None]) -> Upload:
    found = upload(wanted)
    if found is None:
        raise UsageError("a file is not on the server any more; add it again.")
    return found


def _distinct(files: Sequence[Upload]) -> dict[str, str]:
    """Return a name for each path; a second file of a name gets a number."""
    names: dict[str, str] = {}
    for file in files:
        if str(file.path) in names:
            continue
        name, number = file.name, 1
        while name in names.values():
            number += 1
            name = f"{file.name} ({number})"
        names[str(file.path)] = name
    return names
