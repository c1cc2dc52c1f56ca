"""Numbers at the ends of lines: both twins, and Python's own reading of each number."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tenbin.kernels.dispatch import KernelChoice
from tenbin.kernels.strings.decimal_rows import DecimalRows, decimal_rows

twins = pytest.mark.parametrize("choice", [KernelChoice.PLAIN, KernelChoice.COMPILED])
numbers = st.one_of(
    st.floats(-1e6, 1e6).map(repr),
    st.floats(-1, 1, width=32).map(lambda number: f"{number:.6g}"),
    st.decimals(-10, 10, places=7).map(str),
    st.sampled_from(["0", "-0", "1e5", "-2.5E-3", ".5", "7.", "+3", "1e22", "9007199254740993"]),
)
odd = st.sampled_from(
    [
        *("", ".", "-", "e5", "1e", "1e+", "1.2.3", "nan", "inf", "0x10", "1_0", "1e12345", "1e23"),
        *(
            "1,5",
            "0.1234567890123456789",
            "\u0661",
            "--1",
            "1-",
            "5..",
            ".5.",
            "..5",
            "1234567890123456789",
        ),
    ]
)
lines = st.lists(st.lists(st.one_of(numbers, odd), max_size=5).map(" ".join), max_size=6)


def read_by(choice: KernelChoice, text: bytes, count: int) -> DecimalRows:
    data = np.frombuffer(text, dtype=np.uint8)
    ends = np.append(np.flatnonzero(data == ord("\n")), len(text))
    starts = np.append(0, ends[:-1] + 1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TENBIN_KERNELS", choice)
        return decimal_rows(data, starts, ends, count)


@settings(deadline=None)  # the first example may compile
@given(rows=lines, end=st.sampled_from(["", " ", "\r", "\t \r"]))
def test_twins_agree(rows: list[str], end: str) -> None:
    text = "\n".join(f"{row}{end}" for row in rows).encode()
    plain, compiled = (
        read_by(choice, text, 3) for choice in (KernelChoice.PLAIN, KernelChoice.COMPILED)
    )
    assert plain.read.tolist() == compiled.read.tolist()
    assert plain.heads.tolist() == compiled.heads.tolist()
    assert plain.values.tobytes() == compiled.values.tobytes()


@twins
@given(values=st.lists(numbers, min_size=1, max_size=4))
def test_a_number_is_rounded_as_python_rounds_it(choice: KernelChoice, values: list[str]) -> None:
    found = read_by(choice, " ".join(["word", *values]).encode(), len(values))
    if found.read[0]:
        expected = np.array([float(value) for value in values]).astype(np.float32)
        assert found.values[0].tobytes() == expected.tobytes()
        assert found.heads.tolist() == [4]


@twins
def test_what_is_read_and_what_is_left(choice: KernelChoice) -> None:
    text = b"cat 1 2\n. . 3 4 \r\n 5 6\n1 2\n\na 1  2\nb 1 two\nc\t7\t8"
    found = read_by(choice, text, 2)
    assert found.read.tolist() == [True, True, True, False, False, False, False, True]
    assert found.values[found.read].tolist() == [[1, 2], [3, 4], [5, 6], [7, 8]]
    starts = [0, text.index(b". ."), text.index(b" 5"), text.index(b"c\t")]
    words = [text[a:b] for a, b in zip(starts, found.heads[found.read], strict=True)]
    assert words == [b"cat", b". .", b"", b"c"]


@twins
@pytest.mark.parametrize("number", ["0.30000000000000", "123456.789", "1e22", "-4.2e-20"])
def test_usual_numbers_are_read(choice: KernelChoice, number: str) -> None:
    found = read_by(choice, f"a {number}".encode(), 1)
    assert found.read.tolist() == [True]
    assert found.values[0, 0] == np.float32(float(number))
