"""METEOR's ``.synsets`` files: a line with a word, then a line with its set numbers.

Words are lower-cased, and words of several parts have underscores. In the DBnary files of METEOR-E
the first number is the word's own, the others are those of words that list it as their synonym.
"""

from pathlib import Path

from tenbin.core.errors import MalformedLine, UnreadableFile
from tenbin.formats.lines import TextFile

_MOST = 2**31 - 1


def read_synsets(path: Path) -> dict[str, tuple[int, ...]]:
    """Return the sets of each word, sorted; a repeated word replaces the earlier one.

    Raises:
        MalformedLine: A word without its line of numbers (a truncated file), a line that is not a
            list of numbers, an empty word, or bytes that are not UTF-8.
        UnreadableFile: The file cannot be read, or is empty.
    """
    name = str(path)
    found: dict[str, tuple[int, ...]] = {}
    word: str | None = None
    number = 0
    for number, line in enumerate(TextFile(name).lines(), start=1):
        if word is None:
            word = line.strip()
            if not word:
                advice = "Lines with words and lines with numbers alternate."
                raise MalformedLine(name, number, "a word was expected, the line is empty", advice)
        else:
            found[word] = _numbers(line, name, number)
            word = None
    if word is not None:
        problem = f"the file ends after the word {word!r}, whose numbers are missing"
        raise MalformedLine(name, number, problem, "The file seems truncated: download it again.")
    if not found:
        advice = "Give a file with words and the numbers of their sets."
        raise UnreadableFile(name, "the file is empty", advice)
    return found


def _numbers(line: str, name: str, number: int) -> tuple[int, ...]:
    try:
        numbers = {int(part) for part in line.split()}
    except ValueError as error:
        problem = f"numbers of sets were expected, found {line[:40]!r}"
        advice = "Lines with words and lines with numbers alternate: is a line missing?"
        raise MalformedLine(name, number, problem, advice) from error
    if not numbers or min(numbers) < 0 or max(numbers) > _MOST:
        problem = f"numbers from 0 to {_MOST:,} were expected, found {line[:40]!r}"
        raise MalformedLine(name, number, problem, "Is this a .synsets file?")
    return tuple(sorted(numbers))
