"""BERT and MPNet as modules of torch, opened without transformers.

To import the models of transformers takes two seconds, and only what `own_layers` runs is needed
here: the modules with their weights, under the names that they have there. What is unusual about a
folder (other names or shapes, weights in several files, settings that are missing) is left to
transformers, which knows more kinds and says what is wrong.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from types import SimpleNamespace
from typing import Any

from tenbin.annotation.encoders.libraries import torch_module
from tenbin.annotation.encoders.own_layers import has_own_layers
from tenbin.resources.checkpoints import Checkpoint

Tensor = Any  # of torch, which is not imported here
Module = Any

_WEIGHTS = "model.safetensors"
_SIZES = (
    *("vocab_size", "hidden_size", "intermediate_size", "num_hidden_layers"),
    *("num_attention_heads", "max_position_embeddings"),
)
_NUMBERS = ("layer_norm_eps", "hidden_dropout_prob", "attention_probs_dropout_prob")
# Settings that a kind of model has besides.
_MORE = {"bert": ("type_vocab_size", "pad_token_id"), "mpnet": ("relative_attention_num_buckets",)}
_MPNET_PADDING = 1  # fixed in transformers, whatever the configuration says
_UNUSED = ("pooler.", "embeddings.position_ids", "cls.", "lm_head.")


def own_model(checkpoint: Checkpoint) -> Module | None:
    """Return the model of a folder in float32; None if it is one for transformers."""
    config = checkpoint.config
    kind = str(config.get("model_type"))
    if not _is_usual(kind, config) or not (checkpoint.folder / _WEIGHTS).is_file():
        return None
    settings = SimpleNamespace(**{"pad_token_id": _MPNET_PADDING, **config})
    torch = torch_module()
    model = torch.nn.Module()
    model.config = settings
    if not has_own_layers(model):
        return None
    made = _Modules(torch, settings)
    model.embeddings = made.embeddings()
    model.encoder = torch.nn.Module()
    layer = made.mpnet_layer if kind == "mpnet" else made.bert_layer
    model.encoder.layer = torch.nn.ModuleList(layer() for _ in range(settings.num_hidden_layers))
    if kind == "mpnet":
        buckets, heads = settings.relative_attention_num_buckets, settings.num_attention_heads
        model.encoder.relative_attention_bias = made.table(buckets, heads)
    damage = (OSError, ValueError, RuntimeError, import_module("safetensors").SafetensorError)
    try:
        stored = import_module("safetensors.torch").load_file(str(checkpoint.folder / _WEIGHTS))
    except damage:
        return None  # transformers says what is wrong with it
    return model.eval() if _filled(model, stored, f"{kind}.") else None


def _is_usual(kind: str, config: Mapping[str, Any]) -> bool:
    """Return whether a configuration has all that the modules are made by."""
    more = _MORE.get(kind)
    whole = [*_SIZES, *(more or ())]
    return (
        more is not None
        and all(type(config.get(key)) is int and config[key] >= 0 for key in whole)
        and all(type(config.get(key)) in {int, float} for key in _NUMBERS)
        and config["hidden_size"] % max(config["num_attention_heads"], 1) == 0
        and not config.get("quantization_config")
    )


class _Modules:
    """Makes modules whose weights have no memory yet."""

    def __init__(self, torch: Any, config: Any) -> None:  # noqa: ANN401 - not imported here
        self._torch, self._config = torch, config
        self._size, self._inner = config.hidden_size, config.intermediate_size

    def table(self, rows: int, size: int, padding: int | None = None) -> Module:
        """Return a table of vectors."""
        # Of itself a table would draw random numbers, for which torch imports its compiler.
        blank = self._torch.empty((rows, size), device="meta")
        return self._torch.nn.Embedding.from_pretrained(blank, freeze=False, padding_idx=padding)

    def linear(self, inputs: int, outputs: int) -> Module:
        """Return a linear layer."""
        return self._torch.nn.Linear(inputs, outputs, device="meta")

    def norm(self) -> Module:
        """Return what normalizes vectors."""
        eps = self._config.layer_norm_eps
        return self._torch.nn.LayerNorm(self._size, eps=eps, device="meta")

    def embeddings(self) -> Module:
        """Return the embeddings."""
        config, is_mpnet = self._config, self._config.model_type == "mpnet"
        padding = _MPNET_PADDING if is_mpnet else None
        found = self._torch.nn.Module()
        own = config.pad_token_id if padding is None else padding
        found.word_embeddings = self.table(config.vocab_size, self._size, own)
        found.position_embeddings = self.table(config.max_position_embeddings, self._size, padding)
        if not is_mpnet:
            found.token_type_embeddings = self.table(config.type_vocab_size, self._size)
        found.LayerNorm = self.norm()
        found.dropout = self._torch.nn.Dropout(config.hidden_dropout_prob)
        return found

    def bert_layer(self) -> Module:
        """Return a layer of BERT."""
        attention = self._torch.nn.Module()
        attention.self = self._group(query=self._square, key=self._square, value=self._square)
        attention.output = self._group(dense=self._square, LayerNorm=self.norm)
        return self._layer(attention)

    def mpnet_layer(self) -> Module:
        """Return a layer of MPNet."""
        square = self._square
        attention = self._torch.nn.Module()
        attention.attn = self._group(q=square, k=square, v=square, o=square)
        attention.LayerNorm = self.norm()
        return self._layer(attention)

    def _layer(self, attention: Module) -> Module:
        found = self._torch.nn.Module()
        found.attention = attention
        found.intermediate = self._group(dense=lambda: self.linear(self._size, self._inner))
        found.output = self._group(
            dense=lambda: self.linear(self._inner, self._size), LayerNorm=self.norm
        )
        return found

    def _square(self) -> Module:
        return self.linear(self._size, self._size)

    def _group(self, **parts: Callable[[], Module]) -> Module:
        found = self._torch.nn.Module()
        for name, make in parts.items():
            setattr(found, name, make())
        return found


def _filled(model: Module, stored: Mapping[str, Tensor], prefix: str) -> bool:
    """Put stored weights into a model; return whether each has its place and fits it."""
    bare = {name.removeprefix(prefix): one for name, one in stored.items()}
    wanted = dict(model.named_parameters())
    read = {name for name in bare if not name.startswith(_UNUSED)}
    if len(bare) != len(stored) or read != set(wanted):
        return False
    if any(bare[name].shape != one.shape for name, one in wanted.items()):
        return False
    filled = {name: bare[name].float() for name in wanted}
    # Assigned, not copied: what is never read never comes from the disk.
    model.load_state_dict(filled, assign=True)
    return True
