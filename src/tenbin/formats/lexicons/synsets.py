"""METEOR's ``.synsets`` files: a line with a word, then a line with its set numbers.

Words are lower-cased, and words of several parts have underscores. In the DBnary files of METEOR-E
the first number is the word's own, the others are those of words that list it as their synonym.
"""

from pathlib import Path

from tenbin.core.errors import MalformedLine, UnreadableFile
from tenbin.formats.lines import TextFile
from tenbin.formats.numerals import MOST, whole_number


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
    numbers = [whole_number(part) for part in line.split()]
    known = {one for one in numbers if one is not None}
    if not numbers or None in numbers:
        problem = f"numbers of sets were expected, found {line[:40]!r}"
        advice = f"Words and numbers from 0 to {MOST:,} alternate by line: is one missing?"
        raise MalformedLine(name, number, problem, advice)
    return tuple(sorted(known))
