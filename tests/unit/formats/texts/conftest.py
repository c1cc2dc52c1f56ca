"""The texts that every format must give, and a folder to write them to."""

from collections.abc import Callable
from pathlib import Path

import pytest

SOURCE = ("猫が座っている。", '彼は「はい」と言った, "そう"。', "三行目\n二つ", "終わり。")
REFERENCE = ("The cat is sitting.", 'He said "yes", so.', "Third line\nin two", "The end.")
FIRST = ("A cat sits.", "He said 'yes'.", "Third; line", "End")
SECOND = ("The cat sat.", "He, said yes\tand", "The third line", "The end")
DOCUMENTS = ("a", "a", "b", "b")
COLUMNS = {
    "src": SOURCE,
    "ref": REFERENCE,
    "mt_first": FIRST,
    "mt_second": SECOND,
    "doc": DOCUMENTS,
}


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str | bytes], str]:
    """Return a function that writes a file and returns its path."""

    def written(name: str, content: str | bytes) -> str:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    return written
