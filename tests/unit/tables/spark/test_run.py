"""What a person is told when a job on a cluster fails, and how rows are cut into parts."""

import pytest

from tenbin.core.errors import OutputError, ResourceError, TenbinError
from tenbin.tables.spark.run import _part_count, _translated

FAILED = """\
Job aborted due to stage failure: Task 0 in stage 4.0 failed 4 times, most recent failure:
org.apache.spark.api.python.PythonException: Traceback (most recent call last):
  File "worker.py", line 1, in main
{raised}

\tat org.apache.spark.api.python.BasePythonRunner$ReaderIterator.handlePythonException(x.scala:1)
"""


def failing(text: str) -> None:
    with _translated("pairs.parquet"):
        raise RuntimeError(text)


def test_an_error_of_ours_is_told_in_its_own_words() -> None:
    raised = "tenbin.core.errors.ResourceError: other versions.\n  driver: a\n  worker: b\nInstall."
    with pytest.raises(ResourceError) as found:
        failing(FAILED.format(raised=raised))
    assert str(found.value) == "other versions.\n  driver: a\n  worker: b\nInstall."


def test_errors_of_others_are_cut_to_their_reason() -> None:
    with pytest.raises(
        TenbinError, match=r"^pairs\.parquet: Spark could not finish .*4 times"
    ) as one:
        failing(FAILED.format(raised="MemoryError"))
    assert "BasePythonRunner" not in str(one.value)
    with pytest.raises(OutputError, match="could not finish"):
        failing(FAILED.format(raised="java.io.IOException: No space left on device"))


def test_errors_that_are_clear_already_stay() -> None:
    with pytest.raises(TenbinError, match=r"^clear$"), _translated("pairs.parquet"):
        raise TenbinError("clear")


@pytest.mark.parametrize(
    ("rows", "cores", "parts"),
    [(1, 2, 1), (3_000, 2, 3), (50_000, 2, 8), (50_000, 400, 50), (10_000_000, 2, 100)],
)
def test_parts_are_many_enough_for_all_cores_and_no_smaller_than_worth_it(
    rows: int, cores: int, parts: int
) -> None:
    assert _part_count(rows, cores) == parts
