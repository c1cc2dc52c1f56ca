"""``tenbin build bert``: subwords, rows, training, the folder, interruptions."""

import errno
import json
import os
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

import tenbin
from tenbin.annotation.encoders import settings
from tenbin.annotation.encoders.encoded import SubwordFlag
from tenbin.annotation.encoders.settings import Device
from tenbin.annotation.encoders.subwords import SubwordTokenizer
from tenbin.building.bert import model as bert_model
from tenbin.building.bert.model import BuiltModel, Source, build_bert
from tenbin.building.bert.recipe import BertRecipe, Extent, LengthUnit
from tenbin.building.bert.training import Position, library_errors
from tenbin.building.idf import build_idf
from tenbin.building.training_numbers import TrainingNumbers
from tenbin.core.errors import (
    InputError,
    MalformedLine,
    MissingExtra,
    OutputError,
    UnreadableFile,
    UsageError,
)
from tenbin.resources.checkpoints import find_checkpoint

pytestmark = pytest.mark.usefixtures("_one_core")

NOUNS = ["cat", "dog", "bird", "fish", "horse", "mouse", "sheep", "goat", "duck", "frog"]
VERBS = ["sees", "hears", "likes", "follows", "finds", "loses", "calls", "helps"]
TINY = BertRecipe(
    vocabulary=80,
    layers=2,
    width=32,
    heads=2,
    length=16,
    batch=8,
    rate=5e-3,
    dropout=0.1,
    extent=Extent(60, LengthUnit.STEPS),
    device=Device.CPU,
    numbers=TrainingNumbers.FLOAT32,  # other processors give the same
)


@pytest.fixture(scope="module")
def corpus(_one_core: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A language of 22 words: 400 segments in 40 documents, and some more to be tried on."""
    folder = tmp_path_factory.mktemp("bert")
    rng = random.Random(5)  # noqa: S311 - no secret
    for name, documents in (("text", 40), ("valid", 4)):
        parts = [
            "".join(
                f"The {rng.choice(NOUNS)} {rng.choice(VERBS)} a {rng.choice(NOUNS)}.\n"
                for _ in range(10)
            )
            for _ in range(documents)
        ]
        (folder / f"{name}.txt").write_text("\n".join(parts), encoding="utf-8")
    return folder


def build(corpus: Path, output: Path, recipe: BertRecipe = TINY, **more: Any) -> BuiltModel:
    source = Source(
        texts=[str(corpus / "text.txt")], language="en", valid=str(corpus / "valid.txt")
    )
    return build_bert(source, str(output), recipe, **more)


def weights(folder: Path) -> bytes:
    return (folder / "model.safetensors").read_bytes()


@pytest.fixture(scope="module")
def built(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, BuiltModel]:
    folder = tmp_path_factory.mktemp("model") / "tiny"
    losses: list[float] = []
    made = build(corpus, folder, report=lambda position, _done: losses.append(position.loss))
    assert losses[-1] < 0.8 * losses[0]
    return folder, made


def test_the_model_learned_something(built: tuple[Path, BuiltModel]) -> None:
    folder, made = built
    assert made.guesses is not None
    # Of ten nouns one is right; articles and full stops are never wrong.
    assert made.guesses.accuracy > 0.4
    assert made.guesses.loss < 2.6
    card = json.loads((folder / "training.json").read_text(encoding="utf-8"))
    assert card == made.card
    assert (card["steps"], card["recipe"]["extent"]) == (60, "60 steps")
    assert card["corpus"][0]["name"] == "text.txt"
    assert len(card["corpus"][0]["sha256"]) == 64
    assert card["valid"]["loss"] == made.guesses.loss
    assert not folder.with_name("tiny.work").exists()


def test_other_programs_open_the_folder(built: tuple[Path, BuiltModel]) -> None:
    import transformers  # noqa: PLC0415

    folder, made = built
    names = {path.name for path in folder.iterdir()}
    own = {"config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"}
    assert names == own | {"training.json"}
    assert {path.stat().st_mode & 0o044 for path in folder.iterdir()} == {0o044}
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    assert tokenizer.model_max_length == 16
    text = tokenizer("The cat sees a dog.")
    tokens = tokenizer.convert_ids_to_tokens(text["input_ids"])
    assert tokens == ["[CLS]", "The", "cat", "sees", "a", "dog", ".", "[SEP]"]
    model, report = transformers.AutoModelForMaskedLM.from_pretrained(
        folder, output_loading_info=True
    )
    assert not report["missing_keys"]
    assert not report["unexpected_keys"]
    assert model.config.vocab_size >= made.card["pieces"] == len(tokenizer)


def test_subwords_that_continue_a_word(built: tuple[Path, BuiltModel]) -> None:
    cutter = SubwordTokenizer(find_checkpoint(str(built[0]), "en"))
    subwords = cutter.tokenize(["catdog"])[0]
    parts = cutter.texts(subwords.ids.tolist())
    assert parts[1] == "cat"
    assert all(part.startswith("##") for part in parts[2:-1])
    going_on = (subwords.flags & SubwordFlag.CONTINUES).astype(bool).tolist()
    assert going_on == [part.startswith("##") for part in parts]


def test_metrics_score_with_it(built: tuple[Path, BuiltModel]) -> None:
    for name in ("bertscore", "moverscore", "yisi1-context"):
        layer = ", layer=2" if name == "bertscore" else ""
        metric = tenbin.load_metric(f'{name}(model="{built[0]}"{layer})', language="en")
        segments = metric.score(
            ["The cat sees a dog.", "The cat sees a dog."],
            ["The cat sees a dog.", "The fish calls a frog."],
        ).segments
        assert segments[1] < segments[0]


def test_the_same_seed_gives_the_same_model(
    corpus: Path, built: tuple[Path, BuiltModel], tmp_path: Path
) -> None:
    again = build(corpus, tmp_path / "again", work=tmp_path / "work")
    assert weights(tmp_path / "again") == weights(built[0])
    assert again.card["valid"] == built[1].card["valid"]
    other = build(corpus, tmp_path / "other", replace(TINY, seed=2), work=tmp_path / "work")
    assert weights(tmp_path / "other") != weights(built[0])
    assert other.reused == ("pieces", "rows")


def test_what_is_computed_with(
    corpus: Path, built: tuple[Path, BuiltModel], tmp_path: Path
) -> None:
    """Halves of numbers give nearly as good a model, and the same one again."""
    halves = replace(TINY, numbers=TrainingNumbers.BFLOAT16)
    made = build(corpus, tmp_path / "model", halves)
    assert (built[1].card["numbers"], made.card["numbers"]) == ("float32", "bfloat16")
    assert weights(tmp_path / "model") != weights(built[0])
    assert made.guesses is not None
    assert made.guesses.accuracy > 0.4
    build(corpus, tmp_path / "again", halves)
    assert weights(tmp_path / "again") == weights(tmp_path / "model")


class Interrupted(Exception):
    pass


def test_an_interrupted_build_goes_on(
    corpus: Path, built: tuple[Path, BuiltModel], tmp_path: Path
) -> None:
    def stop(position: Position, _done: float) -> None:
        if position.step == 25:
            raise Interrupted

    with pytest.raises(Interrupted):
        build(corpus, tmp_path / "model", report=stop, seconds_between_states=0.0)
    assert not (tmp_path / "model").exists()
    steps: list[int] = []
    made = build(
        corpus, tmp_path / "model", report=lambda position, _done: steps.append(position.step)
    )
    assert steps == list(range(26, 61))
    assert made.reused == ("pieces", "rows", "training")
    assert weights(tmp_path / "model") == weights(built[0])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model"]


def test_a_state_of_another_model_is_refused(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    short = replace(TINY, extent=Extent(2, LengthUnit.STEPS))
    build(corpus, Path("one"), short, work=tmp_path / "work", seconds_between_states=0.0)
    wide = replace(short, width=16)
    build(corpus, Path("two"), wide, work=tmp_path / "work", seconds_between_states=0.0)
    narrow, broad = sorted(
        (tmp_path / "work").glob("training-*/state.safetensors"),
        key=lambda path: path.stat().st_size,
    )
    broad.write_bytes(narrow.read_bytes())
    with pytest.raises(InputError, match="not the state of this training"):
        build(corpus, Path("three"), short, work=tmp_path / "work")
    assert not Path("three").exists()


def test_a_training_by_the_clock_ends(corpus: Path, tmp_path: Path) -> None:
    shares: list[float] = []
    brief = replace(TINY, extent=Extent(0.005, LengthUnit.MINUTES))
    made = build(
        corpus, tmp_path / "model", brief, report=lambda _position, done: shares.append(done)
    )
    assert shares == sorted(shares)
    assert shares[-1] == 1
    assert made.card["seconds"] >= 0.3


def test_a_model_of_japanese(japanese: Path, tmp_path: Path) -> None:
    pytest.importorskip("sudachipy")
    small = replace(TINY, vocabulary=600, extent=Extent(2, LengthUnit.STEPS))
    folder = tmp_path / "ja"
    build_bert(Source(texts=[str(japanese)], language="ja"), str(folder), small)
    # Between two spaces there is a whole sentence; yet each subword is a word, and has a weight.
    subwords = SubwordTokenizer(find_checkpoint(str(folder), "ja")).tokenize(["私は見た。"])[0]
    assert len(subwords) == 7
    assert not (subwords.flags & SubwordFlag.CONTINUES).any()
    mover = tenbin.load_metric(f'moverscore(model="{folder}")', language="ja")
    near, far = mover.score(["私は見た。", "私は誰。"], ["私は見た。", "私は見た。"]).segments
    assert far < near
    idf = tmp_path / "subwords.idf"
    build_idf([str(japanese)], "ja", str(idf), tokenizer=str(folder))
    spec = f'bertscore(model="{folder}", layer=1, idf="{idf}", penalty="names", names="rare")'
    assert (
        0 < tenbin.load_metric(spec, language="ja").score(["誰が見た。"], ["私は見た。"]).score < 1
    )


def written(folder: Path, content: str | bytes) -> Source:
    path = folder / "text.txt"
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return Source(texts=[str(path)], language="en")


def test_text_that_no_model_can_be_made_of(tmp_path: Path) -> None:
    output = str(tmp_path / "model")
    with pytest.raises(InputError, match="there is no word"):
        build_bert(written(tmp_path, "\n \n"), output, TINY)
    with pytest.raises(InputError, match=r"too small for a vocabulary of 80: it has \d+ subwords"):
        build_bert(written(tmp_path, "one two\n"), output, TINY)
    with pytest.raises(MalformedLine, match=r"text.txt, line 2: byte 1 of the line \(0xff\)"):
        build_bert(written(tmp_path, b"one\n\xff\n"), output, TINY)
    with pytest.raises(UnreadableFile, match="there is no such file"):
        build_bert(Source(texts=[str(tmp_path / "none")], language="en"), output, TINY)
    for pipe in ("-", "/dev/null", str(tmp_path)):
        with pytest.raises(UsageError, match="Give files"):
            build_bert(Source(texts=[pipe], language="en"), output, TINY)
    words = written(tmp_path, "".join(f"w{number} w{number}\n" for number in range(80)))
    with pytest.raises(InputError, match="too short, expected more than 4,000 subwords"):
        build_bert(words, output, replace(TINY, length=4000))
    assert not Path(output).exists()


def test_folders_that_cannot_be_made(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(UsageError, match="there is such a folder already"):
        build(corpus, tmp_path)
    with pytest.raises(OutputError, match="there is no folder"):
        build(corpus, tmp_path / "no" / "model")

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(bert_model, "_write_texts", full)
    short = replace(TINY, extent=Extent(1, LengthUnit.STEPS))
    with pytest.raises(OutputError, match="No space left on device"):
        build(corpus, tmp_path / "model", short)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model.work"]


def test_errors_of_the_weights_file_are_those_of_the_system() -> None:
    import safetensors  # noqa: PLC0415

    with pytest.raises(OSError, match="os error 28") as caught, library_errors():
        raise safetensors.SafetensorError("I/O error: No space left on device (os error 28)")
    assert caught.value.errno == errno.ENOSPC


def test_without_torch(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "_MODULES", ("a_package_that_nobody_has",))
    with pytest.raises(MissingExtra, match=r"pip install 'tenbin\[neural\]'"):
        build(corpus, tmp_path / "model")
