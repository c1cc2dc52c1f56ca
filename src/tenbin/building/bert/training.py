"""Masked-language modelling: a BERT learns to guess the pieces that are hidden from it."""

import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tenbin.annotation.encoders.libraries import quietly, torch_module, transformers_module
from tenbin.annotation.encoders.settings import Device
from tenbin.building.bert.masking import masked
from tenbin.building.bert.packing import RowArray
from tenbin.building.bert.recipe import SPECIALS, Recipe
from tenbin.building.bert.state import Position, read_state, write_state

# Liu et al. (2019), RoBERTa, table 9; the rate rises over the first 6 % and falls to 0.
_BETAS, _EPSILON, _DECAY, _LARGEST_GRADIENT = (0.9, 0.98), 1e-6, 0.01, 1.0
_WARM_UP = 0.06
# Matrix products are faster if sizes are multiples of it.
_PIECES_MULTIPLE = 64
_LOSS_MEMORY = 0.9
_STEPS_UNASKED = 20
_MOST_VALID_ROWS = 2_048
_VALID_ROWS_AT_ONCE = 64
_MINUTE = 60.0

Told = Callable[[Position, float], None]
"""Hears of the position from time to time, and of the share of the work that is done."""


class Guesses(NamedTuple):
    """How well hidden pieces are guessed.

    Attributes:
        rows: How many rows were read.
        loss: Mean over hidden pieces, in nats.
        accuracy: Share of hidden pieces that were guessed.
    """

    rows: int
    loss: float
    accuracy: float


def new_model(recipe: Recipe, pieces: int) -> Any:  # noqa: ANN401 - a model of transformers
    """Return a BERT with random weights, which the seed decides."""
    torch_module().manual_seed(recipe.seed)
    transformers = transformers_module()
    config = transformers.BertConfig(
        vocab_size=-(-pieces // _PIECES_MULTIPLE) * _PIECES_MULTIPLE,
        hidden_size=recipe.width,
        num_hidden_layers=recipe.layers,
        num_attention_heads=recipe.heads,
        intermediate_size=4 * recipe.width,
        hidden_dropout_prob=recipe.dropout,
        attention_probs_dropout_prob=recipe.dropout,
        # There are no vectors for places that were never read.
        max_position_embeddings=recipe.length,
        pad_token_id=SPECIALS.index("[PAD]"),
    )
    with quietly():
        return transformers.BertForMaskedLM(config)


class Training:
    """A model that is being trained.

    Attributes:
        model: The model, a BertForMaskedLM of transformers.
        position: How far it is.
    """

    def __init__(self, rows: RowArray, pieces: int, recipe: Recipe, device: Device) -> None:
        """Make a new model.

        Args:
            rows: The text.
            pieces: Size of the vocabulary.
            recipe: How to train.
            device: The processor or CUDA.
        """
        self._torch = torch_module()
        self._rows, self._pieces, self._recipe = rows, pieces, recipe
        self._on_cuda = device is Device.CUDA
        self._device = str(device)
        self.position = Position()
        self._steps = recipe.extent.steps(len(rows), recipe.batch)
        self.model = new_model(recipe, pieces).to(self._device)
        self._optimizer = self._torch.optim.AdamW(
            _weight_groups(self.model),
            lr=recipe.rate,
            betas=_BETAS,
            eps=_EPSILON,
            fused=self._on_cuda,
        )
        self._forward = _guessing(self._torch, self.model)
        if self._on_cuda and find_spec("triton"):
            self._forward = self._torch.compile(self._forward)

    @property
    def done(self) -> float:
        """The share of the work that is done, from 0 to 1."""
        if self._steps is not None:
            return min(self.position.step / self._steps, 1.0)
        minutes = self._recipe.extent.amount
        return min(self.position.seconds / (minutes * _MINUTE), 1.0)

    def run(
        self,
        state: Path,
        told: Told,
        *,
        seconds_between_states: float,
    ) -> None:
        """Train to the end, from where the state says if there is one.

        Args:
            state: The file that the state is kept in.
            told: Hears of every step.
            seconds_between_states: How often the state is written.
        """
        if state.is_file():
            self.position = read_state(state, self._torch, self.model, self._optimizer)
        self.model.train()
        before = self.position.seconds
        began = written = time.monotonic()
        for rows in self._batches():
            if self.done >= 1:
                break
            with warnings.catch_warnings():
                # The compiler has advice on numbers that a training in bfloat16 does not use.
                warnings.simplefilter("ignore")
                loss = self._step(rows)
            now = time.monotonic()
            self.position.step += 1
            self.position.seconds = before + now - began
            self._note(loss)
            if now - written >= seconds_between_states:
                write_state(state, self.model, self._optimizer, self.position)
                written = time.monotonic()
            told(self.position, self.done)

    def guesses(self, rows: RowArray) -> Guesses:
        """Return how well the model guesses in other text; the same pieces are hidden each time."""
        torch = self._torch
        self.model.eval()
        chosen = np.linspace(0, len(rows) - 1, min(len(rows), _MOST_VALID_ROWS)).astype(np.int64)
        generator = torch.Generator(self._device).manual_seed(0)
        forward = _guessing(torch, self.model)
        total = right = count = 0.0
        for start in range(0, len(chosen), _VALID_ROWS_AT_ONCE):
            some = self._tensor(rows[chosen[start : start + _VALID_ROWS_AT_ONCE]])
            hidden = masked(torch, some, generator, self._pieces)
            with torch.no_grad(), self._numbers():
                logits = forward(hidden.inputs, hidden.places)
            logits, labels = logits.float(), hidden.labels.flatten()
            summed = torch.nn.functional.cross_entropy(logits, labels, reduction="sum")
            total += float(summed)
            right += float((logits.argmax(dim=1) == labels).sum())
            count += len(labels)
        return Guesses(len(chosen), total / count, right / count)

    def _step(self, rows: RowArray) -> Any:  # noqa: ANN401 - a tensor
        torch, recipe, step = self._torch, self._recipe, self.position.step
        # All that is random in a step depends on its number alone: a training that was interrupted
        # goes on as if nothing had been.
        torch.manual_seed(recipe.seed + 2**32 * (step + 1))
        generator = torch.Generator(self._device).manual_seed(recipe.seed + 2**32 * (step + 1))
        hidden = masked(torch, self._tensor(rows), generator, self._pieces)
        for group in self._optimizer.param_groups:
            group["lr"] = recipe.rate * _share_of_rate(self.done)
        with self._numbers():
            logits = self._forward(hidden.inputs, hidden.places)
            loss = torch.nn.functional.cross_entropy(logits.float(), hidden.labels.flatten())
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), _LARGEST_GRADIENT)
        self._optimizer.step()
        self._optimizer.zero_grad(set_to_none=True)
        return loss.detach()

    def _note(self, loss: Any) -> None:  # noqa: ANN401 - a tensor
        # A device is asked for a number only now and then: it must not wait.
        steps = _STEPS_UNASKED if self._on_cuda else 1
        if self.position.step % steps:
            return
        kept, memory = self.position.loss, _LOSS_MEMORY**steps
        found = float(loss)
        self.position.loss = found if np.isnan(kept) else memory * kept + (1 - memory) * found

    def _batches(self) -> Iterator[RowArray]:
        """Yield the rows of each step from the next one on; each epoch has an order of its own."""
        count, batch, seed = len(self._rows), self._recipe.batch, self._recipe.seed
        while True:
            wanted = self.position.step * batch + np.arange(batch)
            epochs = wanted // count
            parts = [
                _order(seed, epoch, count)[wanted[epochs == epoch] % count]
                for epoch in np.unique(epochs).tolist()
            ]
            yield self._rows[np.concatenate(parts)]

    def _tensor(self, rows: RowArray) -> Any:  # noqa: ANN401 - a tensor
        whole = self._torch.from_numpy(rows.astype(np.int64))
        if self._on_cuda:
            return whole.pin_memory().to(self._device, non_blocking=True)
        return whole

    def _numbers(self) -> AbstractContextManager[Any]:
        if not self._on_cuda:
            return nullcontext()
        context: AbstractContextManager[Any] = self._torch.autocast(
            "cuda", dtype=self._torch.bfloat16
        )
        return context


@lru_cache(maxsize=2)
def _order(seed: int, epoch: int, count: int) -> npt.NDArray[np.int64]:
    """Return the order of the rows in one run through the text."""
    return np.random.default_rng((seed, epoch)).permutation(count)


def _guessing(torch: Any, model: Any) -> Callable[[Any, Any], Any]:  # noqa: ANN401
    """Return what guesses the pieces at some places; the others need no guess."""

    def forward(inputs: Any, places: Any) -> Any:  # noqa: ANN401 - tensors
        states = model.bert(input_ids=inputs)[0]
        wanted = places.unsqueeze(-1).expand(-1, -1, states.shape[-1])
        return model.cls(torch.gather(states, 1, wanted).flatten(0, 1))

    return forward


def _weight_groups(model: Any) -> list[dict[str, Any]]:  # noqa: ANN401
    """Return weights that shrink and those that do not: biases and norms."""
    matrices = [weight for weight in model.parameters() if weight.ndim > 1]
    others = [weight for weight in model.parameters() if weight.ndim <= 1]
    return [
        {"params": matrices, "weight_decay": _DECAY},
        {"params": others, "weight_decay": 0.0},
    ]


def _share_of_rate(done: float) -> float:
    """Return what the highest rate is multiplied by; never 0, so that every step counts.

    >>> _share_of_rate(0.03), _share_of_rate(0.53)
    (0.5, 0.5)
    """
    return max(min(done / _WARM_UP, (1 - done) / (1 - _WARM_UP)), 1e-3)
