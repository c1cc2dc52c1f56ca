"""Runs the layers of a transformer model, as far as they are needed."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from tenbin.annotation.encoders.encoded import Float32Array
from tenbin.annotation.encoders.integer_sums import IntegerWeights
from tenbin.annotation.encoders.libraries import quietly, torch_module, transformers_module
from tenbin.annotation.encoders.own_layers import (
    LayerRun,
    has_own_layers,
    layer_parts,
    subword_table,
)
from tenbin.annotation.encoders.own_model import own_model
from tenbin.annotation.encoders.packed_layers import PackedLayers, packs
from tenbin.annotation.encoders.settings import Device, NumberType, Pooling, View
from tenbin.core.arrays import IdArray
from tenbin.core.counting import agreeing, counted
from tenbin.core.errors import UnreadableFile
from tenbin.core.progress import Advance, counting, step_unless
from tenbin.resources.checkpoints import Checkpoint

LEVELS = 127
_TINY = 1e-12  # prevents a division of a zero row by 0
# Groups whose vectors are being copied; more would only take memory.
_MOST_PENDING = 4
# Subwords of a group. Few are enough for a CPU; see also `equal_groups`.
_GROUP_SUBWORDS = {Device.CPU: 128, Device.CUDA: 4_096}
_FEW_POSITIONS = 512  # if the model has no limit
_PLAIN = (Device.CPU, NumberType.FLOAT32)
# Weights for one vector of a whole text, which are not used here.
_UNUSED = "pooler"


def equal_groups(lengths: Sequence[int], subwords: int) -> Iterator[list[int]]:
    """Yield batches of texts of equal length, as positions, with about ``subwords`` in each.

    No text is padded, which would change the last digits of its vectors. And all groups of a length
    have the same size, the last one filled up with repeated positions: a matrix product of another
    shape may add in another order, and then the vectors of a text would depend on the other texts
    of its batch.

    The longest texts come first, so that a lack of memory shows at once.

    Args:
        lengths: Number of subwords of each text, at least 1.
        subwords: Number of subwords of a group.

    >>> list(equal_groups([2, 3, 2, 2], 4))
    [[1, 1], [0, 2], [3, 3]]
    """
    places: dict[int, list[int]] = {}
    for place, length in enumerate(lengths):
        places.setdefault(length, []).append(place)
    for length in sorted(places, reverse=True):
        size = max(-(-subwords // length), 1)
        found = places[length]
        for start in range(0, len(found), size):
            some = found[start : start + size]
            yield [*some, *[some[-1]] * (size - len(some))]


def with_int8_products(torch: Any, model: Any) -> Any:  # noqa: ANN401 - torch is not imported here
    """Replace the linear layers of a model by products of 8-bit integers, in place; return it.

    Weights are rounded with one scale per output, inputs with one scale per subword, and the sums
    are exact. The result for a subword depends on that subword alone. (The dynamic quantization of
    torch takes one scale for a whole batch, so that the vectors of a text depend on the other texts
    of its batch; for MiniLM it also loses ten times as much.)
    """
    for name, child in list(model.named_children()):
        if isinstance(child, torch.nn.Linear):
            setattr(model, name, _rounded(torch, child))
        else:
            with_int8_products(torch, child)
    return model


def _rounded(torch: Any, linear: Any) -> Any:  # noqa: ANN401 - torch is not imported here
    weights = linear.weight.detach()
    scales = (weights.abs().amax(dim=1) / LEVELS).clamp_min(_TINY)
    integers = IntegerWeights(torch, torch.round(weights / scales[:, None]).to(torch.int8))
    bias = None if linear.bias is None else linear.bias.detach()

    class Int8Linear(torch.nn.Module):  # type: ignore[misc]
        """Replaces a linear layer."""

        def forward(self, inputs: Any) -> Any:  # noqa: ANN401
            rows = inputs.reshape(-1, inputs.shape[-1])
            own = (rows.abs().amax(dim=1, keepdim=True) / LEVELS).clamp_min(_TINY)
            rounded = torch.round(rows / own).to(torch.int8)
            products = integers.sums(rounded).to(inputs.dtype) * own * scales
            whole = products if bias is None else products + bias
            return whole.reshape(*inputs.shape[:-1], -1)

    return Int8Linear()


def run_on_cuda(
    torch: Any,  # noqa: ANN401 - not imported here
    run: Callable[[list[int]], Any],
    groups: Iterable[list[int]],
    store: Callable[[int, Float32Array], None],
) -> None:
    """Run each group on the GPU while the vectors of earlier groups are copied to the host.

    Vectors are copied in the number type they were computed in, into pinned memory, on a stream of
    their own: the next group does not wait for them.

    Args:
        torch: The library.
        run: Turns a group into a tensor on the device, one row per text.
        groups: Positions of texts; a repeated position fills a group up and is copied once.
        store: Takes a position and its vectors.
    """
    copying = torch.cuda.Stream()
    pending: deque[tuple[list[int], Any, Any]] = deque()

    def fetch(advance: Advance) -> None:
        places, host, done = pending.popleft()
        done.synchronize()
        for place, one in zip(places, host.float().numpy(), strict=True):
            store(place, one)
        advance(len(places))

    every = list(groups)
    with step_unless(counting(), "running the model", _texts_of(every)) as advance:
        for group in every:
            places = list(dict.fromkeys(group))
            output = run(group)[: len(places)]
            host = torch.empty(output.shape, dtype=output.dtype, pin_memory=True)
            copying.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(copying):
                host.copy_(output, non_blocking=True)
                # Otherwise its memory could be reused by the next group before it is copied.
                output.record_stream(copying)
                pending.append((places, host, copying.record_event()))
            if len(pending) > _MOST_PENDING:
                fetch(advance)
        while pending:
            fetch(advance)


def _texts_of(groups: Iterable[list[int]]) -> int:
    """Return the number of texts; a repeated position only fills a group up."""
    return sum(len(set(group)) for group in groups)


class LayeredModel:
    """Turns ids of subwords into vectors."""

    def __init__(
        self, checkpoint: Checkpoint, view: View, device: Device, number_type: NumberType
    ) -> None:
        """Load the weights of a folder.

        Raises:
            UnreadableFile: Weights are missing or do not fit the configuration.
        """
        self._torch = torch_module()
        self._view = view
        self._device = device
        self._number_type = number_type
        plain = _gives_the_same(checkpoint) and (device, number_type) == _PLAIN
        here = plain or number_type is NumberType.INT8
        model = opened_model(checkpoint) if here else loaded_model(checkpoint)
        self._positions = position_limit(model)
        self.subword_count = int(subword_table(model).num_embeddings)
        self._cut = _cut_above(model, max(view.layers), checkpoint.layer_count)
        self._packed: PackedLayers | None = None
        if number_type is NumberType.INT8 and has_own_layers(model):
            # BERT gives the same numbers as before inputs could be smoothed.
            smoothed = model.config.model_type != "bert"
            self._packed = PackedLayers(self._torch, model, max(view.layers), smoothed=smoothed)
            model.encoder = None  # its weights would only take memory
        elif number_type is NumberType.INT8:
            model = with_int8_products(self._torch, model)
        elif number_type is NumberType.BFLOAT16:
            model = model.to(self._torch.bfloat16)
        self._model = model.to(str(device))
        self._own: LayerRun | None = None
        if plain and has_own_layers(model):
            self._own = LayerRun(self._torch, model, layer_parts(model, max(view.layers)))

    def room(self, longest: int | None) -> int:
        """Return how many subwords, special tokens included, fit into one input."""
        limits = [limit for limit in (longest, self._positions) if limit is not None]
        return min(limits, default=_FEW_POSITIONS)

    def vectors(self, rows: Sequence[IdArray]) -> list[Float32Array]:
        """Return the vector of each subword of each row; rows of equal length are run together."""
        if self._packed is not None:
            return self._packed_vectors(self._packed, rows)
        found: list[Float32Array] = [np.empty((0, 0), dtype=np.float32)] * len(rows)
        groups = equal_groups([len(row) for row in rows], _GROUP_SUBWORDS[self._device])

        def run(group: list[int]) -> Any:  # noqa: ANN401 - a tensor
            stacked = np.stack([rows[place] for place in group]).astype(np.int64)
            with self._torch.inference_mode():
                return self._run(self._torch.from_numpy(stacked).to(str(self._device)))

        def run_here(group: list[int]) -> None:
            # Rows that fill the group up are written to the same position.
            for place, one in zip(group, run(group).float().numpy(), strict=True):
                found[place] = one

        if self._device is Device.CUDA:
            run_on_cuda(self._torch, run, groups, found.__setitem__)
        else:
            on_all_cores(self._torch, run_here, groups)
        return found

    def _packed_vectors(self, model: PackedLayers, rows: Sequence[IdArray]) -> list[Float32Array]:
        """Return the vectors of texts that are run end to end."""
        found: list[Float32Array] = [np.empty((0, 0), dtype=np.float32)] * len(rows)

        def run(pack: list[int]) -> None:
            some = [rows[place] for place in pack]
            with self._torch.inference_mode():
                states = list(model.states(some, [len(row) for row in some]))
                vectors = self._pooled(states).numpy()
            ends = np.cumsum([len(row) for row in some]).tolist()
            for place, end in zip(pack, ends, strict=True):
                found[place] = vectors[end - len(rows[place]) : end]

        on_all_cores(self._torch, run, packs([len(row) for row in rows]))
        return found

    def _run(self, ids: Any) -> Any:  # noqa: ANN401 - tensors
        layers = self._view.layers
        if self._own is not None:
            embedded = self._own.embeddings(self._torch.zeros_like(ids), input_ids=ids)
            return self._pooled(self._own.states(embedded, None, training=False))
        if len(layers) == 1 and self._cut:
            # As in bert-score: the output of the model without the layers above.
            return self._model(input_ids=ids).last_hidden_state
        return self._pooled(self._model(input_ids=ids, output_hidden_states=True).hidden_states)

    def _pooled(self, states: Sequence[Any]) -> Any:  # noqa: ANN401 - tensors
        """Return the vectors that several layers give together."""
        layers, torch = self._view.layers, self._torch
        if len(layers) == 1:
            return states[layers[0]]
        if self._view.pooling is Pooling.JOINED:
            return torch.cat([states[layer] for layer in layers], dim=-1)
        chosen = torch.stack([states[layer] for layer in layers])
        if self._view.pooling is Pooling.MEAN:
            return chosen.mean(dim=0)
        parts = [chosen.amin(dim=0), chosen.mean(dim=0), chosen.amax(dim=0)]
        return torch.cat(parts, dim=-1)


def on_all_cores(
    torch: Any,  # noqa: ANN401 - not imported here
    run: Callable[[list[int]], None],
    groups: Iterable[list[int]],
) -> None:
    """Run groups side by side, each on one core.

    Products of this size gain little from several cores, and nothing on a busy machine. And the
    result of one core does not depend on the number of cores.
    """
    cores = torch.get_num_threads()
    torch.set_num_threads(1)
    every = list(groups)
    try:
        with (
            ThreadPoolExecutor(cores, initializer=torch.set_num_threads, initargs=(1,)) as pool,
            step_unless(counting(), "running the model", _texts_of(every)) as advance,
        ):
            running = [pool.submit(run, group) for group in every]
            for group, done in zip(every, running, strict=True):
                done.result()
                advance(len(set(group)))
    finally:
        torch.set_num_threads(cores)


def _gives_the_same(checkpoint: Checkpoint) -> bool:
    """Return whether own layers give what transformers gives, to the last digit.

    Those of BERT do; MPNet there computes attention step by step.
    """
    return bool(checkpoint.config.get("model_type") == "bert")


def opened_model(checkpoint: Checkpoint) -> Any:  # noqa: ANN401 - a module of torch
    """Return a model in float32 for those who run its layers themselves, where they can.

    If they can (`has_own_layers`), it may have nothing but its modules and ``config``: transformers
    is not needed then, which takes two seconds to import.

    Raises:
        UnreadableFile: Weights are missing or do not fit the configuration.
    """
    model = own_model(checkpoint)
    if model is None:
        return loaded_model(checkpoint)
    _check_finite(model, str(checkpoint.folder))
    return model


def loaded_model(checkpoint: Checkpoint) -> Any:  # noqa: ANN401 - a model of transformers
    """Return the model of a folder in float32, its weights checked.

    Raises:
        UnreadableFile: Weights are missing or do not fit the configuration.
    """
    folder = str(checkpoint.folder)
    try:
        with quietly():
            model, report = transformers_module().AutoModel.from_pretrained(
                folder, local_files_only=True, use_safetensors=True, output_loading_info=True
            )
    # The libraries raise many types: ValueError, RuntimeError, SafetensorError, KeyError.
    except Exception as error:
        said = (str(error).strip() or type(error).__name__).splitlines()[0]
        problem = f"the model cannot be opened ({said})"
        advice = "Expected weights that fit config.json, of a kind that transformers has itself."
        raise UnreadableFile(folder, problem, advice) from error
    # transformers would use random numbers instead.
    missing = sorted(name for name in report["missing_keys"] if _UNUSED not in name)
    if missing:
        count = len(missing)
        problem = f"{counted(count, 'weight')} {agreeing(count, 'is')} missing: {missing[0]} ..."
        raise UnreadableFile(folder, problem, "Is config.json that of another model?")
    _check_finite(model, folder)
    if getattr(model.config, "is_encoder_decoder", False):
        model = model.get_encoder()
    return model.float().eval()


def _check_finite(model: Any, folder: str) -> None:  # noqa: ANN401 - a module of torch
    if not all(_is_finite(part) for part in model.parameters()):
        problem = "some weights are not finite numbers"
        raise UnreadableFile(folder, problem, "Fetch the model again.")


def _is_finite(part: Any) -> bool:  # noqa: ANN401 - a tensor
    """Return whether all numbers are finite, from both ends of them.

    NaN is at both. To ask each number makes copies, which takes five times as long: more than a
    second for the weights of a base model.
    """
    return not part.numel() or all(bool(end.isfinite()) for end in part.aminmax())


def position_limit(model: Any) -> int | None:  # noqa: ANN401 - a model of transformers
    """Return the number of positions of a model."""
    found = getattr(model.config, "max_position_embeddings", None)
    if not isinstance(found, int) or found < 1:
        return None
    table = next(
        (part for name, part in model.named_modules() if name.endswith("position_embeddings")), None
    )
    # RoBERTa and similar models count positions from the one after padding.
    padding = getattr(table, "padding_idx", None)
    return found if padding is None else found - padding - 1


def _cut_above(model: Any, layer: int, count: int) -> bool:  # noqa: ANN401 - a model of transformers
    """Remove the layers above one from a model; return whether they were found."""
    for name, part in model.named_modules():
        if type(part).__name__ == "ModuleList" and len(part) == count:
            owner, _, attribute = name.rpartition(".")
            setattr(model.get_submodule(owner), attribute, part[:layer])
            return True
    return False  # ALBERT runs one layer many times
