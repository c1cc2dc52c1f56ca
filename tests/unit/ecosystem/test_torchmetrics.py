"""Tenbin's metrics in the real torchmetrics."""

import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import tenbin
from tenbin.core.errors import MissingExtra, ShapeError, UnknownMetric, UsageError
from tenbin.ecosystem import torchmetrics as adapter

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture
def made() -> Callable[..., Any]:
    pytest.importorskip("torchmetrics", reason="the extra 'ecosystem' is not installed")

    def make(metric: str = "chrf", **settings: Any) -> Any:
        return adapter.TranslationScore(metric, **{"language": "en", **settings})

    return make


@pytest.mark.parametrize("metric", ["chrf", "bleu", "ter", "chrf(word_order=2)"])
def test_batches_give_the_corpus_score(
    made: Callable[..., Any],
    hypotheses: list[str],
    references: list[str],
    expected: Callable[[str], float],
    metric: str,
) -> None:
    score = made(metric)
    for place in range(len(hypotheses)):
        score.update(hypotheses[place : place + 1], references[place : place + 1])
    assert score.compute().item() == expected(metric)
    assert score.higher_is_better == (metric != "ter")
    assert score.signature.startswith(metric.partition("(")[0])


def test_it_is_a_metric_of_torchmetrics(made: Callable[..., Any]) -> None:
    assert isinstance(made(), import_module("torchmetrics").Metric)
    assert type(made()) is type(made("bleu"))


def test_forward_gives_the_score_of_the_batch_and_keeps_all(
    made: Callable[..., Any],
    hypotheses: list[str],
    references: list[str],
    expected: Callable[[str], float],
) -> None:
    score = made()
    first = score(hypotheses[:2], references[:2])
    table = tenbin.score(hypotheses[:2], references[:2], metrics=["chrf"], language="en")
    assert first.item() == table["hypotheses", "chrf"]
    score(hypotheses[2:], references[2:])
    assert score.compute().item() == expected("chrf")
    score.reset()
    score.update(hypotheses[:2], references[:2])
    assert score.compute().item() == first.item()


def test_copies_pickles_and_states_keep_the_texts(
    made: Callable[..., Any],
    hypotheses: list[str],
    references: list[str],
    expected: Callable[[str], float],
) -> None:
    score = made()
    score.update(hypotheses, references)
    assert score.clone().compute().item() == expected("chrf")
    assert pickle.loads(pickle.dumps(score)).compute().item() == expected("chrf")  # noqa: S301
    score.persistent(mode=True)
    other = made()
    other.persistent(mode=True)
    other.load_state_dict(score.state_dict())
    assert other.compute().item() == expected("chrf")


def test_a_change_of_precision_leaves_the_texts_alone(
    made: Callable[..., Any],
    hypotheses: list[str],
    references: list[str],
    expected: Callable[[str], float],
) -> None:
    torch = import_module("torch")
    score = made()
    score.update(hypotheses, references)
    torch.nn.ModuleList([score]).to(torch.bfloat16)
    assert score.compute().item() == expected("chrf")


def test_a_collection_shares_the_texts(
    made: Callable[..., Any],
    hypotheses: list[str],
    references: list[str],
    expected: Callable[[str], float],
) -> None:
    package = import_module("torchmetrics")
    scores = package.MetricCollection({"chrf": made("chrf"), "ter": made("ter")})
    for part in (slice(0, 1), slice(1, None)):
        scores.update(hypotheses[part], references[part])
    assert len(scores.compute_groups) == 1
    found = {name: value.item() for name, value in scores.compute().items()}
    assert found == {"chrf": expected("chrf"), "ter": expected("ter")}


def test_several_references_and_one_text(made: Callable[..., Any]) -> None:
    score = made()
    score.update(["a cat", "a dog"], [["one cat", "a cat"], ["a dog"]])
    assert score.compute().item() == 100.0
    single = made()
    single.update("a cat", ["one cat", "a cat"])
    assert single.compute().item() == 100.0


def test_the_source_is_passed_on(made: Callable[..., Any]) -> None:
    score = made()
    score.update(["a cat"], ["a cat"], ["eine Katze"])
    score.update(["a dog"], ["a dog"])
    with pytest.raises(ShapeError, match="segment 2 has no source text"):
        score.compute()


def test_what_cannot_be_scored_is_refused(made: Callable[..., Any]) -> None:
    with pytest.raises(UnknownMetric):
        made("nonsense")
    score = made()
    score.update([], [])
    with pytest.raises(UsageError, match="no texts have been added"):
        score.compute()
    with pytest.raises(ShapeError, match="segment 1 is of type int"):
        score.update([1], ["a"])


RANKS = """\
import os, sys
import torch.distributed as processes
from tenbin.ecosystem.torchmetrics import TranslationScore
from tests.unit.ecosystem.conftest import HYPOTHESES, REFERENCES

count, started = 3, []
# Copies of this process, which has imported everything.
for rank in range(count):
    started.append(os.fork())
    if not started[-1]:
        break
else:
    sys.exit(any([os.waitpid(one, 0)[1] for one in started]))
processes.init_process_group("gloo", init_method="file://" + sys.argv[1], rank=rank,
                             world_size=count)
score = TranslationScore("chrf", language="en")
# The last process has nothing.
part = {0: slice(0, 1), 1: slice(1, None), 2: slice(0, 0)}[rank]
if rank < 2:
    score.update(HYPOTHESES[part], REFERENCES[part])
# In one piece: all write to the same pipe.
os.write(1, f"{score.compute().item()!r}\\n".encode())
score.reset()
assert score.texts == []
processes.barrier()
processes.destroy_process_group()
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="gloo over a file is tried on Linux")
def test_processes_exchange_their_texts(
    made: Callable[..., Any], tmp_path: Path, expected: Callable[[str], float]
) -> None:
    assert made()
    root = Path(__file__).resolve().parents[3]
    paths = [str(root), str(Path(tenbin.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(paths),
        "GLOO_SOCKET_IFNAME": "lo",
        "OMP_NUM_THREADS": "1",
    }
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", RANKS, str(tmp_path / "meeting")],
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        timeout=600,
    )
    assert done.stdout.split() == [repr(expected("chrf"))] * 3


def test_without_torchmetrics_the_message_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torchmetrics", None)
    adapter._translation_score.cache_clear()
    with pytest.raises(MissingExtra, match=r"pip install 'tenbin\[ecosystem\]'"):
        _ = adapter.TranslationScore
    with pytest.raises(AttributeError, match="nonsense"):
        _ = adapter.nonsense
