"""Models that are trained: a small BERT, and the context model of a test set."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tenbin.api import files
from tenbin.api.building.steps import Phase, TrainingStep
from tenbin.core.errors import UsageError
from tenbin.core.parameters import one_of

if TYPE_CHECKING:
    from tenbin.building.bert.model import BuiltModel
    from tenbin.building.context.model import BuiltContext

DEFAULT_EPOCHS = 10


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
    numbers: str = "auto",
    work: str | None = None,
    phase: Phase,
    report: Callable[[TrainingStep, float], None],
) -> "BuiltModel":
    """Pretrain a small BERT; see `tenbin.building.bert.model.build_bert`.

    Training ends after ``steps``, ``epochs`` or ``minutes``, whichever is given.
    """
    from tenbin.annotation.encoders.settings import Device  # noqa: PLC0415 - slow
    from tenbin.building.bert import model, recipe  # noqa: PLC0415 - slow
    from tenbin.building.training_numbers import TrainingNumbers  # noqa: PLC0415 - slow

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
        device=one_of(Device, device, "device"),
        numbers=one_of(TrainingNumbers, numbers, "numbers"),
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
        "device": one_of(Device, device, "device"),
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
