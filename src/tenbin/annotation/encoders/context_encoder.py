"""A transformer model as an encoder: the vector of a subword depends on its context."""

import tempfile
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from tenbin.annotation.encoders.cached_encodings import CachedEncodings, Made
from tenbin.annotation.encoders.encoded import (
    BoolArray,
    EncodedTexts,
    Encoding,
    FlagArray,
    Float32Array,
    SubwordFlag,
)
from tenbin.annotation.encoders.layered_model import LayeredModel
from tenbin.annotation.encoders.libraries import library_versions
from tenbin.annotation.encoders.settings import Device, NumberType, TextPooling, View
from tenbin.annotation.encoders.subwords import Subwords, SubwordTokenizer
from tenbin.core.arrays import IdArray, IntArray, Numbering, Ragged
from tenbin.core.counting import agreeing, counted
from tenbin.core.errors import InputError, UnreadableFile
from tenbin.core.resource import ResourceIdentity
from tenbin.resources.checkpoints import Checkpoint

# Incremented when the same model would give different vectors.
_FORM = "2"
_NOTED_UNKNOWN, _MOST_UNKNOWN = 0.1, 0.5
_TOO_MUCH = 2 * 2**30  # bytes


class Window(NamedTuple):
    """A part of a text that is encoded at once, as half-open ranges of subwords.

    Attributes:
        start: The start of the window.
        stop: The end of the window.
        first: The start of the range whose vectors are taken from this window.
        last: The end of that range.
    """

    start: int
    stop: int
    first: int
    last: int


def windows(length: int, room: int) -> list[Window]:
    """Return the overlapping windows of a long text; every subword is taken from exactly one.

    Neighboring windows share about half of their subwords, and the middle of the shared part is
    where one hands over to the next: a subword has at least a quarter of a window on either side,
    or the end of the text. The windows depend only on the length.

    Args:
        length: Number of subwords of the text.
        room: Number of subwords that fit into a window, at least 1.

    >>> windows(5, 8)
    [Window(start=0, stop=5, first=0, last=5)]
    >>> windows(10, 4)[:2]
    [Window(start=0, stop=4, first=0, last=3), Window(start=2, stop=6, first=3, last=5)]
    """
    if length <= room:
        return [Window(0, length, 0, length)]
    step = max(room // 2, 1)
    count = -(-(length - room) // step) + 1
    # The last window is as full as the others.
    starts = [min(number * step, length - room) for number in range(count)]
    turns = [(here + room + after + 1) // 2 for here, after in pairwise(starts)]
    bounds = [0, *turns, length]
    return [
        Window(start, start + room, first, last)
        for start, (first, last) in zip(starts, pairwise(bounds), strict=True)
    ]


class ContextEncoder:
    """Runs a model; encoded texts are cached on disk."""

    def __init__(
        self, checkpoint: Checkpoint, view: View, device: Device, number_type: NumberType
    ) -> None:
        self._checkpoint = checkpoint
        self._view = view
        self._device = device
        self._number_type = number_type
        self._encodings = CachedEncodings(lambda: self._key, self._make)

    @property
    def identity(self) -> ResourceIdentity:
        """Which model it is."""
        return self._checkpoint.identity

    @property
    def versions(self) -> tuple[tuple[str, str], ...]:
        """The libraries that run it."""
        return library_versions()

    def encode(self, texts: Sequence[str]) -> EncodedTexts:
        """Return one row per text; a repeated text is encoded once.

        White space around a text is ignored. A text that is too long for the model is encoded in
        overlapping windows.
        """
        numbering = Numbering()
        places = numbering.numbers([text.strip() for text in texts])
        distinct = list(numbering)
        return encoded_texts(self._encodings.of(distinct), self._encodings.words, places)

    def tokenize(self, texts: Sequence[str]) -> list[list[str]]:
        """Return the subwords of each text, without special tokens."""
        return self._tokenizer.without_special_tokens(texts)

    def notes(self, encoded: EncodedTexts) -> list[str]:
        """Return notes on texts that are encoded in windows or have unknown subwords."""
        notes = []
        name = self.identity.name
        first = encoded.rows.values[encoded.rows.offsets[:-1][encoded.rows.lengths > 0]]
        longer = int(encoded.having(SubwordFlag.WINDOWED)[first].sum())
        if longer:
            which = f"{counted(longer, 'text')} {agreeing(longer, 'is')}"
            notes.append(
                f"{which} longer than {name!r} takes at once: encoded in windows that overlap, "
                "nothing is cut off."
            )
        return [*notes, *unknown_notes(name, encoded)]

    @cached_property
    def _tokenizer(self) -> SubwordTokenizer:
        return SubwordTokenizer(self._checkpoint)

    @cached_property
    def _model(self) -> LayeredModel:
        model = LayeredModel(self._checkpoint, self._view, self._device, self._number_type)
        # Models may have some spare rows, so that the number is a round one.
        if not model.subword_count / 2 <= self._tokenizer.size <= model.subword_count:
            raise UnreadableFile(
                str(self._checkpoint.folder),
                f"its tokenizer has {counted(self._tokenizer.size, 'subword')}, its model vectors "
                f"for {model.subword_count:,}",
                "Expected the tokenizer that the model was trained with.",
            )
        return model

    @property
    def _room(self) -> int:
        return self._model.room(self._tokenizer.longest)

    @property
    def _key(self) -> str:
        parts = (_FORM, self.identity.fingerprint, self._view, self._number_type, self._device)
        return "|".join([*map(str, parts), *(f"{name}={number}" for name, number in self.versions)])

    def _make(self, texts: list[str]) -> Made:
        """Run the model on distinct texts."""
        cut = self._tokenizer.tokenize(texts)
        made = self._made(cut)
        numbers = np.unique(np.concatenate([subwords.ids for subwords in cut])).tolist()
        return made, dict(zip(numbers, self._tokenizer.texts(numbers), strict=True))

    def _made(self, cut: Sequence[Subwords]) -> list[Encoding]:
        parts = []
        for subwords in cut:
            room = max(self._room - subwords.before - subwords.after, 1)
            parts.append(windows(len(subwords) - subwords.before - subwords.after, room))
        rows = [
            _with_special_tokens(subwords, window.start, window.stop)
            for subwords, own in zip(cut, parts, strict=True)
            for window in own
        ]
        run = iter(self._model.vectors(rows))
        made = []
        for subwords, own in zip(cut, parts, strict=True):
            taken = []
            for number, window in enumerate(own):
                # Special tokens: those before the text from the first window, those after it
                # from the last.
                first = 0 if number == 0 else subwords.before + window.first - window.start
                last = subwords.before + window.last - window.start
                last += subwords.after if number == len(own) - 1 else 0
                taken.append(next(run)[first:last])
            vectors = np.concatenate(taken) if len(taken) > 1 else taken[0]
            flags = subwords.flags | np.uint8(SubwordFlag.WINDOWED if len(own) > 1 else 0)
            made.append(pooled(vectors, subwords.ids, flags, self._view.whole))
        return made


def pooled(
    vectors: Float32Array, ids: IdArray, flags: FlagArray, whole: TextPooling | None
) -> Encoding:
    """Return an encoding of unit vectors: one for each subword, or a single one of the whole text.

    The unit of a whole text has the id of its first subword, and is unknown if most of it is.
    """
    if whole is None:
        return Encoding(unit_length(vectors), ids, flags)
    if whole is TextPooling.FIRST:
        one = vectors[:1]
    else:
        one = vectors.mean(axis=0, keepdims=True, dtype=np.float64).astype(np.float32)
    own = flags[(flags & np.uint8(SubwordFlag.SPECIAL)) == 0]
    unknown = np.count_nonzero(own & np.uint8(SubwordFlag.UNKNOWN)) > len(own) / 2
    flag = int(flags[0]) & SubwordFlag.WINDOWED
    flag |= SubwordFlag.UNKNOWN if unknown else 0
    return Encoding(unit_length(one), ids[:1], np.array([flag], dtype=np.uint8))


def unknown_notes(name: str, encoded: EncodedTexts) -> list[str]:
    """Return a note if a model does not know many subwords of the texts.

    Raises:
        InputError: It knows hardly any.
    """
    inside = encoded.rows.values[~encoded.having(SubwordFlag.SPECIAL)[encoded.rows.values]]
    return unknown_share_notes(name, encoded.having(SubwordFlag.UNKNOWN)[inside])


def unknown_share_notes(name: str, unknown: BoolArray) -> list[str]:
    """Return the same note from which subwords of the texts are unknown.

    Raises:
        InputError: Nearly all are.
    """
    share = float(unknown.mean()) if len(unknown) else 0.0
    if share > _MOST_UNKNOWN:
        raise InputError(
            f"{share:.0%} of the subwords of the texts are unknown to {name!r}, expected at "
            f"most {_MOST_UNKNOWN:.0%}: it is a model of another language. Name one of the "
            'language of the texts (model=FOLDER), or static vectors (model="static:VECTORS").'
        )
    if share <= _NOTED_UNKNOWN:
        return []
    found = f"{share:.0%} of the subwords of the texts are unknown to {name!r}"
    return [f"{found}; is it a model of the right language?"]


def unit_length(vectors: Float32Array) -> Float32Array:
    """Return vectors divided by their length; zero vectors unchanged.

    >>> unit_length(np.array([[3, 4], [0, 0]], dtype=np.float32)).tolist()
    [[0.6000000238418579, 0.800000011920929], [0.0, 0.0]]
    """
    lengths = np.sqrt(np.square(vectors, dtype=np.float64).sum(axis=1, keepdims=True))
    whole = np.divide(vectors, lengths, out=np.zeros(vectors.shape), where=lengths > 0)
    return np.asarray(whole, dtype=np.float32)


def _with_special_tokens(subwords: Subwords, start: int, stop: int) -> IdArray:
    ids, before, end = subwords.ids, subwords.before, len(subwords) - subwords.after
    return np.concatenate([ids[:before], ids[before + start : before + stop], ids[end:]])


def encoded_texts(
    encodings: Sequence[Encoding], words: dict[int, str], places: IntArray
) -> EncodedTexts:
    """Return encodings concatenated; text t is encoding ``places[t]``."""
    lengths = np.array([len(one) for one in encodings], dtype=np.int64)
    starts = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lengths)])
    offsets = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lengths[places])])
    shifts = np.repeat(starts[places] - offsets[:-1], lengths[places])
    numbers = np.array(sorted(words), dtype=np.int32)
    ids = np.concatenate([one.subwords for one in encodings])
    units = _concatenated([one.vectors for one in encodings])
    return EncodedTexts(
        rows=Ragged((shifts + np.arange(offsets[-1])).astype(np.int32), offsets),
        units=units,
        known=np.ones(len(units), dtype=np.bool_),
        subwords=np.searchsorted(numbers, ids).astype(np.int32),
        vocabulary=tuple(words[number] for number in numbers.tolist()),
        flags=np.concatenate([one.flags for one in encodings]),
    )


def _concatenated(parts: Sequence[Float32Array]) -> Float32Array:
    """Return concatenated arrays, in a temporary file if they are too large for memory."""
    rows, columns = sum(map(len, parts)), parts[0].shape[1]
    if rows * columns * 4 <= _TOO_MUCH:
        return np.concatenate(parts)
    with tempfile.TemporaryFile() as stream:
        whole = np.memmap(stream, dtype=np.float32, mode="w+", shape=(rows, columns))
    start = 0
    for part in parts:
        whole[start : start + len(part)] = part
        start += len(part)
    return np.asarray(whole)
