"""Test sets: hypotheses, references, sources and documents."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar, Protocol, Self

from tenbin.core.errors import LengthMismatch, ShapeError

REFERENCES = "references"


class SegmentSource(Protocol):
    """Where the segments of a test set come from, a chunk at a time.

    A `TestSet` in memory is one; files larger than memory are another.
    """

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems, in the order given."""
        ...

    @property
    def segment_count(self) -> int:
        """The number of segments."""
        ...

    @property
    def reference_counts(self) -> tuple[int, ...]:
        """The distinct numbers of references per segment, ascending: (2,) or, ragged, (1, 2).

        Without references: (0,).
        """
        ...

    @property
    def has_references(self) -> bool:
        """Whether there are references; if so, every segment has one or more."""
        ...

    @property
    def has_source(self) -> bool:
        """Whether there are source texts."""
        ...

    @property
    def documents(self) -> tuple[str, ...] | None:
        """The document of each segment, where known."""
        ...

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on the input for readers of the scores."""
        ...

    @property
    def empty_counts(self) -> Mapping[str, int]:
        """The number of empty segments by system, `REFERENCES` for all references together."""
        ...

    def chunks(self, size: int) -> Iterator["TestSet"]:
        """Yield the segments in order, at most ``size`` of them at a time."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class TextPlaces:
    """Where the texts of a test set come from, for messages about a segment.

    Attributes:
        first: The number of the first segment, counted from 1.
        noun: What a segment is there: a ``line`` of a file, a ``row`` of a table.
        hypotheses: The file of each system.
        references: The files of the references; one of them for each reference of a segment.
        source: The file of the source texts.
    """

    first: int = 1
    noun: str = "line"
    hypotheses: Mapping[str, str] = field(default_factory=dict)
    references: tuple[str, ...] = ()
    source: str = ""

    def named(self, system: str) -> Self:
        """Return the same of a test set whose only system is called otherwise."""
        return replace(self, hypotheses=dict.fromkeys([system], *self.hypotheses.values()))


@dataclass(frozen=True, slots=True, kw_only=True)
class TestSet:
    """Segments with their translations and, if there are any, their references.

    Either every segment has references, one or more and not necessarily the same number, or none
    has; ``references=()`` says that there are none, and is stored as no reference for each segment.
    """

    __test__: ClassVar[bool] = False  # not a pytest class

    hypotheses: Mapping[str, tuple[str, ...]]
    references: tuple[tuple[str, ...], ...] = ()
    source: tuple[str, ...] | None = None
    documents: tuple[str, ...] | None = None
    notes: tuple[str, ...] = field(default=())
    places: TextPlaces | None = None

    def __post_init__(self) -> None:
        counts = {"references": len(self.references)} if self.references else {}
        counts |= {name: len(texts) for name, texts in self.hypotheses.items()}
        if self.source is not None:
            counts["source"] = len(self.source)
        if self.documents is not None:
            counts["documents"] = len(self.documents)
        if len(set(counts.values())) > 1:
            raise LengthMismatch(counts)
        if not self.hypotheses:
            raise ShapeError("no system was given: at least one list of hypotheses is needed.")
        segments = len(next(iter(self.hypotheses.values())))
        if not segments:
            raise ShapeError("there are no segments to score: every list of texts is empty.")
        if not self.references:
            object.__setattr__(self, "references", ((),) * segments)
        elif not all(self.references) and any(self.references):
            number = next(place for place, some in enumerate(self.references, 1) if not some)
            raise ShapeError(
                f"segment {number} has no reference, and others have. Give every segment at least "
                "one, or leave the segment out of all texts; metrics that read no reference take "
                "texts without any."
            )

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems, in the order given."""
        return tuple(self.hypotheses)

    @property
    def segment_count(self) -> int:
        """The number of segments."""
        return len(self.references)

    @property
    def reference_counts(self) -> tuple[int, ...]:
        """The distinct numbers of references per segment, ascending."""
        return tuple(sorted({len(alternatives) for alternatives in self.references}))

    @property
    def has_references(self) -> bool:
        """Whether there are references; if so, every segment has one or more."""
        return bool(self.references[0])

    @property
    def has_source(self) -> bool:
        """Whether there are source texts."""
        return self.source is not None

    @property
    def empty_counts(self) -> Mapping[str, int]:
        """The number of empty segments by system, `REFERENCES` for all references together."""
        counts = {
            name: sum(not text.strip() for text in texts) for name, texts in self.hypotheses.items()
        }
        counts[REFERENCES] = sum(
            not text.strip() for alternatives in self.references for text in alternatives
        )
        return {name: count for name, count in counts.items() if count}

    def chunks(self, size: int) -> Iterator["TestSet"]:
        """Yield the segments in order, at most ``size`` of them at a time."""
        for start in range(0, self.segment_count, size):
            yield self.part(start, start + size)

    def part(self, start: int, stop: int) -> Self:
        """Return the segments ``start`` to ``stop`` (exclusive)."""
        chosen = slice(start, stop)
        return type(self)(
            hypotheses={name: texts[chosen] for name, texts in self.hypotheses.items()},
            references=self.references[chosen],
            source=None if self.source is None else self.source[chosen],
            documents=None if self.documents is None else self.documents[chosen],
            places=replace(self.places or _NOWHERE, first=(self.places or _NOWHERE).first + start),
        )

    def place(self, text: str, segment: int, number: int = 0) -> str:
        """Return where a text comes from, in words: a file and a line, or a segment.

        Args:
            text: ``system 'NAME'``, ``reference`` or ``source``.
            segment: The position of the segment in the test set.
            number: Which of several references.
        """
        places = self.places or _NOWHERE
        position = places.first + segment
        file = ""
        if text == "source":
            file = places.source
        elif text == "reference":
            # Where empty references are absent, which of the files it is of is not known.
            whole = len(self.references[segment]) == len(places.references)
            file = places.references[number] if whole else " or ".join(places.references)
        else:
            named = (path for name, path in places.hypotheses.items() if text == f"system {name!r}")
            file = next(named, "")
        if file:
            return f"{file}, {places.noun} {position:,}"
        many = text == "reference" and len(self.references[segment]) > 1
        return f"{text}{f' {number + 1}' if many else ''}, segment {position:,}"


_NOWHERE = TextPlaces()
