"""A learned metric, trained on human judgments."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tenbin.api.building.steps import Phase, TrainingStep
from tenbin.core.errors import UsageError
from tenbin.core.parameters import one_of

if TYPE_CHECKING:
    from tenbin.building.metric.model import BuiltMetric

DEFAULT_BASE = "mpnet-en"
SPREAD = "spread"
"""The share with which the learned score and BERTScore vary as much."""


def build_metric(  # noqa: PLR0913 - every option has a name
    output: str,
    *,
    test_sets: Sequence[str] = (),
    pairs: Sequence[str] = (),
    tables: Sequence[str] = (),
    plain_text: Sequence[str] = (),
    language: str = "",
    teachers: Sequence[str] = (),
    weights: Sequence[str] = (),
    exclude: Sequence[str] = (),
    hold_out: Sequence[str] = (),
    difference: float | None = None,
    base_model: str = "",
    start: str = "",
    student_of: str = "",
    teacher_base: str = "",
    teacher_share: float | None = None,
    most_texts: int | None = None,
    peers: int | None = None,
    damage: Sequence[str] = (),
    full: bool = False,
    keep_embeddings: bool = False,
    dropout: bool | None = None,
    name: str = "",
    layer: int | None = None,
    share: float | str = 0.4,
    rounded: bool = False,
    device: str = "auto",
    dtype: str = "auto",
    work: str | None = None,
    force: bool = False,
    phase: Phase | None = None,
    report: Callable[[TrainingStep, float], None] = lambda _position, _done: None,
    tell: Callable[[str], None] = lambda _note: None,
    **numbers: Any,  # noqa: ANN401 - numbers of the recipe
) -> "BuiltMetric":
    """Train a learned metric on judgments and write its adapter, for ``learned(adapter=FILE)``.

    Judgments are those of test sets, of tables, or of both. Without an adapter to begin with, one
    is trained from nothing, which takes a GPU minutes and a CPU hours; `start` goes on from one
    that is trained already.

    Args:
        output: The file to write, ``.safetensors``.
        test_sets: Folders in the mt-metrics-eval layout.
        pairs: Language pairs of them, or patterns such as ``*-en``; none: all that are judged.
        tables: CSV, TSV, JSON lines or Parquet with columns hypothesis, reference, score and, where
            they are known, source, segment, system, annotator; scores are not read if there is a
            teacher.
        plain_text: Plain text in the language, one segment per line, for a student: each segment is
            compared with variants of itself.
        language: The language of the translations; default: that of the language pairs.
        teachers: Metrics whose published scores are labels too, by name; ``metric-scores``: the
            best ones of each set; a file ``.seg.score``.
        weights: What a judgment counts: ``wmt16=6``, ``mqm=1.5``, ``wmt21:darr=0.3``.
        exclude: Beginnings of names of sets to leave out.
        hold_out: Sets (``wmt16``, ``wmt16.daseg:de-en``), or a share of the segments (``0.1``), on
            which agreement is measured; the best step is taken.
        difference: How far two z-scores of a segment must be apart to make a pair; default: .15.
        base_model: The base model, a resource or a folder; default ``mpnet-en``, or that of
            `start`.
        start: An adapter to train further: a file, or one that comes with Tenbin.
        student_of: An adapter whose scores are learned in the place of judgments.
        teacher_base: The base model of that adapter, where it was no resource.
        teacher_share: The share of the learned score in what that adapter gives, from 0 to 1;
            default: as it says itself; 0: BERTScore of its base model alone.
        most_texts: Most translations that it judges.
        peers: Translations of other systems that each is judged against too, as if they were
            references.
        damage: Shares of damaged texts: ``negation=0.2``, or ``none``.
        full: Whether all weights of the base model are trained, in the place of an adapter.
        keep_embeddings: Whether the embeddings are not trained, with `full`: the file has the
            layers only.
        dropout: Whether dropout acts; default: for all but students.
        name: The name of the metric; default: that of the file.
        layer: The layer of the base model that BERTScore compares.
        share: The share of the learned score beside BERTScore, from 0 to 1; ``spread``: so that
            both vary as much.
        rounded: Whether weights that were trained with `full` are stored as int8: half the file.
        device: CPU, CUDA or ``auto``.
        dtype: What is computed with, ``float32`` or ``bfloat16``; ``auto``: what is fastest. It
            changes the result a little.
        work: Folder of the state of an unfinished training.
        force: Whether a file that is there is replaced.
        phase: Shows progress.
        report: Called after each step.
        tell: Called with notes.
        numbers: Numbers of the recipe, see `tenbin.building.metric.recipe.MetricRecipe`: ``steps``,
            ``rows``, ``pairs_per_step``, ``damaged``, ``rank``, ``rate``, ``subword_weight``,
            ``seed`` ...

    Returns:
        The file, its card, notes, and how the training ended.

    Raises:
        UsageError: A setting is not possible, or a name fits nothing.
        InputError: Judgments cannot be read, or nothing can be learned from them.
        ResourceError: The base model or a package is not installed.
        OutputError: The file cannot be written.
    """
    from tenbin.annotation.encoders.settings import Device  # noqa: PLC0415 - slow
    from tenbin.building.corpus import no_progress  # noqa: PLC0415 - slow
    from tenbin.building.metric import model, recipe, sets  # noqa: PLC0415 - slow
    from tenbin.building.metric.damage import parsed_shares  # noqa: PLC0415 - slow
    from tenbin.building.metric.data import JudgmentSources  # noqa: PLC0415 - slow
    from tenbin.building.metric.judged_texts import LEAST_DIFFERENCE  # noqa: PLC0415 - slow
    from tenbin.building.metric.weights import parsed_weights  # noqa: PLC0415 - slow
    from tenbin.building.training_numbers import TrainingNumbers  # noqa: PLC0415 - slow

    chosen_device = one_of(Device, device, "device")
    chosen_dtype = one_of(TrainingNumbers, dtype, "dtype")
    _check_teaching(most_texts, peers, teacher_share)
    if student_of and (teachers or weights):
        raise UsageError(
            "`student_of`: the scores of the adapter are the only labels, so that there are no "
            "other teachers (`teachers`) and no weights (`weights`). Leave these out."
        )
    if difference is not None and difference < 0:
        raise UsageError(f"`difference` {difference:g}: give a number from 0.")
    if share != SPREAD and (isinstance(share, str) or not 0 <= share <= 1):
        raise UsageError(f"`share` {share}: give a number from 0 to 1, or {SPREAD}.")
    given = {("pairs" if key == "pairs_per_step" else key): v for key, v in numbers.items()}
    usual: dict[str, Any] = {}
    if student_of:
        usual |= recipe.STUDYING
    elif start:
        usual |= recipe.ADAPTING
    if full:
        usual |= {"rank": 0, "rate": recipe.FULL_RATE}
    given |= {"keep_embeddings": keep_embeddings or None, "dropout": dropout}
    chosen = {key: value for key, value in given.items() if value is not None}
    known = {one for one in recipe.MetricRecipe.__slots__ if one != "shares"}
    if unknown := sorted(set(chosen) - known):
        raise UsageError(f"{', '.join(unknown)}: no such setting. There are: {', '.join(known)}.")
    found = recipe.MetricRecipe(**{**usual, **chosen, "shares": parsed_shares(damage)})
    choice = sets.SetChoice(
        folders=tuple(test_sets),
        pairs=tuple(pairs),
        exclude=tuple(exclude),
        teachers=tuple(teachers),
    )
    sources = JudgmentSources(
        sets=choice if test_sets else None,
        tables=tuple(tables),
        texts=tuple(plain_text),
        language=language,
        weights=parsed_weights(weights),
        hold_out=tuple(hold_out),
        least_difference=LEAST_DIFFERENCE if difference is None else difference,
    )
    begun = model.MetricStart(
        base=base_model or ("" if start else DEFAULT_BASE),
        adapter=start,
        teacher=student_of,
        teacher_base=teacher_base,
        teacher_share=teacher_share,
        subwords_required=bool(chosen.get("subword_weight")),
        **({} if most_texts is None else {"most_texts": most_texts}),
        **({} if peers is None else {"peers": peers}),
    )
    return model.build_metric(
        sources,
        output,
        found,
        begun,
        result=model.MetricResult(
            name=name,
            layer=layer,
            share=None if isinstance(share, str) else share,
            rounded=rounded,
        ),
        run=model.MetricRun(
            device=chosen_device,
            numbers=chosen_dtype,
            work=None if work is None else Path(work),
            force=force,
            phase=no_progress if phase is None else phase,
            report=report,
            tell=tell,
        ),
    )


def _check_teaching(most_texts: int | None, peers: int | None, teacher_share: float | None) -> None:
    """Raise `UsageError` if a teacher cannot be asked so."""
    if most_texts is not None and most_texts < 1:
        raise UsageError(f"`most_texts` {most_texts}: give a whole number from 1.")
    if peers is not None and peers < 0:
        raise UsageError(f"`peers` {peers}: give a whole number from 0.")
    if teacher_share is not None and not 0 <= teacher_share <= 1:
        raise UsageError(f"`teacher_share` {teacher_share:g}: give a number from 0 to 1.")
