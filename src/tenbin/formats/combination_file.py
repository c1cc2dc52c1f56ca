"""Files of combinations: one JSON object, checked in every field, with a hash of all others.

    {"format": "tenbin-combination-1", "kind": "ridge",
     "members": [{"spec": "chrf", "better": "higher"}, …],
     "languages": {"ja": [{"signature": "chrf|…", "mean": …, "sd": …, "worst": …, "best": …}, …]},
     "ridge": {"intercept": …, "weights": […]}, "card": {…}, "sha256": "…"}

Instead of ``ridge`` a file of boosting has ``{"baseline": …, "trees": [{"feature": […],
"threshold": […], "left": […], "right": […], "value": […]}, …]}``; nodes count from 0 in each tree,
the root first, and a leaf has the feature -1. There is nothing in a file that could be executed.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from tenbin.core.combination import (
    CombinationKind,
    CombinationModel,
    LanguageScale,
    RegressionTrees,
)
from tenbin.core.counting import counted
from tenbin.core.errors import SpecError, UnreadableFile
from tenbin.core.signature import Signature
from tenbin.core.spec import Spec
from tenbin.formats.files import reading_errors, regular_file
from tenbin.formats.json_text import parse_json
from tenbin.formats.output import write_text

FORMAT = "tenbin-combination-1"
_FORMAT_NAME = "tenbin-combination-"
_SHA256 = "sha256"
_ADVICE = "Build it again with 'tenbin build combination'."
_DIRECTIONS = {"higher": True, "lower": False}
_SCALE = ("mean", "sd", "worst", "best")
_PLACES = ("feature", "left", "right")
_NODES = (*_PLACES, "threshold", "value")
# A combination of a few metrics takes kilobytes.
_LARGEST = 64 * 2**20
_MOST = 1e12
_LEAST_SD = 1e-12


def write_combination(path: str, model: CombinationModel) -> None:
    """Write a combination atomically.

    Raises:
        OutputError: The file cannot be written.
    """
    write_text(path, combination_text(model))


def combination_text(model: CombinationModel) -> str:
    """Return the text of a file: the same for the same combination, to the byte."""
    content: dict[str, Any] = {
        "format": FORMAT,
        "kind": str(model.kind),
        "members": [
            {"spec": spec, "better": "higher" if higher else "lower"}
            for spec, higher in zip(model.members, model.higher_is_better, strict=True)
        ],
        "languages": {
            code: [
                {
                    "signature": signature,
                    **{key: getattr(scale, key)[place] for key in _SCALE},
                }
                for place, signature in enumerate(scale.signatures)
            ]
            for code, scale in sorted(model.languages.items())
        },
        str(model.kind): _learned(model),
        "card": dict(model.card),
    }
    content[_SHA256] = _digest(content)
    return json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def read_combination(path: Path) -> CombinationModel:
    """Read a combination.

    Raises:
        UnreadableFile: There is no such file, or it is no combination, of another version, was
            changed or lacks something.
    """
    name = str(path)
    with reading_errors(name):
        regular_file(path)
        if path.stat().st_size > _LARGEST:
            _refuse(name, "it is far too large for a combination")
        raw = path.read_bytes()
    try:
        content = parse_json(raw)
    except ValueError as error:
        _refuse(name, f"it is not JSON ({error})")
    _check_format(name, content)
    try:
        return _model(content)
    except (KeyError, TypeError, ValueError, AttributeError, SpecError) as error:
        _refuse(name, f"it has the right hash and a wrong field ({error})")


def _learned(model: CombinationModel) -> dict[str, Any]:
    trees = model.trees
    if trees is None:
        return {"intercept": model.intercept, "weights": list(model.weights)}
    ends = [*trees.roots.tolist()[1:], len(trees.features)]
    listed = []
    for start, end in zip(trees.roots.tolist(), ends, strict=True):
        part = slice(start, end)
        listed.append(
            {
                "feature": trees.features[part].tolist(),
                "threshold": trees.thresholds[part].tolist(),
                "left": (trees.left[part] - start).tolist(),
                "right": (trees.right[part] - start).tolist(),
                "value": trees.values[part].tolist(),
            }
        )
    return {"baseline": trees.baseline, "trees": listed}


def _digest(content: Mapping[str, Any]) -> str:
    covered = {key: value for key, value in content.items() if key != _SHA256}
    text = json.dumps(covered, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def _check_format(name: str, content: object) -> None:
    found = content.get("format") if isinstance(content, dict) else None
    if not isinstance(content, dict) or not str(found).startswith(_FORMAT_NAME):
        _refuse(name, f"this is no combination of metrics (no {FORMAT!r} as its format)")
    if found != FORMAT:
        _refuse(name, f"it has the format {found!r}, and this version of Tenbin reads {FORMAT!r}")
    if content.get(_SHA256) != _digest(content):
        _refuse(name, "it was changed after it was built: its content and its hash do not agree")


def _model(content: Mapping[str, Any]) -> CombinationModel:
    kind = CombinationKind(content["kind"])
    members = _objects(content["members"], "members")
    specs = tuple(str(Spec.parse(_text(one["spec"], "spec"))) for one in members)
    _require(0 < len(specs) == len(set(specs)), "members are missing, or named twice")
    languages = {
        code: _scale(code, _objects(listed, f"language {code}"), len(specs))
        for code, listed in _object(content["languages"], "languages").items()
    }
    _require(bool(languages), "there is no language")
    learned = _object(content[kind], str(kind))
    directions = tuple(_DIRECTIONS[_text(one["better"], "better")] for one in members)
    common: dict[str, Any] = {
        "kind": kind,
        "members": specs,
        "higher_is_better": directions,
        "languages": languages,
        "card": _object(content["card"], "card"),
    }
    for scale in languages.values():
        rises = [best > worst for worst, best in zip(scale.worst, scale.best, strict=True)]
        _require(tuple(rises) == directions, f"{scale.language}: best scores are not the best")
    if kind is CombinationKind.BOOSTING:
        return CombinationModel(**common, trees=_trees(learned, len(specs)))
    weights = tuple(_numbers(learned["weights"], "weights"))
    _require(len(weights) == len(specs), "there is not one weight for each member")
    _require(min(weights) >= 0 < max(weights), "weights are negative, or all 0")
    return CombinationModel(
        **common, weights=weights, intercept=_number(learned["intercept"], "intercept")
    )


def _scale(code: str, listed: Sequence[Mapping[str, Any]], members: int) -> LanguageScale:
    _require(len(listed) == members, f"language {code}: expected {counted(members, 'member')}")
    columns = {key: tuple(_number(one[key], key) for one in listed) for key in _SCALE}
    _require(min(columns["sd"]) >= _LEAST_SD, f"language {code}: a standard deviation is 0")
    signatures = tuple(_text(one["signature"], "signature") for one in listed)
    for signature in signatures:
        Signature.parse(signature)
    return LanguageScale(language=code, signatures=signatures, **columns)


def _trees(learned: Mapping[str, Any], members: int) -> RegressionTrees:
    listed = _objects(learned["trees"], "trees")
    _require(bool(listed), "there are no trees")
    columns: dict[str, list[Any]] = {key: [] for key in _NODES}
    roots = []
    start = 0
    for number, tree in enumerate(listed, 1):
        parts: dict[str, list[Any]] = {
            key: (_places if key in _PLACES else _numbers)(tree[key], key) for key in _NODES
        }
        count = len(parts["feature"])
        where = f"tree {number}"
        _require({len(part) for part in parts.values()} == {count}, f"{where}: lists differ")
        _require(count > 0, f"{where}: there are no nodes")
        _check_nodes(where, parts, members)
        roots.append(start)
        for key in ("left", "right"):
            parts[key] = [node + start for node in parts[key]]
        for key, part in parts.items():
            columns[key] += part
        start += count
    return RegressionTrees(
        baseline=_number(learned["baseline"], "baseline"),
        roots=np.array(roots, dtype=np.int64),
        features=np.array(columns["feature"], dtype=np.int64),
        thresholds=np.array(columns["threshold"], dtype=np.float64),
        left=np.array(columns["left"], dtype=np.int64),
        right=np.array(columns["right"], dtype=np.int64),
        values=np.array(columns["value"], dtype=np.float64),
    )


def _check_nodes(where: str, parts: Mapping[str, Sequence[int]], members: int) -> None:
    """Raise unless every path ends in a leaf: a child stands behind its parent."""
    count = len(parts["feature"])
    for node, feature in enumerate(parts["feature"]):
        children = (parts["left"][node], parts["right"][node])
        _require(feature < members, f"{where}, node {node}: no such member")
        behind = all(node < one < count for one in children)
        is_leaf = feature == -1 and children == (node, node)
        _require(is_leaf or (feature >= 0 and behind), f"{where}, node {node}: no such child")


def _number(value: object, what: str) -> float:
    # Scores and weights are far smaller; larger numbers, and whole ones of any length, overflow.
    plain = isinstance(value, int | float) and not isinstance(value, bool)
    if not plain or not abs(value) <= _MOST:  # type: ignore[arg-type]
        raise ValueError(f"{what}: expected a number")
    return float(value)  # type: ignore[arg-type]


def _numbers(value: object, what: str) -> list[float]:
    return [_number(one, what) for one in _list(value, what)]


def _places(value: object, what: str) -> list[int]:
    found = _list(value, what)
    if not all(type(one) is int and -1 <= one <= _MOST for one in found):
        raise ValueError(f"{what}: expected whole numbers")
    return found


def _list(value: object, what: str) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError(f"{what}: expected a list")
    return value


def _text(value: object, what: str) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{what}: expected a text")
    return value


def _object(value: object, what: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise TypeError(f"{what}: expected an object")
    return value


def _objects(value: object, what: str) -> list[dict[str, Any]]:
    return [_object(one, what) for one in _list(value, what)]


def _require(valid: bool, problem: str) -> None:  # noqa: FBT001 - reads like an assertion
    if not valid:
        raise ValueError(problem)


def _refuse(name: str, problem: str) -> NoReturn:
    raise UnreadableFile(name, problem, _ADVICE)
