"""Tables in Parquet that broke the reader once."""

import io
from pathlib import Path

import pytest

pytest.importorskip("pyarrow")

from tests.fuzz.tables import feed_table, pa, pq

from tenbin.core.errors import UnreadableFile


def test_a_column_whose_name_is_no_text(tmp_path: Path) -> None:
    stream = io.BytesIO()
    table = pa.table({"hypothesis": ["a cat"], "reference": ["a cat"], "other": ["x"]})
    pq.write_table(table, stream, store_schema=False)
    content = stream.getvalue().replace(b"other", b"othe\xff")
    with pytest.raises(UnreadableFile, match="not a Parquet file, or it is damaged"):
        feed_table(content, tmp_path)
