"""Tables of paraphrases, from translated text or from paraphrases that are ready."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tenbin.api.building.steps import Phase
from tenbin.core.errors import UsageError

if TYPE_CHECKING:
    pass


def build_paraphrases(  # noqa: PLR0913 - every option has a name
    bitexts: Sequence[str],
    language: str,
    output: str,
    *,
    pivots: Sequence[str],
    pivot_first: bool,
    others: Sequence[str] = (),
    links: Sequence[str] = (),
    reverse_links: Sequence[str] = (),
    tokenizer: str,
    pivot_tokenizer: str,
    max_words: int,
    aligner: str,
    symmetrization: str,
    max_length: int,
    min_count: int,
    min_share: float,
    min_pair: float,
    drop_punctuation: bool,
    drop_function_pivots: bool,
    merge: bool,
    engine: str,
    master: str,
    memory: str,
    jobs: int,
    work: str | None = None,
    force: bool = False,
    meteor: str | None = None,
    phase: Phase,
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Make a table of paraphrases from translated text.

    Args:
        bitexts: Files of translated text.
        language: The language of the paraphrases.
        output: The table to write.
        pivots: The other language of each file, or one for all.
        pivot_first: Whether the pivot language is in the first column.
        others: Text in the pivot language, where each file has one language only.
        links: Word links of each file, made by another aligner.
        reverse_links: Links of the other direction.
        tokenizer: How the language is tokenized.
        pivot_tokenizer: How pivot languages are tokenized.
        max_words: Longer segments are left out.
        aligner: What learns the links between words.
        symmetrization: How links of two directions become one set.
        max_length: Most words of a phrase.
        min_count: Least number of times a phrase is translated so.
        min_share: Least p(phrase | pivot phrase).
        min_pair: Least p(paraphrase | phrase) that is stored as a number.
        drop_punctuation: Whether phrases of punctuation alone are left out.
        drop_function_pivots: Whether pivot phrases of function words alone are left out.
        merge: Whether sets that share a phrase become one.
        engine: What groups the phrases: ``duckdb`` or ``spark``.
        master: Spark's master.
        memory: Memory of the engine.
        jobs: Processes that align, and threads of the engine.
        work: Folder of finished stages.
        force: Whether a file that is there is replaced.
        meteor: A file for the pairs in METEOR's own format, too.
        phase: Shows progress.

    Returns:
        Facts about the table, and the stages that an earlier build had finished.
    """
    from tenbin.building.paraphrases import alignment, conversion, pivot, table  # noqa: PLC0415 - slow
    from tenbin.kernels.alignment.symmetrization import Symmetrization  # noqa: PLC0415

    recipe = table.ParaphraseRecipe(
        language=language,
        tokenizer=tokenizer,
        pivot_tokenizer=pivot_tokenizer,
        most_words=max_words,
        aligner=alignment.Aligner(aligner),
        symmetrisation=Symmetrization(symmetrization),
        longest=max_length,
        drop_function_pivots=drop_function_pivots,
        drop_punctuation=drop_punctuation,
        merge=merge,
        pivoting=pivot.Pivoting(least_count=min_count, least_share=min_share, least_pair=min_pair),
    )
    built = table.build_paraphrase_table(
        _bitext_files(bitexts, pivots, others, links, reverse_links, pivot_first=pivot_first),
        output,
        recipe,
        engine=pivot.Engine(
            name=pivot.EngineName(engine), memory=memory, threads=jobs, master=master
        ),
        jobs=jobs,
        work=None if work is None else Path(work),
        force=force,
        phase=phase,
    )
    if meteor:
        conversion.export_to_meteor(built.table, meteor, language=language, force=force)
    return built.facts, tuple(built.reused)


def convert_paraphrases(
    paths: Sequence[str],
    form: str,
    output: str,
    *,
    language: str,
    tokenizer: str,
    force: bool = False,
    meteor: str | None = None,
) -> dict[str, Any]:
    """Make a table from paraphrases that are ready; return facts about it."""
    from tenbin.building.paraphrases import conversion  # noqa: PLC0415 - slow

    table, facts = conversion.convert_paraphrases(
        list(paths), form, output, language=language, tokenizer=tokenizer, force=force
    )
    if meteor:
        conversion.export_to_meteor(table, meteor, language=language, force=force)
    return facts


def _bitext_files(
    bitexts: Sequence[str],
    pivots: Sequence[str],
    others: Sequence[str],
    links: Sequence[str],
    reverse_links: Sequence[str],
    *,
    pivot_first: bool,
) -> list[Any]:
    from tenbin.building.paraphrases.bitext import BitextFile  # noqa: PLC0415 - slow

    count = len(bitexts)
    columns = {
        "pivot": list(pivots) * count if len(pivots) == 1 else pivots,
        "other": others or [""] * count,
        "links": links or [""] * count,
        "reverse_links": reverse_links or [""] * count,
    }
    for name, values in columns.items():
        if len(values) != count:
            what = name.replace("_", " ")
            raise UsageError(f"{what}: {len(values)} given, expected one for each bitext.")
    if any(columns["reverse_links"]) and not any(columns["links"]):
        raise UsageError("reverse links: give the links of the other direction too.")
    return [
        BitextFile(
            path,
            **{name: values[number] for name, values in columns.items()},
            pivot_first=pivot_first,
        )
        for number, path in enumerate(bitexts)
    ]
