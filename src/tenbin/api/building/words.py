"""Resources of words, counted or trained on text: function words, idf files, word vectors."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from tenbin.api.building.steps import Phase
from tenbin.core.vector_variants import VectorVariant

if TYPE_CHECKING:
    from tenbin.building.function_words import BuiltFunctionWords
    from tenbin.building.idf import BuiltIdf


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
        variant=VectorVariant("mono-lemma" if lemmas and variant == "mono" else variant),
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
