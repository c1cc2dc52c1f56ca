"""Everything that can be fuzzed, by name: an input comes from a random generator alone.

So a target, a seed and the number of a round name an input, as long as the sources are the same.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path

from tests.fuzz.metrics import METRIC_TARGETS, try_metric
from tests.fuzz.readers import READERS, feed, made
from tests.fuzz.routes import try_routes
from tests.fuzz.specs import try_metric_spec, try_spec
from tests.fuzz.tables import feed_table, made_table
from tests.fuzz.tokenizers import TOKENIZERS, try_tokenizer
from tests.fuzz.words import (
    LANGUAGES,
    LEMMATIZED,
    STEMMED,
    try_lemmas,
    try_penalty,
    try_stemmer,
)

from tenbin.core.errors import TenbinError

_LONGEST_MESSAGE = 10_000


class Outcome(StrEnum):
    """What became of an input; any other error is a defect."""

    ACCEPTED = "accepted"
    REFUSED = "refused"


Attempt = Callable[[random.Random, Path], object]


@dataclass(frozen=True, slots=True)
class Target:
    """Something that takes input.

    Attributes:
        group: ``readers``, ``specs``, ``tokenizers``, ``words``, ``metrics`` or ``routes``.
        name: Its name in the group.
        attempt: Makes an input from a generator and tries it; a folder is there for files.
    """

    group: str
    name: str
    attempt: Attempt

    def outcome(self, seed: int, number: int, folder: Path) -> Outcome:
        """Try one input; whatever is not a refusal on purpose comes out as it is."""
        try:
            self.attempt(generator(self.group, self.name, seed, number), folder)
        except TenbinError as error:
            message = str(error)
            message.encode("utf-8")
            assert len(message) < _LONGEST_MESSAGE, message[:200]
            return Outcome.REFUSED
        return Outcome.ACCEPTED


def generator(group: str, name: str, seed: int, number: int) -> random.Random:
    """Return the generator of one input."""
    return random.Random(f"{group}/{name}/{seed}/{number}")  # noqa: S311 - not for secrets


def _reader(name: str, rng: random.Random, folder: Path) -> object:
    return feed(name, made(name, rng), folder)


def _table(rng: random.Random, folder: Path) -> object:
    return feed_table(made_table(rng), folder)


TARGETS: tuple[Target, ...] = (
    *(Target("readers", name, partial(_reader, name)) for name in READERS),
    Target("readers", "parquet", _table),
    Target("specs", "grammar", try_spec),
    Target("specs", "parameters", try_metric_spec),
    *(Target("tokenizers", name, partial(try_tokenizer, name)) for name in TOKENIZERS),
    *(Target("words", f"stems:{one}", partial(try_stemmer, one)) for one in STEMMED),
    *(Target("words", f"lemmas:{one}", partial(try_lemmas, one)) for one in LEMMATIZED),
    *(Target("words", f"penalty:{one}", partial(try_penalty, one)) for one in LANGUAGES),
    *(Target("metrics", name, partial(try_metric, name)) for name in METRIC_TARGETS),
    *(Target("routes", language, partial(try_routes, language)) for language in ("en", "ja")),
)


def chosen_targets(names: list[str]) -> tuple[Target, ...]:
    """Return the targets of some groups, or by full names such as ``readers/lines``."""
    if not names:
        return TARGETS
    found = tuple(
        one for one in TARGETS if one.group in names or f"{one.group}/{one.name}" in names
    )
    known = {one.group for one in TARGETS} | {f"{one.group}/{one.name}" for one in TARGETS}
    if unknown := set(names) - known:
        raise SystemExit(f"there is no target {', '.join(sorted(unknown))}")
    return found
