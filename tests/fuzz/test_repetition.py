"""Megabytes of one character: patterns and loops that took the square of a length would not end.

No clock is looked at: what each of these did before takes hours.
"""

from pathlib import Path

import pytest
from tests.fuzz.readers import feed
from tests.fuzz.valid_files import VALID_FILES

from tenbin.core.errors import SpecError, TenbinError
from tenbin.core.spec import Spec
from tenbin.resources.lexicons.dbnary import word_in_name

_MANY = 1_000_000
_IDF = VALID_FILES["idf"]
_PPDB = b"[NP] ||| %s ||| a cat ||| p(e|f)=%s ||| 0-0 ||| Equivalence\n"
LONG = {
    "blanks before no remark": ("mythes", b"UTF-8\ncar|1\n-|auto" + b" " * _MANY + b"x\n"),
    "open brackets in a pattern": ("paraphrases-ppdb", _PPDB % (b"[" * _MANY, b"1")),
    "digits of a probability": ("paraphrases-ppdb", _PPDB % (b"a", b"9" * _MANY + b"x")),
    "digits of a score": ("scores", b"A\t" + b"9" * _MANY + b"x\n"),
    "digits of a vector": ("vectors-glove", b"the 1 2\ncat 1 " + b"9" * _MANY + b"x\n"),
    "backslashes of a token": (
        "idf",
        _IDF.pack({**_IDF.parts, "body": b"1\t" + b"\\x" * _MANY + b"\n"}),
    ),
    "words of a phrase": ("paraphrases-index", b"0.5\n" + b"a " * 200_000 + b"\na cat\n"),
}


@pytest.mark.parametrize(("reader", "content"), LONG.values(), ids=LONG)
def test_a_long_line_ends(reader: str, content: bytes, tmp_path: Path) -> None:
    told = ""
    try:
        feed(reader, content, tmp_path)
    except TenbinError as error:
        told = str(error)
    # What is wrong is shown, not all of it.
    assert len(told) < 2000


def test_a_name_of_underscores() -> None:
    assert word_in_name("http://kaiko.getalp.org/dbnary/fra/" + "__a" * _MANY).startswith("  a")
    assert word_in_name("http://kaiko.getalp.org/dbnary/fra/voiture__nom__1") == "voiture"


@pytest.mark.parametrize("text", ["chrf" + " " * _MANY + "x", "chrf(" + ")" * _MANY + "x"])
def test_a_long_spec(text: str) -> None:
    with pytest.raises(SpecError) as refused:
        Spec.parse(text)
    assert len(str(refused.value)) < 2000
