"""Encoders on a GPU: python -m benchmarks.gpu --model FOLDER --texts FILE.

Needs torch with CUDA, transformers, and nothing else of the test environment, so that it runs on a
machine with a GPU and without a network.
"""

import argparse
import json
import tempfile
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import torch

from tenbin.annotation.encoders.layered_model import LayeredModel
from tenbin.annotation.encoders.settings import Device, NumberType, View
from tenbin.annotation.encoders.subwords import SubwordTokenizer
from tenbin.core.arrays import IdArray
from tenbin.resources.checkpoints import find_checkpoint

_SIDE = 8_192
_REPEATS = 3
_COMPARED = 2_000
_LONGEST = 512
# A layer of BERT multiplies each piece by 4 squares and by 8 of the hidden size; two operations a
# product. Attention adds the products of all pieces with all.
_SQUARES = 12
_LARGE = {"hidden_size": 1_024, "num_hidden_layers": 17, "num_attention_heads": 16}


def main() -> None:
    """Measure and print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", required=True, help="folder of a model")
    parser.add_argument("--layer", type=int, default=4)
    parser.add_argument("--texts", required=True, help="one distinct segment per line")
    options = parser.parse_args()
    texts = Path(options.texts).read_text(encoding="utf-8").split("\n")
    checkpoint = find_checkpoint(options.model, "en")
    cutter = SubwordTokenizer(checkpoint)
    cutter.tokenize(texts[:1])
    started = time.perf_counter()
    rows = [pieces.ids for pieces in cutter.tokenize(texts) if len(pieces) <= _LONGEST]
    cutting = time.perf_counter() - started
    peak = _matrix_peak()
    report: dict[str, Any] = {
        "device": torch.cuda.get_device_name(),
        "torch": torch.__version__,
        "cached": "nothing: the model runs on every text, after one run that warms up",
        "segments": len(rows),
        "pieces": sum(map(len, rows)),
        "cutting, segments/s": len(rows) / cutting,
        "matrix peak, TFLOP/s": peak / 1e12,
        "models": [_measured(options.model, options.layer, rows, peak)],
    }
    with tempfile.TemporaryDirectory() as folder:
        _make_large(Path(options.model), Path(folder))
        report["models"].append(_measured(folder, _LARGE["num_hidden_layers"], rows, peak))
    print(json.dumps(report, indent=1))


def _measured(folder: str, layer: int, rows: Sequence[IdArray], peak: float) -> dict[str, Any]:
    checkpoint = find_checkpoint(folder, "en")
    hidden = int(checkpoint.config["hidden_size"])
    lengths = np.array([len(row) for row in rows], dtype=np.float64)
    work = layer * float((2 * _SQUARES * hidden**2 * lengths + 4 * hidden * lengths**2).sum())
    found: dict[str, Any] = {"hidden size": hidden, "layers": layer, "TFLOP": work / 1e12}
    vectors: dict[NumberType, list[Any]] = {}
    for kind in (NumberType.FLOAT32, NumberType.BFLOAT16):
        model = LayeredModel(checkpoint, View((layer,)), Device.CUDA, kind)
        vectors[kind] = model.vectors(rows[:_COMPARED])
        seconds = _best(lambda model=model: model.vectors(rows))  # type: ignore[misc]
        found[str(kind)] = {
            "segments/s": len(rows) / seconds,
            "share of the matrix peak": work / seconds / peak,
        }
    exact, rounded = vectors[NumberType.FLOAT32], vectors[NumberType.BFLOAT16]
    cosines = np.concatenate([_cosines(a, b) for a, b in zip(exact, rounded, strict=True)])
    found["cosine of bfloat16 with float32, mean"] = float(cosines.mean())
    found["cosine of bfloat16 with float32, least"] = float(cosines.min())
    # Neighbours in the list are as good as any pairs to see what becomes of a score.
    scores = [np.array([_f_score(a, b) for a, b in pairwise(v)]) for v in vectors.values()]
    found["BERTScore F, mean difference"] = float(np.abs(scores[0] - scores[1]).mean())
    found["BERTScore F, greatest difference"] = float(np.abs(scores[0] - scores[1]).max())
    found["BERTScore F, correlation"] = float(np.corrcoef(scores[0], scores[1])[0, 1])
    return found


def _matrix_peak() -> float:
    """Return operations per second of a large product of random bfloat16 matrices."""
    left = torch.randn(_SIDE, _SIDE, device="cuda", dtype=torch.bfloat16)
    right = torch.randn(_SIDE, _SIDE, device="cuda", dtype=torch.bfloat16)
    return 2 * _SIDE**3 * 10 / _best(lambda: [left @ right for _ in range(10)])


def _best(task: Callable[[], object]) -> float:
    """Return the shortest of some times, after one that warms up."""
    times = []
    for _ in range(_REPEATS + 1):
        torch.cuda.synchronize()
        started = time.perf_counter()
        task()
        torch.cuda.synchronize()
        times.append(time.perf_counter() - started)
    return min(times[1:])


def _cosines(one: Any, other: Any) -> Any:  # noqa: ANN401 - arrays
    lengths = np.linalg.norm(one, axis=1) * np.linalg.norm(other, axis=1)
    return (one * other).sum(axis=1) / lengths


def _f_score(one: Any, other: Any) -> float:  # noqa: ANN401 - arrays
    units = [rows / np.linalg.norm(rows, axis=1, keepdims=True) for rows in (one, other)]
    table = units[0] @ units[1].T
    precision, recall = table.max(axis=1)[1:-1].mean(), table.max(axis=0)[1:-1].mean()
    return float(2 * precision * recall / (precision + recall))


def _make_large(small: Path, folder: Path) -> None:
    """Write a model of BERTScore's usual size with random weights: its speed is that of any."""
    from transformers import BertConfig, BertModel  # noqa: PLC0415 - only here

    torch.manual_seed(1)
    config = BertConfig.from_pretrained(str(small))
    config.update({**_LARGE, "intermediate_size": 4 * _LARGE["hidden_size"]})
    model = BertModel(config, add_pooling_layer=False)  # type: ignore[no-untyped-call]
    model.save_pretrained(str(folder))
    for name in ("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "vocab.txt"):
        (folder / name).write_bytes((small / name).read_bytes())


if __name__ == "__main__":
    main()
