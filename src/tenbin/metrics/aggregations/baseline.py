"""Baselines of BERTScore: the mean scores of unrelated texts, by layer."""

from typing import NamedTuple

from tenbin.core.errors import MalformedLine, UnreadableFile
from tenbin.core.resource import ResourceIdentity
from tenbin.formats.files import user_path
from tenbin.formats.lines import TextFile
from tenbin.resources.file_cache import cached_by_file
from tenbin.resources.store import default_store

NONE = "none"
_COLUMNS = 4
_ADVICE = (
    "Expected lines 'LAYER,P,R,F' as in the files of the package bert-score, with numbers < 1."
)


class Baseline(NamedTuple):
    """What unrelated texts score."""

    precision: float
    recall: float
    f_score: float


@cached_by_file("path")
def read_baseline(*, path: str, layer: int) -> tuple[Baseline, ResourceIdentity]:
    """Read the line of a layer from a file of the package bert-score.

    Raises:
        MalformedLine: The line is not a layer and three numbers below 1.
        UnreadableFile: There is no such file, or the layer is not in it.
    """
    place = user_path(path)
    identity = default_store().identity(place)
    for number, line in enumerate(TextFile(str(place)).lines(), start=1):
        cells = line.strip().split(",")
        if cells == [""] or (number == 1 and cells[0].upper() == "LAYER"):
            continue
        try:
            found, *values = int(cells[0]), *map(float, cells[1:])
        except ValueError as error:
            raise MalformedLine(path, number, "this is not a row of numbers", _ADVICE) from error
        if len(cells) != _COLUMNS or not all(-1 <= value < 1 for value in values):
            raise MalformedLine(path, number, f"{line.strip()!r} is not a baseline", _ADVICE)
        if found == layer:
            return Baseline(*values), identity
    raise UnreadableFile(path, f"it has no baseline for layer {layer}", _ADVICE)
