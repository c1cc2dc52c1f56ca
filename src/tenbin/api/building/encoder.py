"""A multilingual encoder that is distilled from an encoder of one language."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tenbin.api.building.steps import Phase, TrainingStep
from tenbin.core.parameters import one_of

if TYPE_CHECKING:
    from tenbin.building.encoder.model import BuiltEncoder

DEFAULT_ENCODER_EPOCHS = 3


def build_encoder(  # noqa: PLR0913 - every option has a name
    bitext: Sequence[str],
    languages: Sequence[str],
    output: str,
    *,
    other: Sequence[str] = (),
    teacher_second: bool = False,
    text: Sequence[str] = (),
    language: str = "en",
    teacher: str = "minilm-en",
    second_teacher: str = "",
    tokenizer: str = "",
    layers: Sequence[int] = (4, 6),
    embeddings: str = "teacher",
    weights: Mapping[str, float] | None = None,
    settings: Mapping[str, Any] | None = None,
    steps: float | None = None,
    epochs: float | None = None,
    minutes: float | None = None,
    device: str = "auto",
    numbers: str = "auto",
    dtype: str = "float32",
    work: str | None = None,
    phase: Phase,
    report: Callable[[TrainingStep, float], None],
) -> "BuiltEncoder":
    """Distill a multilingual encoder; see `tenbin.building.encoder.model.build_encoder`.

    Training ends after ``steps``, ``epochs`` or ``minutes``, whichever is given.

    Args:
        bitext: Files of two columns, or text in the teacher's language.
        languages: The other language of each file, or one for all.
        output: The folder to make.
        other: Text in the other language, where each bitext has one language only.
        teacher_second: Whether the teacher's language is in the second column.
        text: Text of any of the languages, for masked subwords only.
        language: The language of the teacher.
        teacher: The teacher, a resource or a folder.
        second_teacher: Another one; empty: none.
        tokenizer: A ``tokenizer.json`` or a folder with one; empty: a vocabulary is learned.
        layers: The layers whose mean vectors are learned.
        embeddings: What embeddings begin with: ``teacher`` or ``random``.
        weights: Weights of losses by name: contrast, masked, matching, second.
        settings: Other settings of `tenbin.building.encoder.recipe.EncoderRecipe` by name.
        steps: Steps of the training.
        epochs: How often the pairs are gone through.
        minutes: Its minutes.
        device: CPU, CUDA or ``auto``.
        numbers: What is computed with: ``float32``, ``bfloat16``, or ``auto``, what is fastest.
        dtype: The number type of the written weights.
        work: Folder of finished stages.
        phase: Shows progress.
        report: Called after each step.
    """
    from tenbin.annotation.encoders.settings import Device  # noqa: PLC0415 - slow
    from tenbin.building.bert.recipe import Extent, LengthUnit  # noqa: PLC0415 - slow
    from tenbin.building.encoder import model, recipe, texts  # noqa: PLC0415 - slow
    from tenbin.building.training_numbers import TrainingNumbers  # noqa: PLC0415 - slow

    limits = {"steps": steps, "epochs": epochs, "minutes": minutes}
    given = [(amount, unit) for unit, amount in limits.items() if amount is not None]
    amount, unit = given[0] if given else (DEFAULT_ENCODER_EPOCHS, "epochs")
    bitexts = texts.paired_texts(bitext, languages, other, teacher_second=teacher_second)
    source = texts.EncoderTexts(bitexts=bitexts, texts=tuple(text), language=language)
    chosen = recipe.EncoderRecipe(
        teacher=teacher,
        second_teacher=second_teacher,
        tokenizer=tokenizer,
        layers=tuple(layers),
        embeddings=one_of(recipe.FirstEmbeddings, embeddings, "embeddings"),
        weights=recipe.LossWeights(**(weights or {})),
        extent=Extent(amount, LengthUnit(unit)),
        device=one_of(Device, device, "device"),
        numbers=one_of(TrainingNumbers, numbers, "numbers"),
        weight_type=one_of(recipe.WeightType, dtype, "dtype"),
        **(settings or {}),
    )
    place = None if work is None else Path(work)
    return model.build_encoder(source, output, chosen, work=place, phase=phase, report=report)
