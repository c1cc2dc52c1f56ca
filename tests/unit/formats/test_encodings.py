# ruff: noqa: RUF001 - texts in many scripts
"""The encoding of a text that is not UTF-8, and the command that converts it."""

import shlex
import shutil
import subprocess
from importlib.resources import files
from pathlib import Path
from unicodedata import normalize

import pytest

from tenbin.core.errors import InputError
from tenbin.formats.encodings import (
    guessed_encoding,
    is_mostly_utf8,
    is_surely_utf8,
    usual_name,
)
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
    ("cp1250", "CP1250"): "Včera pršelo, a tak jsem si doma četl. Ještě jednu kávu, prosím.\n",
    ("cp1254", "CP1254"): "Dün yağmur yağdı, ben de evde kitap okudum. Teşekkürler, güle güle.\n",
    ("cp1257", "CP1257"): "Vakar lijo, todėl skaičiau namuose. Ačiū už šią gražią dieną, žmogau.\n",
    ("cp1253", "CP1253"): "Χθες έβρεχε και διάβαζα στο σπίτι. Έναν καφέ, παρακαλώ.\n",
    ("cp1255", "CP1255"): "אתמול ירד גשם ואני קראתי ספר בבית. כוס קפה בבקשה.\n",
    ("cp1256", "CP1256"): "أمس كان الجو ممطرا فقرأت في البيت. فنجان قهوة من فضلك.\n",
    ("koi8_u", "KOI8-U"): "Вчора йшов дощ, і я читав удома. Київ є столицею України, її серцем.\n",
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


def test_one_segment_of_japanese_is_enough() -> None:
    """Before, one segment in five of Shift_JIS was taken for Korean."""
    example = files("tenbin.resources") / "bundled" / "example" / "sources" / "ja-en.txt"
    segments = example.read_text("utf-8").splitlines()
    for codec, name in (("cp932", "CP932"), ("euc_jp", "EUC-JP")):
        assert [one for one in segments if guessed_encoding(one.encode(codec)) != name] == []


@pytest.mark.parametrize(("codec", "name"), TEXTS)
def test_the_named_encoding_reads_the_text(tmp_path: Path, codec: str, name: str) -> None:
    path = tmp_path / "text.txt"
    path.write_bytes(TEXTS[codec, name].encode(codec))
    (fault,) = TextFile(str(path), can_name=True).scan().faults
    assert f'read it with `encoding="{name}"`, or convert it' in str(fault)
    read = TextFile(str(path), encoding=name)
    assert list(read.lines()) == TEXTS[codec, name].splitlines()
    assert not read.scan().faults


def test_what_is_not_in_the_named_encoding_has_its_line(tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_bytes("日本\n".encode("cp932") + b"a\x81\n")
    (fault,) = TextFile(str(path), encoding="cp932").scan().faults
    assert "line 2: byte 2 of the line (0x81) is not valid cp932" in str(fault)
    path.write_bytes("日本\n".encode("utf-16") + b"a")
    (fault,) = TextFile(str(path), encoding="utf-16").scan().faults
    assert "is not valid utf-16" in str(fault)


def test_lines_of_utf_16_end_where_they_should(tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    text = "\u0a0a\u0d0a日\r\n\nend"
    path.write_bytes(text.encode("utf-16"))
    assert list(TextFile(str(path), encoding="UTF-16").lines()) == ["\u0a0a\u0d0a日", "", "end"]


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


def test_vietnamese_is_recognized_and_read_in_whole_letters(tmp_path: Path) -> None:
    text = "Hôm qua trời mưa nên tôi ở nhà đọc sách. Cảm ơn bạn về một ngày thật đẹp.\n"
    tones = "\u0300\u0301\u0303\u0309\u0323"
    written = ""
    for letter in text:
        parts = normalize("NFD", letter)
        written += normalize("NFC", "".join(one for one in parts if one not in tones))
        written += "".join(one for one in parts if one in tones)
    content = written.encode("cp1258")
    assert guessed_encoding(content) == "CP1258"
    path = tmp_path / "text.txt"
    path.write_bytes(content)
    assert list(TextFile(str(path), encoding="CP1258").lines()) == [text.rstrip("\n")]


@pytest.mark.parametrize("named", ["CP1252", "CP932", "GB18030", "UTF-16-LE", "KOI8-R"])
def test_utf_8_is_not_read_as_what_was_named(tmp_path: Path, named: str) -> None:
    # Most encodings fit any bytes, and the scores would be of other texts.
    path = tmp_path / "reference.txt"
    path.write_text("Grüße aus Köln\nça va, été\n" * 3, encoding="utf-8")
    with pytest.raises(InputError, match=r"reference\.txt: this is UTF-8, not .* of all files"):
        list(TextFile(str(path), encoding=named).lines())
    (fault,) = TextFile(str(path), encoding=named).scan().faults
    assert "this is UTF-8" in str(fault)


def test_plain_ascii_fits_every_encoding(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("plain\n", encoding="ascii")
    assert list(TextFile(str(path), encoding="CP932").lines()) == ["plain"]


@pytest.mark.parametrize(("codec", "name"), TEXTS)
def test_no_line_of_another_encoding_is_taken_for_utf_8(codec: str, name: str) -> None:
    for line in TEXTS[codec, name].splitlines():
        assert not is_surely_utf8(line.encode(codec))
