"""What METEOR uses where the user does not say: resources, stages and weights of a language."""

from tenbin.annotation.stems import has_stemmer, load_stemmer
from tenbin.core.errors import MissingResource, UnknownResource, UsageError
from tenbin.metrics.meteor.knowledge import NONE
from tenbin.metrics.meteor.parameters import MeteorParameters, Stage
from tenbin.resources.lexicon_files import WORDNET
from tenbin.resources.store import default_store
from tenbin.resources.sudachi import SYNONYMS

# Lexicons that find the base forms of words by themselves.
OWN_MORPHOLOGY = frozenset({NONE, WORDNET, SYNONYMS})

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


def installed_paraphrases(language: str) -> str:
    """Return the paraphrase table of a language, if it is installed."""
    name = f"meteor-paraphrases-{language}"
    try:
        default_store().path(name)
    except (MissingResource, UnknownResource):
        return NONE
    return name


def default_stages(
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


def check_stages(
    stages: tuple[Stage, ...],
    language: str,
    *,
    lexicon: str,
    paraphrases: str,
    vectors: str | None,
) -> None:
    """Raise `UsageError` if a stage was asked for that has nothing to look things up in."""
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
                f"METEOR's stage {stage!r} has no resource for {language!r}. Name one with "
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
