"""``tenbin build encoder``: options, results, exit codes."""

import argparse
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

import tenbin
from tenbin.annotation.encoders.settings import Device
from tenbin.api.building import DEFAULT_ENCODER_EPOCHS
from tenbin.building.bert.model import Source, build_bert
from tenbin.building.bert.recipe import BertRecipe, Extent, LengthUnit
from tenbin.building.encoder.recipe import EncoderRecipe, FirstEmbeddings, WeightType
from tenbin.building.training_numbers import TrainingNumbers
from tenbin.cli.building import encoder
from tenbin.cli.building.options import DEVICES, NUMBER_TYPES

Cli = Callable[..., subprocess.CompletedProcess[str]]

SHAPE = ("--vocabulary", "60", "--layers", "1", "--length", "8", "--batch", "4", "--device", "cpu")
# Must not be needed where an encoder is trained: not all are on every machine with a GPU.
HEAVY = ("numba", "rapidfuzz", "sacrebleu", "pandas", "sklearn", "duckdb", "pyarrow")


@pytest.fixture
def text(texts: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    words = [(f"{one}{other} {other}{one}", f"{other}{one}") for one in "abcde" for other in "stuv"]
    lines = "".join(f"{first}\t{second}\n" for first, second in words * 3)
    (texts / "en-de.tsv").write_text(lines)
    for place, ending in enumerate(("en", "de")):
        rows = "".join(f"{pair[place]}\n" for pair in words * 3)
        (texts / f"text.{ending}").write_text(rows)
    shape = BertRecipe(
        vocabulary=40,
        layers=1,
        width=16,
        heads=2,
        length=8,
        batch=4,
        extent=Extent(1, LengthUnit.STEPS),
        device=Device.CPU,
    )
    source = Source(texts=[str(texts / "text.en")], language="en")
    build_bert(source, str(texts / "teacher"), shape)
    return texts


def test_defaults_and_choices_are_those_of_the_library() -> None:
    recipe = EncoderRecipe()
    for option, (default, _meaning) in {**encoder._NUMBERS, **encoder._RATES}.items():
        assert getattr(recipe, encoder._name(option)) == default
    for option, (weight, _meaning) in encoder._WEIGHTS.items():
        assert getattr(recipe.weights, option[2:]) == weight
    assert recipe.extent.amount == DEFAULT_ENCODER_EPOCHS
    parser = argparse.ArgumentParser()
    encoder.add_arguments(parser)
    plain = parser.parse_args(["en-de.tsv", "--languages", "de", "-o", "model"])
    assert (plain.teacher, plain.second_teacher) == (recipe.teacher, recipe.second_teacher)
    assert tuple(plain.layers) == recipe.layers
    assert plain.cased == recipe.cased
    assert set(DEVICES) == set(Device)
    assert set(NUMBER_TYPES) == set(TrainingNumbers)
    assert plain.numbers == recipe.numbers
    assert set(encoder._EMBEDDINGS) == set(FirstEmbeddings)
    assert set(encoder._TYPES) == set(WeightType)


def test_from_text_to_encoder(cli: Cli, text: Path) -> None:
    words = ("build", "encoder", "en-de.tsv", "--languages", "de", "--teacher", "teacher", *SHAPE)
    done = cli(*words, "--steps", "2", "-o", "model")
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert "model: 0.0 million weights, " in done.stderr
    assert "2 steps" in done.stderr
    assert "of held-out translations found" in done.stderr
    assert (text / "model" / "model.safetensors").is_file()
    again = cli(*words, "-o", "model")
    assert again.returncode == 2
    assert "model: there is such a folder already" in again.stderr
    apart = ("build", "encoder", "text.de", "--other", "text.en", "--teacher-second")
    rest = ("--languages", "de", "--teacher", "teacher", *SHAPE, "--epochs", "0.1", "--text")
    quiet = cli(*apart, *rest, "text.de", "--dtype", "float16", "-o", "other", "-q")
    assert (quiet.returncode, quiet.stderr) == (0, "")
    card = json.loads((text / "other" / "training.json").read_text())
    assert [file["name"] for file in card["bitexts"][0]["files"]] == ["text.de", "text.en"]
    assert card["recipe"]["weight_type"] == "float16"


def test_how_it_is_trained_is_what_was_asked_for(cli: Cli, text: Path) -> None:
    words = ("build", "encoder", "en-de.tsv", "--languages", "de", "--teacher", "teacher", *SHAPE)
    how = ("--rate", "0.002", "--layer-rate", "0.003", "--dropout", "0.2", "--temperature", "2")
    more = ("--contrast", "0.3", "--masked", "0", "--matching", "0.4", "--second", "0.7", "--cased")
    last = ("--held-out", "3", "--seed", "7", "--embeddings", "random", "--minutes", "0.0001")
    halves = ("--numbers", "bfloat16")
    done = cli(
        *words, *how, *more, *last, *halves, "--second-teacher", "teacher", "-o", "model", "-q"
    )
    assert done.returncode == 0, done.stderr
    card = json.loads((text / "model" / "training.json").read_text())
    recipe = card["recipe"]
    assert card["numbers"] == "bfloat16"
    asked: dict[str, object] = {
        "rate": 0.002,
        "layer_rate": 0.003,
        "dropout": 0.2,
        "temperature": 2.0,
        "seed": 7,
    }
    asked |= {"cased": True, "held_out": 3, "embeddings": "random", "extent": "0.0001 minutes"}
    asked |= {"weights": {"contrast": 0.3, "masked": 0.0, "matching": 0.4, "second": 0.7}}
    assert asked.items() <= recipe.items()


def test_wrong_requests(cli: Cli, text: Path) -> None:
    words = ("build", "encoder", "en-de.tsv", "--languages", "de", "--teacher", "teacher")
    assert cli(*words, "-o", "model", "--steps", "1", "--epochs", "1").returncode == 2
    layer = cli(*words, "-o", "model", "--length", "8")
    assert layer.returncode == 2
    assert "layers=4, 6: the teacher 'teacher' has 1" in layer.stderr
    both = cli(*words[:4], "de", "fr", "--teacher", "teacher", "-o", "model")
    assert both.returncode == 2
    assert "1 of `bitext`, 2 of --languages" in both.stderr.replace("--bitext", "`bitext`")
    swapped = cli(*words[:4], "ru", *words[5:], *SHAPE, "-o", "model")
    assert swapped.returncode == 3
    assert "see --teacher-second" in swapped.stderr
    assert not list(text.glob("model*/*"))


def test_few_packages_are_imported(text: Path) -> None:
    words = ["build", "encoder", "en-de.tsv", "--languages", "de", "--teacher", "teacher", *SHAPE]
    program = (
        f"import sys\nsys.path.insert(0, {str(Path(tenbin.__file__).parents[1])!r})\n"
        "from tenbin.cli.main import main\n"
        f"code = main({[*words, '--steps', '1', '-o', 'model', '-q']!r})\n"
        f"print(code, [name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=text, capture_output=True, text=True, check=True
    )
    assert done.stdout == "0 []\n"
