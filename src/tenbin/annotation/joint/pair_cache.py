"""A cache of what pairs of texts scored, beside that of encoded texts and within its limit."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tenbin.annotation.encoders.cache import PackFolder, cache_place, text_key
from tenbin.core.arrays import FloatArray
from tenbin.formats.tensor_file import TensorWriter, check_tensors, map_tensors

Pair = tuple[str, str]
"""A hypothesis and a reference."""

_FORMAT = "tenbin pairs 1"


class PairCache:
    """The cached values of pairs, some numbers for each."""

    def __init__(self, root: Path, key: str, limit_bytes: float) -> None:
        """Name a cache.

        Args:
            root: The folder of all caches.
            key: Everything that determines the values.
            limit_bytes: How large all files together may be.
        """
        self._files = PackFolder(root, key, limit_bytes, _opened)

    def find(self, pairs: Sequence[Pair]) -> dict[int, FloatArray]:
        """Return the cached values by position in ``pairs``."""
        keys = [pair_key(pair) for pair in pairs]
        found: dict[int, FloatArray] = {}
        for path, pack in self._files.packs():
            own = {
                place: pack[key]
                for place, key in enumerate(keys)
                if place not in found and key in pack
            }
            if own:
                self._files.used(path)
                found |= own
        return found

    def store(self, pairs: Sequence[Pair], values: FloatArray) -> None:
        """Write values; on a full or read-only disk nothing is written, without an error."""
        if not pairs or values.nbytes > self._files.limit_bytes:
            return
        keys = np.frombuffer(b"".join(map(pair_key, pairs)), dtype=np.uint8)

        def write(path: Path) -> None:
            with TensorWriter(path) as writer:
                writer.extend("values", np.asarray(values, dtype=np.float64))
                writer.extend("keys", keys.reshape(len(pairs), -1))
                writer.finish({"format": _FORMAT})

        self._files.add(write)


def pair_key(pair: Pair) -> bytes:
    """Return what a pair is found by."""
    # The hash of each, so that no sign between the texts can be part of one.
    return text_key(text_key(pair[0]).hex() + text_key(pair[1]).hex())


def default_pair_cache(key: str) -> PairCache | None:
    """Return the cache of a judge; None if the limit is 0."""
    place = cache_place()
    return None if place is None else PairCache(place.root, key, place.limit_bytes)


def _opened(path: Path) -> dict[bytes, FloatArray] | None:
    check_tensors(path)
    file = map_tensors(path)
    if file.metadata.get("format") != _FORMAT:
        return None
    keys, values = file.tensors["keys"], np.array(file.tensors["values"])
    if len(keys) != len(values) or values.ndim != 2 or not np.isfinite(values).all():  # noqa: PLR2004 - a matrix
        raise ValueError("the tensors of the file do not fit together")
    return {bytes(key): row for key, row in zip(keys, values, strict=True)}
