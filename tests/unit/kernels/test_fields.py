"""Fields of lines: both twins, against what Python's own splitting gives."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenbin.kernels.dispatch import KernelChoice
from tenbin.kernels.strings.fields import NumberedFields, numbered_fields

twins = pytest.mark.parametrize("choice", [KernelChoice.PLAIN, KernelChoice.COMPILED])


def numbered(choice: KernelChoice, text: str) -> NumberedFields:
    if choice is KernelChoice.COMPILED:
        pytest.importorskip("numba")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TENBIN_KERNELS", choice)
        return numbered_fields(np.frombuffer(text.encode(), dtype=np.uint8))


def check(choice: KernelChoice, text: str) -> None:
    """Compare with lists of strings."""
    found = numbered(choice, text)
    lines = [line.split(" ") for line in text.split("\n")]
    assert np.diff(found.offsets).tolist() == [len(line) for line in lines]
    fields = [field for line in lines for field in line]
    distinct = list(dict.fromkeys(fields))
    assert [distinct[number] for number in found.numbers] == fields
    encoded = text.encode()
    spans = zip(found.starts.tolist(), found.stops.tolist(), strict=True)
    assert [encoded[start:stop].decode() for start, stop in spans] == distinct
    # First occurrences come in the order in which they are numbered.
    assert found.starts.tolist() == sorted(found.starts.tolist())
    assert found.numbers.dtype == np.int32


@twins
@given(text=st.text(st.sampled_from("ab é日\n ")))
def test_fields_are_those_of_split(choice: KernelChoice, text: str) -> None:
    check(choice, text)


@twins
def test_more_distinct_fields_than_there_was_room_for(choice: KernelChoice) -> None:
    words = [f"{number % 10_007:x}" for number in range(30_000)]
    check(choice, "\n".join(" ".join(words[start::50]) for start in range(50)))


@twins
def test_no_text_is_one_empty_field(choice: KernelChoice) -> None:
    found = numbered(choice, "")
    assert found.numbers.tolist() == [0]
    assert found.offsets.tolist() == [0, 1]
    assert found.starts.tolist() == found.stops.tolist() == [0]
