"""Trains a joint network on judgments: Huber loss on labels, logistic loss on pairs.

AdamW with a learning rate that rises over the first steps and then falls to 0. A step is worked out
in parts of alike long texts whose gradients are added, so that little is padding and any number of
examples fits into memory. All that is random depends on the seed and the number of the step.
"""

import json
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from tenbin.annotation.encoders.settings import Device
from tenbin.annotation.joint.network import JointNetwork
from tenbin.building.bert.training import library_errors
from tenbin.building.metric.examples import ExampleSource, StepExamples
from tenbin.building.metric.holding_out import HeldOut
from tenbin.building.metric.lessons import LESSONS, SubwordLessons
from tenbin.building.metric.recipe import CPU_SUBWORDS, CUDA_SUBWORDS, MetricRecipe
from tenbin.building.training_progress import averaged_loss
from tenbin.core.arrays import FloatArray, IntArray
from tenbin.core.counting import counted
from tenbin.core.errors import InputError, ResourceError, UnreadableFile
from tenbin.formats.json_text import parse_json
from tenbin.formats.output import whole_file
from tenbin.formats.tensor_file import map_tensors

Tensor = Any  # of torch, which is not imported here

_NOW, _MEAN, _SQUARE, _BEST = "now/", "mean/", "square/", "best/"
_POSITION = "position"
# Reading a number from a GPU makes it wait.
_STEPS_BETWEEN_LOSSES = 10
_MEASURED_AT_ONCE = 4  # times the subwords of a part: no gradients are kept
_MULTIPLE = 8
_DIGITS = 6


@dataclass(slots=True)
class MetricPosition:
    """How far a training has come.

    Attributes:
        step: Steps that are done.
        seconds: Their duration.
        loss: Moving average of the loss.
        subwords: Subwords that are trained on at once.
        curve: Loss and, where something is held out, agreement, now and then.
        best_step: The step with the best agreement.
        best: That agreement.
        since_best: Measurements since then.
    """

    step: int = 0
    seconds: float = 0.0
    loss: float = float("nan")
    subwords: int = 0
    curve: list[dict[str, Any]] = field(default_factory=list)
    best_step: int = 0
    best: float = float("-inf")
    since_best: int = 0


ReportMetricStep = Callable[[MetricPosition, float], None]
"""Called with the position and the share of the work that is done."""
Tell = Callable[[str], None]


class MetricTraining:
    """A network that is being trained.

    Attributes:
        network: The network.
        position: How far it has come.
    """

    def __init__(
        self,
        network: JointNetwork,
        source: ExampleSource,
        held_out: HeldOut,
        recipe: MetricRecipe,
        device: Device,
        tell: Tell = lambda _note: None,
        lessons: SubwordLessons | None = None,
    ) -> None:
        """Prepare a training.

        Args:
            network: A network whose adapter is not merged.
            source: The examples.
            held_out: What agreement is measured with.
            recipe: The settings.
            device: CPU or CUDA.
            tell: Called with notes.
            lessons: What is learned of subwords.
        """
        self.network, self._source, self._held_out = network, source, held_out
        self._recipe, self._tell, self._lessons = recipe, tell, lessons
        self._torch = network.torch
        self._on_cuda = device is Device.CUDA
        self._device = str(device)
        usual = CUDA_SUBWORDS if self._on_cuda else CPU_SUBWORDS
        self.position = MetricPosition(subwords=recipe.subwords or usual)
        own = network.parameters
        self._parameters = own if lessons is None else {**own, **lessons.parameters}
        self._clipped = list(own.values())
        self._best: dict[str, Tensor] = {}
        self._ahead: ThreadPoolExecutor | None = None
        self._drawn: dict[int, Future[StepExamples]] = {}
        above = ("head/", LESSONS)
        head = [one for name, one in self._parameters.items() if name.startswith(above)]
        body = [one for name, one in self._parameters.items() if not name.startswith(above)]
        self._rates = (recipe.rate, recipe.head_rate)
        self._optimizer = self._torch.optim.AdamW(
            [{"params": body, "lr": recipe.rate}, {"params": head, "lr": recipe.head_rate}],
            weight_decay=recipe.decay,
            fused=self._on_cuda,
        )

    @property
    def done(self) -> float:
        """The share of the steps that is done, from 0 to 1."""
        return min(self.position.step / self._recipe.steps, 1.0)

    @property
    def stopped_early(self) -> bool:
        """Whether the agreement has not risen for too long."""
        return bool(self._held_out) and self.position.since_best >= self._recipe.patience

    def run(self, state: Path, report: ReportMetricStep, *, seconds_between_states: float) -> None:
        """Train to the end, from the stored state if there is one; the best weights are taken.

        Args:
            state: The file of the state.
            report: Called after every step.
            seconds_between_states: The interval at which the state is written.

        Raises:
            InputError: The loss is no number any more.
            ResourceError: Not even one pair fits into memory.
            OutputError: The state cannot be written; the last one is as it was.
            UnreadableFile: The state is damaged.
        """
        if state.is_file():
            self.read_state(state)
        before, began = self.position.seconds, time.monotonic()
        written = began
        with self._threads(), ThreadPoolExecutor(1) as ahead:
            self._ahead = ahead
            if self._held_out and not self.position.curve:
                self._measure()
            while self.done < 1 and not self.stopped_early:
                self._step()
                now = time.monotonic()
                self.position.seconds = before + now - began
                step = self.position.step
                if step % self._recipe.every == 0 or step == self._recipe.steps:
                    self._measure()
                if now - written >= seconds_between_states:
                    self.write_state(state)
                    written = time.monotonic()
                report(self.position, self.done)
            if self._best:
                with self._torch.no_grad():
                    for name, one in self._parameters.items():
                        one.copy_(self._best[name])

    def raw(self, references: IntArray, hypotheses: IntArray) -> FloatArray:
        """Return the raw scores of pairs of texts, by their numbers."""
        inputs = self._source.split.rows(references, hypotheses)
        return raw_scores(self.network, inputs, self.position.subwords * _MEASURED_AT_ONCE)

    def _step(self) -> None:
        recipe, step = self._recipe, self.position.step
        for group, rate in zip(self._optimizer.param_groups, self._rates, strict=True):
            group["lr"] = rate * share_of_rate(step, recipe.steps, recipe.warm_up)
        loss = self._gradients_that_fit(self._examples(step))
        self._torch.nn.utils.clip_grad_norm_(self._clipped, recipe.largest_gradient)
        self._optimizer.step()
        self._optimizer.zero_grad(set_to_none=True)
        self.position.step += 1
        self._note(loss)

    def _examples(self, step: int) -> StepExamples:
        """Return the examples of a step; those of the next one are drawn meanwhile."""
        if self._ahead is None:
            return self._source.step(step)
        drawn = self._drawn.get(step)
        if step + 1 < self._recipe.steps:
            self._drawn = {step + 1: self._ahead.submit(self._source.step, step + 1)}
        return self._source.step(step) if drawn is None else drawn.result()

    def _gradients_that_fit(self, examples: StepExamples) -> Tensor:
        """Work out gradients; if memory is short, in parts of half the size."""
        while True:
            try:
                return self._gradients(examples)
            except (RuntimeError, MemoryError) as error:
                if not _is_out_of_memory(error):
                    raise
            self._optimizer.zero_grad(set_to_none=True)
            if self._on_cuda:
                self._torch.cuda.empty_cache()
            longest = max(len(one) for one in examples.inputs)
            if self.position.subwords <= longest:
                raise ResourceError(
                    "out of memory: not even one pair of texts can be trained on. Use a smaller "
                    "base model, or cut texts shorter (a smaller length)."
                )
            self.position.subwords //= 2
            self._tell(
                f"out of memory: from here on {counted(self.position.subwords, 'subword')} are "
                "trained on at once, in more parts; a step is still of as many examples."
            )

    def _gradients(self, examples: StepExamples) -> Tensor:
        # Before the parts: dropout is drawn in their order.
        self._torch.manual_seed(self._recipe.seed + 2**32 * (self.position.step + 1))
        total = self._torch.zeros((), device=self._device)
        with self.network.training() if self._recipe.dropout else nullcontext():
            for part in examples.parts(self.position.subwords):
                loss = self._loss(part)
                loss.backward()
                total = total + loss.detach()
        return total

    def _loss(self, part: StepExamples) -> Tensor:
        functions = self._torch.nn.functional
        of_subwords = 0.0
        if self._lessons is not None and part.subwords:
            raw, states = self.network.raw_with_states(part.inputs)
            raw, of_subwords = raw.float(), self._lessons.loss(states, part)
        else:
            raw = self.network.raw(part.inputs).float()
        count, double = len(part.singles), len(part.singles) + len(part.better)
        columns = (part.labels, part.label_weights, part.margins, part.pair_weights)
        labels, weights, margins, pair_weights = (self._tensor(one) for one in columns)
        rows = functions.huber_loss(raw[:count], labels, reduction="none")
        pairs = functions.softplus(margins - (raw[count:double] - raw[double:]))
        return (rows * weights).sum() + (pairs * pair_weights).sum() + of_subwords

    def _tensor(self, column: FloatArray) -> Tensor:
        there = self._torch.from_numpy(np.ascontiguousarray(column, dtype=np.float32))
        return there.to(self._device, non_blocking=True)

    def _note(self, loss: Tensor) -> None:
        steps = _STEPS_BETWEEN_LOSSES if self._on_cuda else 1
        if self.position.step % steps:
            return
        found = float(loss)
        if not np.isfinite(found):
            raise InputError(
                f"the training failed at step {self.position.step:,}: the loss is {found}. Choose "
                f"a smaller rate than rate={self._recipe.rate:g}."
            )
        self.position.loss = averaged_loss(self.position.loss, found, steps)

    def _measure(self) -> None:
        """Add a point to the curve, and keep the weights if they are the best so far."""
        position = self.position
        point: dict[str, Any] = {"step": position.step}
        if not np.isnan(position.loss):
            point["loss"] = round(position.loss, _DIGITS)
        if self._held_out:
            by_set = self._held_out.agreement(self.raw)
            agreement = float(np.mean(list(by_set.values()))) if by_set else 0.0
            point["agreement"] = round(agreement, _DIGITS)
            point["sets"] = {name: round(value, _DIGITS) for name, value in by_set.items()}
            if agreement > position.best:
                position.best, position.best_step, position.since_best = agreement, position.step, 0
                self._best = {name: one.detach().clone() for name, one in self._parameters.items()}
            else:
                position.since_best += 1
        position.curve.append(point)

    @contextmanager
    def _threads(self) -> Iterator[None]:
        before = self._torch.get_num_threads()
        self._torch.set_num_threads(self._recipe.threads)
        try:
            yield
        finally:
            self._torch.set_num_threads(before)

    def write_state(self, path: Path) -> None:
        """Write weights, their moments, the best ones and the position, whole or not at all.

        Raises:
            OutputError: Disk full, or no permission; what was there is as it was.
        """
        tensors: dict[str, Tensor] = {_BEST + name: one for name, one in self._best.items()}
        for name, one in self._parameters.items():
            tensors[_NOW + name] = one.detach()
            moments = self._optimizer.state[one]
            if moments:  # a weight that nothing reads has none
                tensors[_MEAN + name] = moments["exp_avg"]
                tensors[_SQUARE + name] = moments["exp_avg_sq"]
        whole = {name: one.contiguous() for name, one in tensors.items()}
        noted = {_POSITION: json.dumps(asdict(self.position))}
        with whole_file(str(path)) as temporary, library_errors():
            import_module("safetensors.torch").save_file(whole, str(temporary), noted)

    def read_state(self, path: Path) -> None:
        """Go on from a state that was written.

        Raises:
            UnreadableFile: The file is damaged, or of another training.
        """
        try:
            noted = map_tensors(path).metadata[_POSITION]
            stored = import_module("safetensors.torch").load_file(str(path))
            position = MetricPosition(**parse_json(noted))
            self._restore(stored, position.step)
        except (KeyError, ValueError, TypeError, RuntimeError) as error:
            problem = f"is not the state of this training ({error})"
            raise UnreadableFile(str(path), problem, "Remove it to begin again.") from error
        self.position = position

    def _restore(self, stored: Mapping[str, Tensor], step: int) -> None:
        torch = self._torch
        with torch.no_grad():
            for name, one in self._parameters.items():
                one.copy_(stored[_NOW + name])
                if _MEAN + name not in stored:
                    continue
                self._optimizer.state[one] = {
                    # fused optimizers count steps where the weights are
                    "step": torch.tensor(float(step), device=one.device if one.is_cuda else "cpu"),
                    "exp_avg": stored[_MEAN + name].to(one.device),
                    "exp_avg_sq": stored[_SQUARE + name].to(one.device),
                }
        self._best = {
            name.removeprefix(_BEST): one.to(self._device)
            for name, one in stored.items()
            if name.startswith(_BEST)
        }


def raw_scores(network: JointNetwork, inputs: list[Any], subwords: int) -> FloatArray:
    """Return raw scores of inputs, which are run in groups of alike long ones.

    Args:
        network: The network.
        inputs: References and hypotheses as subwords.
        subwords: Subwords of a group, padding included.
    """
    found = np.zeros(len(inputs))
    lengths = np.array([len(one) for one in inputs], dtype=np.int64)
    order = np.argsort(lengths, kind="stable")
    results: list[tuple[IntArray, Tensor]] = []
    start = 0
    with network.torch.inference_mode():
        while start < len(order):
            stop = start + 1
            while stop < len(order):
                longest = -(-int(lengths[order[stop]]) // _MULTIPLE) * _MULTIPLE
                if (stop + 1 - start) * longest > subwords:
                    break
                stop += 1
            places = order[start:stop]
            results.append((places, network.raw([inputs[place] for place in places.tolist()])))
            start = stop
    for places, raw in results:
        found[places] = raw.float().cpu().numpy()
    return found


def share_of_rate(step: int, steps: int, warm_up: float) -> float:
    """Return the factor of the learning rate: up over the first steps, then down to 0.

    >>> [round(share_of_rate(step, 10, 0.2), 2) for step in (0, 1, 5, 9)]
    [0.5, 0.9, 0.5, 0.1]
    """
    rising = (step + 1) / (warm_up * steps) if warm_up > 0 else 1.0
    return min(1.0, rising) * (1 - step / steps)


def _is_out_of_memory(error: BaseException) -> bool:
    said = str(error).lower()
    short = "out of memory" in said or "can't allocate memory" in said
    return isinstance(error, MemoryError) or short or "not enough memory" in said
