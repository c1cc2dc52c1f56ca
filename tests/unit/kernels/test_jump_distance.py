"""EED: both twins, the worked examples, and the scores of the authors' two programs."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenbin.kernels.arrays import FloatArray, IdArray, IntArray
from tenbin.kernels.compiled.edits import jump_distance as compiled_module
from tenbin.kernels.edits import jump_distance as plain_module
from tenbin.kernels.edits.jump_distance import JumpCosts

Kernel = Callable[[IdArray, IntArray, IntArray, IntArray, JumpCosts], FloatArray]
Pair = tuple[str, str]

VECTORS = Path(__file__).resolve().parents[3].parent / "shared" / "oracles" / "eed-character"
needs_vectors = pytest.mark.skipif(
    not VECTORS.is_dir(), reason="shared/oracles/eed-character is not here"
)

TWINS = pytest.mark.parametrize(
    "kernel",
    [plain_module.plain_jump_distance, compiled_module.jump_distance],
    ids=["plain", "compiled"],
)
TRUNCATED_TWINS = pytest.mark.parametrize(
    "kernel",
    [plain_module.plain_truncated_jump_distance, compiled_module.truncated_jump_distance],
    ids=["plain", "compiled"],
)

SAT = "the cat sat on the mat"
PATENT_HYPOTHESIS = (
    "The above configuration and operation , the water drops , even in the case where the"
    " window is not expected operation , it is possible to surely stopped , and the operation"
    " switch ( dn ) is operated and the window is opened , it is possible to a vehicle occupant"
    " moves out from possible ."
)
PATENT_REFERENCE = (
    "With the above-described construction and operation , even when an automobile falls into"
    " water , the windows are surely stopped without performing unexpected operations , and can"
    " be surely opened by operating the operation switch ( dn ) , thus enabling occupants to"
    " escape from the automobile ."
)
# Specification, section 8: the authors' Python function. The last four are the examples of the
# table of the WAS/MAS/HAS paper after EED's English pre-processing.
WORKED = [
    (SAT, SAT, 0.012346),
    ("the cat is on mat", SAT, 0.368794),
    (
        "In both cases , the postoperative course was good .",
        "In both the cases , postoperative course were good .",
        0.17193,
    ),
    (
        "In the treatment , side effect was not recognized .",
        "No side effect was noted during treatment .",
        0.426443,
    ),
    (
        "It is found that the deformation is affected by the pair density distribution .",
        "It was found that the deformation gave effects to the pairing density distribution .",
        0.228814,
    ),
    (
        PATENT_HYPOTHESIS,
        PATENT_REFERENCE,
        0.496981,
    ),
]

texts = st.text(alphabet="ab .é木", max_size=20)
costs = st.builds(
    JumpCosts,
    jump=st.sampled_from([0.0, 0.5, 2.0]),
    coverage=st.sampled_from([0.0, 0.3, 1.0]),
    deletion=st.sampled_from([0.0, 0.2, 1.0]),
    insertion=st.sampled_from([0.1, 1.0]),
) | st.just(JumpCosts(2, 0, 1, 1))


def columnar(rows: Sequence[str]) -> tuple[IdArray, IntArray]:
    offsets = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    return np.array([ord(c) for row in rows for c in row], dtype=np.int32), offsets


def distances(kernel: Kernel, pairs: Sequence[Pair], costs: JumpCosts | None = None) -> list[float]:
    rows = [text for pair in pairs for text in pair]
    left = np.arange(0, len(rows), 2)
    result: list[float] = kernel(*columnar(rows), left, left + 1, costs or JumpCosts()).tolist()
    return result


def vectors(name: str) -> list[dict[str, str]]:
    lines = (VECTORS / name).read_text(encoding="utf-8").rstrip("\n").split("\n")
    names = lines[0].split("\t")
    return [dict(zip(names, line.split("\t"), strict=True)) for line in lines[1:]]


def vector_pairs(prefix: str) -> list[Pair]:
    return [
        (row[f"{prefix}hypothesis"], row[f"{prefix}reference"]) for row in vectors("inputs.tsv")
    ]


@TWINS
def test_worked_examples(kernel: Kernel) -> None:
    found = distances(kernel, [(hypothesis, reference) for hypothesis, reference, _ in WORKED])
    assert found == pytest.approx([score for *_, score in WORKED], abs=5e-7)


@needs_vectors
@TWINS
@pytest.mark.parametrize(("prefix", "column"), [("eed_", "eed"), ("", "eed_raw")])
def test_python_program(kernel: Kernel, prefix: str, column: str) -> None:
    expected = [float(row[column]) for row in vectors("scores.tsv")]
    assert len(expected) == 112
    assert distances(kernel, vector_pairs(prefix)) == pytest.approx(expected, rel=0, abs=1e-12)


@needs_vectors
@TRUNCATED_TWINS
def test_command_line_program(kernel: Kernel) -> None:
    expected = [float(row["eed_cpp_float32"]) for row in vectors("scores.tsv")]
    assert distances(kernel, vector_pairs("eed_")) == expected


@TWINS
def test_empty_sides_follow_the_formula(kernel: Kernel) -> None:
    # A side without characters is two blanks, of which position 0 is never visited. Against them
    # two characters are passed over and two positions more are not visited; ten characters that
    # have no counterpart are inserted, each visiting a position once more.
    both, reference, hypothesis = distances(kernel, [("", ""), ("ab", ""), ("", "abcdefghij")])
    assert both == pytest.approx(0.3 / 2.3)
    assert reference == pytest.approx((0.4 + 0.9) / 2.9)
    assert hypothesis == pytest.approx((10 + 3.3) / (12 + 3.3))


@TRUNCATED_TWINS
def test_equal_texts_give_zero_in_the_command_line_program(kernel: Kernel) -> None:
    assert distances(kernel, [(SAT, SAT), ("", "")]) == [0.0, 0.0]


@given(st.lists(st.tuples(texts, texts), max_size=4), costs)
def test_twins_agree_to_the_last_bit(pairs: list[Pair], costs: JumpCosts) -> None:
    found = distances(compiled_module.jump_distance, pairs, costs)
    assert found == distances(plain_module.plain_jump_distance, pairs, costs)
    assert all(0 <= distance <= 1 for distance in found)


@given(st.lists(st.tuples(texts, texts), max_size=4), costs)
def test_truncated_twins_agree_to_the_last_bit(pairs: list[Pair], costs: JumpCosts) -> None:
    found = distances(compiled_module.truncated_jump_distance, pairs, costs)
    assert found == distances(plain_module.plain_truncated_jump_distance, pairs, costs)
    assert all(0 <= distance <= 1 for distance in found)


@TWINS
@given(pairs=st.lists(st.tuples(texts, texts), min_size=1, max_size=4))
def test_a_pair_does_not_depend_on_its_batch(kernel: Kernel, pairs: list[Pair]) -> None:
    alone = [distance for pair in pairs for distance in distances(kernel, [pair])]
    assert distances(kernel, pairs) == alone


@TWINS
def test_read_only_rows(kernel: Kernel) -> None:
    arrays = *columnar(["a", "b"]), np.array([0]), np.array([1])
    for array in arrays:
        array.setflags(write=False)
    assert kernel(*arrays, JumpCosts()).tolist() == distances(kernel, [("a", "b")])


@pytest.mark.parametrize("choice", ["plain", "compiled"])
def test_public_functions_run_either_twin(choice: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TENBIN_KERNELS", choice)
    pairs = [(hypothesis, reference) for hypothesis, reference, _ in WORKED]
    assert distances(plain_module.jump_distance, pairs) == distances(
        plain_module.plain_jump_distance, pairs
    )
    assert distances(plain_module.truncated_jump_distance, pairs) == distances(
        plain_module.plain_truncated_jump_distance, pairs
    )
