# ruff: noqa: RUF001 - texts in many scripts
"""The encoding of a text that is not UTF-8, and the command that converts it."""

import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from tenbin.formats.encodings import guessed_encoding, is_mostly_utf8, usual_name
from tenbin.formats.lines import TextFile

JAPANESE = (
    "昨日は雨が降っていたので、家で本を読みました。\n株価は3%下落した。\nコーヒーをください。\n"
)
TEXTS = {
    ("cp932", "CP932"): JAPANESE,
    ("shift_jis", "CP932"): JAPANESE,
    ("euc_jp", "EUC-JP"): JAPANESE,
    ("iso2022_jp", "ISO-2022-JP"): JAPANESE,
    (
        "gb18030",
        "GB18030",
    ): "昨天下雨了，所以我在家看书。\n请给我一杯咖啡。\n股价下跌了百分之三。\n",
    ("gb2312", "GB18030"): "昨天下雨了，所以我在家看书。\n请给我一杯咖啡。\n",
    ("big5", "BIG5"): "昨天下雨了，所以我在家看書。\n請給我一杯咖啡。\n股價下跌了百分之三。\n",
    ("euc_kr", "CP949"): "어제는 비가 와서 집에서 책을 읽었습니다.\n커피 한 잔 주세요.\n",
    ("cp1251", "CP1251"): "Вчера шёл дождь, и я читал дома.\nМосква — столица России.\n",
    ("koi8_r", "KOI8-R"): "Вчера шел дождь, и я читал дома.\nМосква - столица России.\n",
    ("latin-1", "CP1252"): "Hier, il a plu et j'ai lu à la maison.\nUn café, s'il vous plaît.\n",
    ("cp1252", "CP1252"): "Gestern regnete es, „also“ las ich zu Hause über Äpfel.\n",
    ("utf-16", "UTF-16"): JAPANESE,
}


@pytest.mark.parametrize(("codec", "name"), TEXTS)
def test_the_advice_is_a_command_that_recovers_the_text(
    tmp_path: Path, codec: str, name: str
) -> None:
    text = TEXTS[codec, name]
    path = tmp_path / "a text.txt"
    path.write_bytes(text.encode(codec))
    (fault,) = TextFile(str(path)).scan().faults
    assert f"looks like {usual_name(name)}; convert it" in str(fault)
    command = str(fault).rpartition(": ")[2]
    words = shlex.split(command)
    assert words[:5] == ["iconv", "-f", name, "-t", "UTF-8"]
    assert (words[5], words[7]) == (str(path), f"{path}.utf-8")
    if shutil.which("iconv") is None:
        pytest.skip("there is no iconv here")
    subprocess.run(command, shell=True, check=True)  # noqa: S602 - the command of the message
    assert (tmp_path / "a text.txt.utf-8").read_text(encoding="utf-8") == text


@pytest.mark.parametrize(("codec", "name"), [key for key in TEXTS if key[1] != "UTF-16"])
def test_a_cut_through_a_letter_changes_nothing(codec: str, name: str) -> None:
    content = TEXTS[codec, name].encode(codec)
    for length in range(len(content) - 4, len(content)):
        assert guessed_encoding(content[:length]) == name


def test_one_wrong_byte_is_not_an_encoding(tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_bytes(JAPANESE.encode() + "雨".encode()[:2] + b"\n")
    (fault,) = TextFile(str(path)).scan().faults
    assert "line 4" in str(fault)
    assert "The rest of the file is UTF-8, so do not convert it" in str(fault)
    assert "iconv" not in str(fault)
    assert is_mostly_utf8(path.read_bytes())


def test_bytes_that_are_no_text_get_no_guess(tmp_path: Path) -> None:
    path = tmp_path / "noise.bin"
    path.write_bytes(bytes(range(128, 256)) * 3 + b"\n")
    (fault,) = TextFile(str(path)).scan().faults
    assert "its encoding could not be recognized: iconv -f ENCODING" in str(fault)


def test_an_escape_character_alone_is_text(tmp_path: Path) -> None:
    path = tmp_path / "terminal.txt"
    path.write_bytes(b"\x1b[31mred\x1b[0m costs \x1b$5\n")
    assert not TextFile(str(path)).scan().faults
