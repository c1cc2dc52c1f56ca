"""What was trained as adapters. Needs tenbin."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.left_out_years.folds import JUDGED, Kind, year_of
from benchmarks.left_out_years.folds import Fold as LeftOut
from benchmarks.students.arrays import Arrays, read_arrays, read_facts
from benchmarks.students.encoder import (
    ATTENDED,
    ATTENDED_NORM,
    INNER,
    OUTER,
    OUTER_NORM,
    QKV,
)
from benchmarks.students.head import HEAD, HIDDEN, MIX
from benchmarks.students.plan import ALL, Fold, Plan, WorkFolder
from benchmarks.students.student import plain
from tenbin.annotation.joint.adapter import (
    FULL,
    SUFFIX,
    Adapter,
    AdapterCard,
    find_adapter,
    write_adapter,
)

_LANGUAGE = "en"
_MODULES = {
    ATTENDED: "attention.output.dense",
    ATTENDED_NORM: "attention.output.LayerNorm",
    INNER: "intermediate.dense",
    OUTER: "output.dense",
    OUTER_NORM: "output.LayerNorm",
}
_PARTS = ("query", "key", "value")


def write_adapters(work: WorkFolder, folder: Path) -> Iterator[Path]:
    """Write the students that are trained, and the teachers without a year.

    Args:
        work: Where they are.
        folder: Where adapters go, under the names by which `benchmarks.left_out_years` looks for
            them; and the student of all years.

    Yields:
        The files.

    Raises:
        SystemExit: No student is trained.
    """
    plan = Plan.read(work.plan)
    there = [fold for fold in plan.folds if work.student(fold.name).is_file()]
    if not there:
        raise SystemExit(f"{work.trained}: no student is trained")
    folder.mkdir(parents=True, exist_ok=True)
    first = read_facts(work.first) if work.first.is_file() else {}
    for fold in there:
        arrays = read_arrays(work.student(fold.name))
        training = _training(plan, fold, read_facts(work.student(fold.name)), first)
        for path in _paths(fold, folder):
            card = _card(plan, arrays, training, path.name.removesuffix(SUFFIX))
            adapter = Adapter(tensors=tensors_of(arrays), card=card)
            write_adapter(str(path), adapter, rounded=True)
            yield path
    for year in plan.taught:
        if work.teacher(year).is_file():
            yield _teacher(plan, work.teacher(year), LeftOut(Kind.LARGE, year).path(folder))


def _teacher(plan: Plan, trained: Path, path: Path) -> Path:
    """Write a teacher with the settings of the bundled one, and return its path."""
    name = path.name.removesuffix(SUFFIX)
    unread = name.rpartition("-")[2]
    sets = [one for one in plan.facts["sets"] if one["name"] in JUDGED]
    sets = [one for one in sets if year_of(one["name"]) != unread]
    training = {"sets": sets, **read_facts(trained)}
    card = replace(find_adapter(plan.facts["student_of"]).card, name=name, training=training)
    write_adapter(str(path), Adapter(tensors=read_arrays(trained), card=card))
    return path


def tensors_of(arrays: Arrays) -> dict[str, np.ndarray[Any, Any]]:
    """Return a student under the names of an adapter.

    Args:
        arrays: The file of the student.
    """
    numbers = plain(arrays)
    found = {name: one for name, one in numbers.items() if name == MIX or name.startswith(HEAD)}
    for name, one in numbers.items():
        layer, _, rest = name.partition(".")
        if not layer.isdigit():
            continue
        part, end = rest.split(".")
        prefix = f"{FULL}encoder.layer.{layer}"
        if part == QKV:
            for own, block in zip(_PARTS, np.split(one, len(_PARTS)), strict=True):
                found[f"{prefix}.attention.self.{own}.{end}"] = block
        else:
            found[f"{prefix}.{_MODULES[part]}.{end}"] = one
    return found


def _paths(fold: Fold, folder: Path) -> list[Path]:
    """Return the files of a student; `benchmarks.left_out_years` looks for one per year."""
    if not fold.without:
        return [folder / f"tenbin-{Kind.FAST}{SUFFIX}"]
    return [LeftOut(Kind.FAST, year).path(folder) for year in fold.without]


def _training(
    plan: Plan, fold: Fold, facts: dict[str, Any], first: dict[str, Any]
) -> dict[str, Any]:
    unread = (*fold.without, *plan.measured)
    sets = [one for one in plan.facts["sets"] if year_of(one["name"]) not in unread]
    versions = {**facts.pop("versions", {}), **plan.facts["versions"]}
    teacher = find_adapter(plan.facts["student_of"])
    taught_by = {"name": plan.facts["student_of"], "without": fold.teacher}
    if fold.teacher == ALL and teacher.identity is not None:
        taught_by = {"name": plan.facts["student_of"], "fingerprint": teacher.identity.fingerprint}
    return {
        "sets": sets,
        "texts": plan.facts["texts"],
        "student_of": taught_by,
        **facts,
        "first_stage": first,
        "versions": versions,
    }


def _card(plan: Plan, arrays: Arrays, training: dict[str, Any], name: str) -> AdapterCard:
    base = plan.facts["base"]
    return AdapterCard(
        name=name,
        language=_LANGUAGE,
        base=base["name"],
        base_fingerprint=base["fingerprint"],
        rank=0,
        alpha=0.0,
        width=int(arrays[f"{HIDDEN}/weight"].shape[0]),
        layer=len(arrays[MIX]) - 1,
        share=1.0,
        training=training,
    )
