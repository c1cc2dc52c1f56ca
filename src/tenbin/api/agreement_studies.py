"""The experiments on METEOR with vectors and lexicons, and on WE_WPI-Attention, one call each."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tenbin.core.agreement import SamplingUnit
from tenbin.core.agreement_study import AgreementStudy
from tenbin.core.errors import UsageError
from tenbin.core.study import Study
from tenbin.core.vector_variants import VectorVariant
from tenbin.evaluation.run import DEFAULT_RESAMPLES
from tenbin.meta.judgments import wanted_pairs
from tenbin.studies.agreement import PAPER_THRESHOLD, RANKING_TAU, THRESHOLDS, AgreementOptions
from tenbin.studies.attention import METRICS, AttentionData, attention_study
from tenbin.studies.augmented_meteor import (
    NamedVectors,
    lexicon_rows,
    vector_rows,
)
from tenbin.studies.meteor_agreement import meteor_study
from tenbin.tuning.folds import DEFAULT_FOLDS
from tenbin.tuning.settings import TunedParameter

if TYPE_CHECKING:
    from tenbin.api.building import Phase

__all__ = [
    "DEFAULT_FOLDS",
    "DEFAULT_RESAMPLES",
    "METRICS",
    "PAPER_THRESHOLD",
    "RANKING_TAU",
    "THRESHOLDS",
    "AgreementOptions",
    "AttentionData",
    "SamplingUnit",
    "Study",
    "VectorVariant",
    "parse_thresholds",
    "study_attention",
    "study_lexicons",
    "study_vectors",
    "train_study_vectors",
]


def study_vectors(
    folders: Sequence[str],
    pairs: Sequence[str],
    options: AgreementOptions,
    *,
    vectors: Sequence[str | NamedVectors] = (),
    bitext: Sequence[str] = (),
    variants: Sequence[str] = (),
    work: str | None = None,
    paraphrases: str | None = None,
) -> AgreementStudy:
    """Measure METEOR Vector with kinds of vectors: table 6 of Servan et al. (2016).

    At the threshold of the paper, and with a threshold chosen by cross-validation. Differences are
    from METEOR as it is.

    Args:
        folders: Test sets in the mt-metrics-eval layout.
        pairs: Language pairs; ``all`` for all that have human judgments.
        options: The measure, the thresholds, folds and samples.
        vectors: ``"mono=FILE"``, for a variant of `VectorVariant`, or ``"NAME=FILE:surface"`` and
            ``"NAME=FILE:lemma"`` for others. ``{pair}`` and ``{language}`` stand for those of a
            language pair.
        bitext: ``"en-fr=FILE"``: text to train the variants on that ``vectors`` does not name.
        variants: What to train; all by default.
        work: Folder for trained vectors.
        paraphrases: METEOR's paraphrases; None for its own where they are installed.

    Raises:
        UsageError: A variant, measure, reference or judgment that does not exist.
        InputError: Files that cannot be read, or nothing that could be measured.
        ResourceError: A package or resource that is not installed.
    """
    named = train_study_vectors(folders, pairs, vectors, bitext, variants=variants, work=work)
    rows = vector_rows(named)
    return meteor_study(Study.VECTORS, rows, folders, pairs, paraphrases, options)


def train_study_vectors(
    folders: Sequence[str],
    pairs: Sequence[str],
    vectors: Sequence[str | NamedVectors],
    bitext: Sequence[str],
    *,
    variants: Sequence[str] = (),
    work: str | None = None,
    phase: "Phase | None" = None,
) -> list[NamedVectors]:
    """Return the vectors of `study_vectors`; those without a file are trained first.

    Arguments and errors as there; ``phase`` shows how far a training has come.
    """
    named = [NamedVectors.parse(one) if isinstance(one, str) else one for one in vectors]
    chosen = _variants(variants)
    if not bitext:
        return named
    from tenbin.api.building import build_vectors  # noqa: PLC0415 - slow
    from tenbin.building.corpus import no_progress  # noqa: PLC0415 - slow
    from tenbin.building.vectors.variants import (  # noqa: PLC0415 - slow
        LanguageBitext,
        train_variants,
    )

    if work is None:
        raise UsageError("trained vectors need a folder to be in: name one (`work`).")
    own = {one.name for one in named}
    trained = train_variants(
        [LanguageBitext.parse(text) for text in bitext],
        [pair for folder in folders for pair in wanted_pairs(folder, pairs)],
        [one for one in chosen if one not in own],
        work,
        train=build_vectors,
        phase=phase or no_progress,
    )
    return [*named, *trained]


def study_lexicons(
    folders: Sequence[str],
    pairs: Sequence[str],
    options: AgreementOptions,
    *,
    lexicon: str | None = None,
    vectors: str | None = None,
    paraphrases: str | None = None,
) -> AgreementStudy:
    """Measure METEOR with DBnary, vectors and both: tables 3 and 4 of Servan et al. (2016).

    Rows whose lexicon or vectors are not named are listed as missing.

    Args:
        folders: Test sets in the mt-metrics-eval layout.
        pairs: Language pairs; ``all`` for all that have human judgments.
        options: The measure, the thresholds, folds and samples.
        lexicon: Synonyms of DBnary, or another lexicon; ``{pair}`` and ``{language}`` stand for
            those of a language pair.
        vectors: Word vectors, ``"FILE"`` or ``"FILE:lemma"``.
        paraphrases: METEOR's paraphrases; None for its own where they are installed.

    Raises:
        UsageError: A measure, reference or judgment that does not exist.
        InputError: Files that cannot be read, or nothing that could be measured.
        ResourceError: A package or resource that is not installed.
    """
    rows = lexicon_rows(lexicon, NamedVectors.of_file(vectors) if vectors else None)
    return meteor_study(Study.LEXICONS, rows, folders, pairs, paraphrases, options)


def study_attention(
    folders: Sequence[str],
    pairs: Sequence[str],
    options: AgreementOptions,
    data: AttentionData | None = None,
) -> AgreementStudy:
    """Measure WE_WPI-Attention beside WE_WPI, IMPACT and others: tables 1 to 4 of its paper.

    DARR tau of segments and Pearson's r of systems, as WMT20. Differences are from WE_WPI. Metrics
    whose data are missing are listed.

    Args:
        folders: Test sets in the mt-metrics-eval layout.
        pairs: Language pairs; ``all`` for all that have human judgments.
        options: The judgments and samples.
        data: The metrics, and what they read beside the texts.

    Raises:
        UsageError: A metric, measure, reference or judgment that does not exist.
        InputError: Files that cannot be read, or nothing that could be measured.
    """
    return attention_study(folders, pairs, data or AttentionData(), options)


def parse_thresholds(text: str) -> tuple[float, ...]:
    """Return the thresholds that a text names.

    >>> parse_thresholds("0.7:0.8:0.05")
    (0.7, 0.75, 0.8)

    Raises:
        UsageError: It cannot be read.
    """
    values = TunedParameter.parse(f"threshold={text}").values
    numbers = [value for value in values if isinstance(value, int | float)]
    if len(numbers) < len(values):
        raise UsageError(f"`thresholds`: {text!r} names something else than numbers.")
    return tuple(float(number) for number in numbers)


def _variants(names: Sequence[str]) -> list[VectorVariant]:
    unknown = [name for name in names if name not in list(VectorVariant)]
    if unknown:
        raise UsageError(
            f"unknown variant {', '.join(unknown)}; choose from {', '.join(VectorVariant)}."
        )
    return [VectorVariant(name) for name in names or VectorVariant]
