"""Students of one GPU: files, schedules, processes, a whole training of tiny models, adapters."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("benchmarks.students.plan", reason="not run from the repository")

import torch
from benchmarks.left_out_years.folds import Fold
from benchmarks.left_out_years.folds import Kind as LeftOutKind
from benchmarks.students import __main__ as students
from benchmarks.students import processes, schedule
from benchmarks.students.adapters import write_adapters
from benchmarks.students.arrays import read_arrays, read_facts, write_arrays
from benchmarks.students.batches import cuts, drawn_ahead
from benchmarks.students.encoder import Encoder
from benchmarks.students.material import Material
from benchmarks.students.plan import ALL, Kind, WorkFolder
from benchmarks.students.rows import rows_of
from benchmarks.students.run import Run, train
from benchmarks.students.sizes import TRIAL
from benchmarks.students.stages import Stage, Task, seconds_of
from benchmarks.students.student import Student, rounded
from benchmarks.students.student import first_numbers as first_student
from benchmarks.students.texts import FlatTexts
from benchmarks.students.training import run_task
from benchmarks.students.weights import packed, unpacked
from tests.unit.benchmarks.tiny_students import (
    toy_plan,
    toy_work,
)

from tenbin.annotation.joint.adapter import find_adapter, read_adapter
from tenbin.annotation.joint.network import JointNetwork
from tenbin.annotation.joint.pairs import PairTokenizer
from tenbin.resources.checkpoints import Checkpoint

pytestmark = pytest.mark.usefixtures("_one_core")


@pytest.mark.parametrize("kind", ["float16", "bfloat16"])
def test_packed_weights_come_back_to_the_bit(kind: str, tmp_path: Path) -> None:
    dtype = getattr(torch, kind)
    every = torch.arange(-(2**15), 2**15).to(torch.int16).view(dtype).reshape(256, 256)
    given = {"a.b": every[torch.isfinite(every).all(1)], "0.bias": torch.randn(5)}
    path = tmp_path / "weights.npz"
    write_arrays(path, packed(given, kind))
    found = unpacked(read_arrays(path))
    assert set(found) == set(given)
    assert torch.equal(found["a.b"].view(torch.int16), given["a.b"].view(torch.int16))
    assert torch.equal(found["0.bias"], given["0.bias"])
    assert [one.name for one in tmp_path.iterdir()] == ["weights.npz"]  # nothing temporary


def test_batches_keep_to_their_budget() -> None:
    rng = np.random.default_rng(0)
    widths, counts = rng.integers(5, 60, 200), rng.integers(1, 16, 200)
    order = np.argsort(widths, kind="stable")
    found = cuts(order, widths, counts, 2_000)
    assert np.concatenate(found).tolist() == order.tolist()
    sizes = [int(counts[some].sum() * widths[some].max()) for some in found]
    assert max(sizes) <= 2_000 < max(sizes) + 60 * 16
    assert [some.tolist() for some in cuts(np.array([0, 1]), widths, counts, 1)] == [[0], [1]]


def test_what_is_drawn_ahead_comes_in_order_and_fails_aloud() -> None:
    assert list(drawn_ahead(range(50), 3)) == list(range(50))

    def failing() -> Any:
        yield 1
        raise KeyError("two")

    items = drawn_ahead(failing(), 3)
    assert next(items) == 1
    with pytest.raises(KeyError, match="two"):
        next(items)


def test_a_schedule_runs_by_the_clock() -> None:
    now = [10.0]
    found = schedule.Schedule(100, 4, clock=lambda: now[0])
    assert found.share() == pytest.approx(1 / 4)
    found.steps, now[0] = 10, 60.0
    assert found.share() == pytest.approx(0.5)
    assert not found.is_over()
    now[0] = 110.0
    assert found.is_over()
    assert found.share() > 0
    assert not schedule.Schedule(0, 4).is_over()  # one step at least


def test_the_second_stage_has_what_is_left() -> None:
    stages = [stage for stage in Stage if stage is not Stage.LABEL]
    usual = [seconds_of(stage, 25, 0) for stage in stages]
    assert usual[:2] == pytest.approx([245, 700])
    assert usual[2] == pytest.approx(1_500 - 40)  # alone
    assert seconds_of(Stage.FIRST, 25, 1_000) == pytest.approx(700)
    after = [seconds_of(Stage.SECOND, 25, elapsed) for elapsed in (900, 1_000, 2_000)]
    assert after == pytest.approx([560, 460, 125])


@pytest.mark.slow
def test_a_whole_training_writes_everything_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    work = toy_work(tmp_path / "work")
    run = Run(work, minutes=0.004, layers=1, trial=True)
    material = Material(work, 1, TRIAL)
    run_task(Task(Stage.TEACH, "wmt14"), material, 0.1)
    run_task(Task(Stage.FIRST), material, 0.1)
    train(run, [Stage.LABEL])  # in a process, which takes a while to start
    run_task(Task(Stage.SECOND, "wmt14"), material, 0.1)
    names = {"teacher-wmt14.npz", "first.npz", "teacher-scores.npz", "student-wmt14.npz"}
    assert {one.name for one in work.trained.iterdir()} == names
    written = {path: path.stat().st_mtime_ns for path in [*work.trained.iterdir(), work.labels]}
    labels = read_arrays(work.labels)
    assert set(labels["kind"].tolist()) == set(Kind)
    own_year = (labels["year"] == 0) & (labels["kind"] != Kind.DIRECT)
    assert np.isnan(labels["learned/wmt14"]).tolist() == own_year.tolist()
    assert np.isfinite(labels["learned/all"]).all()
    assert np.isfinite(labels["bertscore"]).all()
    student, facts = read_arrays(work.student("wmt14")), read_facts(work.student("wmt14"))
    assert facts["steps"] >= 1
    assert facts["curve"]
    assert {"torch", "numpy"} <= set(facts["versions"])
    assert len(student["raw"]) == len(student["reference"]) > 0
    teacher = read_arrays(work.teacher("wmt14"))
    assert {one.dtype for one in teacher.values()} == {np.dtype(np.float16)}
    capsys.readouterr()
    train(run, list(Stage))
    assert capsys.readouterr().out.count("there already") == len(Stage)
    assert written == {path: path.stat().st_mtime_ns for path in written}


def test_processes_that_fail_end_the_others(tmp_path: Path) -> None:
    words = [[sys.executable, "-c", code] for code in ("import time; time.sleep(60)", "exit('oh')")]
    commands = [
        processes.Command(f"number {place}", tuple(one), tmp_path / "logs" / f"{place}.log")
        for place, one in enumerate(words)
    ]
    with pytest.raises(SystemExit, match=r"number 1 failed \(1\).*1\.log"):
        processes.run_together(commands, tmp_path)
    assert (tmp_path / "logs" / "1.log").read_text() == "oh\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["collect", "work", "--data", "nowhere", "--text", "none.txt"], "nowhere.*no such folder"),
        (["train", "work"], "work.*run 'collect' before"),
        (["adapters", "work", "-o", "adapters"], "work"),
    ],
)
def test_what_is_missing_is_named(
    words: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["students", *words])
    with pytest.raises(SystemExit, match=said):
        students.main()
    assert not list(tmp_path.iterdir())  # nothing was begun


def test_training_needs_torch_and_numpy_alone() -> None:
    code = (
        "import sys; import benchmarks.students.__main__, benchmarks.students.training; "
        "print([n for n in sys.modules if n.partition('.')[0] in ('tenbin', 'transformers')])"
    )
    root = Path(__file__).resolve().parents[3]
    found = subprocess.run(
        [sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True
    )
    assert found.stdout.strip() == "[]"


def test_adapters_are_read_by_tenbin(minilm: Checkpoint, tmp_path: Path) -> None:
    from benchmarks.students.base_models import (  # noqa: PLC0415 - opens transformers
        base_weights,
        encoder_facts,
    )

    tokenizer = PairTokenizer(minilm)
    facts = encoder_facts(tokenizer)
    model = Encoder(base_weights(minilm), facts, 1, torch.float32)
    student = Student(model, first_student(model, 8))
    work = WorkFolder(tmp_path)
    toy_plan().write(work.plan)
    content = json.loads(work.plan.read_text())
    content["facts"]["base"]["fingerprint"] = minilm.identity.fingerprint
    content["folds"].append({"name": "wmt21-wmt22", "without": ["wmt21", "wmt22"], "teacher": ALL})
    work.plan.write_text(json.dumps(content))
    said = {"steps": 3, "curve": [[3, 0.5]], "seeds": {"order": 4}}
    write_arrays(work.student("wmt21-wmt22"), rounded(student), said)
    bundled = find_adapter("tenbin-large")
    taught = {name: np.asarray(one, dtype=np.float16) for name, one in bundled.tensors.items()}
    write_arrays(work.teacher("wmt14"), taught, {"steps": 400})
    (path, other, teacher) = write_adapters(work, tmp_path / "adapters")
    assert path.name == "fast-without-wmt21.safetensors"
    assert other.name == "fast-without-wmt22.safetensors"
    # As `benchmarks.left_out_years` looks for it.
    assert teacher == Fold(LeftOutKind.LARGE, "wmt14").path(tmp_path / "adapters")
    large = read_adapter(path=str(teacher))
    assert large.card.training == {"sets": [], "steps": 400}
    assert (large.card.rank, large.card.layer) == (bundled.card.rank, bundled.card.layer)
    assert all(np.allclose(large.tensors[name], one, atol=1e-3) for name, one in taught.items())
    adapter = read_adapter(path=str(path))
    assert adapter.card.name == "fast-without-wmt21"
    assert adapter.card.training["steps"] == 3
    assert [one["name"] for one in adapter.card.training["sets"]] == ["wmt14"]
    ids = tokenizer.ids(["A guest arrived tonight.", "Visitors came tonight."])
    row = tokenizer.row(*ids)
    texts = FlatTexts(np.concatenate(ids), np.array([len(one) for one in ids]))
    with torch.no_grad():
        wanted = torch.sigmoid(student.read(rows_of(texts, np.array([0]), np.array([1]), facts))[0])
    found = JointNetwork.of_adapter(minilm, adapter).scores([row])
    assert float(found[0]) == pytest.approx(float(wanted[0]), abs=0.005)  # weights were rounded
