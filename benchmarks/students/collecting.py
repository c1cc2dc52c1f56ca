"""Collects what a training needs: texts, pairs, draws of teachers, weights. Needs tenbin."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

import tenbin
from benchmarks.left_out_years.folds import FIRST, JUDGED, year_of
from benchmarks.students.arrays import Arrays, write_arrays
from benchmarks.students.base_models import base_weights, encoder_facts
from benchmarks.students.judged_sets import MEASURED, YEARS, read_texts, teacher_draws, text_pairs
from benchmarks.students.plan import ALL, Fold, Plan, WorkFolder
from benchmarks.students.sentences import flat_arrays, plain_arrays, split_texts, trip_arrays
from benchmarks.students.set_trips import Versions, read_versions
from benchmarks.students.weights import packed
from tenbin.annotation.joint.adapter import find_adapter
from tenbin.annotation.joint.pairs import PairTokenizer
from tenbin.building.metric.damage import DamageGenerator
from tenbin.building.metric.data import MetricData
from tenbin.building.metric.teacher_vectors import matched_subwords
from tenbin.resources.checkpoints import find_checkpoint
from tenbin.resources.store.fingerprints import file_sha256

STUDENT_BASE, TEACHER_BASE, TEACHER = "minilm-en", "mpnet-en", "tenbin-large"
LANGUAGE = "en"

_LONGEST = 128  # subwords of a text
_MATCHED = 1_000  # texts that show whether both models cut texts alike


def left_out_folds() -> tuple[Fold, ...]:
    """Return the students: of all years, and without some.

    The teacher of all years knows nothing of two; one student without both serves either.
    """
    judged = [year_of(name) for name in JUDGED]
    alone = [Fold(year, (year,), year) for year in judged]
    others = tuple(year_of(name) for name in FIRST)
    return (Fold(ALL), *alone, Fold("-".join(others), others))


def collect(
    work: WorkFolder,
    data: Path,
    texts: Sequence[Path],
    trips: Sequence[Path] = (),
    set_trips: Path | None = None,
) -> None:
    """Write everything that a training needs.

    Args:
        work: Where it is written.
        data: The folder of the test sets.
        texts: Files of plain text.
        trips: Files of sentences beside translations of them.
        set_trips: Texts of the test sets beside round trips of them.

    Raises:
        TenbinError: A set cannot be read, or a base model is not installed.
        SystemExit: The base models cut texts differently.
    """
    read = read_texts(data)
    student, teacher = (
        PairTokenizer(find_checkpoint(name, LANGUAGE)) for name in (STUDENT_BASE, TEACHER_BASE)
    )
    sentences = dict(plain_arrays(texts, student))
    if trips:
        sentences |= trip_arrays(trips, student)
    versions = {} if set_trips is None else read_versions(set_trips)
    work.folder.mkdir(parents=True, exist_ok=True)
    write_arrays(work.plain, sentences)
    # As their files have them, or as products are computed.
    for path, tokenizer, kind in (
        (work.student_base, student, "float16"),
        (work.teacher_base, teacher, "bfloat16"),
    ):
        write_arrays(path, packed(base_weights(tokenizer.checkpoint), kind))
    adapter = find_adapter(TEACHER)
    numbers = {name: np.asarray(one) for name, one in adapter.tensors.items()}
    write_arrays(work.teacher(ALL), numbers)
    folds = left_out_folds()
    taught = [fold.teacher for fold in folds if fold.teacher != ALL]
    write_arrays(work.texts, _text_arrays(read, data, taught, versions, student, teacher))
    Plan(
        teacher=encoder_facts(teacher),
        student=encoder_facts(student),
        compared_layer=adapter.card.layer,
        names=student.tokenizer.texts(range(student.tokenizer.size)),
        years=YEARS,
        measured=(MEASURED,),
        taught=taught,
        folds=folds,
        facts=_facts(read, [*texts, *trips, *([set_trips] if set_trips else [])], student),
    ).write(work.plan)


def _text_arrays(
    read: MetricData,
    data: Path,
    taught: Sequence[str],
    versions: Versions,
    student: PairTokenizer,
    teacher: PairTokenizer,
) -> Arrays:
    generator, pool = DamageGenerator(LANGUAGE), read.pool
    found = dict(text_pairs(read.texts, pool, generator, versions))
    for year in taught:
        found |= teacher_draws(year, data, pool, teacher, generator)
    every = pool.listed()  # damaged texts included
    table = matched_subwords(student, teacher, every[:_MATCHED])
    if table is None:
        raise SystemExit(f"{STUDENT_BASE} and {TEACHER_BASE} cut texts differently")
    split = flat_arrays(split_texts(every, student, _LONGEST))
    return {**split, **found, "table": table.astype(np.uint16)}


def _facts(read: MetricData, texts: Sequence[Path], student: PairTokenizer) -> dict[str, Any]:
    """Return what cards say of what was collected."""
    sets = [{"name": one.name, "pair": one.pair} for one in read.texts]
    plain = [{"name": path.name, "sha256": file_sha256(path)} for path in texts]
    base = {"name": STUDENT_BASE, "fingerprint": student.checkpoint.identity.fingerprint}
    versions = {"tenbin": tenbin.__version__}
    return {"sets": sets, "texts": plain, "base": base, "student_of": TEACHER, "versions": versions}
