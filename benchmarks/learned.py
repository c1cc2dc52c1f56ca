"""Speed of the learned metric: python -m benchmarks.learned [--device cuda] [--peer DIR].

On a CPU: segments per second of processor time of a whole run in one process, models loaded before;
the same again from the cache; what the command takes for a hundred segments, from its start, twice;
and the cross encoder of sentence-transformers on the same model and pairs, if a folder is named
into which it was installed. On a GPU: pairs per second in bfloat16, and
what share that is of the products of large matrices that the GPU reaches.
"""

import argparse
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import tenbin
from benchmarks.timing import run_command
from tenbin.annotation.encoders.settings import Device, NumberType
from tenbin.annotation.joint.adapter import find_adapter
from tenbin.annotation.joint.judge import base_of
from tenbin.annotation.joint.network import JointNetwork
from tenbin.annotation.joint.pairs import JointRow, PairTokenizer
from tenbin.core.spec import Spec
from tenbin.metrics import registry
from tenbin.metrics.learned import Learned
from tenbin.resources.checkpoints import Checkpoint

_DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
_SET, _PAIR = "wmt22", "de-en"
_FEW = 100  # segments of a command that is timed from its start


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.learned", description=__doc__)
    parser.add_argument("-m", "--metric", default="tenbin-large", metavar="SPEC")
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--data", type=Path, default=_DATA, metavar="DIR")
    parser.add_argument("--segments", type=int, default=200)
    parser.add_argument("--systems", type=int, default=1)
    parser.add_argument("--peer", type=Path, metavar="DIR", help="with sentence-transformers")
    options = parser.parse_args()
    systems, references = _texts(options.data, options.segments, options.systems)
    if options.device == "cuda":
        _on_gpu(options.metric, systems, references)
        return
    with TemporaryDirectory() as folder:
        os.environ["TENBIN_ENCODINGS"] = folder
        _on_cpu(options.metric, systems, references)
        _command(options.metric, systems, references)
    if options.peer is not None:
        _peer(options.metric, systems, references, options.peer)


Texts = dict[str, list[str]]


def _texts(data: Path, count: int, systems: int) -> tuple[Texts, list[str]]:
    folder = data / _SET
    (file,) = sorted((folder / "references").glob(f"{_PAIR}.*"))[:1]
    references = file.read_text(encoding="utf-8").split("\n")[:count]
    outputs = sorted((folder / "system-outputs" / _PAIR).glob("*.txt"))
    outputs = [one for one in outputs if not one.stem.startswith("ref")][:systems]
    return {
        one.stem: one.read_text(encoding="utf-8").split("\n")[: len(references)] for one in outputs
    }, references


def _on_cpu(metric: str, systems: Texts, references: list[str]) -> None:
    count = sum(map(len, systems.values()))
    # Loads the models; numbers are of other texts.
    tenbin.score(["A cat."], ["A dog."], metrics=[metric], language="en")

    def run() -> None:
        tenbin.score(systems, references, metrics=[metric], language="en")

    first, second = _seconds(run), _seconds(run)
    print(f"{metric}: {count:,} segments of {len(systems)} systems")
    for name, (processor, clock) in (("first run", first), ("second run", second)):
        print(f"  {name}: {count / processor:,.1f} per CPU second, {count / clock:,.1f} per second")
    print(f"  second run: {first[0] / second[0]:.1f} times as fast by processor time")


def _command(metric: str, systems: Texts, references: list[str]) -> None:
    """Time a command that finds nothing in the cache, and again when it does."""
    with TemporaryDirectory() as folder:
        files = [Path(folder) / name for name in ("reference", "system", "encodings")]
        for file, texts in zip(files, (references, next(iter(systems.values()))), strict=False):
            file.write_text("\n".join(texts[:_FEW]) + "\n", encoding="utf-8")
        command = [sys.executable, "-m", "tenbin", "score", "-l", "en", "-q", "-m", metric]
        command += ["-r", str(files[0]), "-t", str(files[1])]
        for name in ("first run", "second run"):
            took = run_command(command, TENBIN_ENCODINGS=str(files[2]))
            print(
                f"  command, {_FEW} segments, {name}: {took.cpu:.1f} CPU seconds, {took.wall:.1f} s"
            )


def _seconds(run: Callable[[], object]) -> tuple[float, float]:
    processor, clock = time.process_time(), time.perf_counter()
    run()
    return time.process_time() - processor, time.perf_counter() - clock


def _judge_of(metric: str) -> tuple[Learned, Checkpoint]:
    found = registry.load(Spec.parse(metric))
    if not isinstance(found, Learned):
        raise SystemExit(f"{metric} is no learned metric")
    return found, base_of(find_adapter(found.adapter), "en")


def _rows(checkpoint: Checkpoint, systems: Texts, references: list[str]) -> list[JointRow]:
    pairs = PairTokenizer(checkpoint)
    texts = list(dict.fromkeys([*references, *(one for some in systems.values() for one in some)]))
    ids = dict(zip(texts, pairs.ids(texts), strict=True))
    return [
        pairs.row(ids[reference], ids[own])
        for some in systems.values()
        for own, reference in zip(some, references, strict=True)
    ]


def _peer(metric: str, systems: Texts, references: list[str], folder: Path) -> None:
    _, checkpoint = _judge_of(metric)
    sys.path.append(str(folder))
    import torch  # noqa: PLC0415
    from sentence_transformers import CrossEncoder  # type: ignore[import-not-found]  # noqa: PLC0415

    torch.set_num_threads(1)
    peer = CrossEncoder(str(checkpoint.folder), num_labels=1, device="cpu")
    pairs = [
        (reference, own)
        for some in systems.values()
        for own, reference in zip(some, references, strict=True)
    ]
    peer.predict(pairs[:2])
    processor, clock = _seconds(lambda: peer.predict(pairs, show_progress_bar=False))
    rate, by_clock = len(pairs) / processor, len(pairs) / clock
    print(f"CrossEncoder: {rate:,.1f} per CPU second, {by_clock:,.1f} per second")


def _on_gpu(metric: str, systems: Texts, references: list[str]) -> None:
    import torch  # noqa: PLC0415

    found, checkpoint = _judge_of(metric)
    network = JointNetwork.of_adapter(
        checkpoint,
        find_adapter(found.adapter),
        device=Device.CUDA,
        number_type=NumberType.BFLOAT16,
    )
    rows = _rows(checkpoint, systems, references)
    network.scores(rows)  # the first run chooses kernels
    torch.cuda.synchronize()
    clock = _seconds(lambda: network.scores(rows))[1]
    weights = sum(
        one.numel() for name, one in network.weights() if one.ndim > 1 and "embeddings" not in name
    )
    done = 2 * weights * float(np.sum([len(row) for row in rows])) / clock
    peak = _peak(torch)
    print(f"{metric} on {torch.cuda.get_device_name()}: {len(rows):,} pairs")
    print(f"  {len(rows) / clock:,.0f} pairs per second, {done / 1e12:,.1f} teraflops")
    print(f"  {done / peak:.1%} of the {peak / 1e12:,.0f} that products of large matrices reach")


def _peak(torch: Any) -> float:  # noqa: ANN401 - not imported above
    size = 8_192
    one = torch.randn(size, size, device="cuda", dtype=torch.bfloat16)
    for _ in range(3):
        one @ one
    torch.cuda.synchronize()
    start = time.perf_counter()
    for _ in range(20):
        one @ one
    torch.cuda.synchronize()
    return 20 * 2 * float(size) ** 3 / (time.perf_counter() - start)


if __name__ == "__main__":
    main()
