"""Masked language modeling: a BERT is trained to predict masked subwords."""

import errno
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, dataclass
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tenbin.annotation.encoders.libraries import quietly, torch_module, transformers_module
from tenbin.annotation.encoders.settings import Device, NumberType
from tenbin.building.bert.examples import RowArray, masked
from tenbin.building.bert.recipe import SPECIAL_TOKENS, BertRecipe
from tenbin.building.training_numbers import mixed_numbers, set_attention
from tenbin.building.training_progress import averaged_loss
from tenbin.core.errors import UnreadableFile
from tenbin.formats.output import whole_file
from tenbin.formats.tensor_file import map_tensors

_WEIGHT, _MEAN, _SQUARE = "weight/", "mean/", "square/"
_FULL = "os error 28"
# Liu et al. (2019), RoBERTa, table 9; the rate rises over the first 6 % and falls to 0.
_BETAS, _EPSILON, _DECAY, _LARGEST_GRADIENT = (0.9, 0.98), 1e-6, 0.01, 1.0
_WARM_UP = 0.06
# Matrix products are faster if sizes are multiples of this.
_VOCABULARY_MULTIPLE = 64
_STEPS_BETWEEN_LOSSES = 20
_MOST_VALID_ROWS = 2_048
_VALID_ROWS_AT_ONCE = 64
_MINUTE = 60.0


@dataclass(slots=True)
class Position:
    """The progress of a training.

    Attributes:
        step: Number of steps done.
        seconds: Their duration.
        loss: Moving average of the loss, in nats.
    """

    step: int = 0
    seconds: float = 0.0
    loss: float = float("nan")


ReportStep = Callable[[Position, float], None]
"""Called with the position and the share of the work that is done."""


def write_state(
    path: Path,
    model: Any,  # noqa: ANN401 - of torch
    optimizer: Any,  # noqa: ANN401 - of torch
    position: Position,
    notes: Mapping[str, str] | None = None,
) -> None:
    """Write weights, their moments and the position atomically.

    Args:
        path: The file.
        model: The model.
        optimizer: Its optimizer; weights that were never trained have no moments.
        position: The progress.
        notes: Further metadata of the file.

    Raises:
        OutputError: Disk full, or no permission.
    """
    tensors = {}
    for name, weight in model.named_parameters():
        tensors[_WEIGHT + name] = weight.detach()
        if moments := optimizer.state.get(weight):
            tensors[_MEAN + name] = moments["exp_avg"]
            tensors[_SQUARE + name] = moments["exp_avg_sq"]
    noted = {key: repr(value) for key, value in asdict(position).items()} | dict(notes or {})
    whole = {name: tensor.contiguous() for name, tensor in tensors.items()}
    with whole_file(str(path)) as temporary, library_errors():
        import_module("safetensors.torch").save_file(whole, str(temporary), noted)


def read_state(path: Path, torch: Any, model: Any, optimizer: Any) -> Position:  # noqa: ANN401
    """Restore a model and its optimizer from a file; return the position.

    Raises:
        UnreadableFile: The file is damaged or belongs to another model.
    """
    noted = map_tensors(path).metadata
    stored = import_module("safetensors.torch").load_file(str(path))
    try:
        position = Position(
            step=int(noted["step"]), seconds=float(noted["seconds"]), loss=float(noted["loss"])
        )
        with torch.no_grad():
            for name, weight in model.named_parameters():
                weight.copy_(stored[_WEIGHT + name])
                if _MEAN + name not in stored:
                    continue
                optimizer.state[weight] = {
                    # fused optimizers count steps where the weights are
                    "step": torch.tensor(float(position.step), device=_step_device(weight)),
                    "exp_avg": stored[_MEAN + name].to(weight.device),
                    "exp_avg_sq": stored[_SQUARE + name].to(weight.device),
                }
    except (KeyError, ValueError, RuntimeError) as error:
        problem = f"is not the state of this training ({error})"
        raise UnreadableFile(str(path), problem, "Remove it to begin again.") from error
    return position


def _step_device(weight: Any) -> str:  # noqa: ANN401 - a tensor
    return str(weight.device) if weight.is_cuda else "cpu"


@contextmanager
def library_errors() -> Iterator[None]:
    """Turn an error of the library safetensors while writing into an `OSError`."""
    failure = import_module("safetensors").SafetensorError
    try:
        yield
    except failure as error:
        number = errno.ENOSPC if _FULL in str(error) else errno.EIO
        raise OSError(number, str(error)) from error


class Guesses(NamedTuple):
    """How well masked subwords are predicted.

    Attributes:
        rows: Number of rows.
        loss: Mean over masked subwords, in nats.
        accuracy: Share of masked subwords that were predicted.
    """

    rows: int
    loss: float
    accuracy: float


def new_model(recipe: BertRecipe, vocabulary: int) -> Any:  # noqa: ANN401 - a model of transformers
    """Return a BERT with random weights, determined by the seed."""
    torch_module().manual_seed(recipe.seed)
    transformers = transformers_module()
    config = transformers.BertConfig(
        vocab_size=-(-vocabulary // _VOCABULARY_MULTIPLE) * _VOCABULARY_MULTIPLE,
        hidden_size=recipe.width,
        num_hidden_layers=recipe.layers,
        num_attention_heads=recipe.heads,
        intermediate_size=4 * recipe.width,
        hidden_dropout_prob=recipe.dropout,
        attention_probs_dropout_prob=recipe.dropout,
        # No embeddings for positions that never occur.
        max_position_embeddings=recipe.length,
        pad_token_id=SPECIAL_TOKENS.index("[PAD]"),
    )
    with quietly():
        return transformers.BertForMaskedLM(config)


class BertTraining:
    """A model that is being trained.

    Attributes:
        model: The model, a BertForMaskedLM of transformers.
        position: Its progress.
        steps: How many there are; None where minutes are counted.
    """

    def __init__(
        self,
        rows: RowArray,
        vocabulary: int,
        recipe: BertRecipe,
        device: Device,
        numbers: NumberType,
    ) -> None:
        """Make a new model.

        Args:
            rows: The text.
            vocabulary: Size of the vocabulary.
            recipe: The settings.
            device: CPU or CUDA.
            numbers: What products are computed with; weights and losses are float32.
        """
        self._torch = torch_module()
        self._halves = numbers is NumberType.BFLOAT16
        self._rows, self._vocabulary, self._recipe = rows, vocabulary, recipe
        self._on_cuda = device is Device.CUDA
        self._device = str(device)
        self.position = Position()
        self.steps = recipe.extent.steps(len(rows), recipe.batch)
        self.model = new_model(recipe, vocabulary).to(self._device)
        set_attention(self.model, device, numbers)
        self._optimizer = self._torch.optim.AdamW(
            _weight_groups(self.model),
            lr=recipe.rate,
            betas=_BETAS,
            eps=_EPSILON,
            fused=self._on_cuda,
        )
        self._forward = _prediction(self._torch, self.model)
        if self._on_cuda and find_spec("triton"):
            self._forward = self._torch.compile(self._forward)

    @property
    def done(self) -> float:
        """The share of the training that is done, from 0 to 1."""
        if self.steps is not None:
            return min(self.position.step / self.steps, 1.0)
        minutes = self._recipe.extent.amount
        return min(self.position.seconds / (minutes * _MINUTE), 1.0)

    def run(
        self,
        state: Path,
        report: ReportStep,
        *,
        seconds_between_states: float,
    ) -> None:
        """Train to the end, from the stored state if there is one.

        Args:
            state: The file of the state.
            report: Called after every step.
            seconds_between_states: The interval at which the state is written.
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
                # The compiler warns about number types that a training in bfloat16 does not use.
                warnings.simplefilter("ignore")
                loss = self._step(rows)
            now = time.monotonic()
            self.position.step += 1
            self.position.seconds = before + now - began
            self._note(loss)
            if now - written >= seconds_between_states:
                write_state(state, self.model, self._optimizer, self.position)
                written = time.monotonic()
            report(self.position, self.done)

    def guesses(self, rows: RowArray) -> Guesses:
        """Return how well the model predicts held-out text; the same subwords are always masked."""
        torch = self._torch
        self.model.eval()
        chosen = np.linspace(0, len(rows) - 1, min(len(rows), _MOST_VALID_ROWS)).astype(np.int64)
        generator = torch.Generator(self._device).manual_seed(0)
        forward = _prediction(torch, self.model)
        total = right = count = 0.0
        for start in range(0, len(chosen), _VALID_ROWS_AT_ONCE):
            some = self._tensor(rows[chosen[start : start + _VALID_ROWS_AT_ONCE]])
            hidden = masked(torch, some, generator, self._vocabulary)
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
        # Everything random in a step depends only on its number, so that an interrupted training
        # continues as if it had not been interrupted.
        torch.manual_seed(recipe.seed + 2**32 * (step + 1))
        generator = torch.Generator(self._device).manual_seed(recipe.seed + 2**32 * (step + 1))
        hidden = masked(torch, self._tensor(rows), generator, self._vocabulary)
        for group in self._optimizer.param_groups:
            group["lr"] = recipe.rate * share_of_rate(self.done)
        with self._numbers():
            logits = self._forward(hidden.inputs, hidden.places)
            loss = torch.nn.functional.cross_entropy(logits.float(), hidden.labels.flatten())
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), _LARGEST_GRADIENT)
        self._optimizer.step()
        self._optimizer.zero_grad(set_to_none=True)
        return loss.detach()

    def _note(self, loss: Any) -> None:  # noqa: ANN401 - a tensor
        steps = _STEPS_BETWEEN_LOSSES if self._on_cuda else 1
        if self.position.step % steps == 0:
            self.position.loss = averaged_loss(self.position.loss, float(loss), steps)

    def _batches(self) -> Iterator[RowArray]:
        """Yield the rows of each step from the next one on; each epoch is shuffled differently."""
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
        return mixed_numbers(self._torch, self._device, halves=self._halves)


@lru_cache(maxsize=2)
def _order(seed: int, epoch: int, count: int) -> npt.NDArray[np.int64]:
    """Return the order of the rows in one epoch."""
    return np.random.default_rng((seed, epoch)).permutation(count)


def _prediction(torch: Any, model: Any) -> Callable[[Any, Any], Any]:  # noqa: ANN401
    """Return the function that predicts the subwords at given positions."""

    def forward(inputs: Any, places: Any) -> Any:  # noqa: ANN401 - tensors
        states = model.bert(input_ids=inputs)[0]
        wanted = places.unsqueeze(-1).expand(-1, -1, states.shape[-1])
        return model.cls(torch.gather(states, 1, wanted).flatten(0, 1))

    return forward


def _weight_groups(model: Any) -> list[dict[str, Any]]:  # noqa: ANN401
    """Return the weights with weight decay, and those without: biases and norms."""
    matrices = [weight for weight in model.parameters() if weight.ndim > 1]
    others = [weight for weight in model.parameters() if weight.ndim <= 1]
    return [
        {"params": matrices, "weight_decay": _DECAY},
        {"params": others, "weight_decay": 0.0},
    ]


def share_of_rate(done: float) -> float:
    """Return the factor of the peak learning rate; never 0, so that every step counts.

    >>> share_of_rate(0.03), share_of_rate(0.53)
    (0.5, 0.5)
    """
    return max(min(done / _WARM_UP, (1 - done) / (1 - _WARM_UP)), 1e-3)
