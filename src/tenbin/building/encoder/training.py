"""The distillation: a student learns the vectors of its teachers for text of many languages."""

import json
import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tenbin.annotation.encoders.libraries import torch_module
from tenbin.annotation.encoders.settings import Device, NumberType
from tenbin.building.bert.recipe import SPECIAL_TOKENS
from tenbin.building.bert.training import (
    Position,
    ReportStep,
    read_state,
    share_of_rate,
    write_state,
)
from tenbin.building.encoder.batches import BatchPlan, held_out_pairs, text_rows
from tenbin.building.encoder.examples import Examples, PackedRows, Role
from tenbin.building.encoder.losses import (
    contrast_loss,
    cosine_loss,
    masked_texts,
    matching_loss,
    mean_vectors,
)
from tenbin.building.encoder.recipe import EncoderRecipe
from tenbin.building.encoder.student import Teacher, new_student
from tenbin.building.training_numbers import mixed_numbers, set_attention
from tenbin.building.training_progress import averaged_loss
from tenbin.core.arrays import IntArray
from tenbin.core.errors import UsageError
from tenbin.formats.tensor_file import map_tensors

# Liu et al. (2019), RoBERTa, table 9.
_BETAS, _EPSILON, _DECAY, _LARGEST_GRADIENT = (0.9, 0.98), 1e-6, 0.01, 1.0
_STEPS_BETWEEN_LOSSES = 20
_MINUTE = 60.0
_POINTS = 20  # of a curve
_WAIT = 10  # times as long as it takes to measure a point
# Rows of a batch with masked subwords: every n-th of both sides.
_MASKED_EVERY = 4
_WIDTH_MULTIPLE = 8
_HELD_OUT_AT_ONCE = 64
_PAD = SPECIAL_TOKENS.index("[PAD]")
_NOTES = "curve"

Curve = list[dict[str, Any]]
"""Points of a training: step, seconds, mean losses since the last one, held-out pairs."""


@dataclass(frozen=True, slots=True, eq=False)
class _Texts:
    """Texts of equal width on the device.

    Attributes:
        ids: Ids of subwords, shape (texts, width).
        mask: 1 where there is a subword.
        lengths: Subwords of each text.
    """

    ids: Any
    mask: Any
    lengths: Any


class _DeviceRows:
    """The rows of a role on the device, so that a batch is made there."""

    def __init__(self, torch: Any, rows: PackedRows, pad: int, device: str) -> None:  # noqa: ANN401
        self._torch, self._pad, self._device = torch, pad, device
        self.lengths = rows.lengths
        self._ids = torch.from_numpy(np.array(rows.ids)).to(device)
        self._offsets = torch.from_numpy(np.array(rows.offsets)).to(device)

    def width(self, rows: IntArray) -> int:
        """Return the width of a batch."""
        return -(-int(self.lengths[rows].max()) // _WIDTH_MULTIPLE) * _WIDTH_MULTIPLE

    def texts(self, rows: IntArray, width: int | None = None) -> _Texts:
        """Return rows, padded."""
        torch = self._torch
        wide = self.width(rows) if width is None else width
        chosen = torch.from_numpy(np.ascontiguousarray(rows)).to(self._device, non_blocking=True)
        starts = self._offsets[chosen]
        lengths = self._offsets[chosen + 1] - starts
        places = torch.arange(wide, device=self._device).unsqueeze(0)
        mask = places < lengths.unsqueeze(1)
        at = (starts.unsqueeze(1) + places).clamp_max(len(self._ids) - 1)
        ids = self._ids[at].long().masked_fill(~mask, self._pad)
        return _Texts(ids, mask.long(), lengths)


class EncoderTraining:
    """A student that is being trained.

    Attributes:
        position: Its progress.
        steps: How many there are; None where minutes are counted.
        curve: What was measured on the way.
        student: The student, a BertForMaskedLM of transformers.
    """

    def __init__(
        self,
        examples: Examples,
        tokenizer: Any,  # noqa: ANN401 - of tokenizers
        teachers: Mapping[Role, Teacher],
        recipe: EncoderRecipe,
        device: Device,
        numbers: NumberType,
    ) -> None:
        """Load the teachers and make the student.

        Args:
            examples: The text.
            tokenizer: The tokenizer of the student.
            teachers: The teacher, and the second one if there is one.
            recipe: The settings.
            device: CPU or CUDA.
            numbers: What products are computed with; weights and losses are float32.
        """
        self._torch = torch = torch_module()
        self._halves = numbers is NumberType.BFLOAT16
        self._recipe, self._examples = recipe, examples
        self._on_cuda, self._device = device is Device.CUDA, str(device)
        self._vocabulary = tokenizer.get_vocab_size()
        self.position = Position()
        self.curve: Curve = []
        self._held_out = held_out_pairs(examples.language_of, recipe.held_out, recipe.seed)
        self._plan = _plan(examples, self._held_out, recipe)
        extent = recipe.extent
        self.steps = extent.steps(self._plan.steps * self._plan.size, self._plan.size)
        loaded = {role: teacher.model() for role, teacher in teachers.items()}
        self.student = new_student(teachers[Role.TEACHER], loaded[Role.TEACHER], tokenizer, recipe)
        set_attention(self.student, device, numbers)
        parts = {"student": self.student}
        if Role.SECOND in teachers:
            sizes = teachers[Role.TEACHER].width, teachers[Role.SECOND].width
            parts["projection"] = torch.nn.Linear(*sizes)
        self._parts = torch.nn.ModuleDict(parts).to(self._device)
        kind = torch.bfloat16 if self._halves else torch.float32
        self._teachers = {role: model.to(self._device, kind) for role, model in loaded.items()}
        pads = {role: teacher.pad for role, teacher in teachers.items()}
        self._rows = {
            role: _DeviceRows(torch, rows, pads.get(role, _PAD), self._device)
            for role, rows in examples.rows.items()
        }
        self._optimizer = torch.optim.AdamW(
            self._weight_groups(), betas=_BETAS, eps=_EPSILON, fused=self._on_cuda
        )
        self._sums: dict[str, Any] = {}
        self._summed = 0
        self._measuring = 0.0

    @property
    def pairs(self) -> int:
        """Number of pairs that are trained on."""
        return self._plan.pairs

    @property
    def steps_of_epoch(self) -> int:
        """Steps of an epoch."""
        return self._plan.steps

    @property
    def done(self) -> float:
        """The share of the training that is done, from 0 to 1."""
        if self.steps is not None:
            return min(self.position.step / self.steps, 1.0)
        minutes = self._recipe.extent.amount
        return min(self.position.seconds / (minutes * _MINUTE), 1.0)

    def run(self, state: Path, report: ReportStep, *, seconds_between_states: float) -> None:
        """Train to the end, from the stored state if there is one.

        Args:
            state: The file of the state.
            report: Called after every step.
            seconds_between_states: The interval at which the state is written.

        Raises:
            UsageError: The memory of the device is too small for a batch.
        """
        if state.is_file():
            self.position = read_state(state, self._torch, self._parts, self._optimizer)
            self._restore_notes(map_tensors(state).metadata.get(_NOTES, "{}"))
        before = self.position.seconds
        began = written = time.monotonic()
        while self.done < 1:
            with self._memory_errors():
                loss = self._step(self._plan.at(self.position.step))
            self.position.step += 1
            now = time.monotonic()
            self.position.seconds = before + now - began
            self._note(loss)
            if self._is_point_due():
                self._add_point()
            if now - written >= seconds_between_states:
                notes = {_NOTES: self._notes()}
                write_state(state, self._parts, self._optimizer, self.position, notes)
                written = time.monotonic()
            report(self.position, self.done)

    def _step(self, rows: IntArray) -> Any:  # noqa: ANN401 - a tensor
        torch, recipe, step = self._torch, self._recipe, self.position.step
        # Everything random in a step depends only on its number, so that an interrupted training
        # continues as if it had not been interrupted.
        torch.manual_seed(recipe.seed + 2**32 * (step + 1))
        generator = torch.Generator(self._device).manual_seed(recipe.seed + 2**32 * (step + 1))
        share = share_of_rate(self.done)
        for group in self._optimizer.param_groups:
            group["lr"] = group["peak"] * share
        self._parts.train()
        losses = self._losses(rows, generator)
        loss = sum(losses.values())
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self._parts.parameters(), _LARGEST_GRADIENT)
        self._optimizer.step()
        self._optimizer.zero_grad(set_to_none=True)
        for name, one in {"loss": loss, **losses}.items():
            found = one.detach()
            self._sums[name] = self._sums[name] + found if name in self._sums else found
        self._summed += 1
        return loss.detach()

    def _losses(self, rows: IntArray, generator: Any) -> dict[str, Any]:  # noqa: ANN401
        """Return each loss of a batch times its weight."""
        torch, recipe, weights = self._torch, self._recipe, self._recipe.weights
        goals, goal_mask = self._teacher_states(Role.TEACHER, rows)
        both = self._both_sides(rows)
        states = self._states(both)
        found: dict[str, list[Any]] = {"cosine": [], "contrast": [], "matching": []}
        for layer in recipe.layers:
            target = mean_vectors(goals[layer], goal_mask)
            vectors = mean_vectors(states[layer], both.mask)
            found["cosine"].append(cosine_loss(torch, vectors, torch.cat([target, target])))
            if weights.contrast:
                for side in vectors.chunk(2):
                    found["contrast"].append(contrast_loss(torch, side, target))
            if weights.matching:
                sides = zip(states[layer].chunk(2), both.mask.chunk(2), strict=True)
                for side, mask in sides:
                    found["matching"].append(
                        matching_loss(torch, side, mask, goals[layer], goal_mask)
                    )
        if Role.SECOND in self._teachers and weights.second:
            found["second"] = self._second(rows, states, both.mask)
        if weights.masked:
            found["masked"] = [self._masked(both, generator)]
        factors = {"cosine": 1.0, "contrast": weights.contrast, "matching": weights.matching}
        factors |= {"second": weights.second, "masked": weights.masked}
        return {
            name: factors[name] * torch.stack(some).mean() for name, some in found.items() if some
        }

    def _second(self, rows: IntArray, states: Any, mask: Any) -> list[Any]:  # noqa: ANN401
        """Return the losses of the second teacher, whose vectors are reached by a projection."""
        goals, goal_mask = self._teacher_states(Role.SECOND, rows)
        target = mean_vectors(goals[-1], goal_mask)
        layer = max(self._recipe.layers)
        vectors = self._parts["projection"](mean_vectors(states[layer], mask)).float()
        found = [cosine_loss(self._torch, vectors, self._torch.cat([target, target]))]
        if weight := self._recipe.weights.contrast:
            sides = [contrast_loss(self._torch, side, target) for side in vectors.chunk(2)]
            found[0] = found[0] + weight * sum(sides) / 2
        return found

    def _masked(self, both: _Texts, generator: Any) -> Any:  # noqa: ANN401 - a tensor
        """Return the loss of predicting masked subwords of some texts."""
        torch = self._torch
        some = slice(self.position.step % _MASKED_EVERY, None, _MASKED_EVERY)
        texts = [_Texts(both.ids[some], both.mask[some], both.lengths[some])]
        if Role.TEXT in self._rows:
            rows = self._rows[Role.TEXT]
            count = max(self._plan.size // _MASKED_EVERY, 1)
            seed, step = self._recipe.seed, self.position.step
            texts.append(rows.texts(text_rows(rows.lengths, count, seed, step)))
        found = []
        for one in texts:
            hidden = masked_texts(torch, one.ids, one.lengths, generator, self._vocabulary)
            with self._numbers():
                states = self.student.bert(input_ids=hidden.inputs, attention_mask=one.mask)[0]
                wanted = hidden.places.unsqueeze(-1).expand(-1, -1, states.shape[-1])
                logits = self.student.cls(torch.gather(states, 1, wanted).flatten(0, 1))
            labels = hidden.labels.flatten()
            found.append(torch.nn.functional.cross_entropy(logits.float(), labels))
        return torch.stack(found).mean()

    def _both_sides(self, rows: IntArray) -> _Texts:
        """Return a batch of the teacher's language and, below it, its translation."""
        torch = self._torch
        sides = self._rows[Role.OWN], self._rows[Role.OTHER]
        width = max(side.width(rows) for side in sides)
        own, other = (side.texts(rows, width) for side in sides)
        return _Texts(
            torch.cat([own.ids, other.ids]),
            torch.cat([own.mask, other.mask]),
            torch.cat([own.lengths, other.lengths]),
        )

    def _states(self, texts: _Texts) -> Any:  # noqa: ANN401 - tensors
        """Return the vectors of the student for all layers; losses are computed in 32 bits."""
        with self._numbers():
            found = self.student.bert(
                input_ids=texts.ids, attention_mask=texts.mask, output_hidden_states=True
            )
        return found.hidden_states

    def _teacher_states(self, role: Role, rows: IntArray) -> tuple[Any, Any]:
        """Return the vectors of a teacher for all layers, and which of them are of subwords."""
        texts = self._rows[role].texts(rows)
        with self._torch.no_grad():
            found = self._teachers[role](
                input_ids=texts.ids, attention_mask=texts.mask, output_hidden_states=True
            )
        return found.hidden_states, texts.mask

    def _is_point_due(self) -> bool:
        """Return whether held-out pairs are measured now."""
        if self.done * _POINTS < len(self.curve) + 1:
            return False
        # A training by the clock would otherwise spend its minutes on measuring.
        last = self.curve[-1]["seconds"] if self.curve else 0.0
        waited = self.position.seconds - last
        return self.steps is not None or self.done >= 1 or waited >= _WAIT * self._measuring

    def _add_point(self) -> None:
        """Measure held-out pairs and add a point to the curve."""
        began = time.monotonic()
        means = {name: round(float(total) / self._summed, 5) for name, total in self._sums.items()}
        self._sums, self._summed = {}, 0
        self.curve.append(
            {
                "step": self.position.step,
                "seconds": round(self.position.seconds, 1),
                **means,
                "held out": self.held_out(),
            }
        )
        self._measuring = time.monotonic() - began

    def held_out(self) -> dict[str, dict[str, float]]:
        """Return, for each language, how well held-out translations are found.

        ``found`` is the share of segments whose nearest one in the teacher's language is their
        translation; ``margin`` is how much closer a translation is than another segment: the
        difference of mean cosines in standard deviations of the others. Vectors are means of the
        highest of the chosen layers, all of the student.
        """
        found: dict[str, dict[str, float]] = {}
        numbers = self._examples.language_of[self._held_out]
        for number, language in enumerate(self._examples.languages):
            rows = self._held_out[numbers == number]
            if len(rows) > 1:
                found[language] = self._retrieval(rows)
        return found

    def _retrieval(self, rows: IntArray) -> dict[str, float]:
        torch = self._torch
        self._parts.eval()
        layer = max(self._recipe.layers)
        sides: tuple[list[Any], list[Any]] = [], []
        for start in range(0, len(rows), _HELD_OUT_AT_ONCE):
            both = self._both_sides(rows[start : start + _HELD_OUT_AT_ONCE])
            with torch.no_grad():
                states = self._states(both)[layer]
            for side, part in zip(sides, mean_vectors(states, both.mask).chunk(2), strict=True):
                side.append(torch.nn.functional.normalize(part, dim=-1))
        own, other = (torch.cat(side) for side in sides)
        cosines = other @ own.T
        count = len(rows)
        paired = cosines.diagonal()
        right = (cosines.argmax(dim=1) == torch.arange(count, device=cosines.device)).float()
        others = cosines[~torch.eye(count, dtype=torch.bool, device=cosines.device)]
        margin = (paired.mean() - others.mean()) / others.std().clamp_min(1e-6)
        return {"found": round(float(right.mean()), 4), "margin": round(float(margin), 4)}

    def _weight_groups(self) -> list[dict[str, Any]]:
        """Return weights with their peak rates; biases and norms have no weight decay."""
        groups: dict[tuple[float, float], list[Any]] = {}
        for name, weight in self._parts.named_parameters():
            rate = self._recipe.layer_rate if ".encoder.layer." in name else self._recipe.rate
            decay = _DECAY if weight.ndim > 1 else 0.0
            groups.setdefault((rate, decay), []).append(weight)
        return [
            {"params": weights, "weight_decay": decay, "lr": rate, "peak": rate}
            for (rate, decay), weights in groups.items()
        ]

    def _note(self, loss: Any) -> None:  # noqa: ANN401 - a tensor
        steps = _STEPS_BETWEEN_LOSSES if self._on_cuda else 1
        if self.position.step % steps == 0:
            self.position.loss = averaged_loss(self.position.loss, float(loss), steps)

    def _notes(self) -> str:
        sums = {name: float(total) for name, total in self._sums.items()}
        return json.dumps({"points": self.curve, "sums": sums, "summed": self._summed})

    def _restore_notes(self, text: str) -> None:
        stored = json.loads(text)
        self.curve = stored.get("points", [])
        self._sums, self._summed = stored.get("sums", {}), stored.get("summed", 0)

    def _numbers(self) -> AbstractContextManager[Any]:
        return mixed_numbers(self._torch, self._device, halves=self._halves)

    @contextmanager
    def _memory_errors(self) -> Iterator[None]:
        try:
            yield
        except self._torch.OutOfMemoryError as error:
            raise UsageError(
                f"batch={self._recipe.batch}: the memory of the device is too small for it. Give a "
                "smaller batch, or a smaller length."
            ) from error


def _plan(examples: Examples, held_out: IntArray, recipe: EncoderRecipe) -> BatchPlan:
    trained = np.ones(len(examples), dtype=np.bool_)
    trained[held_out] = False
    numbers = range(len(examples.languages))
    groups = [np.flatnonzero(trained & (examples.language_of == number)) for number in numbers]
    lengths: IntArray = np.maximum(
        examples.rows[Role.OWN].lengths, examples.rows[Role.OTHER].lengths
    )
    return BatchPlan(tuple(groups), lengths, recipe.batch, recipe.temperature, recipe.seed)
