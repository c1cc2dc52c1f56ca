"""What must be supplied before a metric can run."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from tenbin.core.batch import Annotation
from tenbin.core.resource import ResourceKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Needs:
    """What must be supplied before a metric can run.

    Attributes:
        source: Whether source texts are read.
        references: Whether references are read.
        annotations: The columns the metric reads.
        source_annotations: Those of them that it reads of sources alone, which are in another
            language.
        resources: What kinds of data are looked up.
        collection: Whether statistics of one segment depend on the texts of all, so that the whole
            test set must be one batch (NIST's information weights).
        system_weights: Whether weights of a hypothesis are learned from the hypotheses of its
            system, so that the same text may score differently in another system.
        parameters: Parameters without a default of their own that were not given.
    """

    source: bool = False
    references: bool = True
    annotations: frozenset[Annotation] = frozenset()
    source_annotations: frozenset[Annotation] = frozenset()
    resources: frozenset[ResourceKind] = frozenset()
    collection: bool = False
    system_weights: bool = False
    parameters: frozenset[str] = frozenset()

    @classmethod
    def of_all(cls, needs: Iterable[Self]) -> Self:
        """Return what several parts of a metric need together."""
        every = list(needs)
        return cls(
            source=any(one.source for one in every),
            references=all(one.references for one in every),
            annotations=frozenset().union(*(one.annotations for one in every)),
            source_annotations=frozenset().union(*(one.source_annotations for one in every)),
            resources=frozenset().union(*(one.resources for one in every)),
            collection=any(one.collection for one in every),
            system_weights=any(one.system_weights for one in every),
            parameters=frozenset().union(*(one.parameters for one in every)),
        )
