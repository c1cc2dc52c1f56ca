"""One text file, looked at before it is scored with others: its lines, faults and script."""

from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from tenbin.annotation.guessing import LanguageGuess, guess_language
from tenbin.core.counting import counted
from tenbin.core.errors import InputError, UnreadableFile
from tenbin.formats.compression import SIGNATURE_BYTES, compression_of, opened_bytes
from tenbin.formats.lines import TextFile

__all__ = ["LanguageGuess", "TextDescription", "describe_text", "unpack_text"]

_SAMPLE_LINES = 500
_BLOCK_BYTES = 2**20


@dataclass(frozen=True, slots=True, kw_only=True)
class TextDescription:
    """What a first look at a text found.

    Attributes:
        lines: Its segments.
        empty: How many of them hold no text.
        guess: What its script says about its language.
        notes: What was read differently than the file may suggest.
    """

    lines: int
    empty: int
    guess: LanguageGuess
    notes: tuple[str, ...]


def describe_text(path: str, shown: str | None = None) -> TextDescription:
    """Read a text of one segment per line once.

    Args:
        path: Where it is.
        shown: What messages call it; by default its path.

    Raises:
        InputError: It is empty, not UTF-8 (the message says what it looks like) or damaged.
    """
    file = TextFile(path, shown)
    report = file.scan()
    if report.faults:
        raise report.faults[0]
    return TextDescription(
        lines=report.lines,
        empty=len(report.empty),
        guess=guess_language(list(islice(file.lines(), _SAMPLE_LINES))),
        notes=tuple(report.notes()),
    )


def unpack_text(path: str, target: str, most_bytes: int, shown: str | None = None) -> bool:
    """Decompress a file of gzip, xz or bzip2; return whether it was compressed.

    Args:
        path: Where it is.
        target: Where the plain text is written.
        most_bytes: How large the plain text may be.
        shown: What messages call the file; by default its path.

    Raises:
        UnreadableFile: It is damaged, or larger than that.
    """
    name = path if shown is None else shown
    with Path(path).open("rb") as stream:
        if compression_of(stream.read(SIGNATURE_BYTES)) is None:
            return False
    size = 0
    try:
        with opened_bytes(Path(path)) as content, Path(target).open("wb") as plain:
            while block := content.read(_BLOCK_BYTES):
                size += len(block)
                if size > most_bytes:
                    problem = f"unpacked, the file has more than {counted(most_bytes, 'byte')}"
                    raise UnreadableFile(name, problem, "Split it, or allow larger files.")
                plain.write(block)
    except InputError as error:
        raise _named(error, path, name) from error
    return True


def _named(error: InputError, path: str, name: str) -> InputError:
    """Return an error in which a file is called as its owner calls it."""
    return InputError(str(error).replace(path, name))
