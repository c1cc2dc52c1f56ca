"""Names of metrics that are trained models, which Tenbin does not have."""

from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files


def trained_metric(name: str) -> str | None:
    """Return what the field calls the trained metric that a name stands for; None if it is none.

    >>> trained_metric("Unbabel/wmt22-comet-da"), trained_metric("bleu")
    ('COMET', None)
    """
    lowered = name.lower()
    return next((title for pattern, title in _listed() if fnmatchcase(lowered, pattern)), None)


@cache
def _listed() -> tuple[tuple[str, str], ...]:
    table = files("tenbin.resources").joinpath("bundled", "trained-metrics.tsv")
    rows = (line.split("\t") for line in table.read_text(encoding="utf-8").splitlines()[1:])
    return tuple((pattern, title) for pattern, title in rows)
