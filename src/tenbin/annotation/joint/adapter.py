"""Adapters: what training adds to an encoder so that it judges translations, in one file.

A file is safetensors (no pickle, so that opening it runs no code) with these arrays::

    lora/MODULE/down   (rank, inputs)      float16    y = W x + b + alpha / rank * up (down x),
    lora/MODULE/up     (outputs, rank)     float16    for each linear layer MODULE of the base model
    full/PARAMETER                         float16    a weight that replaces that of the base model,
                                           or int8    rounded, with what one unit of each row is:
    units/PARAMETER    (outputs,)          float32
    mix                (layers + 1,)       float32    logits of the shares of the hidden states
    head/hidden/weight (width, 5 size)     float16    raw = output(tanh(hidden(features)))
    head/hidden/bias   (width,)            float16
    head/output/weight (1, width)          float16
    head/output/bias   (1,)                float16

and a card, JSON in the metadata: name, target language, base model with its hash, sizes, the layer
and the share of BERTScore, and how it was trained.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import as_file, files
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tenbin.annotation.languages import parse_language
from tenbin.core.counting import counted
from tenbin.core.errors import ResourceError, TenbinError, UnreadableFile, UsageError
from tenbin.core.resource import ResourceIdentity, ResourceKind
from tenbin.formats.files import exists, regular_file, user_path
from tenbin.formats.json_text import parse_json
from tenbin.formats.output import whole_file
from tenbin.formats.tensor_file import TensorWriter, check_tensors, map_tensors
from tenbin.kernels.products.rounding import plain_rounded_rows
from tenbin.resources.file_cache import cached_by_file
from tenbin.resources.store.fingerprints import file_sha256

FORMAT = "tenbin adapter 1"
SUFFIX = ".safetensors"
LORA, FULL, UNITS, MIX, HEAD = "lora/", "full/", "units/", "mix", "head/"
DOWN, UP = "/down", "/up"
HEAD_NAMES = ("head/hidden/weight", "head/hidden/bias", "head/output/weight", "head/output/bias")

_CARD = "card"
_PADDING = "padding_"
_BLOCK = 4_096
_MATRIX = 2
_ADVICE = "Expected an adapter as 'tenbin build metric' writes it. Build or copy it again."

Array = npt.NDArray[Any]
Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class AdapterCard:
    """What an adapter says about itself.

    Attributes:
        name: Its name, which signatures show.
        language: The language of the texts that it judges, a BCP 47 tag.
        base: The name of the base model, a resource or the name of a folder.
        base_fingerprint: The sha256 of the base model; no other model is adapted.
        rank: The rank of the adapter matrices; 0 where there are none.
        alpha: What their product is multiplied by, times the rank.
        width: The size of the hidden layer of the head.
        layer: The layer of the base model that BERTScore compares.
        share: The share of the learned score; the rest is BERTScore.
        training: What it was trained on, how, and what came of it; JSON.
    """

    name: str
    language: str
    base: str
    base_fingerprint: str
    rank: int
    alpha: float
    width: int
    layer: int
    share: float
    training: Json = field(default_factory=dict)

    @property
    def scale(self) -> float:
        """What the product of the adapter matrices is multiplied by."""
        return self.alpha / self.rank if self.rank else 0.0

    def as_json(self) -> dict[str, Any]:
        """Return the card as it is written."""
        return {
            "format": FORMAT,
            "name": self.name,
            "language": self.language,
            "base": {"name": self.base, "fingerprint": self.base_fingerprint},
            "lora": {"rank": self.rank, "alpha": self.alpha},
            "head": {"width": self.width},
            "bertscore": {"layer": self.layer, "share": self.share},
            "training": dict(self.training),
        }


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Adapter:
    """The numbers of an adapter and its card.

    Attributes:
        tensors: Arrays by name.
        card: What they are.
        identity: Which file it is; None for one that was not read from a file.
        path: The file; empty for one that was not read from a file.
    """

    tensors: Mapping[str, Array]
    card: AdapterCard
    identity: ResourceIdentity | None = None
    path: str = ""

    @property
    def where(self) -> str:
        """What messages call it."""
        return self.path or self.card.name

    @property
    def modules(self) -> list[str]:
        """The linear layers of the base model that it adapts."""
        return sorted(
            name.removeprefix(LORA).removesuffix(DOWN)
            for name in self.tensors
            if name.startswith(LORA) and name.endswith(DOWN)
        )

    @property
    def layers(self) -> int:
        """How many layers of the base model it reads."""
        return len(self.tensors[MIX]) - 1


def bundled_adapters() -> list[str]:
    """Return the names of the adapters that come with Tenbin."""
    folder = files("tenbin.resources").joinpath("bundled", "adapters")
    if not folder.is_dir():
        return []
    names = (one.name for one in folder.iterdir())
    return sorted(name.removesuffix(SUFFIX) for name in names if name.endswith(SUFFIX))


def find_adapter(name: str) -> Adapter:
    """Return the adapter of a name or a path.

    Args:
        name: An adapter that comes with Tenbin, or the path of a file.

    Raises:
        UsageError: There is no such file.
        ResourceError: There is no adapter of that name.
        UnreadableFile: The file is no adapter, is damaged, or of another version.
    """
    bundled = bundled_adapters()
    if name in bundled:
        found = files("tenbin.resources").joinpath("bundled", "adapters", f"{name}{SUFFIX}")
        with as_file(found) as path:
            return read_adapter(path=str(path))
    path = user_path(name)
    if not exists(path):
        listed = f" ({', '.join(bundled)})" if bundled else ", of which there are none"
        message = (
            f'`adapter="{name}"`: there is no such file, nor an adapter of that name among those '
            f"that come with Tenbin{listed}. 'tenbin build metric' makes one."
        )
        # What is no path may be the name of one that comes with another version.
        raise (
            ResourceError(message) if path.name == name and not path.suffix else UsageError(message)
        )
    return read_adapter(path=str(path))


@cached_by_file("path")
def read_adapter(*, path: str) -> Adapter:
    """Read and check an adapter; whether it fits the base model is checked with that.

    Raises:
        UnreadableFile: The file is damaged, of another format, or lacks something; numbers are not
            finite.
    """
    place = regular_file(Path(path))
    check_tensors(place, _ADVICE)
    content = map_tensors(place)
    card = _parsed_card(path, content.metadata.get(_CARD))
    tensors = {name: one for name, one in content.tensors.items() if not name.startswith(_PADDING)}
    _check_tensors(path, tensors, card)
    identity = ResourceIdentity(
        card.name, ResourceKind.ADAPTER, "local", card.language, "unknown", file_sha256(place)
    )
    return Adapter(tensors=_plain(tensors), card=card, identity=identity, path=path)


def write_adapter(path: str, adapter: Adapter, *, rounded: bool = False) -> None:
    """Write an adapter in one step; matrices as float16.

    Args:
        path: The file.
        adapter: Its numbers and its card.
        rounded: Whether matrices that replace those of the base model are rounded to int8, which
            halves the file. A network that computes with int8 rounds them in the same way.

    Raises:
        OutputError: Disk full, no permission, no such folder; an existing file is untouched.
        UnreadableFile: A number is not finite, or an array does not fit the card; nothing is
            written.
    """
    with np.errstate(over="ignore"):  # what is too large for float16 is found to be infinite
        stored = {
            name: np.ascontiguousarray(one, dtype=np.float32 if name == MIX else np.float16)
            for name, one in adapter.tensors.items()
        }
    if rounded:
        stored |= _rounded(adapter.tensors)
    _check_tensors(path, stored, adapter.card)
    card = json.dumps(adapter.card.as_json(), ensure_ascii=False, allow_nan=False)
    # A name, a type, a shape and two places, at most about 160 bytes each.
    needed = 2 * len(json.dumps(card).encode()) + sum(160 + 2 * len(name) for name in stored)
    header = -(-(needed + _BLOCK) // _BLOCK) * _BLOCK
    with whole_file(path) as temporary, TensorWriter(temporary, header) as writer:
        for name in sorted(stored, key=lambda one: (-stored[one].itemsize, one)):  # aligned
            writer.extend(name, stored[name])
        writer.finish({"format": FORMAT, _CARD: card})


def _rounded(tensors: Mapping[str, Array]) -> dict[str, Array]:
    """Return the matrices that replace those of the base model as integers, and their units."""
    found: dict[str, Array] = {}
    for name, one in tensors.items():
        if name.startswith(FULL) and one.ndim == _MATRIX and np.isfinite(one).all():
            integers, units = plain_rounded_rows(np.asarray(one, dtype=np.float32))
            found |= {name: integers, f"{UNITS}{name.removeprefix(FULL)}": units}
    return found


def _plain(tensors: Mapping[str, Array]) -> dict[str, Array]:
    """Return arrays with what integers stand for."""
    found = {}
    for name, one in tensors.items():
        if one.dtype == np.int8:
            units = tensors[f"{UNITS}{name.removeprefix(FULL)}"]
            found[name] = one * units[:, np.newaxis]
        elif not name.startswith(UNITS):
            found[name] = one
    return found


def _parsed_card(path: str, text: str | None) -> AdapterCard:
    if text is None:
        raise UnreadableFile(path, "it is no adapter: there is no card in it", _ADVICE)
    try:
        found = parse_json(text.encode())
    except ValueError as error:
        raise UnreadableFile(path, f"its card is not JSON ({error})", _ADVICE) from error
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        given = found.get("format") if isinstance(found, dict) else None
        problem = f"its format is {given!r}, not {FORMAT!r}"
        raise UnreadableFile(path, problem, "Was it made by another version of Tenbin?")
    try:
        card = AdapterCard(
            name=str(found["name"]),
            language=parse_language(found["language"]).tag,
            base=str(found["base"]["name"]),
            base_fingerprint=str(found["base"]["fingerprint"]),
            rank=_number(found["lora"]["rank"], whole=True),
            alpha=_number(found["lora"]["alpha"]),
            width=_number(found["head"]["width"], whole=True),
            layer=_number(found["bertscore"]["layer"], whole=True),
            share=_number(found["bertscore"]["share"]),
            training=dict(found.get("training", {})),
        )
    except (KeyError, TypeError, ValueError, AttributeError, TenbinError) as error:
        said = f"{error} is missing" if isinstance(error, KeyError) else str(error)
        raise UnreadableFile(path, f"its card cannot be read ({said})", _ADVICE) from error
    if not 0 <= card.share <= 1:
        problem = f"its card says that the share of the learned score is {card.share}"
        raise UnreadableFile(path, problem, "Expected a number from 0 to 1.")
    return card


def _number(value: object, *, whole: bool = False) -> Any:  # noqa: ANN401 - int or float
    kinds: tuple[type, ...] = (int,) if whole else (int, float)
    if type(value) not in kinds or not isfinite(value) or value < 0:  # type: ignore[arg-type,operator]
        kind = "a whole number" if whole else "a number"
        raise ValueError(f"{value!r} is not {kind} from 0")
    return value


def _check_tensors(path: str, tensors: Mapping[str, Array], card: AdapterCard) -> None:
    """Raise `UnreadableFile` unless arrays fit together and are finite."""
    missing = [name for name in (MIX, *HEAD_NAMES) if name not in tensors]
    for name, one in tensors.items():
        kind, end = (name.removesuffix(DOWN), UP) if name.endswith(DOWN) else (name, "")
        kind, end = (name.removesuffix(UP), DOWN) if name.endswith(UP) else (kind, end)
        if name.startswith(LORA) and end and f"{kind}{end}" not in tensors:
            missing.append(f"{kind}{end}")
        if name.startswith(FULL) and one.dtype == np.int8:
            units = f"{UNITS}{name.removeprefix(FULL)}"
            missing += [] if units in tensors else [units]
    if missing:
        count = counted(len(missing), "array")
        problem = f"{count} missing: {missing[0]}{' ...' if len(missing) > 1 else ''}"
        raise UnreadableFile(path, problem, _ADVICE)
    for name, one in tensors.items():
        expected = _shape(name, one.shape, card, tensors)
        if expected is None:
            raise UnreadableFile(path, f"it has an array {name!r}, which is unknown", _ADVICE)
        integers = one.dtype == np.int8 and name.startswith(FULL) and one.ndim == _MATRIX
        if (one.dtype.kind != "f" and not integers) or one.shape != expected:
            problem = (
                f"{name} is {_written(one.shape)} of {one.dtype}, expected {_written(expected)}"
            )
            raise UnreadableFile(path, problem, _ADVICE)
        if not np.isfinite(one).all():
            raise UnreadableFile(path, f"numbers of {name} are not finite", _ADVICE)


def _shape(
    name: str, found: tuple[int, ...], card: AdapterCard, tensors: Mapping[str, Array]
) -> tuple[int, ...] | None:
    """Return the shape an array should have, as far as the card says; None for unknown names."""
    size = tensors[HEAD_NAMES[0]].shape[-1]
    shapes: dict[str, tuple[int, ...]] = {
        MIX: (max(len(found) and found[0], 1),),
        HEAD_NAMES[0]: (card.width, size),
        HEAD_NAMES[1]: (card.width,),
        HEAD_NAMES[2]: (1, card.width),
        HEAD_NAMES[3]: (1,),
    }
    if name.startswith(FULL):
        return found
    if name.startswith(UNITS):
        rounded = tensors.get(f"{FULL}{name.removeprefix(UNITS)}")
        return rounded.shape[:1] if rounded is not None and rounded.dtype == np.int8 else None
    if name.startswith(LORA) and name.endswith(DOWN):
        return card.rank, found[-1] if found else 0
    if name.startswith(LORA) and name.endswith(UP):
        return found[0] if found else 0, card.rank
    return shapes.get(name)


def _written(shape: tuple[int, ...]) -> str:
    return " x ".join(map(str, shape)) or "a single number"
