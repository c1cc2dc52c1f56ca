"""XLIFF, TMX, gettext and subtitles, as the programs write them that people use."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tenbin.api.files import open_files, read_texts, reading_options
from tenbin.core.errors import InputError, LengthMismatch, MalformedLine, UsageError
from tenbin.core.text import TestSet

Write = Callable[[str, str | bytes], str]

OKAPI = """\
<?xml version="1.0" encoding="UTF-8"?>
<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"
 xmlns:okp="okapi-framework:xliff-extensions">
<file original="menu.html" source-language="en" target-language="ja" datatype="html">
<body>
<trans-unit id="tu1" xml:space="preserve">
<source xml:lang="en">Press <g id="1">start</g><x id="2"/> now &amp; here.</source>
<target xml:lang="ja"><g id="1">スタート</g>を押す<x id="2"/>。</target>
<alt-trans><source>Press</source><target>別の訳</target></alt-trans>
</trans-unit>
<trans-unit id="tu2" translate="no"><source>ID_7</source></trans-unit>
</body>
</file>
<file original="help.html" source-language="en" target-language="ja" datatype="html">
<body><group id="g"><trans-unit id="tu1"><source>Help</source><target>ヘルプ</target></trans-unit>
<trans-unit id="tu3"><source>Not yet</source></trans-unit></group></body>
</file>
</xliff>
"""
TRADOS = """\
\ufeff<?xml version="1.0" encoding="utf-8"?><xliff xmlns:sdl="http://sdl.com/FileTypes/SdlXliff/1.0"
 xmlns="urn:oasis:names:tc:xliff:document:1.2" version="1.2" sdl:version="1.0"><file
 original="C:\\a.docx" source-language="de-DE" datatype="x-sdlfilterframework2"
 target-language="en-US"><body><trans-unit id="1f"><source>Eins. Zwei.</source><seg-source><g
 id="5"><mrk mtype="seg" mid="1">Eins.</mrk> <mrk mtype="seg" mid="2">Zwei <x-sdl/><mrk
 mtype="x-term">Drei</mrk>.</mrk></g></seg-source><target><g id="5"><mrk
 mtype="seg" mid="1">One.</mrk> <mrk
 mtype="seg" mid="2">Two <mrk mtype="x-term">Three</mrk>.</mrk></g></target><sdl:seg-defs><sdl:seg
 id="1" conf="Translated"/></sdl:seg-defs></trans-unit></body></file></xliff>
"""
NEW = """\
<?xml version="1.0"?>
<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.1" srcLang="en" trgLang="de">
 <file id="f1"><notes><note>source</note></notes>
  <unit id="u1"><originalData><data id="d1">&lt;b></data></originalData>
   <segment id="s1"><source>One <pc id="1" dataRefStart="d1">two</pc>.</source>
    <target>Eins <pc id="1">zwei</pc>.</target></segment>
   <ignorable><source> </source></ignorable>
   <segment><source>Three<ph id="2"/>.</source><target>Drei<ph id="2"/>.</target></segment>
  </unit>
 </file>
</xliff>
"""
OMEGAT = """\
<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE tmx SYSTEM "tmx14.dtd">
<tmx version="1.4">
  <header creationtool="OmegaT" creationtoolversion="6.0" segtype="sentence" o-tmf="OmegaT TMX"
   adminlang="EN-US" datatype="plaintext" srclang="EN-US"/>
  <body>
    <tu><prop type="file">a.txt</prop>
      <tuv xml:lang="EN-US">
       <seg>Good <bpt i="0">&lt;b></bpt>morning<ept i="0">&lt;/b></ept>.</seg></tuv>
      <tuv xml:lang="JA" creationdate="20240101T000000Z"><seg>おはよう。</seg></tuv>
    </tu>
    <tu tuid="7">
      <tuv lang="EN-US"><seg>Night</seg></tuv><tuv lang="JA"><seg>夜</seg></tuv></tu>
  </body>
</tmx>
"""


def targets(found: TestSet) -> tuple[str, ...]:
    return found.hypotheses["target"]


def test_xliff_of_okapi(write: Write) -> None:
    found = read_texts(write("a.xlf", OKAPI))
    assert found.source == ("Press start now & here.", "Help", "Not yet")
    assert targets(found) == ("スタートを押す。", "ヘルプ", "")
    assert found.documents == ("menu.html", "help.html", "help.html")
    assert "left out 1 unit not to be translated" in " ".join(found.notes)


def test_xliff_of_trados_is_read_by_segments(write: Write) -> None:
    found = read_texts(write("a.sdlxliff", TRADOS))
    assert found.source == ("Eins.", "Zwei Drei.")
    assert targets(found) == ("One.", "Two Three.")
    assert found.documents == ("C:\\a.docx",) * 2


def test_xliff_2(write: Write) -> None:
    found = read_texts(write("a.xliff", NEW))
    assert found.source == ("One two.", "Three.")
    assert targets(found) == ("Eins zwei.", "Drei.")


def test_tags_of_xliff(write: Write) -> None:
    path = write("a.xlf", OKAPI)
    kept = read_texts(path, tags="keep")
    assert kept.source is not None
    assert kept.source[0] == 'Press <g id="1">start</g><x id="2"/> now & here.'
    assert read_texts(path, tags="hide").source == read_texts(path).source
    assert "missing" not in " ".join(read_texts(path, tags="compare").notes)
    wrong = write("b.xlf", OKAPI.replace('押す<x id="2"/>', "押す"))
    assert "target: 1 tag missing, 0 not" in " ".join(read_texts(wrong, tags="compare").notes)


def test_tmx_of_omegat(write: Write) -> None:
    found = read_texts(write("a.tmx", OMEGAT))
    assert found.source == ("Good morning.", "Night")
    assert found.hypotheses == {"ja": ("おはよう。", "夜")}
    assert found.documents == ("a.txt", "a.txt")


def test_tmx_of_three_languages_needs_a_choice(write: Write) -> None:
    more = OMEGAT.replace("</tuv></tu>", '</tuv><tuv lang="de"><seg>Nacht</seg></tuv></tu>')
    path = write("a.tmx", more)
    with pytest.raises(UsageError, match="'en-us', 'ja', 'de'"):
        read_texts(path)
    found = read_texts(path, columns={"system": "de", "reference": "ja"})
    assert found.hypotheses == {"de": ("", "Nacht")}


@pytest.mark.parametrize("codec", ["utf-16", "shift_jis", "euc_jp", "iso2022_jp"])
def test_xml_says_itself_how_it_is_encoded(write: Write, codec: str) -> None:
    content = OMEGAT.replace('encoding="UTF-8"', f'encoding="{codec}"').encode(codec)
    assert read_texts(write("a.tmx", content)).hypotheses == {"ja": ("おはよう。", "夜")}


LAUGHS = '<!DOCTYPE tmx [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><tmx version="1.4">&b;</tmx>'
OUTSIDE = '<!DOCTYPE tmx [<!ENTITY a SYSTEM "file:///etc/passwd">]><tmx>&a;</tmx>'
PARAMETER = '<!DOCTYPE tmx [<!ENTITY % a SYSTEM "http://localhost/x.dtd"> %a;]><tmx/>'
UNKNOWN = '<!DOCTYPE tmx SYSTEM "tmx14.dtd"><tmx><body><tu><x>&a;</x></tu></body></tmx>'


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (LAUGHS, "line 1: an entity is declared"),
        (OUTSIDE, "line 1: an entity is declared"),
        (PARAMETER, "line 1: an entity is declared"),
        (UNKNOWN, "an entity is declared or used|undefined entity"),
        ("<tmx>" + "<a>" * 1000, "nested too deeply"),
        ("<tmx><body><tu>", "not well-formed"),
        ("", "not well-formed"),
        ("<html/>", "found <html>, expected <tmx>"),
        ("<tmx/>", "no unit"),
        ('<?xml version="1.0" encoding="x-none"?><tmx/>', "unknown encoding"),
        (b'<?xml version="1.0" encoding="Shift_JIS"?><tmx>\x81</tmx>', "not valid Shift_JIS|well"),
    ],
)
def test_xml_that_is_wrong_or_was_made_to_harm(
    write: Write, content: str | bytes, message: str
) -> None:
    with pytest.raises(InputError, match=message) as caught:
        read_texts(write("a.tmx", content))
    assert "a.tmx" in str(caught.value)


def test_xliff_of_the_future(write: Write) -> None:
    with pytest.raises(MalformedLine, match=r"line 2: this is XLIFF 9\.0"):
        read_texts(write("a.xlf", OKAPI.replace('version="1.2"', 'version="9.0"')))


# gettext


@pytest.fixture
def catalog(tmp_path: Path) -> str:
    polib = pytest.importorskip("polib", reason="the extra 'formats' is not installed")
    file = polib.POFile()
    file.metadata = {"Content-Type": "text/plain; charset=UTF-8", "Plural-Forms": "nplurals=2;"}
    file.append(polib.POEntry(msgid="Hello\n%s", msgstr="Hallo\n%s", msgctxt="menu"))
    plural = {0: "eine Datei", 1: "{n} Dateien"}
    file.append(polib.POEntry(msgid="a file", msgid_plural="{n} files", msgstr_plural=plural))
    file.append(polib.POEntry(msgid="old", msgstr="alt", obsolete=True))
    file.append(polib.POEntry(msgid='quote "', msgstr="Zeichen »", flags=["fuzzy"]))
    path = tmp_path / "de.po"
    file.save(str(path))
    return str(path)


def test_a_catalog_of_gettext(catalog: str) -> None:
    found = read_texts(catalog)
    assert found.source == ("Hello\n%s", "a file", "{n} files", 'quote "')
    assert targets(found) == ("Hallo\n%s", "eine Datei", "{n} Dateien", "Zeichen »")
    assert "1 entry marked fuzzy" in " ".join(found.notes)


def test_a_catalog_in_the_encoding_of_its_header(catalog: str, write: Write) -> None:
    text = Path(catalog).read_text("utf-8").replace("charset=UTF-8", "charset=ISO-8859-1")
    path = write("latin.po", text.encode("latin-1"))
    assert targets(read_texts(path)) == targets(read_texts(catalog))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "no entry"),
        ("hello\n", "no entry"),
        ('msgid "a"\nmsgstr "b"\nfoo\n', "line 3: this is not a catalog"),
    ],
)
def test_what_is_no_catalog(write: Write, content: str, message: str) -> None:
    pytest.importorskip("polib", reason="the extra 'formats' is not installed")
    with pytest.raises(InputError, match=message):
        read_texts(write("a.po", content))


# Subtitles

SRT = """\
1
00:00:01,000 --> 00:00:02,500
<i>Hello,</i>
my {\\an8}friend.

2
00:00:03,000 --> 00:00:04,000 X1:1 X2:2
行こう、
早く！
"""
VTT = """\
WEBVTT - title

NOTE
not a cue

STYLE
::cue { color: red }

intro
00:01.000 --> 00:02.500 align:start
<v Anna>Hello &amp; <c.loud>welcome</c></v>

00:03.000 --> 00:04.000
<v Ben Smith><00:03.500>Thanks</v>
"""


def test_subtitles(write: Write) -> None:
    found = read_texts(write("a.srt", SRT.replace("\n", "\r\n")))
    assert found.hypotheses == {"text": ("Hello, my friend.", "行こう、早く！")}
    assert found.documents is None
    kept = read_texts(write("b.srt", SRT), tags="keep")
    assert kept.hypotheses["text"][0] == "<i>Hello,</i> my {\\an8}friend."


def test_speakers_are_documents(write: Write) -> None:
    found = read_texts(write("a.vtt", VTT))
    assert found.hypotheses == {"text": ("Hello & welcome", "Thanks")}
    assert found.documents == ("Anna", "Ben Smith")


@pytest.mark.parametrize(
    ("content", "message"),
    [("", "no cue"), ("WEBVTT\n", "no cue"), ("1\nhello\n\n", "line 1: found '1' where a cue")],
)
def test_what_are_no_subtitles(write: Write, content: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_texts(write("a.srt", content))


# One file per text


def test_the_target_of_each_file_is_its_text(write: Write) -> None:
    reference = write("ref.xlf", OKAPI)
    system = write("mt.xlf", OKAPI.replace("ヘルプ", "助け"))
    opened = open_files([system], [reference], reference)
    (found,) = opened.chunks(10)
    assert found.source == ("Press start now & here.", "Help", "Not yet")
    assert found.hypotheses == {"mt": ("スタートを押す。", "助け", "")}
    assert found.references[1] == ("ヘルプ",)
    assert found.documents == ("menu.html", "help.html", "help.html")
    assert found.place("system 'mt'", 1) == f"{system}, column 'target', segment 2"


def test_texts_of_different_formats_stand_side_by_side(write: Write) -> None:
    plain = write("ref.txt", "one\ntwo\n")
    table = write("a.csv", "id,mt\n1,eins\n2,\n,\n")
    (found,) = open_files([table], [plain]).chunks(10)
    assert found.hypotheses == {"a": ("eins", "")}


def test_files_with_other_units_are_refused(write: Write) -> None:
    reference = write("ref.xlf", OKAPI)
    swapped = write("mt.xlf", OKAPI.replace('id="tu3"', 'id="tu4"'))
    with pytest.raises(InputError, match=r"mt.xlf, segment 3: this is 'tu4'.*'tu3'"):
        open_files([swapped], [reference])
    shorter = write("short.srt", SRT)
    with pytest.raises(LengthMismatch):
        open_files([shorter], [reference])


def test_plain_lines_with_tags(write: Write) -> None:
    plain, system = write("ref.txt", "<b>a</b>\n\n"), write("mt.txt", "b {0}\n\n")
    opened = open_files([system], [plain], reading=reading_options(tags="hide"))
    (found,) = opened.chunks(10)
    assert (found.hypotheses, found.references) == ({"mt": ("b", "")}, (("a",), ("",)))


@pytest.mark.parametrize("name", ["hex", "base64", "rot13", "zlib", "u" + "9" * 20_000])
def test_an_encoding_that_is_none_of_texts(write: Write, name: str) -> None:
    head = f'<?xml version="1.0" encoding="{name}"?>'
    with pytest.raises(InputError) as refused:
        read_texts(write("a.xlf", f'{head}<xliff version="1.2"></xliff>'))
    assert len(str(refused.value)) < 1_000
