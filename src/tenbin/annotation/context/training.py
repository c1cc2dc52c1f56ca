"""Trains a context model: Adam on the cross-entropy of the sources.

All that is random depends on the seed and the number of the epoch alone, so that a training that
was interrupted goes on as if it had not been. A batch is worked out in two halves, at the same time
where there are two cores, and their gradients are added in one order: the number of cores changes
no number.
"""

import json
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tenbin.annotation.context.network import (
    ContextNetwork,
    Float32Array,
    PaddedPairs,
    Tensor,
    one_thread,
    use_one_thread,
)
from tenbin.annotation.context.pairs import ContextPairs
from tenbin.annotation.context.recipe import ContextRecipe
from tenbin.annotation.context.vocabulary import Special, Vocabulary
from tenbin.annotation.encoders.settings import Device
from tenbin.core.arrays import IdArray, IntArray
from tenbin.core.errors import InputError, UnreadableFile
from tenbin.formats.json_text import parse_json
from tenbin.formats.output import whole_file
from tenbin.formats.tensor_file import TensorWriter, check_tensors, map_tensors

LONGEST = 128
"""Words of a text that are trained on; of longer ones the first."""
LEAST_GAIN = 0.01
"""Early stopping: the loss per word, in nats, that an epoch must gain to be followed by another."""

HALVES = 2
"""Parts of a batch whose gradients are worked out at the same time."""

# Pairs are sorted by length within this many batches, so that little is padding and the order
# still differs from epoch to epoch.
_BATCHES_OF_A_WINDOW = 32
_STATE = "position"
_PARTS = ("weights", "means", "squares")


@dataclass(slots=True)
class TrainingPosition:
    """How far a training has come.

    Attributes:
        step: Steps done, of all epochs.
        seconds: Their duration.
        losses: The mean loss per word of each finished epoch, in nats.
        summed: The loss of the words of this epoch so far.
        words: Their number.
        steps_of_epoch: Steps done of this epoch.
    """

    step: int = 0
    seconds: float = 0.0
    losses: list[float] = field(default_factory=list)
    summed: float = 0.0
    words: int = 0
    steps_of_epoch: int = 0

    @property
    def loss(self) -> float:
        """The mean loss per word of this epoch; of the last one before the first step."""
        if self.words:
            return self.summed / self.words
        return self.losses[-1] if self.losses else float("nan")


class _Half(NamedTuple):
    """What the pairs of half a batch give."""

    gradients: tuple[Tensor, ...]
    loss: float
    words: int


Report = Callable[[TrainingPosition, float], None]
"""Called after each step with the position and the share of the epochs that are done."""


def no_report(_position: TrainingPosition, _done: float) -> None:
    """Report nothing."""


class ContextTraining:
    """A context model that is being trained.

    Attributes:
        network: The network.
        text_words: The words of the encoder.
        source_words: The words of the decoder.
        position: How far it has come.
    """

    def __init__(
        self, pairs: ContextPairs, recipe: ContextRecipe, device: Device = Device.CPU
    ) -> None:
        """Make a network with first weights.

        Args:
            pairs: The references and their sources.
            recipe: The settings.
            device: CPU or CUDA.
        """
        self._recipe, self._device = recipe, str(device)
        self.text_words = Vocabulary.learned(pairs.references, recipe.vocabulary)
        self.source_words = Vocabulary.learned(pairs.sources, recipe.vocabulary)
        self._texts = [self.text_words.ids(words[:LONGEST]) for words in pairs.references]
        self._sources = [self.source_words.ids(words[:LONGEST]) for words in pairs.sources]
        self._lengths = np.array(
            [(len(a), len(b)) for a, b in zip(self._texts, self._sources, strict=True)], np.int64
        ).reshape(-1, 2)
        self.network = ContextNetwork(recipe, len(self.text_words), len(self.source_words))
        self._torch = self.network.torch
        self.network.modules.to(self._device)
        self.position = TrainingPosition()
        self._optimizer = self._torch.optim.Adam(self.network.modules.parameters(), lr=recipe.rate)

    @property
    def is_done(self) -> bool:
        """Whether there is no further epoch: all are done, or the last one gained too little."""
        losses = self.position.losses
        few = len(losses) > 1 and losses[-2] - losses[-1] < LEAST_GAIN
        return few or len(losses) >= self._recipe.epochs or not self._texts

    def run(
        self,
        report: Report = no_report,
        state: Path | None = None,
        seconds_between_states: float = 60.0,
    ) -> None:
        """Train to the end, from the stored state if there is one.

        Args:
            report: Called after every step.
            state: The file of the state; None: none is written.
            seconds_between_states: How often it is written, besides at the end of each epoch.

        Raises:
            InputError: The loss is no number any more.
            OutputError: The state cannot be written; the last one is as it was.
            UnreadableFile: The state is damaged.
        """
        if state is not None and state.is_file():
            self.read_state(state)
        before, began = self.position.seconds, time.monotonic()
        written = began
        with one_thread(), ThreadPoolExecutor(HALVES, initializer=use_one_thread) as pool:
            while not self.is_done:
                batches = self._batches(len(self.position.losses))
                for number in range(self.position.steps_of_epoch, len(batches)):
                    self._step(batches[number], pool)
                    now = time.monotonic()
                    self.position.seconds = before + now - began
                    if number + 1 == len(batches):
                        self._end_epoch()
                    due = number + 1 == len(batches) or now - written >= seconds_between_states
                    if state is not None and due:
                        self.write_state(state)
                        written = time.monotonic()
                    epoch = len(self.position.losses)
                    part = self.position.steps_of_epoch / len(batches)
                    report(self.position, min((epoch + part) / self._recipe.epochs, 1.0))

    def _step(self, examples: IntArray, pool: ThreadPoolExecutor) -> None:
        halves = [half for half in (examples[::2], examples[1::2]) if len(half)]
        done = list(pool.map(self._gradients, halves))
        words = sum(half.words for half in done)
        for place, (_, weights) in enumerate(self.network.parameters()):
            first, *others = (half.gradients[place] for half in done)
            for other in others:
                first += other
            weights.grad = first / words
        self._optimizer.step()
        loss = sum(half.loss for half in done)
        if not np.isfinite(loss):
            raise InputError(
                f"the training of the context model failed at step {self.position.step + 1:,}: the "
                f"loss is {loss}. Choose a smaller rate than rate={self._recipe.rate:g}."
            )
        self.position.step += 1
        self.position.steps_of_epoch += 1
        self.position.summed += loss
        self.position.words += words

    def _gradients(self, examples: IntArray) -> "_Half":
        """Return the gradients of the loss of some pairs, summed over their words."""
        loss, words = self.network.loss(self._padded(examples))
        weights = [one for _, one in self.network.parameters()]
        return _Half(self._torch.autograd.grad(loss, weights), float(loss.detach()), words)

    def _end_epoch(self) -> None:
        position = self.position
        position.losses.append(position.loss)
        position.summed, position.words, position.steps_of_epoch = 0.0, 0, 0

    def _batches(self, epoch: int) -> list[IntArray]:
        """Return the pairs of each step of an epoch, by number; each epoch has another order."""
        rng = np.random.default_rng((self._recipe.seed, epoch))
        size = self._recipe.batch
        order = rng.permutation(np.repeat(np.arange(len(self._texts)), self._recipe.repeats))
        found: list[IntArray] = []
        for start in range(0, len(order), size * _BATCHES_OF_A_WINDOW):
            window = order[start : start + size * _BATCHES_OF_A_WINDOW]
            texts, sources = self._lengths[window].T
            near = window[np.lexsort((texts, sources))]
            found += [near[first : first + size] for first in range(0, len(near), size)]
        return [found[number] for number in rng.permutation(len(found)).tolist()]

    def _padded(self, examples: IntArray) -> PaddedPairs:
        texts = [self._texts[number] for number in examples.tolist()]
        sources = [self._sources[number] for number in examples.tolist()]
        start, end = np.array([Special.START]), np.array([Special.END])
        return PaddedPairs(
            self._tensor(filled_rows(texts)),
            self._torch.from_numpy(self._lengths[examples, 0]),
            self._tensor(filled_rows([np.concatenate([start, row]) for row in sources])),
            self._tensor(filled_rows([np.concatenate([row, end]) for row in sources])),
        )

    def _tensor(self, rows: npt.NDArray[np.int64]) -> Tensor:
        return self._torch.from_numpy(rows).to(self._device)

    def write_state(self, path: Path) -> None:
        """Write weights, their moments and the position, whole or not at all.

        Raises:
            OutputError: Disk full, or no permission; what was there is as it was.
        """
        moments = [self._optimizer.state[one] for _, one in self.network.parameters()]
        parts: dict[str, list[Any]] = {
            "weights": [one.detach() for _, one in self.network.parameters()],
            "means": [one["exp_avg"] for one in moments],
            "squares": [one["exp_avg_sq"] for one in moments],
        }
        noted = {name: getattr(self.position, name) for name in TrainingPosition.__slots__}
        with whole_file(str(path)) as temporary, TensorWriter(temporary) as writer:
            for name in _PARTS:
                for one in parts[name]:
                    writer.extend(name, one.cpu().numpy().reshape(-1))
            # repr of a float reads back as the same float.
            writer.finish({_STATE: json.dumps(noted)})

    def read_state(self, path: Path) -> None:
        """Go on from a state that was written.

        Raises:
            UnreadableFile: The file is damaged, or of another training.
        """
        advice = "Remove it to begin the training again."
        check_tensors(path, advice)
        stored = map_tensors(path)
        try:
            position = TrainingPosition(**parse_json(stored.metadata[_STATE]))
            flat = {name: np.array(stored.tensors[name]) for name in _PARTS}
            self._restore(flat, position.step)
        except (KeyError, ValueError, TypeError) as error:
            problem = f"is not the state of this training ({error})"
            raise UnreadableFile(str(path), problem, advice) from error
        self.position = position

    def _restore(self, flat: dict[str, Float32Array], step: int) -> None:
        torch = self._torch
        sizes = [one.numel() for _, one in self.network.parameters()]
        if {len(flat[name]) for name in _PARTS} != {sum(sizes)}:
            raise ValueError("it has another number of weights")
        first = 0
        for (_, one), size in zip(self.network.parameters(), sizes, strict=True):
            weights, means, squares = (
                torch.from_numpy(flat[name][first : first + size]).reshape(one.shape)
                for name in _PARTS
            )
            with torch.no_grad():
                one.copy_(weights)
            self._optimizer.state[one] = {
                "step": torch.tensor(float(step)),
                "exp_avg": means.to(one.device),
                "exp_avg_sq": squares.to(one.device),
            }
            first += size


def filled_rows(rows: list[IdArray] | list[IntArray]) -> npt.NDArray[np.int64]:
    """Return rows of ids as one array, filled up with padding.

    >>> filled_rows([np.array([5, 6]), np.array([7])]).tolist()
    [[5, 6], [7, 0]]
    """
    found = np.full((len(rows), max(map(len, rows))), int(Special.PADDING), dtype=np.int64)
    for place, row in enumerate(rows):
        found[place, : len(row)] = row
    return found
