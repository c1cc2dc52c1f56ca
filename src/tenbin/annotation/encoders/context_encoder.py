"""A model as an encoder: vectors that depend on the neighbours of a piece."""

import tempfile
from collections.abc import Sequence
from functools import cached_property
from importlib.metadata import version

import numpy as np

from tenbin.annotation.encoders.encoded import EncodedTexts, Encoding, Float32Array, PieceFlag
from tenbin.annotation.encoders.layered_model import LayeredModel
from tenbin.annotation.encoders.settings import Device, NumberType, View
from tenbin.annotation.encoders.stored_encodings import default_stored_encodings
from tenbin.annotation.encoders.windows import windows
from tenbin.annotation.encoders.word_pieces import Pieces, WordPieces
from tenbin.core.arrays import IdArray, IntArray, Numbering, Ragged
from tenbin.core.errors import InputError, UnreadableFile
from tenbin.core.resource import ResourceIdentity
from tenbin.resources.checkpoints import Checkpoint

# Changes when the same model would give other vectors.
_FORM = "1"
_NOTED_UNKNOWN, _MOST_UNKNOWN = 0.1, 0.5
_TEXTS_AT_ONCE = 4_000
_MUCH = 256 * 2**20  # bytes
_TOO_MUCH = 2 * 2**30


class ContextEncoder:
    """Runs a model; what it made of a text is kept on disk."""

    def __init__(
        self, checkpoint: Checkpoint, view: View, device: Device, number_type: NumberType
    ) -> None:
        self._checkpoint = checkpoint
        self._view = view
        self._device = device
        self._number_type = number_type
        self._recent: dict[str, Encoding] = {}
        self._words: dict[int, str] = {}

    @property
    def identity(self) -> ResourceIdentity:
        """Which model it is."""
        return self._checkpoint.identity

    @property
    def versions(self) -> tuple[tuple[str, str], ...]:
        """The libraries that run it."""
        return ("torch", version("torch")), ("transformers", version("transformers"))

    def encode(self, texts: Sequence[str]) -> EncodedTexts:
        """Return one row per text; a text that comes twice is encoded once.

        Blanks around a text do not count. A text that is too long for the model is encoded in
        windows that overlap.
        """
        numbering = Numbering()
        places = numbering.numbers([text.strip() for text in texts])
        distinct = list(numbering)
        return _laid_out(self._encodings(distinct), self._words, places)

    def cut(self, texts: Sequence[str]) -> list[list[str]]:
        """Return the pieces of each text, without the marks that the model wants around it."""
        return self._word_pieces.inner(texts)

    def notes(self, encoded: EncodedTexts) -> list[str]:
        """Return notes on texts that are encoded in windows, or that the model cannot read."""
        notes = []
        name = self.identity.name
        first = encoded.rows.values[encoded.rows.offsets[:-1][encoded.rows.lengths > 0]]
        longer = int(encoded.having(PieceFlag.WINDOWED)[first].sum())
        if longer:
            which = "1 text is" if longer == 1 else f"{longer:,} texts are"
            notes.append(
                f"{which} longer than {name!r} takes at once: encoded in windows that overlap, "
                "nothing is cut off."
            )
        inside = encoded.rows.values[~encoded.having(PieceFlag.SPECIAL)[encoded.rows.values]]
        unknown = encoded.having(PieceFlag.UNKNOWN)[inside]
        share = float(unknown.mean()) if len(unknown) else 0.0
        if share > _MOST_UNKNOWN:
            raise InputError(
                f"{share:.0%} of the pieces of the texts are unknown to {name!r}, expected at most "
                f"{_MOST_UNKNOWN:.0%}: it is a model of another language. Name one of the language "
                'of the texts (model=FOLDER), or static vectors (model="static:VECTORS").'
            )
        if share > _NOTED_UNKNOWN:
            notes.append(
                f"{share:.0%} of the pieces of the texts are unknown to {name!r}; is it a model of "
                "the right language?"
            )
        return notes

    @cached_property
    def _word_pieces(self) -> WordPieces:
        return WordPieces(self._checkpoint)

    @cached_property
    def _model(self) -> LayeredModel:
        model = LayeredModel(self._checkpoint, self._view, self._device, self._number_type)
        # Models may have rows to spare, for their number to be a round one, but not most of them.
        if not model.piece_count / 2 <= self._word_pieces.size <= model.piece_count:
            raise UnreadableFile(
                str(self._checkpoint.folder),
                f"its tokenizer has {self._word_pieces.size:,} pieces, its model vectors for "
                f"{model.piece_count:,}",
                "Expected the tokenizer that the model was trained with.",
            )
        return model

    @property
    def _room(self) -> int:
        return self._model.room(self._word_pieces.longest)

    @property
    def _key(self) -> str:
        parts = (_FORM, self.identity.fingerprint, self._view, self._number_type, self._device)
        return "|".join([*map(str, parts), *(f"{name}={number}" for name, number in self.versions)])

    def _encodings(self, texts: list[str]) -> list[Encoding]:
        """Return the encodings of distinct texts: from memory, from disk, else from the model."""
        found = {text: self._recent[text] for text in texts if text in self._recent}
        stored = default_stored_encodings(self._key)
        if stored is not None:
            wanted = [text for text in texts if text not in found]
            kept, words = stored.find(wanted)
            found |= {wanted[place]: one for place, one in kept.items()}
            self._words |= words
        missing = [text for text in texts if text not in found]
        # In parts: what is done is kept, whatever becomes of the rest.
        for start in range(0, len(missing), _TEXTS_AT_ONCE):
            some = missing[start : start + _TEXTS_AT_ONCE]
            cut = self._word_pieces.cut(some)
            made = self._made(cut)
            numbers = np.unique(np.concatenate([pieces.ids for pieces in cut])).tolist()
            words = dict(zip(numbers, self._word_pieces.texts(numbers), strict=True))
            found |= dict(zip(some, made, strict=True))
            if stored is not None:
                stored.keep(some, made, words)
                if sum(one.vectors.nbytes for one in made) > _MUCH:
                    # Read from disk where they are needed, they take no memory meanwhile.
                    found |= {some[place]: one for place, one in stored.find(some)[0].items()}
            self._words |= words
        # A sample of the texts is looked at before all are scored.
        small = sum(one.vectors.nbytes for one in found.values()) <= _MUCH
        self._recent = found if small else {}
        return [found[text] for text in texts]

    def _made(self, cut: Sequence[Pieces]) -> list[Encoding]:
        parts = []
        for pieces in cut:
            room = max(self._room - pieces.before - pieces.after, 1)
            parts.append(windows(len(pieces) - pieces.before - pieces.after, room))
        rows = [
            _with_marks(pieces, window.start, window.stop)
            for pieces, own in zip(cut, parts, strict=True)
            for window in own
        ]
        run = iter(self._model.vectors(rows))
        made = []
        for pieces, own in zip(cut, parts, strict=True):
            taken = []
            for number, window in enumerate(own):
                # The marks before the text come from the first window, those after from the last.
                first = 0 if number == 0 else pieces.before + window.first - window.start
                last = pieces.before + window.last - window.start
                last += pieces.after if number == len(own) - 1 else 0
                taken.append(next(run)[first:last])
            vectors = unit_length(np.concatenate(taken) if len(taken) > 1 else taken[0])
            flags = pieces.flags | np.uint8(PieceFlag.WINDOWED if len(own) > 1 else 0)
            made.append(Encoding(vectors, pieces.ids, flags))
        return made


def unit_length(vectors: Float32Array) -> Float32Array:
    """Return vectors divided by their length; null ones as they are.

    >>> unit_length(np.array([[3, 4], [0, 0]], dtype=np.float32)).tolist()
    [[0.6000000238418579, 0.800000011920929], [0.0, 0.0]]
    """
    lengths = np.sqrt(np.square(vectors, dtype=np.float64).sum(axis=1, keepdims=True))
    whole = np.divide(vectors, lengths, out=np.zeros(vectors.shape), where=lengths > 0)
    return np.asarray(whole, dtype=np.float32)


def _with_marks(pieces: Pieces, start: int, stop: int) -> IdArray:
    ids, before, end = pieces.ids, pieces.before, len(pieces) - pieces.after
    return np.concatenate([ids[:before], ids[before + start : before + stop], ids[end:]])


def _laid_out(
    encodings: Sequence[Encoding], words: dict[int, str], places: IntArray
) -> EncodedTexts:
    """Return encodings end to end; text t is the encoding with the number ``places[t]``."""
    lengths = np.array([len(one) for one in encodings], dtype=np.int64)
    starts = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lengths)])
    offsets = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lengths[places])])
    shifts = np.repeat(starts[places] - offsets[:-1], lengths[places])
    numbers = np.array(sorted(words), dtype=np.int32)
    ids = np.concatenate([one.pieces for one in encodings])
    units = _side_by_side([one.vectors for one in encodings])
    return EncodedTexts(
        rows=Ragged((shifts + np.arange(offsets[-1])).astype(np.int32), offsets),
        units=units,
        known=np.ones(len(units), dtype=np.bool_),
        pieces=np.searchsorted(numbers, ids).astype(np.int32),
        vocabulary=tuple(words[number] for number in numbers.tolist()),
        flags=np.concatenate([one.flags for one in encodings]),
    )


def _side_by_side(parts: Sequence[Float32Array]) -> Float32Array:
    """Return arrays end to end; in a temporary file where they are too large for memory."""
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
