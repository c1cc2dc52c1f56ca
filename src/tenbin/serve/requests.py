"""What a visitor asks for: checked where it arrives, and passed to the process that does it."""

import json
import re
import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Self

from tenbin.api.table_parts import GivenTable
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
        tables: The tables that texts are from, by the path of the text; two of one name have names
            of their own here.
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
    tables: Mapping[str, GivenTable]
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
            shown=_distinct((str(file.path), file.name) for file in every),
            tables=_tables(every),
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
        given["tables"] = {
            path: GivenTable(**{**table, "notes": tuple(table["notes"])})
            for path, table in given["tables"].items()
        }
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

    @property
    def given_tables(self) -> tuple[GivenTable, ...]:
        """The tables of references, systems and source, in this order, once for each text."""
        paths = [path for _, texts in self._roles for path in texts]
        return tuple(self.tables[path] for path in paths if path in self.tables)

    def command(self) -> str:
        """Return the command that gives the same scores, with files under their own names.

        Empty where there is none, as where some of the systems of a table are left out.
        """
        texts = self._texts()
        if not texts:
            return ""
        words = ["tenbin", "compare" if self.compare else "score", *texts, "-m", *self.metrics]
        words += ["--ci"] if self.intervals and not self.compare else []
        return shlex.join(words)

    def explaining_command(self) -> str | None:
        """Return a command that explains a segment; the page puts in which, and by which metric.

        None where none has these texts.
        """
        texts = self._texts()
        if not texts:
            return None
        return f"{shlex.join(['tenbin', 'explain', *texts])} -n {{segment}} -m '{{metric}}'"

    @property
    def _roles(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """The paths of texts by what they are, as the command line takes them in."""
        return (
            ("references", self.references),
            ("systems", tuple(self.systems.values())),
            ("source", () if self.source is None else (self.source,)),
        )

    def _texts(self) -> list[str]:
        """Return the options that name the texts; none where no options name just these."""
        taken = Counter(
            (self.tables[path].id, role)
            for role, texts in self._roles
            for path in texts
            if path in self.tables
        )
        given = self._whole(taken) or self._by_role(taken)
        return [*given, "-l", self.language] if given else []

    def _whole(self, taken: Mapping[tuple[str, str], int]) -> list[str]:
        """Return the option that names one table with all texts."""
        tables = {table.id: table for table in self.given_tables}
        if len(tables) != 1 or any(path not in self.tables for path in self.files):
            return []
        (table,) = tables.values()
        wanted = {(table.id, role): count for role, count in table.texts.items()}
        return ["--input", table.name] if table.as_whole and taken == wanted else []

    def _by_role(self, taken: Mapping[tuple[str, str], int]) -> list[str]:
        """Return the options that name a file for each text, or for those that it holds."""
        texts = dict(self._roles)
        words = []
        for option, role in (("-r", "references"), ("-s", "source"), ("-t", "systems")):
            names: dict[str, str] = {}
            for path in texts[role]:
                table = self.tables.get(path)
                if table is None:
                    names[path] = self.shown[path]
                elif table.by_role and taken[table.id, role] == table.texts.get(role):
                    names[table.id] = table.name
                else:
                    return []
            words += [option, *names.values()] if names else []
        return words


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


def _tables(files: Sequence[Upload]) -> dict[str, GivenTable]:
    """Return the table that a text is from, by its path, with a name that no other one has."""
    found = {str(file.path): file.table for file in files if file.table is not None}
    names = _distinct((table.id, table.name) for table in found.values())
    return {path: replace(table, name=names[table.id]) for path, table in found.items()}


def _distinct(files: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return a name for each file; a second file of a name gets a number."""
    names: dict[str, str] = {}
    for file, called in files:
        if file in names:
            continue
        name, number = called, 1
        while name in names.values():
            number += 1
            name = f"{called} ({number})"
        names[file] = name
    return names
