"""Tiny models with random weights, texts and plans, for tests of `benchmarks.students`."""

from pathlib import Path
from typing import Any

import numpy as np
import torch
from benchmarks.students.arrays import write_arrays
from benchmarks.students.encoder import Encoder
from benchmarks.students.plan import ALL, EncoderFacts, Fold, Plan, WorkFolder
from benchmarks.students.teacher import first_numbers as first_teacher
from benchmarks.students.weights import packed

SIZE, HEADS, LAYERS, TAUGHT_SIZE = 24, 12, 2, 36
WORDS = 120
NAMES = [
    *("[PAD]", "[UNK]", "[CLS]", "[SEP]", "not", "1", "22", "333", ".", ","),
    *(f"w{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(80)),
    *(f"##s{n}" for n in range(WORDS - 90)),
]
STUDENT = EncoderFacts(
    heads=HEADS,
    epsilon=1e-12,
    first_position=0,
    padding=0,
    before=2,
    between=(3,),
    after=3,
    first=1,
)
TEACHER = EncoderFacts(
    heads=HEADS,
    epsilon=1e-5,
    first_position=2,
    padding=1,
    before=0,
    between=(2, 2),
    after=2,
    first=1,
)


def random_weights(size: int, *, relative: bool, layers: int = LAYERS, words: int = WORDS) -> Any:
    """Return the weights of a model whose states differ enough to be told apart."""
    torch.manual_seed(size)
    shapes = {"words": (words, size), "positions": (160, size)}
    shapes |= {"relative": (32, HEADS)} if relative else {"types": (2, size)}
    for layer in range(layers):
        for name, inputs, outputs in (
            ("qkv", size, 3 * size),
            ("attended", size, size),
            ("inner", size, 2 * size),
            ("outer", 2 * size, size),
        ):
            shapes[f"{layer}.{name}.weight"] = (outputs, inputs)
    found = {name: torch.randn(shape) * 0.3 for name, shape in shapes.items()}
    for name in list(found):
        if name.endswith(".weight"):
            found[name.replace("weight", "bias")] = torch.randn(len(found[name])) * 0.1
    for name in (
        "norm",
        *(f"{n}.{one}_norm" for n in range(layers) for one in ("attended", "outer")),
    ):
        found[f"{name}.weight"] = 1 + 0.1 * torch.randn(size)
        found[f"{name}.bias"] = 0.1 * torch.randn(size)
    return found


def encoder(facts: EncoderFacts, number_type: torch.dtype = torch.float32) -> Encoder:
    """Return a student's or a teacher's base model."""
    is_teacher = facts is TEACHER
    weights = random_weights(TAUGHT_SIZE if is_teacher else SIZE, relative=is_teacher)
    return Encoder(weights, facts, LAYERS, number_type)


def random_texts(count: int, seed: int = 0, most: int = 12) -> tuple[Any, Any]:
    """Return the ids and the lengths of random texts."""
    rng = np.random.default_rng(seed)
    lengths = rng.integers(3, most, count)
    return rng.integers(4, WORDS, int(lengths.sum())), lengths


def toy_plan() -> Plan:
    """Return two years, one of which has a teacher without it, and one that is measured."""
    return Plan(
        teacher=TEACHER,
        student=STUDENT,
        compared_layer=1,
        names=NAMES,
        years=("wmt14", "wmt21", "mlqe-pe"),
        measured=("mlqe-pe",),
        taught=("wmt14",),
        folds=(Fold("wmt14", ("wmt14",), "wmt14"),),
        facts={
            "sets": [{"name": "wmt14", "pair": "de-en"}, {"name": "wmt21", "pair": "de-en"}],
            "texts": [{"name": "plain.txt", "sha256": "0"}],
            "base": {"name": "minilm-en", "fingerprint": "0"},
            "student_of": "tenbin-large",
            "versions": {"tenbin": "0"},
        },
    )


def toy_draws(year: str, texts: int, steps: int = 2) -> dict[str, Any]:
    """Return draws of a teacher."""
    rng = np.random.default_rng(1)
    found: dict[str, Any] = {}
    for kind, count, names in (
        ("row", 4, ("reference", "hypothesis")),
        ("pair", 3, ("reference", "better", "worse")),
        ("damaged", 2, ("reference", "better", "worse")),
    ):
        for name in names:
            found[f"{year}/{kind}_{name}"] = rng.integers(
                texts, size=(steps, count), dtype=np.int32
            )
    found[f"{year}/row_label"] = rng.standard_normal((steps, 4)).astype(np.float32)
    found[f"{year}/damaged_margin"] = np.ones((steps, 2), np.float32)
    return found


def toy_work(folder: Path) -> WorkFolder:
    """Write what a training of tiny models needs."""
    work = WorkFolder(folder)
    folder.mkdir()
    toy_plan().write(work.plan)
    flat, lengths = random_texts(40)
    rng = np.random.default_rng(0)
    pairs = rng.integers(40, size=(2, 60), dtype=np.int32)
    texts = {"flat": flat.astype(np.uint16), "lengths": lengths.astype(np.uint8)}
    texts |= {"table": np.arange(WORDS)[::-1].clip(4).astype(np.uint16)}
    texts |= {"reference": pairs[0], "hypothesis": pairs[1]}
    texts |= {"year": np.arange(60) % 3, "kind": rng.choice([0, 1, 2, 4], size=60)}
    write_arrays(work.texts, {**texts, **toy_draws("wmt14", 40)})
    flat, lengths = random_texts(50, seed=9, most=30)
    write_arrays(work.plain, {"flat": flat, "lengths": lengths, "counts": np.array([40, 10])})
    student = random_weights(SIZE, relative=False)
    teacher = random_weights(TAUGHT_SIZE, relative=True)
    write_arrays(work.student_base, packed(student, "float16"))
    write_arrays(work.teacher_base, packed(teacher, "bfloat16"))
    model = Encoder(teacher, TEACHER, LAYERS)
    write_arrays(work.teacher(ALL), first_teacher(model, 2))
    return work
