"""Parts that a metric is composed of: some of its parameters, and what follows from them."""

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields
from typing import ClassVar, Protocol, Self, TypeVar

from tenbin.core.needs import Needs
from tenbin.core.resource import ResourceIdentity

Entries = tuple[tuple[str, str], ...]
"""Keys and values of a signature."""

AUTO = "auto"
"""Value of a parameter that is settled by the target language before scoring."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SignatureFacts:
    """How a part writes its parameters into the signature of a metric.

    Attributes:
        first: Entries that stand before the parameters.
        replaced: Parameters that are left out, for these entries say them.
        names: Parameters that are written otherwise than they stand: data by their names.
        last: Entries that stand after the parameters.
    """

    first: Entries = ()
    replaced: frozenset[str] = frozenset()
    names: Mapping[str, str] = field(default_factory=dict)
    last: Entries = ()


class Part(Protocol):
    """A part of a metric; all it does here is the default.

    A part is a frozen dataclass whose fields are named like parameters of the metric, or like its
    class attributes; see `part_of`. It may write a value of its own in its usual form in
    ``__post_init__``. Its docstring documents the parameters, once for all metrics that have it.

    Attributes:
        composed_of: The parts that it is composed of itself, which document the parameters that it
            does not.
    """

    composed_of: ClassVar[tuple[type["Part"], ...]] = ()

    def faults(self) -> Iterator[tuple[str, str]]:
        """Yield each parameter that is out of its range, and what is expected."""
        yield from ()

    def bind(self, language: str, metric: str) -> Self:  # noqa: ARG002 - for parts that need it
        """Return the part with all settled that depends on the language.

        Args:
            language: The target language.
            metric: The name of the metric, for messages.
        """
        return self

    @property
    def needs(self) -> Needs:
        """What must be supplied."""
        return Needs()

    def identities(self) -> list[ResourceIdentity]:
        """Return which data a score depends on; none before the part is bound."""
        return []

    def versions(self) -> Entries:
        """Return the programs that shape a score, and their versions."""
        return ()

    def signature_facts(self) -> SignatureFacts:
        """Return what the signature says otherwise than by the parameters as they stand."""
        return SignatureFacts()


_SomePart = TypeVar("_SomePart", bound=Part)


def part_of(kind: type[_SomePart], owner: object) -> _SomePart:
    """Return the part of a metric, or of a larger part, made of the attributes of its names.

    A field that the owner does not have keeps its default.
    """
    values = {
        one.name: getattr(owner, one.name)
        for one in fields(kind)  # type: ignore[arg-type]
        if one.default is MISSING or hasattr(owner, one.name)
    }
    return kind(**values)


def differing(part: Part, owner: object) -> dict[str, object]:
    """Return the parameters of a metric that its part has in another form."""
    own = {one.name for one in fields(owner)}  # type: ignore[arg-type]
    named = [one.name for one in fields(part) if one.name in own]  # type: ignore[arg-type]
    # True is 1, but not written so.
    return {
        name: getattr(part, name)
        for name in named
        if (type(getattr(part, name)), getattr(part, name))
        != (type(getattr(owner, name)), getattr(owner, name))
    }
