"""Files that broke a reader once, and what it says to them now; `seeds/expected.tsv` lists all."""

from pathlib import Path

import pytest
from tests.fuzz.readers import READERS, feed
from tests.fuzz.valid_files import VALID_FILES

from tenbin.core.errors import TenbinError

SEEDS = Path(__file__).with_name("seeds")
ROWS = [
    tuple(line.split("\t"))
    for line in (SEEDS / "expected.tsv").read_text(encoding="utf-8").splitlines()[1:]
]
_EXTRAS = {
    "turtle": "pyoxigraph",
    "texts-parquet": "pyarrow",
    "texts-xlsx": "openpyxl",
    "texts-po": "polib",
}


@pytest.mark.parametrize("name", READERS)
def test_the_undamaged_file_is_read(name: str, tmp_path: Path) -> None:
    if name in _EXTRAS:
        pytest.importorskip(_EXTRAS[name])
    feed(name, VALID_FILES[name].content, tmp_path)


@pytest.mark.parametrize(("reader", "file", "outcome"), ROWS, ids=[f"{r}-{f}" for r, f, _ in ROWS])
def test_a_file_that_broke_a_reader(reader: str, file: str, outcome: str, tmp_path: Path) -> None:
    content = (SEEDS / reader / file).read_bytes()
    if outcome == "accepted":
        feed(reader, content, tmp_path)
        return
    with pytest.raises(TenbinError) as refused:
        feed(reader, content, tmp_path)
    assert outcome in str(refused.value)


def test_every_seed_has_an_outcome() -> None:
    stored = {(path.parent.name, path.name) for path in SEEDS.glob("*/*")}
    assert stored == {(reader, file) for reader, file, _ in ROWS}
