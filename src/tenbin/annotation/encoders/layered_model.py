"""The layers of a model, run as far as they are needed."""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from tenbin.annotation.encoders.cuda_runs import run_on_cuda
from tenbin.annotation.encoders.encoded import Float32Array
from tenbin.annotation.encoders.groups import equal_groups
from tenbin.annotation.encoders.int8_linear import with_int8_products
from tenbin.annotation.encoders.quiet_imports import quietly, torch_module, transformers_module
from tenbin.annotation.encoders.settings import Device, NumberType, Pooling, View
from tenbin.core.arrays import IdArray
from tenbin.core.errors import UnreadableFile
from tenbin.resources.checkpoints import Checkpoint

# Pieces of a group. A processor has enough to do with few; see also `equal_groups`.
_GROUP_PIECES = {Device.CPU: 128, Device.CUDA: 4_096}
_FEW_POSITIONS = 512  # where a model does not say
# Weights that make one vector of a whole text, which nobody needs here.
_UNUSED = "pooler"


class LayeredModel:
    """Turns numbers of pieces into vectors."""

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
        model = _loaded(checkpoint)
        self._positions = _positions(model)
        self.piece_count = int(model.get_input_embeddings().num_embeddings)
        self._cut = _cut_above(model, max(view.layers), checkpoint.layer_count)
        if number_type is NumberType.INT8:
            model = with_int8_products(self._torch, model)
        elif number_type is NumberType.BFLOAT16:
            model = model.to(self._torch.bfloat16)
        self._model = model.to(str(device))

    def room(self, longest: int | None) -> int:
        """Return how many pieces, marks included, can be run at once."""
        limits = [limit for limit in (longest, self._positions) if limit is not None]
        return min(limits, default=_FEW_POSITIONS)

    def vectors(self, rows: Sequence[IdArray]) -> list[Float32Array]:
        """Return the vector of each piece of each row; rows of one length are run together."""
        found: list[Float32Array] = [np.empty((0, 0), dtype=np.float32)] * len(rows)
        groups = equal_groups([len(row) for row in rows], _GROUP_PIECES[self._device])

        def run(group: list[int]) -> Any:  # noqa: ANN401 - a tensor
            stacked = np.stack([rows[place] for place in group]).astype(np.int64)
            with self._torch.inference_mode():
                return self._run(self._torch.from_numpy(stacked).to(str(self._device)))

        def run_here(group: list[int]) -> None:
            # What repeats the last row to fill the group comes to the same place.
            for place, one in zip(group, run(group).float().numpy(), strict=True):
                found[place] = one

        if self._device is Device.CUDA:
            run_on_cuda(self._torch, run, groups, found.__setitem__)
        else:
            _on_all_cores(self._torch, run_here, groups)
        return found

    def _run(self, ids: Any) -> Any:  # noqa: ANN401 - tensors
        layers, torch = self._view.layers, self._torch
        if len(layers) == 1 and self._cut:
            # As bert-score has it: what the model puts out, cut off above the layer.
            return self._model(input_ids=ids).last_hidden_state
        states = self._model(input_ids=ids, output_hidden_states=True).hidden_states
        if self._view.pooling is Pooling.JOINED:
            return torch.cat([states[layer] for layer in layers], dim=-1)
        chosen = torch.stack([states[layer] for layer in layers])
        if self._view.pooling is Pooling.MEAN:
            return chosen.mean(dim=0)
        parts = [chosen.amin(dim=0), chosen.mean(dim=0), chosen.amax(dim=0)]
        return torch.cat(parts, dim=-1)


def _on_all_cores(
    torch: Any,  # noqa: ANN401 - not imported here
    run: Callable[[list[int]], None],
    groups: Iterable[list[int]],
) -> None:
    """Run groups side by side, each on one core.

    Products of this size gain little from several cores, and nothing on a machine that is busy. And
    what is computed on one core is the same however many there are.
    """
    cores = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with ThreadPoolExecutor(cores, initializer=torch.set_num_threads, initargs=(1,)) as pool:
            for done in [pool.submit(run, group) for group in groups]:
                done.result()
    finally:
        torch.set_num_threads(cores)


def _loaded(checkpoint: Checkpoint) -> Any:  # noqa: ANN401 - a model of transformers
    folder = str(checkpoint.folder)
    try:
        with quietly():
            model, report = transformers_module().AutoModel.from_pretrained(
                folder, local_files_only=True, use_safetensors=True, output_loading_info=True
            )
    # The libraries raise whatever comes: ValueError, RuntimeError, SafetensorError, KeyError.
    except Exception as error:
        said = (str(error).strip() or type(error).__name__).splitlines()[0]
        problem = f"the model cannot be opened ({said})"
        advice = "Expected weights that fit config.json, of a kind that transformers has itself."
        raise UnreadableFile(folder, problem, advice) from error
    # transformers would go on with random numbers in their place.
    missing = sorted(name for name in report["missing_keys"] if _UNUSED not in name)
    if missing:
        problem = f"{len(missing)} weights are missing, among them {missing[0]}"
        raise UnreadableFile(folder, problem, "Is config.json that of another model?")
    if getattr(model.config, "is_encoder_decoder", False):
        model = model.get_encoder()
    return model.float().eval()


def _positions(model: Any) -> int | None:  # noqa: ANN401 - a model of transformers
    """Return how many pieces a model has positions for."""
    found = getattr(model.config, "max_position_embeddings", None)
    if not isinstance(found, int) or found < 1:
        return None
    table = next(
        (part for name, part in model.named_modules() if name.endswith("position_embeddings")), None
    )
    # RoBERTa and its kin count positions from the number after that of padding.
    padding = getattr(table, "padding_idx", None)
    return found if padding is None else found - padding - 1


def _cut_above(model: Any, layer: int, count: int) -> bool:  # noqa: ANN401 - a model of transformers
    """Take the layers above one out of a model; return whether they could be found."""
    for name, part in model.named_modules():
        if type(part).__name__ == "ModuleList" and len(part) == count:
            owner, _, attribute = name.rpartition(".")
            setattr(model.get_submodule(owner), attribute, part[:layer])
            return True
    return False  # ALBERT runs one layer many times
