"""Files of texts in the formats of other programs: tables, translation files, subtitles."""

import io
import zipfile
from pathlib import Path

from tests.fuzz.packing import Parts, ValidFile, packed_zip, text_file

from tenbin.api.files import read_texts
from tenbin.api.judged_texts import read_judged_texts

_MADE = Path(__file__).parents[1] / "unit" / "formats" / "texts" / "made"
_WIDE = 'id,doc,src,ref,mt_a,mt_b\n1,d,猫,"a, b","say ""x""\nno",c\n2,,<b>{0}</b>,d,e,%s\n'
_LONG = (
    "id,src,ref,system,output,mqm\n"
    "1,猫,cat,a,cats,-1\n1,猫,cat,b,a cat,0\n2,x,y,b,z,\n2,x,y,a,w,-5\n"
)
_OBJECTS = (
    '{"src": "猫", "references": ["a", "b"], "systems": {"x": "c", "y": null}}\n'
    '{"src": "\\u3042", "references": ["d", "e"], "systems": {"x": "f", "y": 5}}\n'
)
_OLD_UNITS = (
    '<?xml version="1.0" encoding="UTF-8"?><xliff version="1.2"><file original="a"><body>'
    '<trans-unit id="1"><source>A <g id="1">b</g></source><seg-source><mrk mtype="seg" mid="0">A '
    '<g id="1">b</g></mrk></seg-source><target><mrk mtype="seg" mid="0">Ä <g id="1">b</g></mrk>'
    '</target></trans-unit><trans-unit id="2" translate="no"><source>C</source></trans-unit>'
    "</body></file></xliff>"
)
_NEW_UNITS = (
    '<xliff version="2.0" srcLang="en" trgLang="de"><file id="f"><unit id="1"><segment id="s">'
    '<source>A <pc id="1">b</pc></source><target>B<ph id="2"/></target></segment></unit></file>'
    "</xliff>"
)
_SRT = "1\n00:00:01,000 --> 00:00:02,500\n<i>Hello</i>\nthere\n\n2\n00:00:03,0 --> 00:00:04,0\n猫\n"
_VTT = "WEBVTT\n\nNOTE x\n\n1\n00:01.000 --> 00:02.000 align:start\n<v Ann>Hello &amp; bye\n\n"


def _parts(name: str) -> Parts:
    with zipfile.ZipFile(io.BytesIO((_MADE / name).read_bytes())) as archive:
        return {part.filename: archive.read(part) for part in archive.infolist()}


TEXT_FILES: dict[str, ValidFile] = {
    "texts-csv": text_file("a.csv", _WIDE),
    "texts-tsv": text_file("a.tsv", _WIDE.replace(",", "\t")),
    "texts-long": text_file("a.csv", _LONG),
    "texts-judged": text_file("a.csv", _LONG),
    "texts-jsonl": text_file("a.jsonl", _OBJECTS),
    "texts-parquet": ValidFile("a.parquet", {"": (_MADE / "pandas.parquet").read_bytes()}),
    "texts-xlsx": ValidFile("a.xlsx", _parts("libreoffice.xlsx"), packed_zip),
    "texts-xliff-1": text_file("a.xlf", _OLD_UNITS),
    "texts-xliff-2": text_file("a.xliff", _NEW_UNITS),
    "texts-tmx": ValidFile("a.tmx", {"": (_MADE / "omegat-level2.tmx").read_bytes()}),
    "texts-po": ValidFile("a.po", {"": (_MADE / "gettext-ja-euc-jp.po").read_bytes()}),
    "texts-srt": text_file("a.srt", _SRT),
    "texts-vtt": text_file("a.vtt", _VTT),
    "texts-unnamed": text_file("a", _WIDE.replace(",", ";")),
}


def read_all(path: Path) -> object:
    """Read a file with its tags hidden and compared; what is read must be whole and printable."""
    read = [read_texts(str(path), tags=tags) for tags in (None, "compare")]
    for found in read:
        columns = [*found.hypotheses.values(), *([] if found.source is None else [found.source])]
        assert {len(texts) for texts in columns} == {found.segment_count}
        assert found.segment_count > 0
        assert found.documents is None or len(found.documents) == found.segment_count
        for texts in (*columns, *found.references, found.systems, found.notes):
            joined = "".join(texts)
            assert "\0" not in joined
            joined.encode("utf-8")
    return read


def read_judged(path: Path) -> object:
    """Read a table of texts with human scores."""
    found = read_judged_texts(str(path))
    for human in found.human.values():
        assert human.segments is not None
        assert human.segments.scores.shape == (len(found.texts.systems), found.texts.segment_count)
    return found
