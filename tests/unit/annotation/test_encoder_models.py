"""A model as an encoder: its vectors, and every way in which its folder can be wrong."""

import json
import shutil
import socket
import subprocess
import sys
import tarfile
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tenbin.annotation.encoders import context_encoder, loading
from tenbin.annotation.encoders.encoded import Encoder, SubwordFlag
from tenbin.annotation.encoders.loading import EncoderChoice, load_encoder
from tenbin.annotation.encoders.settings import Device, NumberType, Pooling, View
from tenbin.core.errors import InputError, MissingExtra, UnreadableFile, UsageError
from tenbin.resources.checkpoints import prepare_checkpoint

TEXTS = ("the cat sat on the mat", "a big dog", "", "the houses", "a big dog sat", "cats")
LONG = "the cat sat on a big mat " * 12  # 84 words, where the model takes 22 at once


def choice(model: Path, **changes: Any) -> EncoderChoice:
    settings: dict[str, Any] = {"model": str(model), "language": "en", "view": View((2,))}
    return EncoderChoice(**(settings | changes))


def fresh(model: Path, **changes: Any) -> Encoder:
    """Return an encoder that has nothing in memory."""
    loading._cached.clear()
    return load_encoder(choice(model, **changes))


def vectors_of(encoder: Encoder, *texts: str) -> list[Any]:
    encoded = encoder.encode(texts)
    return [encoded.units[encoded.rows.row(place)] for place in range(len(texts))]


def states_of(model: Path, text: str) -> Any:
    """Return all hidden states of a text, computed by transformers in the plainest way."""
    torch, transformers = import_module("torch"), import_module("transformers")
    cutter = transformers.AutoTokenizer.from_pretrained(model)
    network = transformers.AutoModel.from_pretrained(model).eval()
    with torch.no_grad():
        output = network(**cutter(text, return_tensors="pt"), output_hidden_states=True)
    return [state[0].numpy() for state in output.hidden_states]


def units(vectors: Any) -> Any:
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


@pytest.mark.parametrize("layer", [0, 1, 2, 3])
def test_vectors_of_a_layer_are_those_of_transformers(tiny_model: Path, layer: int) -> None:
    (found,) = vectors_of(fresh(tiny_model, view=View((layer,))), TEXTS[0])
    np.testing.assert_allclose(found, units(states_of(tiny_model, TEXTS[0])[layer]), atol=2e-6)


def test_layers_are_pooled(tiny_model: Path) -> None:
    states = np.stack(states_of(tiny_model, TEXTS[0]))[1:4]
    (mean,) = vectors_of(fresh(tiny_model, view=View((1, 2, 3))), TEXTS[0])
    np.testing.assert_allclose(mean, units(states.mean(axis=0)), atol=2e-6)
    (extremes,) = vectors_of(fresh(tiny_model, view=View((1, 2, 3), Pooling.EXTREMES)), TEXTS[0])
    parts = [states.min(axis=0), states.mean(axis=0), states.max(axis=0)]
    np.testing.assert_allclose(extremes, units(np.concatenate(parts, axis=1)), atol=2e-6)


@pytest.mark.parametrize("number_type", [NumberType.FLOAT32, NumberType.INT8])
def test_a_text_has_the_same_vectors_in_any_batch(
    tiny_model: Path, number_type: NumberType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TENBIN_ENCODINGS_GB", "0")
    encoder = fresh(tiny_model, number_type=number_type)
    together = vectors_of(encoder, *TEXTS, LONG)
    for text, whole in zip((*TEXTS, LONG), together, strict=True):
        encoder = fresh(tiny_model, number_type=number_type)
        (alone,) = vectors_of(encoder, text)
        np.testing.assert_array_equal(alone, whole)


def test_subwords_and_their_flags(tiny_model: Path) -> None:
    encoded = fresh(tiny_model).encode(["  Cats sat é ", ""])
    assert encoded.tokens(0) == ("[CLS]", "cat", "##s", "sat", "e", "[SEP]")
    assert encoded.tokens(1) == ("[CLS]", "[SEP]")
    first = encoded.rows.row(0)
    assert encoded.having(SubwordFlag.SPECIAL)[first].tolist() == [True, *[False] * 4, True]
    assert encoded.having(SubwordFlag.CONTINUES)[first].nonzero()[0].tolist() == [2]
    assert fresh(tiny_model).tokenize(["cats", "dog"]) == [["cat", "##s"], ["dog"]]


def test_a_long_text_is_not_cut_off(tiny_model: Path) -> None:
    encoder = fresh(tiny_model)
    encoded = encoder.encode([LONG, "the cat"])
    assert encoded.tokens(0) == ("[CLS]", *LONG.split(), "[SEP]")
    (note,) = encoder.notes(encoded)
    assert note.startswith("1 text is longer than 'tiny' takes at once: encoded in windows")
    # Where one window ends before the text does, the next one has taken over.
    (vectors,) = vectors_of(encoder, LONG)
    assert np.abs(vectors[1:8] - vectors[8:15]).max() > 1e-3
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)


@pytest.mark.parametrize(
    "text", ["x" * 5000, "猫が座る", "🙂🙂 cat", "\ud800 cat", "\0", "[SEP] cat", "a\tb\u3000c"]
)
def test_any_text_is_encoded(tiny_model: Path, text: str) -> None:
    encoded = fresh(tiny_model).encode([text])
    assert np.isfinite(encoded.units).all()
    assert encoded.tokens(0)[0] == "[CLS]"


def test_a_model_of_another_language_is_reported(tiny_model: Path) -> None:
    encoder = fresh(tiny_model)
    with pytest.raises(InputError, match="100% of the subwords of the texts are unknown to 'tiny'"):
        encoder.notes(encoder.encode(["猫が座る"]))
    (note,) = encoder.notes(encoder.encode(["the cat sat on the 猫"]))
    assert "17% of the subwords of the texts are unknown" in note


def test_each_text_is_run_once_and_never_again(
    tiny_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder = fresh(tiny_model)
    run: list[int] = []
    model = encoder._model  # type: ignore[attr-defined]
    vectors = model.vectors

    def counted(rows: list[Any]) -> Any:
        run.append(len(rows))
        return vectors(rows)

    monkeypatch.setattr(model, "vectors", counted)
    first = vectors_of(encoder, "the cat", " the cat", "a dog", "the cat")
    assert run == [2]
    vectors_of(encoder, "the cat", "a mat")
    assert run == [2, 1]

    # Another run: all is on disk, and neither the model nor its tokenizer is opened.
    def refused(*_: object) -> None:
        raise AssertionError("the model was opened")

    for name in ("SubwordTokenizer", "LayeredModel"):
        monkeypatch.setattr(context_encoder, name, refused)
    again = fresh(tiny_model)
    for one, other in zip(first, vectors_of(again, "the cat", "the cat", "a dog"), strict=False):
        np.testing.assert_array_equal(one, other)
    with pytest.raises(AssertionError, match="was opened"):
        again.encode(["something new"])


def test_no_network_is_touched(tiny_model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        raise AssertionError("a connection was tried")

    monkeypatch.setattr(socket.socket, "connect", refused)
    monkeypatch.setattr(socket, "getaddrinfo", refused)
    assert len(vectors_of(fresh(tiny_model), "the cat")[0]) == 4


def test_numbers_of_8_and_16_bits_are_near(tiny_model: Path) -> None:
    (exact,) = vectors_of(fresh(tiny_model), TEXTS[0])
    for number_type, least in ((NumberType.INT8, 0.995), (NumberType.BFLOAT16, 0.998)):
        (rounded,) = vectors_of(fresh(tiny_model, number_type=number_type), TEXTS[0])
        cosines = (exact * rounded).sum(axis=1)
        assert least < cosines.min()
        assert cosines.min() < 1 - 1e-7, "it was not rounded"


def test_a_layer_that_is_not_there_is_refused(tiny_model: Path) -> None:
    with pytest.raises(UsageError, match="'tiny' has no layer 4: it has 3, counted from 1"):
        load_encoder(choice(tiny_model, view=View((4,))))
    with pytest.raises(UsageError, match="int8"):
        load_encoder(choice(tiny_model, number_type=NumberType.INT8, device=Device.CUDA))


@pytest.fixture
def folder(tiny_model: Path, tmp_path: Path) -> Path:
    """A copy to be damaged."""
    return Path(shutil.copytree(tiny_model, tmp_path / "copy"))


def test_a_pickle_is_refused(folder: Path) -> None:
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    with pytest.raises(UnreadableFile, match=r"its weights are pickled \(pytorch_model.bin\)"):
        load_encoder(choice(folder))


@pytest.mark.parametrize("name", ["config.json", "model.safetensors"])
def test_a_missing_file_is_named(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(UnreadableFile, match=f"there is no {name} in it"):
        load_encoder(choice(folder))


def test_a_missing_tokenizer_is_reported(folder: Path) -> None:
    (folder / "tokenizer.json").unlink()
    with pytest.raises(UnreadableFile, match="there is no tokenizer in it"):
        load_encoder(choice(folder))


def test_cut_off_weights_are_refused(folder: Path) -> None:
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-100])
    with pytest.raises(
        UnreadableFile, match=r"model.safetensors: the file is damaged or truncated"
    ):
        load_encoder(choice(folder))


def test_a_damaged_tokenizer_is_refused(folder: Path) -> None:
    (folder / "tokenizer.json").write_text("{}")
    with pytest.raises(UnreadableFile, match="its tokenizer cannot be opened"):
        load_encoder(choice(folder)).encode(["the cat"])


@pytest.mark.parametrize("size", [200, 70])
def test_a_tokenizer_of_another_model_is_refused(folder: Path, size: int) -> None:
    content = json.loads((folder / "tokenizer.json").read_text())
    words = content["model"]["vocab"]
    more = {f"word{number}": number for number in range(len(words), size)}
    content["model"]["vocab"] = dict([*words.items(), *more.items()][:size])
    (folder / "tokenizer.json").write_text(json.dumps(content))
    message = f"its tokenizer has {size} subwords, its model vectors for"
    with pytest.raises(UnreadableFile, match=message):
        load_encoder(choice(folder)).encode(["the cat"])


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf])
def test_weights_that_are_no_numbers_are_refused(folder: Path, wrong: float) -> None:
    tensors = import_module("safetensors.numpy")
    weights = dict(tensors.load_file(folder / "model.safetensors"))
    weights["encoder.layer.1.output.dense.weight"][2, 3] = wrong
    tensors.save_file(weights, folder / "model.safetensors", {"format": "pt"})
    with pytest.raises(UnreadableFile, match="some weights are not finite numbers"):
        load_encoder(choice(folder)).encode(["the cat"])


def test_weights_of_another_model_are_refused(folder: Path) -> None:
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"num_hidden_layers": 5}))
    with pytest.raises(UnreadableFile, match=r"weights are missing: encoder\.layer\.3"):
        load_encoder(choice(folder)).encode(["the cat"])
    (folder / "config.json").write_text(json.dumps(config | {"hidden_size": 64}))
    with pytest.raises(UnreadableFile, match="the model cannot be opened"):
        load_encoder(choice(folder)).encode(["the cat"])
    (folder / "config.json").write_text(json.dumps({"model_type": "bert"}))
    with pytest.raises(UnreadableFile, match="the number of layers is missing"):
        load_encoder(choice(folder))
    (folder / "config.json").write_text("[1")
    with pytest.raises(UnreadableFile, match=r"config\.json: cannot be read"):
        load_encoder(choice(folder))


def test_a_change_of_any_file_is_another_model(folder: Path, tiny_model: Path) -> None:
    before = load_encoder(choice(folder)).identity
    assert before.fingerprint == load_encoder(choice(tiny_model)).identity.fingerprint
    for name in ("config.json", "tokenizer_config.json"):
        content = json.loads((folder / name).read_text())
        (folder / name).write_text(json.dumps(content | {"note": name}))
        after = load_encoder(choice(folder)).identity
        assert after.fingerprint != before.fingerprint
        before = after


def test_a_stored_tar_becomes_a_folder(tiny_model: Path, tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "model.tar", "w") as archive:
        for path in sorted(tiny_model.iterdir()):
            archive.add(path, path.name)
        away = tarfile.TarInfo("link")
        away.type, away.linkname = tarfile.SYMTYPE, "/etc/hostname"
        archive.addfile(away)
    folder = tmp_path / "made"
    folder.mkdir()
    prepare_checkpoint(tmp_path / "model.tar", folder)
    assert {path.name for path in folder.iterdir()} == {path.name for path in tiny_model.iterdir()}
    made, original = (load_encoder(choice(one)).identity for one in (folder, tiny_model))
    assert made.fingerprint == original.fingerprint


def test_without_the_extra_the_message_names_it(
    tiny_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = "tenbin.annotation.encoders.settings"
    monkeypatch.setattr(f"{found}._MODULES", ("torch", "no_such_module"))
    with pytest.raises(MissingExtra, match=r"the model 'tiny' .*tenbin\[neural\].*static:VECTORS"):
        load_encoder(choice(tiny_model))


def test_import_tenbin_and_static_vectors_load_no_framework() -> None:
    code = (
        "import sys, tenbin\n"
        "tenbin.score(['a cat'], ['the cat'], metrics=['bertscore(model=\"static:glove-en-small\")'"
        "], language='en')\n"
        "assert not {'torch', 'transformers', 'tokenizers'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
