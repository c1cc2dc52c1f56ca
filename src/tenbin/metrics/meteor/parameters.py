"""METEOR's published parameters, by task and language."""

import tomllib
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files

from tenbin.core.errors import UsageError

_ANY = "any"


class Stage(StrEnum):
    """How two parts of text may match, in the order METEOR tries them."""

    EXACT = "exact"
    STEM = "stem"
    SYNONYM = "synonym"
    PARAPHRASE = "paraphrase"
    VECTOR = "vector"


class MeteorTask(StrEnum):
    """What the parameters were tuned for; AUTO is ``rank`` where it exists and ``li`` elsewhere."""

    AUTO = "auto"
    RANK = "rank"
    ADEQUACY = "adq"
    HTER = "hter"
    UTILITY = "util"
    LANGUAGE_INDEPENDENT = "li"
    TUNE = "tune"
    UNIVERSAL = "universal"


class Compat(StrEnum):
    """Which program's habits are kept.

    METEOR_15: the aligner of METEOR 1.5 with its two quirks, its WordNet morphology, weights by
    position in the list of stages. METEOR_E: METEOR-E, which looks synonyms up by surface and lemma
    and lets equal words match by vector too. NONE: no quirks.
    """

    METEOR_15 = "1.5"
    METEOR_E = "meteor-e"
    NONE = "none"


class Similarity(StrEnum):
    """What a vector threshold is compared with."""

    HALF = "half"
    COSINE = "cosine"


class VectorKey(StrEnum):
    """Under which form a word is looked up among word vectors."""

    SURFACE = "surface"
    LEMMA = "lemma"


@dataclass(frozen=True, slots=True, kw_only=True)
class MeteorParameters:
    """The four parameters of the formula and the weight of each stage."""

    alpha: float
    beta: float
    gamma: float
    delta: float
    weights: dict[Stage, float]


def task_for(task: MeteorTask, language: str) -> MeteorTask:
    """Return the task that AUTO stands for in a language."""
    if task is not MeteorTask.AUTO:
        return task
    return (
        MeteorTask.RANK
        if language in _table()[MeteorTask.RANK]
        else MeteorTask.LANGUAGE_INDEPENDENT
    )


def load_parameters(task: MeteorTask, language: str) -> MeteorParameters:
    """Return the parameters of a task; raise `UsageError` where it has none for the language."""
    by_language = _table()[task_for(task, language)]
    found = by_language.get(language, by_language.get(_ANY))
    if found is None:
        listed = ", ".join(sorted(by_language))
        raise UsageError(
            f"METEOR has no parameters for task {task} in {language!r}, only in {listed}. Use "
            'task="li" or task="universal", which serve every language.'
        )
    return found


@cache
def _table() -> dict[str, dict[str, MeteorParameters]]:
    path = files("tenbin.resources") / "bundled" / "meteor" / "parameters.toml"
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    return {
        task: {
            language: MeteorParameters(
                **{key: entry[key] for key in ("alpha", "beta", "gamma", "delta")},
                weights={Stage(stage): weight for stage, weight in entry["weights"].items()},
            )
            for language, entry in languages.items()
        }
        for task, languages in table.items()
    }
