"""Encoder checkpoints: found by name or path, and checked before they are loaded.

A checkpoint is a folder as transformers writes it: ``config.json``, weights in safetensors, and the
files of its tokenizer. Pickled weights are refused: opening one can run arbitrary code.
"""

import hashlib
import shutil
import tarfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any, TypeVar

from tenbin.core.errors import UnreadableFile
from tenbin.core.resource import ResourceIdentity, ResourceKind
from tenbin.formats.files import exists, user_path
from tenbin.formats.json_text import parse_json
from tenbin.formats.tensor_file import map_tensors
from tenbin.resources.hub_cache import find_hub_snapshot, is_hub_name
from tenbin.resources.store.store import ResourceStore, default_store

_Kind = TypeVar("_Kind", list[Any], dict[str, Any])

_CONFIG = "config.json"
_INDEX = "model.safetensors.index.json"
# Files that can change the output; others are documentation, or weights in other formats.
_TOKENIZER_FILES = (
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "vocab.txt",
    "vocab.json",
    "merges.txt",
    "sentencepiece.bpe.model",
    "spiece.model",
    "tokenizer.model",
)
# Of sentence-transformers: how the subwords of the last layer become one vector.
_MODULES, _POOLING = "modules.json", "1_Pooling/config.json"
_MODE = "pooling_mode_"
_PICKLES = ("pytorch_model*.bin", "*.pt", "*.pth", "*.ckpt")
_LAYER_KEYS = ("num_hidden_layers", "n_layers", "n_layer", "num_layers")
_ADVICE = "Expected a folder with config.json, model.safetensors and the files of a tokenizer."


@dataclass(frozen=True, slots=True, eq=False)
class Checkpoint:
    """The checkpoint of an encoder.

    Attributes:
        folder: Its folder.
        identity: Its identity; the fingerprint covers configuration, weights and tokenizer.
        config: The content of ``config.json``.
    """

    folder: Path
    identity: ResourceIdentity
    config: Mapping[str, Any]

    @property
    def layer_count(self) -> int:
        """Number of layers above the embeddings."""
        found = next((self.config[key] for key in _LAYER_KEYS if key in self.config), None)
        if type(found) is not int or found < 1:
            problem = "the number of layers is missing"
            raise UnreadableFile(str(self.folder / _CONFIG), problem, "Expected num_hidden_layers.")
        return found

    @property
    def pooling_modes(self) -> set[str]:
        """How sentence-transformers makes one vector of a text; empty if the folder says nothing.

        ``mean``, ``cls`` and other modes; and the kinds of further modules, such as ``Dense``, that
        change it afterwards.
        """
        listed = _optional_json(self.folder / _MODULES, list)
        kinds = [str(one.get("type", "")) for one in listed if isinstance(one, dict)]
        names = {kind.rpartition(".")[2] for kind in kinds}
        found = names - {"Transformer", "Pooling", "Normalize"}
        pooling = _optional_json(self.folder / _POOLING, dict)
        mode = pooling.get("pooling_mode")
        if isinstance(mode, str):
            return found | {mode}
        flags = {key for key, value in pooling.items() if value is True}
        modes = {key.removeprefix(_MODE) for key in flags if key.startswith(_MODE)}
        return found | {one.removesuffix("_tokens").removesuffix("_token") for one in modes}


def find_checkpoint(name: str, language: str, store: ResourceStore | None = None) -> Checkpoint:
    """Return the checkpoint of an encoder.

    Args:
        name: A resource of the manifest, the path of a folder, or ``owner/name`` of a model in the
            local cache of the Hugging Face Hub.
        language: The language of a folder, which has none of its own.
        store: The resource store; default: the user's.

    Raises:
        MissingResource: The resource is not installed, or the model not in the cache; the message
            has the command that fetches it.
        UnknownResource: There is neither a resource nor a folder of that name.
        UnreadableFile: The folder lacks something, or a file of it is damaged, or its weights are
            pickled.
    """
    store = default_store() if store is None else store
    if name not in {entry.name for entry in store.entries()}:
        path = user_path(name)
        if exists(path) and path.is_dir():
            return _own_folder(path.absolute(), language, store)
        if is_hub_name(name):
            snapshot = find_hub_snapshot(name)
            found = _own_folder(snapshot.folder, language, store)
            named = replace(found.identity, name=snapshot.name, version=snapshot.revision)
            return replace(found, identity=named)
    identity = store.identity(name, kind=ResourceKind.ENCODER, language=language)
    folder = store.prepared(name)
    return Checkpoint(folder, identity, _read_config(folder))


def prepare_checkpoint(source: Path, folder: Path) -> None:
    """Extract the files of an encoder from the tar in which it is stored."""
    with tarfile.open(source, "r:") as archive:
        for member in archive:
            # The store made this tar of regular files; nothing else in it is extracted.
            name = PurePosixPath(member.name).name
            content = archive.extractfile(member) if member.isfile() else None
            if content is not None:
                with (folder / name).open("xb") as stream:
                    shutil.copyfileobj(content, stream)
    _check_weights(folder)


def _own_folder(folder: Path, language: str, store: ResourceStore) -> Checkpoint:
    config = _read_config(folder)
    files = [folder / _CONFIG, *_check_weights(folder), *_tokenizer_files(folder)]
    prints = store.fingerprints
    listed = "".join(f"{file.name}\t{prints.fingerprint(file)}\n" for file in files)
    fingerprint = hashlib.sha256(listed.encode("utf-8", "surrogateescape")).hexdigest()
    identity = ResourceIdentity(
        folder.name, ResourceKind.ENCODER, "local", language, "unknown", fingerprint
    )
    return Checkpoint(folder, identity, config)


def _read_config(folder: Path) -> Mapping[str, Any]:
    path = folder / _CONFIG
    try:
        found = parse_json(path.read_bytes())
    except FileNotFoundError as error:
        raise UnreadableFile(str(folder), "there is no config.json in it", _ADVICE) from error
    except (OSError, ValueError) as error:
        raise UnreadableFile(str(path), f"cannot be read ({error})", _ADVICE) from error
    if not isinstance(found, dict):
        raise UnreadableFile(str(path), "is not a JSON object", _ADVICE)
    return found


def _optional_json(path: Path, kind: type[_Kind]) -> _Kind:
    """Return the content of a file that may be missing; `UnreadableFile` if it is of no use."""
    if not path.is_file():
        return kind()
    try:
        found = parse_json(path.read_bytes())
    except (OSError, ValueError) as error:
        raise UnreadableFile(str(path), f"cannot be read ({error})", _ADVICE) from error
    if not isinstance(found, kind):
        raise UnreadableFile(str(path), f"is not a JSON {kind.__name__}", _ADVICE)
    return found


def _check_weights(folder: Path) -> list[Path]:
    """Return the files of weights; raise `UnreadableFile` if one is missing or truncated."""
    if (folder / _INDEX).is_file():
        try:
            listed = parse_json((folder / _INDEX).read_bytes())["weight_map"]
            names = sorted({_file_name(name) for name in listed.values()})
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            problem = "is not an index of weights"
            raise UnreadableFile(str(folder / _INDEX), problem, _ADVICE) from error
        files = [folder / _INDEX, *(folder / name for name in names)]
    else:
        files = sorted(folder.glob("model.safetensors"))
    if not files:
        pickles = sorted(path.name for pattern in _PICKLES for path in folder.glob(pattern))
        if pickles:
            raise UnreadableFile(
                str(folder),
                f"its weights are pickled ({pickles[0]}), which can run arbitrary code when opened",
                "Use the model in safetensors format, or convert it if you trust it: "
                "transformers' save_pretrained writes model.safetensors.",
            )
        raise UnreadableFile(str(folder), "there is no model.safetensors in it", _ADVICE)
    for file in files:
        if file.suffix == ".safetensors":
            map_tensors(file)  # raises if the header does not match the file
    return files


def _file_name(name: object) -> str:
    found = PurePosixPath(name).name if isinstance(name, str) else ""
    if not found or "\0" in found:
        raise ValueError(f"{name!r} is not the name of a file")
    return found


def _tokenizer_files(folder: Path) -> list[Path]:
    found = [folder / name for name in _TOKENIZER_FILES if (folder / name).is_file()]
    if not {path.name for path in found} - {"tokenizer_config.json", "special_tokens_map.json"}:
        raise UnreadableFile(str(folder), "there is no tokenizer in it", _ADVICE)
    return found
