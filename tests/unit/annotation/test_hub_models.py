"""Models in the local cache of the Hugging Face Hub: found by name, never fetched."""

import json
import socket
import sys
from pathlib import Path
from typing import Any

import pytest

from tenbin.annotation.encoders import loading
from tenbin.annotation.encoders.loading import EncoderChoice, load_encoder
from tenbin.annotation.encoders.settings import View
from tenbin.core.errors import MissingResource, ResourceError, UnreadableFile, UsageError
from tenbin.metrics import registry
from tenbin.resources.checkpoints import find_checkpoint
from tenbin.resources.hub_cache import fetch_command, find_hub_snapshot, hub_folder, is_hub_name

REVISION = "0123456789abcdef0123456789abcdef01234567"
OTHER = "fedcba9876543210fedcba9876543210fedcba98"
NAME = "some-owner/bert.tiny_v1"


@pytest.fixture
def entry(tmp_path: Path, tiny_model: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The entry of a model in a cache: links to blobs, as huggingface_hub makes them."""
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.chdir(tmp_path)
    return filled(tmp_path / "hub" / "models--some-owner--bert.tiny_v1", tiny_model)


def filled(entry: Path, model: Path, revision: str = REVISION) -> Path:
    snapshot = entry / "snapshots" / revision
    for folder in (snapshot, entry / "blobs", entry / "refs"):
        folder.mkdir(parents=True, exist_ok=True)
    (entry / "refs" / "main").write_text(revision, encoding="utf-8")
    for path in model.iterdir():
        blob = entry / "blobs" / f"{revision[:4]}{path.name}"
        blob.write_bytes(path.read_bytes())
        (snapshot / path.name).symlink_to(Path("..", "..", "blobs", blob.name))
    return entry


@pytest.fixture
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: Any, **__: Any) -> None:
        raise AssertionError("the network was used")

    monkeypatch.setattr(socket.socket, "connect", refused)
    monkeypatch.setattr(socket, "getaddrinfo", refused)
    monkeypatch.setattr(socket, "create_connection", refused)


@pytest.mark.usefixtures("_no_network")
def test_a_model_is_opened_by_its_name_without_a_network(entry: Path, tiny_model: Path) -> None:
    loading._cached.clear()
    found = load_encoder(EncoderChoice(model=NAME, language="en", view=View((2,))))
    folder = load_encoder(EncoderChoice(model=str(tiny_model), language="en", view=View((2,))))
    own, other = found.encode(["the cat sat"]), folder.encode(["the cat sat"])
    assert (own.units == other.units).all()
    identity = found.identity
    assert identity.name == f"{NAME}@{REVISION[:12]}"
    assert identity.version == REVISION
    assert identity.fingerprint == folder.identity.fingerprint
    signature = str(registry.load(f'bertscore(model="{NAME}")').bind("en").signature())
    assert f"model:{NAME}@{REVISION[:12]}" in signature
    assert f"{NAME}@{REVISION[:12]}={identity.fingerprint[:16]}" in signature
    # What a signature says is understood again.
    assert find_checkpoint(identity.name, "en").identity == identity
    assert find_checkpoint(NAME, "en").folder == entry / "snapshots" / REVISION


@pytest.mark.usefixtures("_no_network")
def test_what_is_not_there_is_not_fetched_but_the_command_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    with pytest.raises(MissingResource) as caught:
        registry.load('bertscore(model="tohoku-nlp/bert-base-japanese-v3")').bind("ja")
    said = str(caught.value)
    assert "hf download tohoku-nlp/bert-base-japanese-v3 --include '*.json'" in said
    assert "copy the folder models--tohoku-nlp--bert-base-japanese-v3" in said
    assert str(tmp_path / "hub") in said
    assert "neither a folder here" in said


def test_a_folder_of_the_same_name_comes_first(
    entry: Path, tmp_path: Path, tiny_model: Path
) -> None:
    assert entry.is_dir()
    folder = tmp_path / NAME
    folder.parent.mkdir()
    folder.symlink_to(tiny_model, target_is_directory=True)
    found = find_checkpoint(NAME, "en")
    assert found.folder == folder
    assert found.identity.version == "local"


def test_revisions_are_chosen_by_main_or_by_name(entry: Path, tiny_model: Path) -> None:
    filled(entry, tiny_model, OTHER)
    assert find_hub_snapshot(NAME).revision == OTHER
    assert find_hub_snapshot(f"{NAME}@{REVISION[:7]}").revision == REVISION
    (entry / "refs" / "main").unlink()
    with pytest.raises(UsageError, match=rf"several revisions.*{NAME}@{REVISION[:12]}"):
        find_hub_snapshot(NAME)
    with pytest.raises(MissingResource, match=r"no such revision.*--revision 7777777 "):
        find_hub_snapshot(f"{NAME}@7777777")
    (entry / "refs" / "main").write_text("../../etc", encoding="utf-8")
    with pytest.raises(UnreadableFile, match="does not name a revision"):
        find_hub_snapshot(NAME)


def test_pickled_weights_and_half_an_entry_are_refused(entry: Path) -> None:
    weights = entry / "snapshots" / REVISION / "model.safetensors"
    weights.unlink()
    with pytest.raises(UnreadableFile, match=r"no model\.safetensors"):
        find_checkpoint(NAME, "en")
    (weights.parent / "pytorch_model.bin").write_bytes(b"\x80\x04.")
    with pytest.raises(UnreadableFile, match=r"pickled \(pytorch_model\.bin\).*safetensors"):
        find_checkpoint(NAME, "en")
    (weights.parent / "config.json").unlink()
    with pytest.raises(UnreadableFile, match=r"no config\.json"):
        find_checkpoint(NAME, "en")
    weights.parent.joinpath("config.json").symlink_to(entry / "blobs" / "gone")
    with pytest.raises(UnreadableFile, match=r"no config\.json"):
        find_checkpoint(NAME, "en")


def test_names_of_the_hub_are_told_from_paths() -> None:
    for name in ("a/b", NAME, f"{NAME}@{REVISION}", "A1/b-2.c_3"):
        assert is_hub_name(name), name
    for name in (
        "a",
        "a/b/c",
        "./b",
        "../b",
        "/a/b",
        "~/b",
        "a/",
        "a b/c",
        "a/b--c",
        "a/é",
        "a\\b/c",
    ):
        assert not is_hub_name(name), name
    assert not is_hub_name(f"a/{'b' * 100}")


def test_the_place_of_the_cache_is_that_of_the_library() -> None:
    home = Path.home() / ".cache" / "huggingface" / "hub"
    assert hub_folder({}) == home
    assert hub_folder({"XDG_CACHE_HOME": "/x"}) == Path("/x/huggingface/hub")
    assert hub_folder({"HF_HOME": "/h", "XDG_CACHE_HOME": "/x"}) == Path("/h/hub")
    assert hub_folder({"HF_HUB_CACHE": "~/c", "HF_HOME": "/h"}) == Path.home() / "c"
    constants = pytest.importorskip("huggingface_hub.constants")
    assert str(hub_folder()) == constants.HF_HUB_CACHE
    assert fetch_command("a/b").startswith("hf download a/b --include")


def test_a_tokenizer_that_needs_another_package_says_which(
    entry: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "fugashi", None)
    snapshot = entry / "snapshots" / REVISION
    for name in ("tokenizer.json", "tokenizer_config.json"):
        (snapshot / name).unlink(missing_ok=True)
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "猫"]
    (snapshot / "vocab.txt").unlink(missing_ok=True)
    (snapshot / "vocab.txt").write_text("\n".join(words), encoding="utf-8")
    config = {"tokenizer_class": "BertJapaneseTokenizer", "word_tokenizer_type": "mecab"}
    (snapshot / "tokenizer_config.json").write_text(json.dumps(config), encoding="utf-8")
    encoder = load_encoder(EncoderChoice(model=NAME, language="ja", view=View((1,))))
    with pytest.raises(ResourceError, match=r"fugashi.*Run: pip install fugashi unidic-lite"):
        encoder.tokenize(["猫"])
