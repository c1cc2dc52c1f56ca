"""One process of a training: a teacher, a stage, a student. Needs torch and numpy alone."""

from typing import Any

import numpy as np
import torch

from benchmarks.students.arrays import DEVICE, Arrays, write_arrays
from benchmarks.students.first_stage import train_first
from benchmarks.students.labels import direct_scores, make_labels
from benchmarks.students.material import Material
from benchmarks.students.schedule import Schedule
from benchmarks.students.second_stage import train_second
from benchmarks.students.stages import Stage, Task
from benchmarks.students.teacher import Teacher, first_numbers
from benchmarks.students.teaching import Reading, RecordedDraws, train_teacher
from benchmarks.students.texts import FlatTexts

_TEACHER_SEED, _STUDENT_SEED = 1, 2
_WARM_UP = 32


def run_task(task: Task, material: Material, seconds: float) -> None:
    """Do what one process does, and write its file.

    Args:
        task: What is done.
        material: What was collected and trained before.
        seconds: How long a training takes, from the first step on.
    """
    torch.set_float32_matmul_precision("high")
    torch.manual_seed(_TEACHER_SEED if task.stage is Stage.TEACH else _STUDENT_SEED)
    output = task.output(material.work)
    if task.stage is Stage.LABEL:
        labels = make_labels(material)
        write_arrays(material.work.scores, direct_scores(labels))
        write_arrays(output, labels, compressed=False)
        return
    if task.stage is Stage.TEACH:
        arrays, facts = _taught(material, task.name, seconds)
    elif task.stage is Stage.FIRST:
        arrays, facts = train_first(material, seconds)
    else:
        arrays, facts = train_second(material, material.plan.fold(task.name), seconds)
    write_arrays(output, arrays, facts | {"versions": _versions(), "layers": material.layers})


def _taught(material: Material, year: str, seconds: float) -> tuple[Arrays, dict[str, Any]]:
    encoder = material.teacher()
    teacher = Teacher(encoder, first_numbers(encoder, _TEACHER_SEED), trained=True)
    found = material.texts
    texts = FlatTexts(found["flat"], found["lengths"])
    reading = Reading(texts, material.table, material.plan.teacher)
    schedule = Schedule(seconds, _WARM_UP)
    draws = RecordedDraws(found, year, material.sizes.drawn)
    progress = train_teacher(teacher, draws, reading, schedule, f"teacher without {year}")
    # As in the file of an adapter.
    arrays = {name: one.astype(np.float16) for name, one in teacher.arrays().items()}
    return arrays, progress.facts(schedule) | {"seeds": {"first numbers": _TEACHER_SEED}}


def _versions() -> dict[str, str]:
    device = torch.cuda.get_device_name() if DEVICE == "cuda" else "processor"
    return {"torch": str(torch.__version__), "numpy": np.__version__, "device": device}
