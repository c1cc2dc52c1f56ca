"""What METEOR uses where the user does not say: resources, stages and weights of a language."""

from functools import cache
from importlib.resources import files

from tenbin.annotation.lemmas import has_lemmatizer
from tenbin.annotation.stems import has_stemmer, load_stemmer
from tenbin.core.errors import UsageError
from tenbin.metrics.meteor.knowledge import NONE
from tenbin.metrics.meteor.parameters import Compat, MeteorParameters, MeteorTask, Stage
from tenbin.resources.lexicons.files import WORDNET
from tenbin.resources.lexicons.sudachi import SYNONYMS
from tenbin.resources.store import default_store
from tenbin.resources.store.lookup import State

# Lexicons that find the base forms of words by themselves.
OWN_MORPHOLOGY = frozenset({NONE, WORDNET, SYNONYMS})

_ABSENT = frozenset({State.MISSING, State.DAMAGED})

PAPER_THRESHOLD = 0.80
"""Servan et al. (2016), section 3.3, and METEOR-E."""

REQUIRED = "required"
"""Value of a parameter for which a preset has no data: the user must name some."""

# Of stages that a language's published parameters do not have; METEOR-E's values for synonyms and
# vectors, METEOR's language-independent ones for the rest.
_OTHER_WEIGHTS = {
    Stage.EXACT: 1.0,
    Stage.STEM: 0.5,
    Stage.SYNONYM: 0.8,
    Stage.PARAPHRASE: 0.5,
    Stage.VECTOR: 0.8,
}


def default_lexicon(language: str) -> str:
    """Return the lexicon that comes with Tenbin or one of its extras."""
    return {"en": WORDNET, "ja": SYNONYMS}.get(language, NONE)


def default_lemmas(lexicon: str, language: str, compat: Compat) -> bool:
    """Return whether synonyms are looked up by lemma too."""
    if lexicon in OWN_MORPHOLOGY and (compat is not Compat.METEOR_E or lexicon == NONE):
        return False
    return has_lemmatizer(language)


def default_threshold(vectors: str | None) -> float:
    """Return the least similarity of a vector match.

    A resource has its own, where one was measured; any other vectors have that of the paper, whose
    vectors are CBOW of 50 dimensions (Servan et al. 2016, section 3.3).

    >>> default_threshold("own.bin")
    0.8
    """
    return _measured_thresholds().get(vectors or "", PAPER_THRESHOLD)


@cache
def _measured_thresholds() -> dict[str, float]:
    table = files("tenbin.resources").joinpath("bundled", "meteor", "vector-thresholds.tsv")
    rows = (line.split("\t") for line in table.read_text(encoding="utf-8").splitlines()[1:])
    return {name: float(threshold) for name, threshold, *_ in rows}


def paraphrase_table(language: str) -> str:
    """Return the name that METEOR's table of a language has in the manifest."""
    return f"meteor-paraphrases-{language}"


def default_paraphrases(
    language: str, stages: tuple[Stage, ...] | None, *, drop_missing: bool
) -> str:
    """Return the paraphrase table that METEOR uses unless told: none, whatever is installed.

    Where the stage was asked for by name, it is METEOR's table of the language.

    Raises:
        MissingResource: It is not installed; the message is the command that installs it.
    """
    if Stage.PARAPHRASE not in (stages or ()) or drop_missing or not _has_table(language):
        return NONE
    default_store().path(paraphrase_table(language))
    return paraphrase_table(language)


def unused_paraphrases(language: str) -> str | None:
    """Return the paraphrase table of a language if it is installed."""
    name = paraphrase_table(language)
    if not _has_table(language) or default_store().state(name)[0] in _ABSENT:
        return None
    return name


def _has_table(language: str) -> bool:
    return paraphrase_table(language) in {entry.name for entry in default_store().entries()}


def stages_with_resources(
    language: str, lexicon: str, paraphrases: str, vectors: str | None
) -> tuple[Stage, ...]:
    """Return the stages that there are resources for."""
    there = {
        Stage.EXACT: True,
        Stage.STEM: has_stemmer(language),
        Stage.SYNONYM: lexicon != NONE,
        Stage.PARAPHRASE: paraphrases != NONE,
        Stage.VECTOR: vectors is not None,
    }
    return tuple(stage for stage, found in there.items() if found)


def stages_of_task(
    task: MeteorTask, found: tuple[Stage, ...], *, own_lexicon: bool
) -> tuple[Stage, ...]:
    """Return the stages that a task runs unless told, out of those that there are resources for.

    METEOR Universal uses nothing that was made by hand for one language: exact matches and
    paraphrases, as the program's ``-t universal``, and what the user gives beside them.
    """
    if task is not MeteorTask.UNIVERSAL:
        return found
    left_out = {Stage.STEM} if own_lexicon else {Stage.STEM, Stage.SYNONYM}
    return tuple(stage for stage in found if stage not in left_out)


def kept_stages(
    stages: tuple[Stage, ...], weights: tuple[float, ...] | None, found: tuple[Stage, ...]
) -> tuple[tuple[Stage, ...], tuple[float, ...] | None]:
    """Return the stages that there are resources for, and their weights."""
    kept = [place for place, stage in enumerate(stages) if stage in found]
    own = None if weights is None else tuple(weights[place] for place in kept)
    return tuple(stages[place] for place in kept), own


def check_stages(
    stages: tuple[Stage, ...],
    language: str,
    *,
    lexicon: str,
    paraphrases: str,
    vectors: str | None,
) -> None:
    """Raise `UsageError` if a stage was asked for that has nothing to look things up in."""
    for name, value in (("lexicon", lexicon), ("vectors", vectors)):
        if value == REQUIRED:
            raise UsageError(
                f"this kind of METEOR has no {name} of its own. Name a resource or a file with "
                f'{name}="FILE".'
            )
    if Stage.STEM in stages:
        load_stemmer(language)
    parameters = {
        Stage.SYNONYM: ("lexicon", lexicon),
        Stage.PARAPHRASE: ("paraphrases", paraphrases),
        Stage.VECTOR: ("vectors", vectors or NONE),
    }
    for stage, (parameter, resource) in parameters.items():
        if stage in stages and resource == NONE:
            raise UsageError(
                f"METEOR's stage {stage.value!r} has no resource for {language!r}. Name one with "
                f"{parameter}=..., or leave the stage out."
            )


def stage_weights(
    stages: tuple[Stage, ...], parameters: MeteorParameters, *, by_position: bool
) -> tuple[float, ...]:
    """Return the weight of each stage.

    METEOR 1.5 gives weights by position: of the stages ``exact synonym`` the second gets the weight
    that is published for stems. Where it has no list for the stages, weights go by stage.
    """
    own = parameters.weights
    if by_position and set(stages) <= set(own):
        return tuple(own.values())[: len(stages)]
    return tuple(own.get(stage, _OTHER_WEIGHTS[stage]) for stage in stages)
