"""A network of convolutions as an encoder: of subwords in their context, and of whole texts."""

from collections.abc import Sequence
from functools import cached_property, lru_cache

import numpy as np

from tenbin.annotation.encoders.cached_encodings import CachedEncodings, Made
from tenbin.annotation.encoders.context_encoder import encoded_texts, pooled, unknown_notes
from tenbin.annotation.encoders.convolution_network import ConvolutionNetwork
from tenbin.annotation.encoders.encoded import (
    EncodedTexts,
    Encoding,
    FlagArray,
    Float32Array,
    SubwordFlag,
)
from tenbin.annotation.encoders.layered_model import equal_groups
from tenbin.annotation.encoders.settings import Pooling, TextPooling, View
from tenbin.annotation.encoders.subwords import begin_unspaced
from tenbin.annotation.encoders.unigram import SPACE, UnigramTokenizer
from tenbin.core.arrays import IdArray, Numbering
from tenbin.core.progress import counting, step_unless
from tenbin.core.resource import ResourceIdentity
from tenbin.formats.sentencepiece import PieceType
from tenbin.resources.sentence_network import load_sentence_network
from tenbin.resources.store.store import default_store

LAYER_COUNT = 1
"""Layers above the embeddings that give each subword a vector; those above are of whole texts."""

# Incremented when the same network would give different vectors.
_FORM = "1"
_UNKNOWN, _BEGINNING, _END = 0, 1, 2
_GROUP_SUBWORDS = 128


class _OpenNetwork:
    """A network with its vocabulary, ready to run."""

    def __init__(self, name: str) -> None:
        network = load_sentence_network(name)
        vocabulary = network.vocabulary
        self.network = ConvolutionNetwork(network)
        self.pieces = vocabulary.pieces
        findable = {PieceType.NORMAL, PieceType.USER_DEFINED}
        both = zip(self.pieces, vocabulary.types.tolist(), strict=True)
        self.tokenizer = UnigramTokenizer(
            [piece if kind in findable else "" for piece, kind in both],
            vocabulary.scores.tolist(),
            vocabulary.rules,
            unknown=_UNKNOWN,
        )

    @cached_property
    def continues(self) -> FlagArray:
        """The flag of each subword that goes on with a word, by id."""
        begins = np.array([piece.startswith(SPACE) for piece in self.pieces], dtype=np.bool_)
        inside = ~begins & ~begin_unspaced(self.pieces)
        return np.where(inside, SubwordFlag.CONTINUES, 0).astype(np.uint8)


@lru_cache(maxsize=1)
def _open_network(name: str, fingerprint: str, cache: str) -> _OpenNetwork:  # noqa: ARG001 - keys
    return _OpenNetwork(name)


class NetworkEncoder:
    """Runs a network; encoded texts are cached on disk."""

    def __init__(self, identity: ResourceIdentity, view: View) -> None:
        self._identity = identity
        self._view = view
        self._encodings = CachedEncodings(lambda: self._key, self._make)

    @property
    def identity(self) -> ResourceIdentity:
        """Which network it is."""
        return self._identity

    @property
    def versions(self) -> tuple[tuple[str, str], ...]:
        """Nothing: the network is run by Tenbin itself."""
        return ()

    def encode(self, texts: Sequence[str]) -> EncodedTexts:
        """Return one row per text: its subwords, or a single unit for the whole.

        White space around a text is ignored. Texts may have any length.
        """
        numbering = Numbering()
        places = numbering.numbers([text.strip() for text in texts])
        distinct = list(numbering)
        return encoded_texts(self._encodings.of(distinct), self._encodings.words, places)

    def tokenize(self, texts: Sequence[str]) -> list[list[str]]:
        """Return the subwords of each text, without special tokens."""
        pieces = self._open.pieces
        return [[pieces[one] for one in self._open.tokenizer.split(text)] for text in texts]

    def notes(self, encoded: EncodedTexts) -> list[str]:
        """Return a note if many subwords, or whole texts, are unknown."""
        return unknown_notes(self.identity.name, encoded)

    @property
    def _open(self) -> _OpenNetwork:
        return _open_network(
            self.identity.name, self.identity.fingerprint, str(default_store().cache)
        )

    @property
    def _key(self) -> str:
        return f"network {_FORM}|{self.identity.fingerprint}|{self._view}"

    def _make(self, texts: list[str]) -> Made:
        """Run the network on distinct texts, those of equal length together."""
        pieces = self._open.pieces
        ids = [
            np.array([_BEGINNING, *self._open.tokenizer.split(text), _END], dtype=np.int32)
            for text in texts
        ]
        made: list[Encoding | None] = [None] * len(texts)
        with step_unless(counting(), "running the model", len(texts)) as advance:
            for group in equal_groups([len(row) for row in ids], _GROUP_SUBWORDS):
                stacked = np.stack([ids[place] for place in group])
                for place, vectors in zip(group, self._run(stacked), strict=True):
                    made[place] = self._encoding(vectors, ids[place])
                advance(len(set(group)))
        words = {number: pieces[number] for number in np.unique(np.concatenate(ids)).tolist()}
        return [one for one in made if one is not None], words

    def _run(self, ids: IdArray) -> Float32Array:
        """Return the vectors of the subwords of each text, or one of each text."""
        network, view = self._open.network, self._view
        if view.whole is TextPooling.MODEL:
            return network.texts(ids)[:, np.newaxis]
        layers = [
            network.in_context(ids) if layer else network.embedded(ids) for layer in view.layers
        ]
        if len(layers) == 1:
            return layers[0]
        if view.pooling is Pooling.JOINED:
            return np.concatenate(layers, axis=-1)
        mean: Float32Array = np.asarray(np.mean(layers, axis=0), dtype=np.float32)
        if view.pooling is Pooling.MEAN:
            return mean
        return np.concatenate([np.min(layers, axis=0), mean, np.max(layers, axis=0)], axis=-1)

    def _encoding(self, vectors: Float32Array, ids: IdArray) -> Encoding:
        flags = self._open.continues[ids]
        flags[[0, -1]] = SubwordFlag.SPECIAL
        flags[1:-1][ids[1:-1] == _UNKNOWN] |= np.uint8(SubwordFlag.UNKNOWN)
        return pooled(vectors, ids, flags, self._view.whole)
