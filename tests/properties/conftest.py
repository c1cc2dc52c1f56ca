"""Strategies by type: a property asks for a `Spec`, a `Signature` or a `TestSet` and is given any.

They are registered rather than imported, because test folders are not packages.
"""

import keyword
import resource
import string
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import strategies as st

from tenbin.core.signature import Signature
from tenbin.core.spec import Spec
from tenbin.core.text import TestSet

_LETTERS = string.ascii_letters
_RESERVED = {"resource", "version"}
# Marks that a grammar could stumble over come up as often as all others together.
_AWKWARD = st.sampled_from(
    ["|", ":", "%", "=", "%3A", '"', "'", "\\", "\n", "\t", "(", ",", "訳", "é"]
)
_ANY_TEXT = st.lists(_AWKWARD | st.characters(codec="utf-8"), max_size=8).map("".join)


def _names() -> st.SearchStrategy[str]:
    rest = st.text(_LETTERS + string.digits + "_.+-", max_size=8)
    return st.builds(str.__add__, st.sampled_from(_LETTERS), rest)


def _identifiers() -> st.SearchStrategy[str]:
    rest = st.text(_LETTERS + string.digits + "_", max_size=8)
    whole = st.builds(str.__add__, st.sampled_from(_LETTERS + "_"), rest)
    return whole.filter(lambda name: not keyword.iskeyword(name))


def _values() -> st.SearchStrategy[object]:
    single = (
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats(allow_nan=False, allow_infinity=False)
        | _ANY_TEXT
    )
    return st.recursive(single, lambda inner: st.lists(inner, max_size=3).map(tuple), max_leaves=6)


def _pairs(
    keys: st.SearchStrategy[str], values: st.SearchStrategy[object]
) -> st.SearchStrategy[tuple[tuple[str, object], ...]]:
    return st.dictionaries(keys, values, max_size=4).map(lambda entries: tuple(entries.items()))


@st.composite
def _test_sets(draw: st.DrawFn) -> TestSet:
    # Few distinct segments, so that systems and references repeat each other.
    segments = st.sampled_from(["", "a", "b", "a b", "猫", "猫 a"])
    count = draw(st.integers(1, 6))
    column = st.lists(segments, min_size=count, max_size=count).map(tuple)
    alternatives = st.lists(segments, min_size=1, max_size=3).map(tuple)
    return TestSet(
        hypotheses={name: draw(column) for name in draw(st.sampled_from(["A", "AB", "ABC"]))},
        references=tuple(draw(st.lists(alternatives, min_size=count, max_size=count))),
        source=draw(st.none() | column),
        documents=draw(st.none() | column),
    )


st.register_type_strategy(Spec, st.builds(Spec, _names(), _pairs(_identifiers(), _values())))
st.register_type_strategy(
    Signature,
    st.builds(
        Signature,
        metric=_ANY_TEXT,
        fields=_pairs(_ANY_TEXT.filter(lambda key: key not in _RESERVED), _ANY_TEXT),
        resources=_pairs(_ANY_TEXT, _ANY_TEXT),
        versions=_pairs(_ANY_TEXT, _ANY_TEXT),
    ),
)
st.register_type_strategy(TestSet, _test_sets())


@pytest.fixture
def under_limit() -> Callable[..., str]:
    """Run a program beside the tests under a limit of processor time; return what it prints.

    Nothing is timed. The limit is one that linear work does not come near, and that work which
    grows faster exceeds many times over.
    """

    def run(program: str, *sizes: int, seconds: int) -> str:
        done = subprocess.run(
            [sys.executable, str(Path(__file__).with_name(program)), *map(str, sizes)],
            capture_output=True,
            text=True,
            check=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds)),
        )
        assert done.returncode == 0, done.stderr[-500:]
        return done.stdout

    return run
