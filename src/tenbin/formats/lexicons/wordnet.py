"""The database files of WordNet 3.0: ``index.noun`` and the like, ``noun.exc`` and the like.

See the manual pages wndb(5WN) and morphy(7WN).
"""

from collections.abc import Iterator
from pathlib import Path

from tenbin.core.errors import MalformedLine
from tenbin.formats.lines import TextFile
from tenbin.formats.numerals import whole_number

_LEAST_FIELDS = 7
_LEAST_FORMS = 2


def read_wordnet_index(path: Path) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield each lemma with the offsets of its synsets; the licence at the top is skipped.

    Raises:
        MalformedLine: A line that does not count its synsets as it lists them.
    """
    for number, line in enumerate(TextFile(str(path)).lines(), start=1):
        if line.startswith(" "):
            continue
        fields = line.split()
        count = whole_number(fields[2]) if len(fields) >= _LEAST_FIELDS else None
        offsets = [whole_number(field) for field in fields[-(count or 1) :]]
        known = [offset for offset in offsets if offset is not None]
        if not count or len(known) != count:
            problem = f"a lemma with its synsets was expected, found {line[:40]!r}"
            raise MalformedLine(str(path), number, problem, "Give WordNet's own index files.")
        yield fields[0], tuple(known)


def read_wordnet_exceptions(path: Path) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each irregular form with its base forms.

    Raises:
        MalformedLine: A form without a base form.
    """
    for number, line in enumerate(TextFile(str(path)).lines(), start=1):
        fields = line.split()
        if len(fields) < _LEAST_FORMS:
            problem = f"a form and its base were expected, found {line[:40]!r}"
            raise MalformedLine(str(path), number, problem, "Give WordNet's own .exc files.")
        yield fields[0], tuple(fields[1:])
