"""Hashes of many byte strings at once: MurmurHash64A and the FNV-1a of fastText.

Strings are rows of bytes laid end to end. Both functions walk over byte positions, all rows
abreast, so that numpy does the work; a compiled twin would save less than numba's start costs.
"""

import numpy as np
import numpy.typing as npt

from tenbin.kernels.arrays import IntArray

ByteArray = npt.NDArray[np.uint8]
HashArray = npt.NDArray[np.uint64]

# Appleby (2008), MurmurHash2, 64-bit version A: multiplier and shift.
_MULTIPLIER = np.uint64(0xC6A4A7935BD1E995)
_SHIFT = np.uint64(47)
_BLOCK = 8
# Fowler, Noll and Vo (1991), 32 bits.
_FNV_START = 2166136261
_FNV_PRIME = np.uint32(16777619)
_SIGN_BIT = 0x80
_SIGN_EXTENSION = np.uint32(0xFFFFFF00)


def murmur_hashes(values: ByteArray, offsets: IntArray, *, seed: int) -> HashArray:
    """Return the MurmurHash64A of each row of bytes.

    >>> text = np.frombuffer(b"applepear", dtype=np.uint8)
    >>> murmur_hashes(text, np.array([0, 5, 9]), seed=1).tolist()[0]
    8566208034543834098
    """
    lengths = np.diff(offsets)
    # Longest first: the rows that still have a block are always the first ones.
    order = np.argsort(-lengths, kind="stable")
    starts, sizes = offsets[:-1][order], lengths[order]
    padded = np.concatenate([values, np.zeros(_BLOCK, dtype=np.uint8)])
    hashes = np.uint64(seed) ^ (sizes.astype(np.uint64) * _MULTIPLIER)
    blocks = sizes // _BLOCK
    for block in range(int(blocks[0]) if blocks.size else 0):
        active = int(np.searchsorted(-blocks, -block, side="left"))
        mixed = _windows(padded, starts[:active] + _BLOCK * block) * _MULTIPLIER
        mixed = (mixed ^ (mixed >> _SHIFT)) * _MULTIPLIER
        hashes[:active] = (hashes[:active] ^ mixed) * _MULTIPLIER
    rest = (sizes % _BLOCK).astype(np.uint64)
    mask = (np.uint64(1) << (rest * np.uint64(_BLOCK))) - np.uint64(1)
    tails = _windows(padded, starts + _BLOCK * blocks) & mask
    hashes = np.where(rest > 0, (hashes ^ tails) * _MULTIPLIER, hashes)
    hashes = (hashes ^ (hashes >> _SHIFT)) * _MULTIPLIER
    found = np.empty_like(hashes)
    found[order] = hashes ^ (hashes >> _SHIFT)
    return found


def signed_fnv_hashes(
    values: ByteArray, starts: IntArray, lengths: IntArray
) -> npt.NDArray[np.uint32]:
    """Return the FNV-1a hash of substrings of a row of bytes, as fastText computes it.

    Bytes from 0x80 are extended with their sign before they are mixed in, because fastText's C++
    reads them as signed characters (Dictionary::hash); all its published models depend on that.

    Args:
        values: The bytes.
        starts: Where each substring begins; they may overlap.
        lengths: The length of each.
    """
    order = np.argsort(-lengths, kind="stable")
    firsts, sizes = starts[order], lengths[order]
    hashes = np.full(sizes.size, _FNV_START, dtype=np.uint32)
    for position in range(int(sizes[0]) if sizes.size else 0):
        active = int(np.searchsorted(-sizes, -position, side="left"))
        byte = values[firsts[:active] + position].astype(np.uint32)
        byte |= np.where(byte >= _SIGN_BIT, _SIGN_EXTENSION, np.uint32(0))
        hashes[:active] = (hashes[:active] ^ byte) * _FNV_PRIME
    found = np.empty_like(hashes)
    found[order] = hashes
    return found


def _windows(padded: ByteArray, starts: IntArray) -> HashArray:
    """Return the eight bytes from each start as one number, the first byte lowest."""
    windows = padded[starts[:, None] + np.arange(_BLOCK)]
    found: HashArray = windows.view("<u8").reshape(-1).astype(np.uint64, copy=False)
    return found
