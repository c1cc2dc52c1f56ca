"""Every format with every kind of damage: one error, which names the file and the place."""

import bz2
import gzip
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tenbin.api.files import read_texts
from tenbin.core.errors import InputError

Write = Callable[[str, str | bytes], str]
MADE = Path(__file__).with_name("made")
UNIT = '<trans-unit id="{0}"><source>a</source>\n<target>b{0}</target></trans-unit>\n'
FILES = {
    "a.csv": "ref,mt\n" + "".join(f"a,b{n}\n" for n in range(1, 6)),
    "a.tsv": "ref\tmt\n" + "".join(f"a\tb{n}\n" for n in range(1, 6)),
    "a.jsonl": "".join(f'{{"ref": "a", "mt": "b{n}"}}\n' for n in range(1, 6)),
    "a.xlf": '<xliff version="1.2"><file original="x"><body>\n'
    + "".join(UNIT.format(n) for n in range(1, 6))
    + "</body></file></xliff>",
    "a.tmx": '<tmx version="1.4"><header srclang="en"/><body>\n'
    + "".join(
        f'<tu><tuv xml:lang="en"><seg>a</seg></tuv><tuv xml:lang="de"><seg>b{n}</seg></tuv></tu>\n'
        for n in range(1, 6)
    )
    + "</body></tmx>",
    "a.po": 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'
    + "".join(f'msgid "a{n}"\nmsgstr "b{n}"\n\n' for n in range(1, 6)),
    "a.srt": "".join(f"{n}\n00:00:0{n},000 --> 00:00:0{n},900\nb{n}\n\n" for n in range(1, 6)),
    "a.vtt": "WEBVTT\n\n" + "".join(f"00:0{n}.000 --> 00:0{n}.900\nb{n}\n\n" for n in range(1, 6)),
}
ENTITIES = {
    "expanding": '<!DOCTYPE {0} [<!ENTITY x "y"><!ENTITY z "&x;&x;&x;">]>',
    "external": '<!DOCTYPE {0} [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
    "parameter": '<!DOCTYPE {0} [<!ENTITY % x SYSTEM "http://127.0.0.1:9/x.dtd"> %x;]>',
}


def needed(name: str) -> None:
    if name.endswith(".po"):
        pytest.importorskip("polib", reason="the extra 'formats' is not installed")
    if name.endswith(".xlsx"):
        pytest.importorskip("openpyxl", reason="the extra 'formats' is not installed")
    if name.endswith(".parquet"):
        pytest.importorskip("pyarrow", reason="the extra 'tables' is not installed")


@pytest.mark.parametrize("name", FILES)
def test_the_undamaged_files_are_read(write: Write, name: str) -> None:
    needed(name)
    (texts,) = read_texts(write(name, FILES[name])).hypotheses.values()
    assert texts == tuple(f"b{n}" for n in range(1, 6))


@pytest.mark.parametrize("name", FILES)
def test_mixed_encodings_have_a_line(write: Write, name: str) -> None:
    needed(name)
    content = FILES[name].encode().replace(b"b4", "schön".encode("latin-1"))
    line = content[: content.index(b"sch")].count(b"\n") + 1
    with pytest.raises(InputError, match=rf"{re.escape(name)}, line {line}:"):
        read_texts(write(name, content))


@pytest.mark.parametrize("name", [*FILES, "a.xlsx", "a.parquet"])
@pytest.mark.parametrize("content", [b"", b"\n\n", b"\xef\xbb\xbf"])
def test_empty_files_are_named(write: Write, name: str, content: bytes) -> None:
    needed(name)
    with pytest.raises(InputError, match=re.escape(name)):
        read_texts(write(name, content))


@pytest.mark.parametrize("name", [*FILES, "libreoffice.xlsx", "pandas.parquet"])
def test_files_of_another_kind_are_named(write: Write, name: str) -> None:
    needed(name)
    with pytest.raises(InputError, match=re.escape(name)):
        read_texts(write(name, b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4))


@pytest.mark.parametrize("name", ["libreoffice.xlsx", "xlsxwriter.xlsx", "pandas.parquet"])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_cut_archives_are_named(tmp_path: Path, name: str, share: float) -> None:
    needed(name)
    content = (MADE / name).read_bytes()
    path = tmp_path / name
    path.write_bytes(content[: int(share * len(content))])
    with pytest.raises(InputError, match=re.escape(name)):
        read_texts(str(path))


@pytest.mark.parametrize("name", ["a.xlf", "a.tmx"])
def test_cut_xml_has_a_line(write: Write, name: str) -> None:
    content = FILES[name]
    cut = content[: content.index("b4")]
    line = cut.count("\n") + 1
    with pytest.raises(InputError, match=rf"{re.escape(name)}, line {line}: the XML is not well"):
        read_texts(write(name, cut))


@pytest.mark.parametrize("name", ["a.xlf", "a.tmx"])
@pytest.mark.parametrize("kind", ENTITIES)
def test_entities_have_a_line_and_nothing_is_opened(write: Write, name: str, kind: str) -> None:
    root = {"a.xlf": "xliff", "a.tmx": "tmx"}[name]
    text = f"\n{ENTITIES[kind].format(root)}\n{FILES[name].replace('b4', '&x;')}"
    with pytest.raises(InputError, match=rf"{re.escape(name)}, line 2: an entity is declared"):
        read_texts(write(name, text))


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress])
def test_compressed_files_are_read_and_cut_ones_named(
    write: Write, tmp_path: Path, name: str, pack: Callable[[bytes], bytes]
) -> None:
    needed(name)
    content = pack(FILES[name].encode())
    read_texts(write(name, content))
    path = write(f"cut-{name}", content[:-6])
    with pytest.raises(InputError, match=rf"cut-{re.escape(name)}: the compressed file is damaged"):
        read_texts(path)
    shutil.rmtree(tmp_path)
