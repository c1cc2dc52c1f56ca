"""Everything Tenbin raises on purpose.

TenbinError
├── UsageError                 the request is invalid (exit code 2)
│   ├── SpecError              a metric spec is invalid
│   │   ├── UnknownMetric
│   │   ├── TrainedMetric      a learned metric that Tenbin does not have
│   │   ├── UnknownParameter
│   │   └── InvalidParameter
│   ├── UnknownLanguage
│   ├── UnknownResource
│   └── UnusableMetrics        several metrics cannot run, not all for want of an installation
├── InputError                 the texts cannot be scored as they are (exit code 3)
│   ├── UnreadableFile
│   ├── MalformedLine
│   ├── MalformedUnit          the same of a row or unit, which has no line
│   ├── LengthMismatch
│   ├── SegmentTooLong         longer than a metric can score in reasonable time
│   ├── ShapeError
│   ├── ScriptMismatch
│   └── LowCoverage            word vectors cover almost none of the words
├── ResourceError              something that must be installed is missing (exit code 4)
│   ├── MissingExtra
│   ├── MissingResource
│   ├── MissingParts           several things are missing, and one command installs them
│   ├── ProviderFailed         no provider could supply it, or what it supplied was not usable
│   └── FingerprintMismatch    fetched or installed content differs from the manifest
└── OutputError                the result could not be written (exit code 1)

Every message says what was found, what was expected, where, and what to do.
"""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import ClassVar

from tenbin.core.limits import LengthLimit

_MOST_SHOWN = 300
_LONGEST_PATH = 4096  # of Linux; a longer one comes out of a damaged file


def shortened(text: str, most: int = _MOST_SHOWN) -> str:
    """Return a text for a message, which says what is wrong and not a megabyte of it.

    >>> shortened("a" * 1000, most=5)
    'aaaaa...'
    """
    return text if len(text) <= most else f"{text[:most]}..."


def _written(value: object) -> str:
    try:
        return shortened(repr(value))
    except ValueError:  # Python writes no whole number of thousands of digits
        return "a number of thousands of digits"


class TenbinError(Exception):
    """Base of all errors that Tenbin raises on purpose."""

    exit_code: ClassVar[int] = 1

    def __reduce__(self) -> tuple[object, ...]:
        # Most errors take other arguments than their message, which pickle would pass to them; an
        # error that a worker process raises must arrive unchanged.
        return _rebuilt, (type(self), self.args, self.__dict__)


def _rebuilt(
    kind: type[TenbinError], args: tuple[object, ...], state: dict[str, object]
) -> TenbinError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(state)
    return error


class UsageError(TenbinError):
    """The request is invalid."""

    exit_code = 2


class SpecError(UsageError):
    """A metric specification cannot be read."""


class UnknownMetric(SpecError):
    """No metric of that name exists."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        near = get_close_matches(name.lower(), sorted(known), n=3, cutoff=0.5)
        hint = f" Did you mean {' or '.join(near)}?" if near else ""
        super().__init__(
            f"unknown metric {shortened(repr(name))}.{hint} "
            "'tenbin metrics' lists all that are installed."
        )
        self.name = name


class TrainedMetric(SpecError):
    """A metric that is a trained model, which another program runs."""

    def __init__(self, name: str, title: str) -> None:
        super().__init__(
            f"{name!r}: {title} is a trained model, which Tenbin does not have. Score with the "
            f"program of its authors and set its scores beside those of Tenbin's metrics: "
            f"`scores={title.lower()}=FILE` reads what COMET prints or writes as JSON, the files "
            "of mt-metrics-eval, tables, and one number per line. For 'tenbin meta' write them to "
            f"DIR/{title}-refA.seg.score, a line of system, tab and score for each segment of each "
            "system, and name the folder (`import_scores=DIR`), or give tables of scores "
            "(`scores=FILE` and `human_scores=FILE`). Of Tenbin's own metrics bertscore and "
            "yisi1-context run a language model."
        )
        self.name = name


class UnknownParameter(SpecError):
    """The metric has no parameter of that name."""

    def __init__(self, metric: str, parameter: str, known: Iterable[str]) -> None:
        names = sorted(known)
        near = get_close_matches(parameter, names, n=1, cutoff=0.5)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        listed = ", ".join(names) if names else "none"
        super().__init__(
            f"metric {metric!r} has no parameter {shortened(repr(parameter))}.{hint} "
            f"Its parameters: {listed}."
        )


class InvalidParameter(SpecError):
    """A parameter has a value outside its range or of another type."""

    def __init__(self, metric: str, parameter: str, value: object, expected: str) -> None:
        super().__init__(
            f"metric {metric!r}: parameter {parameter}={_written(value)} is not possible; "
            f"expected {expected}."
        )


class UnknownLanguage(UsageError):
    """The language tag does not exist."""

    def __init__(self, tag: str) -> None:
        super().__init__(
            f"{shortened(repr(tag))} is not a language tag. "
            "Give the target language as an ISO 639 code or a "
            "BCP 47 tag: en, ja, zh, sr-Latn, pt-BR."
        )


class UnknownResource(UsageError):
    """The manifest lists no resource of that name."""

    def __init__(self, names: Iterable[str], known: Iterable[str]) -> None:
        listed = sorted(known)
        parts = []
        for name in names:
            near = get_close_matches(name.lower(), listed, n=3, cutoff=0.5)
            hint = f" Did you mean {' or '.join(near)}?" if near else ""
            unknown = shortened(repr(name))
            parts.append(f"unknown resource {unknown}, and no file of that name.{hint}")
        super().__init__(f"{' '.join(parts)} 'tenbin resources list' lists all of them.")


class InputError(TenbinError):
    """The texts cannot be scored as they are."""

    exit_code = 3


class UnreadableFile(InputError):
    """A file is missing, a directory, not permitted, empty or damaged."""

    def __init__(self, path: str, problem: str, advice: str) -> None:
        name = shortened(path, _LONGEST_PATH)
        super().__init__(f"{name}: {shortened(problem)}. {advice}")
        self.path = path


class MalformedLine(InputError):
    """A line of a file breaks the format."""

    def __init__(self, path: str, line: int, problem: str, advice: str) -> None:
        name = shortened(path, _LONGEST_PATH)
        super().__init__(f"{name}, line {line}: {shortened(problem)}. {advice}")
        self.path = path
        self.line = line


class MalformedUnit(InputError):
    """A row of a table or a unit of a translation file breaks the format."""

    def __init__(self, path: str, place: str, problem: str, advice: str) -> None:
        name = shortened(path, _LONGEST_PATH)
        super().__init__(f"{name}, {shortened(place)}: {shortened(problem)}. {advice}")
        self.path = path
        self.place = place


class LengthMismatch(InputError):
    """Texts that must run in parallel have different numbers of segments."""

    def __init__(self, counts: Mapping[str, int], hint: str = "") -> None:
        listed = ", ".join(f"{name}: {count:,}" for name, count in counts.items())
        super().__init__(
            f"the inputs differ in their number of segments ({listed}). "
            f"Every text must have one segment per line, in the same order.{hint and ' ' + hint}"
        )
        self.counts = dict(counts)


class ShapeError(InputError):
    """A library call got texts in an invalid shape."""


class SegmentTooLong(InputError):
    """A segment is longer than a metric takes."""

    def __init__(self, place: str, length: int, limit: LengthLimit, metric: str) -> None:
        super().__init__(
            f"{place}: the segment has {length:,} {limit.unit}, {metric} takes at most "
            f"{limit.most:,}, as its time and memory grow faster than the segment. Split the "
            "segment, in all texts alike, or leave it out; BLEU and chrF take segments of any "
            "length."
        )
        self.place = place
        self.length = length
        self.limit = limit


class ScriptMismatch(InputError):
    """The text is not written in the script of the language it is scored as."""


class LowCoverage(InputError):
    """Hardly any word of the texts has a vector, as with vectors of another language."""

    def __init__(self, vectors: str, share: float, least: float, language: str) -> None:
        super().__init__(
            f"only {share:.1%} of the words of the texts have a vector in {vectors!r}, expected at "
            f"least {least:.0%}. Name vectors of the language {language!r} (vectors=...), "
            "tokenize the text as the vectors expect it (tokenizer=...), or score anyway with "
            "min_coverage=0."
        )
        self.share = share


class UnusableMetrics(UsageError):
    """Several metrics cannot run, for reasons of which some are in the request itself.

    Attributes:
        lacks: What each metric lacks: its name and the error it would raise alone.
        command: What installs all that can be installed; empty if nothing can.
    """

    def __init__(
        self, message: str, lacks: Iterable[tuple[str, TenbinError]], command: str
    ) -> None:
        super().__init__(message)
        self.lacks = tuple(lacks)
        self.command = command


class ResourceError(TenbinError):
    """Something the request needs is not installed."""

    exit_code = 4

    @property
    def problem(self) -> str:
        """What is wrong, without the command that mends it."""
        return str(self)


class MissingExtra(ResourceError):
    """An optional part of Tenbin is not installed."""

    def __init__(self, what: str, extra: str, alternative: str = "") -> None:
        super().__init__(
            f"{what} needs an optional part that is not installed: "
            f"pip install 'tenbin[{extra}]'.{alternative and ' ' + alternative}"
        )
        self.extra = extra
        self._problem = (
            f"{what} needs the extra {extra!r}, which is not installed."
            f"{alternative and ' ' + alternative}"
        )

    @property
    def problem(self) -> str:
        """What needs it, and what can be done without it."""
        return self._problem


class MissingResource(ResourceError):
    """A resource is not installed; the message has the command that installs it."""

    def __init__(self, name: str, command: str = "", reason: str = "") -> None:
        self.name = name
        self.command = command or f"tenbin resources install {name}"
        self._problem = f"the resource {name!r} {reason or 'is not installed'}."
        super().__init__(f"{self._problem} Run: {self.command}")

    @property
    def problem(self) -> str:
        """Which one is missing, and why."""
        return self._problem


class MissingParts(ResourceError):
    """Several things are not installed; the message has one command that installs them.

    Attributes:
        lacks: What is missing: of which metric (empty if there is but one), and the error for it.
        command: What installs all of it; empty if nothing can.
    """

    def __init__(
        self, message: str, lacks: Iterable[tuple[str, TenbinError]], command: str
    ) -> None:
        super().__init__(message)
        self.lacks = tuple(lacks)
        self.command = command


class ProviderFailed(ResourceError):
    """A resource could not be obtained from the providers of the manifest."""


class FingerprintMismatch(ResourceError):
    """A resource has other content than the manifest lists."""

    def __init__(self, name: str, where: str, expected: str, found: str, advice: str) -> None:
        super().__init__(
            f"the resource {name!r} is refused: {where} differs from what the manifest "
            f"lists.\n  expected sha256 {expected}\n  found    sha256 {found}\n{advice}"
        )
        self.name = name
        self.expected = expected
        self.found = found


class OutputError(TenbinError):
    """The result could not be written; an existing file is untouched."""
