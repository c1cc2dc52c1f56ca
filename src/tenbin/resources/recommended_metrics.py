"""The metrics of meaning to take for a target language, best first, with what each needs.

The table lists names that an older or a bare installation may not have; whoever reads it skips
those that are not registered.
"""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

_NAME = "recommended-metrics.tsv"


@dataclass(frozen=True, slots=True, kw_only=True)
class Recommendation:
    """One metric for one target language.

    Attributes:
        language: Code of the language.
        metric: Spec of the metric.
        resources: Names of the resources it reads.
        extra: The extra of Tenbin that it needs; empty for none.
        packages: Names under which that extra is imported.
        agreement: What was measured of its agreement with people.
    """

    language: str
    metric: str
    resources: tuple[str, ...]
    extra: str
    packages: tuple[str, ...]
    agreement: str


@cache
def recommendations() -> tuple[Recommendation, ...]:
    """Return the whole table, in its order.

    >>> [one.metric for one in recommendations() if one.language == "fr"]
    ['we_wpi']
    """
    table = files("tenbin.resources").joinpath("bundled", _NAME)
    rows = (line.split("\t") for line in table.read_text(encoding="utf-8").splitlines()[1:])
    return tuple(
        Recommendation(
            language=language,
            metric=metric,
            resources=tuple(resources.split()),
            extra=extra,
            packages=tuple(packages.split()),
            agreement=agreement,
        )
        for language, metric, resources, extra, packages, agreement in rows
    )
