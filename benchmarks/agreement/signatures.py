"""What a row of the data was computed with, as a digest: a row whose digest moved is stale."""

import hashlib

from benchmarks.agreement.sets import Entry
from tenbin.metrics.registry import load

_LENGTH = 12
# The same numbers, within rounding, come from every machine.
_OF_THE_MACHINE = "device"


def signature_digest(entry: Entry, language: str) -> str:
    """Return a digest of the parameters and resources of a metric, for one target language.

    Versions of other programs and the device are left out, so that it is the same everywhere. It
    does not see a change of code that leaves the signature as it is.

    Raises:
        ResourceError: The metric needs a resource that is not installed.
        InputError: A file that the metric names cannot be read.
    """
    signature = load(entry.spec).bind(language).signature()
    fields = [(key, value) for key, value in signature.fields if key != _OF_THE_MACHINE]
    parts = (signature.metric, *map(repr, fields), *map(repr, signature.resources))
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:_LENGTH]
