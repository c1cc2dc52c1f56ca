"""A cache of encoded texts on disk, keyed by text and by everything that can change the vectors.

There is a folder per encoder (model, layers, number type, versions); each run adds one file with
the texts it had to encode. The oldest files are removed when all files together exceed the limit. A
file has one checksum of its index, compared when it is opened, and one of each text, compared when
the text is used. A damaged file is removed with a warning, and its texts are encoded again.
"""

import hashlib
import json
import logging
import os
import tempfile
import zlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt
from platformdirs import user_cache_path

from tenbin.annotation.encoders.encoded import Encoding
from tenbin.core.errors import TenbinError, UsageError
from tenbin.formats.tensor_file import TensorFile, TensorWriter, map_tensors

FOLDER_VARIABLE = "TENBIN_ENCODINGS"
LIMIT_VARIABLE = "TENBIN_ENCODINGS_GB"

_DEFAULT_LIMIT_GB = 4.0
_MOST_FILES = 256  # per encoder; each is opened at the start of a run
_KEY_BYTES = 16
_SUFFIX = ".safetensors"
_FORMAT = "tenbin encodings 2"
_CHECK = "index"
_INDEX = ("bounds", "checks", "keys", "words")
_KINDS = {
    "vectors": "float32",
    "bounds": "int64",
    "pieces": "int32",
    "checks": "uint32",
    "keys": "uint8",
    "flags": "uint8",
    "words": "uint8",
}
_DAMAGE_ERRORS = (TenbinError, OSError, ValueError, KeyError, TypeError, AttributeError, IndexError)

_log = logging.getLogger(__name__)

SomePack = TypeVar("SomePack")


class _Pack:
    """One file of the cache: the texts that one run encoded.

    Raises:
        UnreadableFile: The file is damaged.
        ValueError: The file is damaged.
    """

    def __init__(self, file: TensorFile) -> None:
        self._tensors = file.tensors
        found = {name: self._tensors[name].dtype.name for name in _KINDS}
        index = [self._tensors[name] for name in _INDEX]
        if found != _KINDS or file.metadata.get(_CHECK) != _index_checksum(*index):
            raise ValueError("the index of the file is damaged")
        words = json.loads(bytes(self._tensors["words"]))
        self.words: dict[int, str] = {int(number): word for number, word in words.items()}
        self.places = {bytes(key): place for place, key in enumerate(self._tensors["keys"])}
        rows = {len(self._tensors[name]) for name in ("vectors", "pieces", "flags")}
        if rows != {int(self._tensors["bounds"][-1])} or self._tensors["vectors"].ndim != 2:  # noqa: PLR2004 - a matrix
            raise ValueError("the tensors of the file do not fit together")

    def encoding(self, key: bytes) -> Encoding | None:
        """Return the encoding of a text, or None if it is damaged."""
        place = self.places[key]
        start, stop = self._tensors["bounds"][place : place + 2].tolist()
        parts = (self._tensors[name][start:stop] for name in ("vectors", "pieces", "flags"))
        found = Encoding(*parts)
        return found if _checksum(key, found) == self._tensors["checks"][place] else None


class PackFolder(Generic[SomePack]):
    """The files of a cache in one folder, opened as they appear, with a limit on all of them.

    The limit is for all folders beside it as well.
    """

    def __init__(
        self, root: Path, key: str, limit_bytes: float, opened: Callable[[Path], SomePack | None]
    ) -> None:
        """Name a folder.

        Args:
            root: The folder of all caches.
            key: Everything that determines what is cached.
            limit_bytes: How large all files together may be.
            opened: Opens a file; None for one of another version.
        """
        self._root = root
        self._folder = root / hashlib.sha256(key.encode()).hexdigest()[:32]
        self.limit_bytes = limit_bytes
        self._opened = opened
        self._packs: dict[Path, SomePack] = {}

    def packs(self) -> list[tuple[Path, SomePack]]:
        """Return the files that are there now."""
        there = set(self._folder.glob(f"*{_SUFFIX}"))
        self._packs = {path: pack for path, pack in self._packs.items() if path in there}
        for path in sorted(there - self._packs.keys()):
            try:
                pack = self._opened(path)
                if pack is not None:
                    self._packs[path] = pack
            except _DAMAGE_ERRORS:
                if path.exists():  # not one that another process has just removed
                    self.discard(path)
        return list(self._packs.items())

    def used(self, path: Path) -> None:
        """Note that a file was of use: its age is the time since then."""
        with suppress(OSError):
            os.utime(path)

    def discard(self, path: Path) -> None:
        """Remove a damaged file."""
        _log.warning(
            "note: a file of the cache of encodings was damaged; its texts are encoded again (%s).",
            path,
        )
        self._packs.pop(path, None)
        with suppress(OSError):
            path.unlink()

    def add(self, write: Callable[[Path], None]) -> None:
        """Add a file; on a full or read-only disk nothing is written, without an error."""
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(prefix=".", dir=self._folder)
            os.close(handle)
            temporary = Path(name)
            try:
                write(temporary)
                temporary.replace(self._folder / f"{temporary.name.lstrip('.')}{_SUFFIX}")
            except BaseException:
                temporary.unlink(missing_ok=True)
                raise
            self._remove_oldest()

    def _remove_oldest(self) -> None:
        files = [(path, path.stat()) for path in self._root.glob(f"*/*{_SUFFIX}")]
        files.sort(key=lambda one: one[1].st_mtime_ns, reverse=True)
        total, own = 0, 0
        for path, state in files:
            total += state.st_size
            own += path.parent == self._folder
            if total > self.limit_bytes or (path.parent == self._folder and own > _MOST_FILES):
                with suppress(OSError):
                    path.unlink()


class EncodingCache:
    """The cached encodings of one encoder."""

    def __init__(self, root: Path, encoder: str, limit_bytes: float) -> None:
        self._files = PackFolder(root, encoder, limit_bytes, _opened_pack)

    def find(self, texts: Sequence[str]) -> tuple[dict[int, Encoding], dict[int, str]]:
        """Return the cached encodings by position in ``texts``, and the subwords by id."""
        keys = [text_key(text) for text in texts]
        found: dict[int, Encoding] = {}
        words: dict[int, str] = {}
        for path, pack in self._files.packs():
            wanted = [
                place for place, key in enumerate(keys) if place not in found and key in pack.places
            ]
            encodings = {place: pack.encoding(keys[place]) for place in wanted}
            sound = {place: one for place, one in encodings.items() if one is not None}
            found |= sound
            if len(sound) < len(wanted):
                self._files.discard(path)
            if sound:
                words |= pack.words
                self._files.used(path)
        return found, words

    def store(self, texts: Sequence[str], made: Sequence[Encoding], words: dict[int, str]) -> None:
        """Write encodings; on a full or read-only disk nothing is written, without an error."""
        size = sum(one.vectors.nbytes for one in made)
        if texts and size <= self._files.limit_bytes:
            self._files.add(lambda path: _write_pack(path, texts, made, words))


def _opened_pack(path: Path) -> _Pack | None:
    file = map_tensors(path)
    return _Pack(file) if file.metadata.get("format") == _FORMAT else None


class CachePlace(NamedTuple):
    """Where caches are, and how large they may be.

    Attributes:
        root: Their folder.
        limit_bytes: How large all files together may be.
    """

    root: Path
    limit_bytes: float


def cache_place() -> CachePlace | None:
    """Return where caches of encodings are; None if the limit is 0.

    The variable ``TENBIN_ENCODINGS`` moves the folder, ``TENBIN_ENCODINGS_GB`` sets the limit.
    """
    named = os.environ.get(FOLDER_VARIABLE, "")
    folder = Path(named) if named else user_cache_path("tenbin") / "encodings"
    written = os.environ.get(LIMIT_VARIABLE, "") or str(_DEFAULT_LIMIT_GB)
    try:
        limit = float(written)
    except ValueError as error:
        raise UsageError(
            f"{LIMIT_VARIABLE}={written!r} is not a number of gigabytes; write 4, or 0 for no "
            "cache."
        ) from error
    if not limit > 0:
        return None
    return CachePlace(folder.expanduser().absolute(), limit * 1e9)


def default_encoding_cache(encoder: str) -> EncodingCache | None:
    """Return the cache of an encoder; None if the limit is 0."""
    place = cache_place()
    return None if place is None else EncodingCache(place.root, encoder, place.limit_bytes)


def text_key(text: str) -> bytes:
    """Return what a text is found by."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:_KEY_BYTES]


def _checksum(key: bytes, one: Encoding) -> int:
    found = zlib.crc32(key)
    for part in (one.vectors, one.subwords, one.flags):
        found = zlib.crc32(np.ascontiguousarray(part).data, found)
    return found


def _index_checksum(*arrays: npt.NDArray[Any]) -> str:
    found = 0
    for array in arrays:
        found = zlib.crc32(f"{array.shape}".encode(), found)
        found = zlib.crc32(np.ascontiguousarray(array).data if array.size else b"", found)
    return f"{found:08x}"


def _write_pack(
    path: Path, texts: Sequence[str], made: Sequence[Encoding], words: dict[int, str]
) -> None:
    bounds = np.concatenate([[0], np.cumsum([len(one) for one in made])]).astype(np.int64)
    keys = [text_key(text) for text in texts]
    checks = [_checksum(key, one) for key, one in zip(keys, made, strict=True)]
    spelled = json.dumps(words, ensure_ascii=True).encode()
    index: dict[str, npt.NDArray[Any]] = {
        "bounds": bounds,
        "checks": np.array(checks, dtype=np.uint32),
        "keys": np.frombuffer(b"".join(keys), dtype=np.uint8).reshape(-1, _KEY_BYTES),
        "words": np.frombuffer(spelled, dtype=np.uint8),
    }
    with TensorWriter(path) as writer:
        for one in made:
            writer.extend("vectors", one.vectors)
        writer.extend("bounds", index["bounds"])
        writer.extend("pieces", np.concatenate([one.subwords for one in made]))
        writer.extend("checks", index["checks"])
        writer.extend("keys", index["keys"])
        writer.extend("flags", np.concatenate([one.flags for one in made]))
        writer.extend("words", index["words"])
        checksum = _index_checksum(*(index[name] for name in _INDEX))
        writer.finish({"format": _FORMAT, _CHECK: checksum})
