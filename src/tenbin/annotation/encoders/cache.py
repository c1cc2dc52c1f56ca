"""A cache of encoded texts on disk, keyed by text and by everything that can change the vectors.

There is a folder per encoder (model, layers, number type, versions); each run adds one file with
the texts it had to encode. The oldest files are removed when all files together exceed the limit. A
damaged file counts as missing.
"""

import hashlib
import json
import os
import tempfile
import zlib
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np
from platformdirs import user_cache_path

from tenbin.annotation.encoders.encoded import Encoding
from tenbin.core.errors import TenbinError, UsageError
from tenbin.formats.tensor_file import TensorWriter, map_tensors

FOLDER_VARIABLE = "TENBIN_ENCODINGS"
LIMIT_VARIABLE = "TENBIN_ENCODINGS_GB"

_DEFAULT_LIMIT_GB = 4.0
_MOST_FILES = 256  # per encoder; each is opened at the start of a run
_KEY_BYTES = 16
_SUFFIX = ".safetensors"


class _Pack:
    """One file of the cache: the texts that one run encoded."""

    def __init__(self, path: Path) -> None:
        file = map_tensors(path)
        self._tensors = file.tensors
        self.path = path
        self.words: dict[int, str] = {
            int(number): word for number, word in json.loads(bytes(file.tensors["words"])).items()
        }
        self.places = {bytes(key): place for place, key in enumerate(file.tensors["keys"])}
        bounds = file.tensors["bounds"]
        if len(bounds) != len(self.places) + 1 or bounds[-1] != len(file.tensors["vectors"]):
            raise ValueError("the tensors of the file do not fit together")

    def encoding(self, place: int) -> Encoding | None:
        """Return the text at a position, or None if it is damaged."""
        start, stop = self._tensors["bounds"][place : place + 2].tolist()
        parts = (self._tensors[name][start:stop] for name in ("vectors", "pieces", "flags"))
        found = Encoding(*parts)
        return found if _checksum(found) == self._tensors["checks"][place] else None


class EncodingCache:
    """The cached encodings of one encoder."""

    def __init__(self, root: Path, encoder: str, limit_bytes: float) -> None:
        self._root = root
        self._folder = root / hashlib.sha256(encoder.encode()).hexdigest()[:32]
        self._limit = limit_bytes
        self._packs: dict[Path, _Pack] = {}

    def find(self, texts: Sequence[str]) -> tuple[dict[int, Encoding], dict[int, str]]:
        """Return the cached encodings by position in ``texts``, and the subwords by id."""
        self._open_new()
        keys = [_key(text) for text in texts]
        found: dict[int, Encoding] = {}
        words: dict[int, str] = {}
        for pack in self._packs.values():
            used = False
            for place, key in enumerate(keys):
                if place not in found and key in pack.places:
                    encoding = pack.encoding(pack.places[key])
                    if encoding is not None:
                        found[place] = encoding
                        used = True
            if used:
                words |= pack.words
                with suppress(OSError):
                    os.utime(pack.path)  # the age of a file is the time since its last use
        return found, words

    def store(self, texts: Sequence[str], made: Sequence[Encoding], words: dict[int, str]) -> None:
        """Write encodings; on a full or read-only disk nothing is written, without an error."""
        size = sum(one.vectors.nbytes for one in made)
        if not texts or size > self._limit:
            return
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(prefix=".", dir=self._folder)
            os.close(handle)
            temporary = Path(name)
            try:
                _write_pack(temporary, texts, made, words)
                temporary.replace(self._folder / f"{temporary.name.lstrip('.')}{_SUFFIX}")
            except BaseException:
                temporary.unlink(missing_ok=True)
                raise
            self._remove_oldest()

    def _open_new(self) -> None:
        there = set(self._folder.glob(f"*{_SUFFIX}"))
        self._packs = {path: pack for path, pack in self._packs.items() if path in there}
        for path in sorted(there - self._packs.keys()):
            with suppress(TenbinError, OSError, ValueError, KeyError, TypeError):
                self._packs[path] = _Pack(path)

    def _remove_oldest(self) -> None:
        files = [(path, path.stat()) for path in self._root.glob(f"*/*{_SUFFIX}")]
        files.sort(key=lambda one: one[1].st_mtime_ns, reverse=True)
        total, own = 0, 0
        for path, state in files:
            total += state.st_size
            own += path.parent == self._folder
            if total > self._limit or (path.parent == self._folder and own > _MOST_FILES):
                with suppress(OSError):
                    path.unlink()


def default_encoding_cache(encoder: str) -> EncodingCache | None:
    """Return the cache of an encoder; None if the limit is 0.

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
    return EncodingCache(folder.expanduser().absolute(), encoder, limit * 1e9)


def _key(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:_KEY_BYTES]


def _checksum(one: Encoding) -> int:
    found = 0
    for part in (one.vectors, one.subwords, one.flags):
        found = zlib.crc32(np.ascontiguousarray(part).data, found)
    return found


def _write_pack(
    path: Path, texts: Sequence[str], made: Sequence[Encoding], words: dict[int, str]
) -> None:
    bounds = np.concatenate([[0], np.cumsum([len(one) for one in made])])
    keys = np.frombuffer(b"".join(map(_key, texts)), dtype=np.uint8).reshape(-1, _KEY_BYTES)
    with TensorWriter(path) as writer:
        for one in made:
            writer.extend("vectors", one.vectors)
        writer.extend("bounds", bounds.astype(np.int64))
        writer.extend("pieces", np.concatenate([one.subwords for one in made]))
        writer.extend("checks", np.array(list(map(_checksum, made)), dtype=np.uint32))
        writer.extend("keys", keys)
        writer.extend("flags", np.concatenate([one.flags for one in made]))
        spelled = json.dumps(words, ensure_ascii=True).encode()
        writer.extend("words", np.frombuffer(spelled, dtype=np.uint8))
        writer.finish({"format": "tenbin encodings 1"})
