"""Building of context models: the folder and its card, interrupts, and texts that do not suit."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")

from tenbin.annotation.context.model_folder import CONFIG, WEIGHTS, WORDS, read_model
from tenbin.annotation.context.recipe import ContextRecipe
from tenbin.annotation.encoders import settings
from tenbin.building.context.model import BuiltContext, build_context
from tenbin.building.context.texts import ContextTexts, texts_of_set
from tenbin.core.errors import (
    InputError,
    LengthMismatch,
    MissingExtra,
    OutputError,
    UnreadableFile,
    UsageError,
)
from tenbin.formats.tensor_file import TensorWriter

LITTLE = ContextRecipe(units=4, embedding=4, epochs=2, repeats=3, batch=4)
REFERENCES = ("the cat sat", "", "a dog barked", "it rains", "no")
SOURCES = ("die Katze saß", "leer", "ein Hund bellte", "es regnet", "nein")


def write_lines(path: Path, lines: tuple[str, ...]) -> str:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return str(path)


@pytest.fixture
def texts(tmp_path: Path) -> ContextTexts:
    return ContextTexts(
        source=write_lines(tmp_path / "src.de", SOURCES),
        references=(write_lines(tmp_path / "ref.en", REFERENCES),),
        language="en",
    )


def built(texts: ContextTexts, tmp_path: Path, **options: Any) -> BuiltContext:
    return build_context(texts, str(tmp_path / "model"), LITTLE, **options)


def test_folder_and_card(texts: ContextTexts, tmp_path: Path) -> None:
    result = built(texts, tmp_path)
    folder = tmp_path / "model"
    assert {path.name for path in folder.iterdir()} == {WEIGHTS, WORDS, CONFIG, "training.json"}
    card = json.loads((folder / "training.json").read_text(encoding="utf-8"))
    assert card == json.loads(json.dumps(result.card))
    assert card["pairs"]["count"] == 4, "the empty reference is left out"
    assert [one["name"] for one in card["files"]] == ["ref.en", "src.de"]
    assert card["recipe"]["units"] == 4
    assert len(card["losses"]) == card["epochs"] == 2
    assert card["losses"][1] < card["losses"][0]
    assert card["steps"] == 6
    assert {"tenbin", "torch", "sacrebleu"} <= set(card["versions"])
    model, tokens = read_model(folder)
    assert tokens == {"tokenizer": "13a", "source_tokenizer": "13a", "lowercase": "False"}
    assert model.facts.pairs == card["pairs"]["sha256"]
    assert not (tmp_path / "model.work").exists()


def test_several_references_are_pairs_of_their_own(texts: ContextTexts, tmp_path: Path) -> None:
    other = write_lines(tmp_path / "other.en", ("a cat sat", "empty", "", "rain", "no"))
    both = replace(texts, references=(*texts.references, other))
    assert len(both.pairs()) == 8
    turned = replace(both, references=both.references[::-1])
    assert both.pairs() == turned.pairs()


class Interrupt(BaseException):
    """Stands for Ctrl-C."""


def stop_at(step: int) -> Any:
    def report(position: Any, _done: float) -> None:
        if position.step == step:
            raise Interrupt

    return report


def weights(folder: Path) -> bytes:
    return (folder / WEIGHTS).read_bytes()


@pytest.mark.parametrize("step", [1, 3, 5])
def test_an_interrupted_build_goes_on(texts: ContextTexts, tmp_path: Path, step: int) -> None:
    built(texts, tmp_path)
    expected = weights(tmp_path / "model")
    (tmp_path / "again").mkdir()
    with pytest.raises(Interrupt):
        built(texts, tmp_path / "again", report=stop_at(step), seconds_between_states=0)
    assert [path.name for path in (tmp_path / "again").iterdir()] == ["model.work"]
    result = built(texts, tmp_path / "again")
    assert result.resumed == step
    assert weights(tmp_path / "again" / "model") == expected
    assert not (tmp_path / "again" / "model.work").exists()


def test_other_settings_begin_anew(texts: ContextTexts, tmp_path: Path) -> None:
    work = tmp_path / "work"
    with pytest.raises(Interrupt):
        built(texts, tmp_path, work=work, report=stop_at(2), seconds_between_states=0)
    other = build_context(texts, str(tmp_path / "o"), replace(LITTLE, seed=2), work=work)
    assert other.resumed == 0
    assert built(texts, tmp_path, work=work).resumed == 2


def test_a_full_disk_leaves_the_last_state(
    texts: ContextTexts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    finish = TensorWriter.finish
    written = 0

    def full(self: Any, noted: Any) -> None:
        nonlocal written
        written += 1
        if written == 3:
            raise OSError(28, "No space left on device")
        finish(self, noted)

    monkeypatch.setattr(TensorWriter, "finish", full)
    with pytest.raises(OutputError, match="No space left on device"):
        built(texts, tmp_path, seconds_between_states=0)
    assert not (tmp_path / "model").exists()
    assert built(texts, tmp_path).resumed == 2
    monkeypatch.undo()
    (tmp_path / "whole").mkdir()
    built(texts, tmp_path / "whole")
    assert weights(tmp_path / "model") == weights(tmp_path / "whole" / "model")


def test_a_full_disk_at_the_end(
    texts: ContextTexts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tenbin.building.context.model.write_model", full)
    with pytest.raises(OutputError, match="No space left on device"):
        built(texts, tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"src.de", "ref.en", "model.work"}
    monkeypatch.undo()
    assert built(texts, tmp_path).resumed == 6


def test_what_is_refused(
    texts: ContextTexts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shorter = replace(texts, source=write_lines(tmp_path / "short", SOURCES[:3]))
    with pytest.raises(LengthMismatch, match=r"short: 3"):
        built(shorter, tmp_path)
    blank = replace(texts, source=write_lines(tmp_path / "blank", ("",) * 5))
    with pytest.raises(InputError, match="nothing to train on"):
        built(blank, tmp_path)
    with pytest.raises(UsageError, match="Give files"):
        built(replace(texts, source="-"), tmp_path)
    with pytest.raises(InputError, match="absent"):
        built(replace(texts, source=str(tmp_path / "absent")), tmp_path)
    with pytest.raises(UsageError, match="xx-unknown"):
        built(replace(texts, language="xx-unknown-unknown"), tmp_path)
    (tmp_path / "model").mkdir()
    with pytest.raises(UsageError, match="there is such a folder already"):
        built(texts, tmp_path)
    monkeypatch.setattr(settings, "_MODULES", ("no_such_torch",))
    with pytest.raises(MissingExtra, match=r"tenbin\[neural\]"):
        build_context(texts, str(tmp_path / "free"), LITTLE)


def test_a_test_set(tmp_path: Path) -> None:
    for part, name, lines in (
        ("references", "de-en.refA.txt", REFERENCES),
        ("references", "de-en.refB.txt", REFERENCES),
        ("sources", "de-en.txt", SOURCES),
        ("system-outputs/de-en", "one.txt", REFERENCES),
    ):
        (tmp_path / part).mkdir(parents=True, exist_ok=True)
        write_lines(tmp_path / part / name, lines)
    found = texts_of_set(str(tmp_path), "de-en")
    assert (found.language, found.source_language) == ("en", "de")
    assert [Path(path).name for path in found.references] == ["de-en.refA.txt"]
    assert found.notes == ("trained on refA; also available: refB (`references`).",)
    assert len(texts_of_set(str(tmp_path), "de-en", ["refA", "refB"]).references) == 2
    with pytest.raises(UsageError, match="has no reference refC"):
        texts_of_set(str(tmp_path), "de-en", ["refC"])
    (tmp_path / "sources" / "de-en.txt").unlink()
    with pytest.raises(InputError, match="there is no source text of de-en"):
        texts_of_set(str(tmp_path), "de-en")
    with pytest.raises(UnreadableFile, match="neither references nor outputs of fr-en"):
        texts_of_set(str(tmp_path), "fr-en")


def test_the_tokenizer_of_the_source_is_that_of_its_language(texts: ContextTexts) -> None:
    assert texts.tokens()["source_tokenizer"] == "13a"
    assert replace(texts, source_language="zh").tokens()["source_tokenizer"] == "jieba"
    assert replace(texts, source_tokenizer="char").tokens()["source_tokenizer"] == "char"
