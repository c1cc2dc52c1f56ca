"""The joint network: a base model with an adapter reads a reference and a hypothesis together.

All hidden states of the base model are mixed, and a head of two layers judges the first one, the
means of both texts, and how these differ::

    mixed    = sum over layers of softmax(mix) x states
    r, h     = means of mixed over the subwords of the reference, of the hypothesis
    features = [mixed of the first subword; r; h; |r - h|; r x h]
    raw      = output(tanh(hidden(features)))
    score    = 1 / (1 + exp(-raw))

While it is trained the matrices of the adapter stand beside the weights of the base model, which do
not change; for scoring they are added to them.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from tenbin.annotation.encoders.layered_model import (
    equal_groups,
    on_all_cores,
    opened_model,
    position_limit,
    run_on_cuda,
    with_int8_products,
)
from tenbin.annotation.encoders.libraries import torch_module
from tenbin.annotation.encoders.own_layers import (
    LayerRun,
    dropped,
    has_own_layers,
    known_types,
    layer_parts,
    subword_table,
)
from tenbin.annotation.encoders.packed_layers import PackedLayers, packs
from tenbin.annotation.encoders.settings import Device, NumberType
from tenbin.annotation.joint.adapter import (
    DOWN,
    FULL,
    HEAD,
    HEAD_NAMES,
    LORA,
    MIX,
    UP,
    Adapter,
    Array,
)
from tenbin.annotation.joint.fitting import (
    FEATURES,
    adapted_modules,
    check_fits,
    linear_layers,
)
from tenbin.annotation.joint.pairs import JointRow
from tenbin.core.arrays import FloatArray
from tenbin.kernels.products.range_sums import range_sums
from tenbin.resources.checkpoints import Checkpoint

Tensor = Any  # of torch, which is not imported here
Float32Array = npt.NDArray[np.float32]

_MULTIPLE = 8
"""Rows are padded to a length that is one, where they are padded: fast for GPUs."""
_DROPOUT = 0.1  # of both layers of the head, while it is trained
# Subwords of a group that is scored at once. Few are enough for a CPU, and fill up little.
_GROUP_SUBWORDS = {Device.CPU: 32, Device.CUDA: 16_384}
_FEW_POSITIONS = 512  # if the model has no limit


@dataclass(frozen=True, slots=True, kw_only=True)
class AdapterShape:
    """The sizes of an adapter that is to be trained.

    Attributes:
        rank: The rank of the matrices beside each linear layer; 0 for none.
        alpha: What their product is multiplied by, times the rank.
        width: The size of the hidden layer of the head.
        layers: How many layers of the base model are read; None for all.
        full: Whether the weights of the base model are trained themselves.
    """

    rank: int = 8
    alpha: float = 16.0
    width: int = 256
    layers: int | None = None
    full: bool = False


def first_tensors(checkpoint: Checkpoint, shape: AdapterShape, seed: int) -> dict[str, Array]:
    """Return the numbers that the training of an adapter begins with: those that the seed gives.

    The adapter changes nothing at first, and all hidden states have the same share. Weights of the
    base model are not among them, even if they are to be trained.
    """
    model = opened_model(checkpoint)
    count = checkpoint.layer_count if shape.layers is None else shape.layers
    size = int(subword_table(model).embedding_dim)
    rng = np.random.default_rng(seed)  # drawn by numpy: the generator of torch may change
    found: dict[str, Array] = {MIX: np.zeros(count + 1, dtype=np.float32)}
    if shape.rank:
        for name, linear in linear_layers(model, count).items():
            outputs, inputs = linear.weight.shape
            down = rng.standard_normal((shape.rank, inputs)) / np.sqrt(inputs)
            found[f"{LORA}{name}{DOWN}"] = down.astype(np.float32)
            found[f"{LORA}{name}{UP}"] = np.zeros((outputs, shape.rank), dtype=np.float32)
    for name, inputs in (("hidden", FEATURES * size), ("output", shape.width)):
        outputs = shape.width if name == "hidden" else 1
        most = 1 / np.sqrt(inputs)
        weight = rng.uniform(-most, most, (outputs, inputs))
        found[f"{HEAD}{name}/weight"] = weight.astype(np.float32)
        bias = rng.uniform(-most, most, outputs)
        found[f"{HEAD}{name}/bias"] = bias.astype(np.float32)
    return found


class JointNetwork:
    """A base model with an adapter.

    Attributes:
        torch: The library.
        room: How many subwords and special tokens fit into one row.
        layers: How many layers of the base model are read.
    """

    def __init__(
        self,
        checkpoint: Checkpoint,
        tensors: Mapping[str, Array],
        scale: float,
        *,
        device: Device = Device.CPU,
        number_type: NumberType = NumberType.FLOAT32,
        merged: bool = True,
        where: str = "the adapter",
    ) -> None:
        """Load the base model and put the numbers of an adapter into it.

        Args:
            checkpoint: The base model.
            tensors: The numbers, as an adapter has them.
            scale: What the product of its matrices is multiplied by: alpha / rank.
            device: CPU or CUDA.
            number_type: What is computed with; ``int8`` only if merged. What is trained stays
                float32 in any case.
            merged: Whether the adapter is added to the weights for good, for scoring; if not, its
                numbers can be trained.
            where: What messages call the adapter.

        Raises:
            UnreadableFile: The model is damaged, or the adapter does not fit it.
        """
        torch = self.torch = torch_module()
        self._device, self._number_type, self._merged = device, number_type, merged
        model = opened_model(checkpoint)
        self.room = position_limit(model) or _FEW_POSITIONS
        if hasattr(model, "pooler"):
            model.pooler = None  # nothing reads what it makes
        for one in model.parameters():
            one.requires_grad_(False)  # noqa: FBT003 - the name of torch
        self.layers = len(tensors[MIX]) - 1
        check_fits(checkpoint, model, tensors, where)
        self._scale = scale
        self._trained: dict[str, Tensor] = {}
        self._put(model, tensors)
        exact = [self._weights[name].double() for name in (MIX, *HEAD_NAMES)] if merged else []
        self._exact_head = exact
        self._packed: PackedLayers | None = None
        own = has_own_layers(model)
        if merged and number_type is NumberType.INT8:
            if own:
                self._packed = PackedLayers(torch, model, self.layers)
                model.encoder = None  # its weights would only take memory
            else:
                model = with_int8_products(torch, model)
        elif merged and number_type is NumberType.BFLOAT16:
            model = model.to(torch.bfloat16)
        self._model = model.to(str(device)).eval()
        self._run = (
            LayerRun(torch, model, layer_parts(model, self.layers))
            if own and self._packed is None
            else None
        )
        self._training = False

    @classmethod
    def of_adapter(
        cls,
        checkpoint: Checkpoint,
        adapter: Adapter,
        *,
        device: Device = Device.CPU,
        number_type: NumberType = NumberType.FLOAT32,
        merged: bool = True,
    ) -> Self:
        """Return the network of an adapter, to score with or to train further."""
        return cls(
            checkpoint,
            adapter.tensors,
            adapter.card.scale,
            device=device,
            number_type=number_type,
            merged=merged,
            where=adapter.where,
        )

    @property
    def device(self) -> str:
        """What it runs on, as torch calls it."""
        return str(self._device)

    def weights(self) -> list[tuple[str, Tensor]]:
        """Return the weights of the base model by name."""
        return list(self._model.named_parameters())

    @property
    def parameters(self) -> dict[str, Tensor]:
        """What is trained, by the names of the adapter; empty if the adapter is merged."""
        return dict(self._trained)

    def train_base(self, *, embeddings: bool = True) -> None:
        """Let the weights of the base model be trained as well.

        Args:
            embeddings: Whether those of the embeddings are, too.
        """
        prefixes = tuple(f"{name}." for name in self._unread())
        only = "" if embeddings else f"{self._stack().partition('.')[0]}."
        for name, one in self._model.named_parameters():
            if name.startswith(only) and not name.startswith(prefixes):
                one.requires_grad_(True)  # noqa: FBT003 - the name of torch
                self._trained[f"{FULL}{name}"] = one

    def tensors(self) -> dict[str, Float32Array]:
        """Return what was trained, as arrays of float32."""
        return {
            name: one.detach().float().cpu().numpy().copy() for name, one in self._trained.items()
        }

    def load(self, tensors: Mapping[str, Array]) -> None:
        """Set what is trained, as `tensors` returned it: to go on, or back to the best step."""
        with self.torch.no_grad():
            for name, one in self._trained.items():
                one.copy_(self.torch.from_numpy(np.array(tensors[name], dtype=np.float32)))

    @contextmanager
    def training(self) -> Iterator[None]:
        """Let dropout act inside the block."""
        self._training = True
        self._model.train()
        try:
            yield
        finally:
            self._training = False
            self._model.eval()

    def raw(self, rows: Sequence[JointRow]) -> Tensor:
        """Return the raw scores of rows of any lengths, padded; gradients flow through them."""
        longest = -(-max(map(len, rows)) // _MULTIPLE) * _MULTIPLE
        ids, types, mask = self._padded(rows, longest)
        return self._judged(self._features(types, mask, input_ids=ids))

    def raw_with_states(self, rows: Sequence[JointRow]) -> tuple[Tensor, Tensor]:
        """Return the raw scores of rows, and the states of the last layer that is read.

        The latter have the shape (rows, subwords of the longest and padding, size).
        """
        longest = -(-max(map(len, rows)) // _MULTIPLE) * _MULTIPLE
        ids, types, mask = self._padded(rows, longest)
        with self._computing():
            states = self._states(types, mask, {"input_ids": ids})
            features = self._summed(states, types, mask)
        return self._judged(features), states[-1]

    def scores(self, rows: Sequence[JointRow]) -> FloatArray:
        """Return the score of each row, 0 to 1; it does not depend on the other rows.

        On a CPU no row is padded. On a GPU a row is padded to the next multiple of eight. Groups of
        a length always have the same size, see `equal_groups`; products of integers are exact, so
        that rows of any lengths are run together.
        """
        found = np.zeros(len(rows))
        if self._packed is not None:
            return self._packed_scores(self._packed, rows)
        padded = self._device is Device.CUDA
        lengths = [len(row) for row in rows]
        if padded:
            lengths = [-(-length // _MULTIPLE) * _MULTIPLE for length in lengths]
        groups = equal_groups(lengths, _GROUP_SUBWORDS[self._device])

        def run(group: list[int]) -> Tensor:
            some = [rows[place] for place in group]
            with self.torch.inference_mode():
                ids, types, mask = self._padded(some, lengths[group[0]])
                features = self._features(types, mask if padded else None, input_ids=ids)
                # A product of few rows may add in another order for each of them.
                return self.torch.sigmoid(self._judged(features.double()))

        def store(place: int, score: Float32Array) -> None:
            found[place] = float(score)

        def run_here(group: list[int]) -> None:
            # Rows that fill the group up are written to the same position.
            found[group] = run(group).numpy()

        if padded:
            run_on_cuda(self.torch, run, groups, store)
        else:
            on_all_cores(self.torch, run_here, groups)
        return found

    def _packed_scores(self, layers: PackedLayers, rows: Sequence[JointRow]) -> FloatArray:
        found = np.zeros(len(rows))

        def run(pack: list[int]) -> None:
            some = [rows[place] for place in pack]
            firsts = [row.first for row in some]
            lengths = np.array([len(row) for row in some])
            starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
            bounds = np.column_stack([starts, starts + firsts]).reshape(-1)
            counts = np.column_stack([firsts, lengths - firsts]).reshape(-1, 1)
            features = []
            with self.torch.inference_mode():
                for states in layers.states([row.ids for row in some], firsts):
                    numbers = states.numpy()
                    means = range_sums(numbers, bounds) / counts
                    parts = numbers[starts], means[::2], means[1::2]
                    features.append(np.concatenate(parts, axis=1, dtype=np.float64))
                every = self.torch.from_numpy(np.stack(features))
                found[pack] = self.torch.sigmoid(self._judged(every)).numpy()

        on_all_cores(self.torch, run, packs([len(row) for row in rows]))
        return found

    def subword_vectors(self, ids: Tensor) -> Tensor:
        """Return the vectors that the base model gives subwords before it reads them."""
        return subword_table(self._model)(ids)

    def raw_of_vectors(self, vectors: Tensor, types: Tensor) -> Tensor:
        """Return the raw scores of rows of one length whose subwords have given vectors."""
        return self._judged(self._features(types, None, inputs_embeds=vectors))

    def _features(self, types: Tensor, mask: Tensor | None, **given: Tensor) -> Tensor:
        """Return the first vector and both means, (layers + 1, rows, 3 size), before the mixing."""
        with self._computing():
            return self._summed(self._states(types, mask, given), types, mask)

    def _summed(self, states: Sequence[Tensor], types: Tensor, mask: Tensor | None) -> Tensor:
        torch = self.torch
        second = types.bool()
        first = ~second if mask is None else mask & ~second
        parts = [
            torch.cat([one[:, 0].float(), _mean(one, first), _mean(one, second)], dim=-1)
            for one in states
        ]
        return torch.stack(parts)

    def _judged(self, features: Tensor) -> Tensor:
        functions = self.torch.nn.functional
        head = self._head(features.dtype)
        mix, hidden_weight, hidden_bias, output_weight, output_bias = head
        mixed = self.torch.einsum("l,lrf->rf", mix.softmax(dim=0), features)
        first, reference, hypothesis = mixed.chunk(3, dim=-1)
        compared = [(reference - hypothesis).abs(), reference * hypothesis]
        features = self.torch.cat([first, reference, hypothesis, *compared], dim=-1)
        if self._training:
            features = dropped(self.torch, features, _DROPOUT)
        hidden = functions.linear(features, hidden_weight, hidden_bias).tanh()
        if self._training:
            hidden = dropped(self.torch, hidden, _DROPOUT)
        return functions.linear(hidden, output_weight, output_bias)[:, 0]

    def _head(self, kind: Any) -> list[Tensor]:  # noqa: ANN401 - of torch
        """Return the shares of the layers and the weights of the head, in a number type."""
        if self._exact_head and kind is self._exact_head[0].dtype:
            return self._exact_head
        return [self._weights[name].to(kind) for name in (MIX, *HEAD_NAMES)]

    def _states(
        self, types: Tensor, mask: Tensor | None, given: Mapping[str, Tensor]
    ) -> list[Tensor]:
        """Return the output of the embeddings and of each layer that is read."""
        if self._run is not None:
            embedded = self._run.embeddings(types, **given)
            bias = self._run.bias(embedded, mask)
            return self._run.states(embedded, bias, training=self._training)
        more = {} if mask is None else {"attention_mask": mask.long()}
        if getattr(self._model.config, "type_vocab_size", 0):
            more["token_type_ids"] = known_types(self._model, types)
        output = self._model(**given, **more, output_hidden_states=True)
        return list(output.hidden_states[: self.layers + 1])

    @contextmanager
    def _computing(self) -> Iterator[None]:
        """Compute with the number type that was chosen, where weights are kept in float32."""
        mixed = not self._merged and self._number_type is NumberType.BFLOAT16
        chosen = (
            self.torch.autocast(str(self._device), self.torch.bfloat16) if mixed else nullcontext()
        )
        with chosen:
            yield

    def _padded(self, rows: Sequence[JointRow], length: int) -> tuple[Tensor, Tensor, Tensor]:
        padding = getattr(self._model.config, "pad_token_id", None) or 0
        ids = np.full((len(rows), length), padding, dtype=np.int64)
        types = np.zeros((len(rows), length), dtype=np.int64)
        mask = np.zeros((len(rows), length), dtype=np.bool_)
        for place, row in enumerate(rows):
            ids[place, : len(row)] = row.ids
            types[place, row.first : len(row)] = 1
            mask[place, : len(row)] = True
        made = (self.torch.from_numpy(one) for one in (ids, types, mask))
        ids_there, types_there, mask_there = (
            one.to(str(self._device), non_blocking=True) for one in made
        )
        return ids_there, types_there, mask_there

    def _put(self, model: Any, tensors: Mapping[str, Array]) -> None:  # noqa: ANN401 - of transformers
        """Put the numbers of an adapter into a model."""
        torch = self.torch
        linear = linear_layers(model, self.layers)
        named = dict(model.named_parameters())
        own: dict[str, Tensor] = {}
        with torch.no_grad():
            for name, one in tensors.items():
                number = torch.from_numpy(np.array(one, dtype=np.float32))
                if name.startswith(FULL):
                    named[name.removeprefix(FULL)].copy_(number)
                elif not (self._merged and name.startswith(LORA)):
                    there = number.to(str(self._device))
                    own[name] = torch.nn.Parameter(there, requires_grad=not self._merged)
            for name in adapted_modules(tensors):
                if self._merged:
                    down, up = (
                        torch.from_numpy(np.array(tensors[f"{LORA}{name}{end}"], np.float64))
                        for end in (DOWN, UP)
                    )
                    linear[name].weight += (self._scale * (up @ down)).float()
        for name in [] if self._merged else adapted_modules(tensors):
            down, up = own[f"{LORA}{name}{DOWN}"], own[f"{LORA}{name}{UP}"]
            linear[name].register_forward_hook(_beside(torch, down, up, self._scale))
        self._weights = own
        if not self._merged:
            self._trained = dict(own)

    def _unread(self) -> list[str]:
        """Return the paths of the layers of the base model that are not read."""
        stack = self._stack()
        if not stack:
            return []
        count = len(self._model.get_submodule(stack))
        return [f"{stack}.{number}" for number in range(self.layers, count)]

    def _stack(self) -> str:
        """Return the path of the layers of the base model; empty if there is no list of them."""
        named = self._model.named_modules()
        return next((name for name, part in named if type(part).__name__ == "ModuleList"), "")


def _beside(
    torch: Any,  # noqa: ANN401 - not imported here
    down: Tensor,
    up: Tensor,
    scale: float,
) -> Callable[[Any, tuple[Tensor, ...], Tensor], Tensor]:
    """Return what adds the product of two matrices to the output of a linear layer."""
    linear = torch.nn.functional.linear

    def added(_module: Any, inputs: tuple[Tensor, ...], output: Tensor) -> Tensor:  # noqa: ANN401
        low = linear(inputs[0], down.to(output.dtype))
        return output + scale * linear(low, up.to(output.dtype))

    return added


def _mean(states: Tensor, among: Tensor) -> Tensor:
    """Return the mean over some subwords of each row."""
    there = among[:, :, None].float()
    return (states.float() * there).sum(dim=1) / there.sum(dim=1)
