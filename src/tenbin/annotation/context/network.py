"""The network of a context model: two GRUs and dot-product attention (Luong et al. 2015).

The encoder reads a text h_s(1..T), the decoder its source h_t(1..), from the last state of the
encoder on::

    a(tau, t) = softmax over tau of h_s(tau) . h_t(t)
    c(t)      = sum over tau of a(tau, t) h_s(tau)
    o(t)      = tanh(W_c [c(t); h_t(t)] + b), from which the next word of the source is predicted

Echizen'ya (2021), equations 1-3. Torch adds in another order with another number of threads, so
that each call of it runs in one, whatever the machine has: the same numbers on any number of cores.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tenbin.annotation.context.recipe import ContextRecipe
from tenbin.annotation.context.vocabulary import Special
from tenbin.annotation.encoders.libraries import torch_module
from tenbin.annotation.encoders.settings import require_extra

MOST_PREDICTED = 1_000
"""Words of sources among which all predictions are made; of more, among those of the batch."""

Float32Array = npt.NDArray[np.float32]
Tensor = Any  # of torch, which is not imported here


def require_context_models() -> None:
    """Raise `MissingExtra` if context models can neither be trained nor used."""
    require_extra("the context model of we_wpi_attention", "Or score with we_wpi, which has none.")


def use_one_thread() -> None:
    """Let the calls of torch by this thread run in one thread."""
    torch_module().set_num_threads(1)


@contextmanager
def one_thread() -> Iterator[None]:
    """Let the calls of torch by this thread run in one thread inside the block."""
    torch = torch_module()
    before = torch.get_num_threads()
    use_one_thread()
    try:
        yield
    finally:
        torch.set_num_threads(before)


class PaddedPairs(NamedTuple):
    """Pairs of texts and sources as rows of ids, filled up with padding.

    Attributes:
        texts: What the encoder reads, shape (pairs, words).
        lengths: Words of each text.
        inputs: What the decoder reads: the start, then the words of the source.
        targets: What it is to predict: the words of the source, then the end.
    """

    texts: Tensor
    lengths: Tensor
    inputs: Tensor
    targets: Tensor


class ContextNetwork:
    """The weights of a model, and what is computed with them.

    Attributes:
        torch: The library.
        modules: Its modules by name, whose weights are trained.
    """

    def __init__(self, recipe: ContextRecipe, text_words: int, source_words: int) -> None:
        """Make a network; its weights are those that the seed gives.

        Args:
            recipe: Its sizes, and the seed.
            text_words: Size of the vocabulary of the encoder.
            source_words: Size of the vocabulary of the decoder.
        """
        torch = self.torch = torch_module()
        size, units = recipe.embedding, recipe.units
        recurrent = {"num_layers": recipe.layers, "batch_first": True}
        self.modules = torch.nn.ModuleDict(
            {
                "encoder_words": torch.nn.Embedding(text_words, size),
                "encoder": torch.nn.GRU(size, units, **recurrent),
                "decoder_words": torch.nn.Embedding(source_words, size),
                "decoder": torch.nn.GRU(size, units, **recurrent),
                "joined": torch.nn.Linear(2 * units, units),
                "predicted": torch.nn.Linear(units, source_words),
            }
        )
        # Drawn by numpy: the generator of torch may change with its version.
        rng = np.random.default_rng(recipe.seed)
        self.load({name: _first(rng, name, one.shape) for name, one in self.parameters()})

    def parameters(self) -> list[tuple[str, Tensor]]:
        """Return the weights by name, in a fixed order."""
        return list(self.modules.named_parameters())

    def weights(self) -> dict[str, Float32Array]:
        """Return the weights as arrays."""
        return {name: one.detach().cpu().numpy().copy() for name, one in self.parameters()}

    def load(self, weights: dict[str, Float32Array]) -> None:
        """Set the weights.

        Raises:
            ValueError: One is missing or has another shape.
        """
        with self.torch.no_grad():
            for name, one in self.parameters():
                found = weights.get(name)
                if found is None or found.shape != tuple(one.shape):
                    raise ValueError(f"the weights {name} are missing or of another size")
                one.copy_(self.torch.from_numpy(np.array(found)))

    def encoded(self, texts: Tensor, lengths: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Return the states h_s of texts, and the last ones of all layers.

        Args:
            texts: Ids, shape (texts, words).
            lengths: Words of each text; None: all are as long as the rows.
        """
        words, encoder = self.modules["encoder_words"](texts), self.modules["encoder"]
        if lengths is None:
            states, last = encoder(words)
            return states, last
        sequences = self.torch.nn.utils.rnn
        packed = sequences.pack_padded_sequence(
            words, lengths, batch_first=True, enforce_sorted=False
        )
        states, last = encoder(packed)
        return sequences.pad_packed_sequence(states, batch_first=True)[0], last

    def decoded(self, inputs: Tensor, last: Tensor) -> Tensor:
        """Return the states h_t of the decoder, which reads the source itself (teacher forcing)."""
        return self.modules["decoder"](self.modules["decoder_words"](inputs), last)[0]

    def attention(self, states: Tensor, hidden: Tensor, padded: Tensor | None = None) -> Tensor:
        """Return a(tau, t), shape (..., decoder steps, words).

        Args:
            states: The states of the encoder.
            hidden: The states of the decoder.
            padded: Which places of the texts are padding, shape (texts, words).
        """
        scores = hidden @ states.transpose(-1, -2)
        if padded is not None:
            scores = scores.masked_fill(padded[:, None, :], float("-inf"))
        return self.torch.softmax(scores, dim=-1)

    def loss(self, pairs: PaddedPairs) -> tuple[Tensor, int]:
        """Return the summed cross-entropy of the words of the sources, and their number."""
        torch = self.torch
        states, last = self.encoded(pairs.texts, pairs.lengths)
        hidden = self.decoded(pairs.inputs, last)
        padding = int(Special.PADDING)
        weights = self.attention(states, hidden, pairs.texts == padding)
        wanted = pairs.targets != padding
        both = torch.cat([weights @ states, hidden], dim=-1)[wanted]
        output = torch.tanh(self.modules["joined"](both))
        predicted, functional = self.modules["predicted"], torch.nn.functional
        targets, (weight, bias) = pairs.targets[wanted], (predicted.weight, predicted.bias)
        if len(bias) > MOST_PREDICTED:
            # Among the words of these sources alone (Jean et al. 2015): a sixth of the time.
            words, targets = torch.unique(targets, return_inverse=True)
            weight, bias = weight[words], bias[words]
        logits = functional.linear(output, weight, bias)
        return functional.cross_entropy(logits, targets, reduction="sum"), len(targets)


def _first(rng: np.random.Generator, name: str, shape: tuple[int, ...]) -> Float32Array:
    """Return first weights: normal ones of embeddings, else uniform ones."""
    if name.endswith("_words.weight"):
        return rng.standard_normal(shape, dtype=np.float32)
    module = name.partition(".")[0]
    fan_in = shape[-1] if len(shape) > 1 else shape[0]
    if module in {"encoder", "decoder"}:
        fan_in = shape[0] // 3
    bound = 1 / np.sqrt(fan_in)
    return rng.uniform(-bound, bound, shape).astype(np.float32)
