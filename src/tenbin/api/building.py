"""The calls behind ``tenbin build``: resources made from text.

Each builder is imported when it is called: some take a second to load, and most need packages of
an extra.
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from tenbin.api import files
from tenbin.core.errors import UsageError

if TYPE_CHECKING:
    from tenbin.building.bert.model import BuiltModel
    from tenbin.building.context.model import BuiltContext
    from tenbin.building.function_words import BuiltFunctionWords
    from tenbin.building.idf import BuiltIdf

# Shows a step of the work: its label and its total, if that is known, give a progress callback.
Phase = Callable[[str, int | None], AbstractContextManager[Callable[[int], None] | None]]

DEFAULT_EPOCHS = 10


class TrainingStep(Protocol):
    """How far a training has come."""

    @property
    def step(self) -> int:
        """Steps that are done."""
        ...

    @property
    def seconds(self) -> float:
        """Seconds that were trained."""
        ...

    @property
    def loss(self) -> float:
        """The mean loss since the step that was reported before; NaN while there is none."""
        ...


def build_bert(  # noqa: PLR0913 - every option has a name
    texts: Sequence[str],
    language: str,
    output: str,
    *,
    tokenizer: str,
    valid: str = "",
    vocabulary: int,
    layers: int,
    width: int,
    heads: int,
    length: int,
    batch: int,
    seed: int,
    rate: float,
    dropout: float,
    steps: float | None = None,
    epochs: float | None = None,
    minutes: float | None = None,
    device: str = "auto",
    work: str | None = None,
    phase: Phase,
    report: Callable[[TrainingStep, float], None],
) -> "BuiltModel":
    """Pretrain a small BERT; see `tenbin.building.bert.model.build_bert`.

    Training ends after ``steps``, ``epochs`` or ``minutes``, whichever is given.
    """
    from tenbin.annotation.encoders.settings import Device  # noqa: PLC0415 - slow
    from tenbin.building.bert import model, recipe  # noqa: PLC0415 - slow

    limits = {"steps": steps, "epochs": epochs, "minutes": minutes}
    given = [(amount, unit) for unit, amount in limits.items() if amount is not None]
    amount, unit = given[0] if given else (DEFAULT_EPOCHS, "epochs")
    source = model.Source(texts=list(texts), language=language, tokenizer=tokenizer, valid=valid)
    chosen = recipe.BertRecipe(
        vocabulary=vocabulary,
        layers=layers,
        width=width,
        heads=heads,
        length=length,
        batch=batch,
        seed=seed,
        rate=rate,
        dropout=dropout,
        extent=recipe.Extent(amount, recipe.LengthUnit(unit)),
        device=Device(device),
    )
    place = None if work is None else Path(work)
    return model.build_bert(source, output, chosen, work=place, phase=phase, report=report)


def build_context(  # noqa: PLR0913 - every option has a name
    output: str | None,
    *,
    test_set: str | None = None,
    pair: str | None = None,
    source: str | None = None,
    references: Sequence[str] | None = None,
    language: str | None = None,
    tokenizer: str = "auto",
    source_tokenizer: str = "auto",
    lowercase: bool = False,
    layers: int,
    units: int,
    embedding: int,
    epochs: int,
    repeats: int,
    batch: int,
    vocabulary: int,
    seed: int,
    rate: float,
    device: str = "cpu",
    work: str | None = None,
    phase: Phase,
    report: Callable[[TrainingStep, float], None],
    tell: Callable[[str], None] = lambda _note: None,
) -> "BuiltContext":
    """Train the context model of ``we_wpi_attention``; see `tenbin.building.context.model`.

    Args:
        output: The folder to make; None: by the name of the test set and the pair.
        test_set: A folder in the mt-metrics-eval layout, or ``bundled:example``.
        pair: The language pair of the test set.
        source: A source text, where no test set is given.
        references: Reference texts, or names of those of the test set.
        language: The language of the references.
        tokenizer: How references are tokenized.
        source_tokenizer: How the source is tokenized.
        lowercase: Whether texts are lower-cased.
        layers: GRU layers.
        units: Size of a state.
        embedding: Size of a word embedding.
        epochs: Most epochs.
        repeats: How often each pair stands in an epoch.
        batch: Pairs of a step.
        vocabulary: Most words of each language.
        seed: Random seed.
        rate: The learning rate.
        device: CPU, CUDA or ``auto``.
        work: Folder of the state of an unfinished training.
        phase: Shows progress.
        report: Called after each step.
        tell: Called with notes on what was chosen by default.
    """
    from tenbin.annotation.context.recipe import ContextRecipe  # noqa: PLC0415 - slow
    from tenbin.annotation.encoders.settings import Device  # noqa: PLC0415 - slow
    from tenbin.building.context import model, texts  # noqa: PLC0415 - slow

    settled = files.target_language(language, pair)
    recipe = ContextRecipe(
        layers=layers,
        units=units,
        embedding=embedding,
        epochs=epochs,
        repeats=repeats,
        batch=batch,
        vocabulary=vocabulary,
        seed=seed,
        rate=rate,
    )
    tokens: dict[str, Any] = {
        "tokenizer": tokenizer,
        "source_tokenizer": source_tokenizer,
        "lowercase": lowercase,
    }
    options: dict[str, Any] = {
        "device": Device(device),
        "work": None if work is None else Path(work),
        "phase": phase,
        "report": report,
    }
    if test_set is None:
        if source is None or not references or not settled or not output:
            raise UsageError(
                "a context model needs `source`, `references`, `language` and a folder, or "
                "`test_set`."
            )
        chosen = texts.ContextTexts(
            source=source,
            references=tuple(references),
            language=settled,
            source_language=(pair or "").partition("-")[0].replace("_", "-"),
            **tokens,
        )
        return model.build_context(chosen, output, recipe, **options)
    with files.named_folder(test_set) as folder:
        found = texts.texts_of_set(folder, pair or "", references, **tokens)
        for note in found.notes:
            tell(note)
        name = test_set.removeprefix(files.BUNDLED_PREFIX)
        target = output or f"{Path(name).resolve().name}.{pair}.context"
        return model.build_context(found, target, recipe, **options)


def build_function_words(
    texts: Sequence[str],
    language: str,
    output: str,
    *,
    tokenizer: str,
    share: float,
    force: bool = False,
    phase: Phase,
) -> "BuiltFunctionWords":
    """List the most frequent words of a text."""
    from tenbin.building import function_words  # noqa: PLC0415 - slow

    return function_words.build_function_words(
        list(texts), language, output, tokenizer=tokenizer, share=share, force=force, phase=phase
    )


def build_idf(
    texts: Sequence[str],
    language: str,
    output: str,
    *,
    tokenizer: str,
    document: str,
    lowercase: bool = False,
    force: bool = False,
    phase: Phase,
) -> "BuiltIdf":
    """Count in how many documents each token stands."""
    from tenbin.building import idf  # noqa: PLC0415 - slow

    return idf.build_idf(
        list(texts),
        language,
        output,
        tokenizer=tokenizer,
        document=idf.DocumentUnit(document),
        lowercase=lowercase,
        force=force,
        phase=phase,
    )


def build_vectors(  # noqa: PLR0913 - every option has a name
    texts: Sequence[str],
    language: str,
    output: str,
    *,
    variant: str = "mono",
    source_language: str = "",
    source_output: str | None = None,
    source_first: bool = False,
    others: Sequence[str] = (),
    links: Sequence[str] = (),
    tags: Sequence[str] = (),
    tokenizer: str = "auto",
    source_tokenizer: str = "auto",
    lowercase: bool = False,
    lemmas: bool = False,
    method: str = "cbow",
    dimensions: int = 300,
    window: int = 5,
    min_count: int = 5,
    epochs: int = 5,
    negative: int = 5,
    sample: float = 1e-3,
    rate: float | None = None,
    beta: float = 1.0,
    seed: int = 1,
    jobs: int = 1,
    force: bool = False,
    phase: Phase | None = None,
    note: Callable[[str], None] | None = None,
) -> dict[str, Any]:
    """Train word vectors; return the card that is written beside them.

    Args:
        texts: Text files; for ``bi`` and ``bi-lemma`` translated text: the language of the vectors,
            a tab, the source language.
        language: The language of the vectors.
        output: The file to write.
        variant: ``mono``, ``bi``, ``pseudo-pos``, ``pseudo-lemma``, ``mono-lemma`` or ``bi-lemma``.
        source_language: The other language of translated text.
        source_output: A file for the vectors of the source language, in the same space.
        source_first: Whether the source language is in the first column.
        others: Text in the source language, where each of ``texts`` has one language only.
        links: Word links of each text, made by another aligner; the first number is of the first
            column. Without them words are aligned uniformly.
        tags: Universal tags of each text, for ``pseudo-pos``; without them the tagger of the
            language.
        tokenizer: How the language is tokenized.
        source_tokenizer: How the source language is tokenized.
        lowercase: Whether text is lower-cased; lemmas always are.
        lemmas: The same as the variant ``mono-lemma``.
        method: ``cbow``, ``skipgram`` or ``fasttext``.
        dimensions: Dimension of the vectors.
        window: Most words of the context on each side.
        min_count: Rarer words get no vector.
        epochs: Number of passes over the text.
        negative: Number of negative samples.
        sample: Share of the text above which words are subsampled; 0: none is.
        rate: Learning rate at the start; None: that of word2vec for the method.
        beta: Weight of predictions from the other side.
        seed: Random seed.
        jobs: Threads; only one gives the same vectors each time.
        force: Whether a file that is there is replaced.
        phase: Shows progress.
        note: Called with what the user should know.

    Raises:
        UsageError: Options that do not go together.
        MissingExtra: A tokenizer, tagger or lemmatizer, or gensim for fastText, is not installed.
        InputError: A text cannot be read, or has too few words.
        OutputError: A file cannot be written.
    """
    from tenbin.building.corpus import no_progress  # noqa: PLC0415 - slow
    from tenbin.building.vectors import recipe, sources  # noqa: PLC0415 - slow

    source = sources.VectorSource(
        texts=tuple(texts),
        language=language,
        variant=recipe.Variant("mono-lemma" if lemmas and variant == "mono" else variant),
        source_language=source_language,
        source_first=source_first,
        others=tuple(others),
        links=tuple(links),
        tags=tuple(tags),
        tokenizer=tokenizer,
        source_tokenizer=source_tokenizer,
        lowercase=lowercase,
    )
    chosen = recipe.VectorTraining(
        method=recipe.Method(method),
        dimensions=dimensions,
        window=window,
        min_count=min_count,
        epochs=epochs,
        negative=negative,
        sample=sample,
        rate=rate,
        beta=beta,
        seed=seed,
        jobs=jobs,
    )
    card, notes = sources.build_from(
        source,
        output,
        chosen,
        source_output=source_output,
        force=force,
        phase=no_progress if phase is None else phase,
    )
    for text in notes:
        if note is not None:
            note(text)
    return card


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
