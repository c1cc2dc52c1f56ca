"""METEOR's paraphrase tables: three lines an entry, usually packed by gzip."""

from collections.abc import Iterator

from tenbin.core.errors import MalformedLine, UnreadableFile
from tenbin.formats.lines import TextFile

_ADVICE = "Every entry has three lines: probability, phrase, paraphrase. Is the file complete?"


def read_paraphrases(path: str) -> Iterator[tuple[list[str], list[str]]]:
    """Yield the words of each phrase and of its paraphrase.

    Raises:
        MalformedLine: A line that should hold a probability or a phrase does not.
        UnreadableFile: The file is missing, damaged or empty.
    """
    lines = TextFile(path).lines()
    number = 0
    for probability in lines:
        number += 3
        try:
            float(probability)
        except ValueError as error:
            problem = f"a probability was expected, found {probability[:40]!r}"
            raise MalformedLine(path, number - 2, problem, _ADVICE) from error
        phrase, paraphrase = next(lines, "").split(), next(lines, "").split()
        if not phrase or not paraphrase:
            raise MalformedLine(path, number, "the last entry is incomplete", _ADVICE)
        yield phrase, paraphrase
    if number == 0:
        raise UnreadableFile(path, "the file is empty", _ADVICE)
