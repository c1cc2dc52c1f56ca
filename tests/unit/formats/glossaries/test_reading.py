"""Glossaries in every kind of file, and files that are none."""

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from tenbin.core.errors import InputError, MalformedLine, UnreadableFile
from tenbin.core.glossary import Glossary, Term
from tenbin.formats.glossaries.languages import language_of
from tenbin.formats.glossaries.reading import read_glossary

Read = Callable[..., Glossary]

BASIC = """<?xml version="1.0" encoding="utf-8"?>
<tbx style="dct" type="TBX-Basic" xml:lang="en" xmlns="urn:iso:std:iso:30042:ed-2"
     xmlns:min="http://www.tbxinfo.net/ns/min">
 <text><body>
  <conceptEntry id="c1">
   <note>of a network</note>
   <langSec xml:lang="en"><termSec><term>server</term></termSec></langSec>
   <langSec xml:lang="ja">
    <termSec><term>サーバー</term>
     <min:administrativeStatus>preferredTerm-admn-sts</min:administrativeStatus></termSec>
    <termSec><term>サーバ</term>
     <min:administrativeStatus>deprecatedTerm-admn-sts</min:administrativeStatus></termSec>
   </langSec>
  </conceptEntry>
 </body></text>
</tbx>
"""
MARTIF = """<?xml version='1.0'?>
<!DOCTYPE martif SYSTEM "TBXcoreStructV02.dtd">
<martif type="TBX" xml:lang="en"><text><body>
 <termEntry id="c1">
  <langSet xml:lang="en"><tig><term>Kirby</term>
   <termNote type="partOfSpeech">properNoun</termNote></tig></langSet>
  <langSet xml:lang="ja-JP"><ntig><termGrp><term>カービィ</term></termGrp></ntig>
   <ntig><termGrp><term>カービー</term>
    <termNote type="administrativeStatus">supersededTerm-admn-sts</termNote></termGrp></ntig>
  </langSet>
  <langSet xml:lang="de"><tig><term>Kirby</term></tig></langSet>
 </termEntry>
</body></text></martif>
"""


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Read a glossary of some content under a name."""

    def written(name: str, content: str | bytes, **languages: str) -> Glossary:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return read_glossary(str(path), **languages)

    return written


def test_columns_are_found_by_english_names(read: Read) -> None:
    found = read(
        "a.csv",
        "Note,Source term,Case,Target_Term,Forbidden,Type\n"
        "hero,カービィ,yes,Kirby,Kirbie|Kerby,name\n"
        ",剣,no,sword; blade,,\n",
    )
    assert found.terms == (
        Term(
            source="カービィ",
            targets=("Kirby",),
            forbidden=("Kirbie", "Kerby"),
            matches_case=True,
            is_name=True,
            note="hero",
            line=2,
        ),
        Term(source="剣", targets=("sword", "blade"), line=3),
    )
    assert found.names == ("Kirby",)
    assert found.source_names == ("カービィ",)


def test_columns_are_found_by_japanese_names(read: Read) -> None:
    found = read(
        "a.tsv", "原語\t訳語\t禁止訳\t大文字小文字\t備考\t種別\n猫\tcat\tdog\t○\t動物\t人名\n"
    )
    (term,) = found.terms
    assert term == Term(
        source="猫",
        targets=("cat",),
        forbidden=("dog",),
        matches_case=True,
        is_name=True,
        note="動物",
        line=2,
    )


def test_without_a_header_columns_are_known_by_their_place(read: Read) -> None:
    found = read("a.csv", "dog,Hund\ncat,Katze|Kater,Mieze,no,animal\n")
    assert [(one.source, one.targets, one.forbidden, one.note) for one in found.terms] == [
        ("dog", ("Hund",), (), ""),
        ("cat", ("Katze", "Kater"), ("Mieze",), "animal"),
    ]


def test_languages_above_columns_say_which_is_the_source(read: Read) -> None:
    text = "英語\t日本語\tNotes\nserver\tサーバー\tx\n"
    there = read("a.tsv", text, target="ja").terms[0]
    back = read("b.tsv", text, target="en").terms[0]
    assert (there.source, there.targets) == ("server", ("サーバー",))
    assert (back.source, back.targets, back.note) == ("サーバー", ("server",), "x")
    third = read("c.csv", "en,de,ja\ncat,Katze,猫\n", target="de", source="ja").terms[0]
    assert (third.source, third.targets) == ("猫", ("Katze",))


def test_several_source_terms_are_entries_of_their_own(read: Read) -> None:
    found = read("a.csv", "en,ja\npawnshop|pawnbroker,質屋\n", target="ja")
    assert [(one.source, one.targets) for one in found.terms] == [
        ("pawnshop", ("質屋",)),
        ("pawnbroker", ("質屋",)),
    ]


@pytest.mark.parametrize(
    ("heading", "tag"),
    [("Japanese", "ja"), ("pt_BR", "pt-BR"), ("en", "en"), ("Notes", ""), ("", ""), ("id2", "")],
)
def test_headings_that_name_languages(heading: str, tag: str) -> None:
    assert language_of(heading) == tag


@pytest.mark.parametrize("name", ["names.txt", "names", "names.csv", "names.tsv"])
def test_one_column_is_a_list_of_names(read: Read, name: str) -> None:
    found = read(name, "カービィ\n\nメタ  ナイト\n")
    assert [term.targets[0].split() for term in found.terms] == [["カービィ"], ["メタ", "ナイト"]]
    assert all(term.is_name and not term.source for term in found.terms)


def test_a_list_of_names_may_have_a_header(read: Read) -> None:
    assert read("a.csv", "名前\nカービィ\n").names == ("カービィ",)


def test_tbx_of_2019(read: Read) -> None:
    found = read("a.tbx", BASIC, target="ja")
    (term,) = found.terms
    assert (term.source, term.targets, term.forbidden) == ("server", ("サーバー",), ("サーバ",))
    assert (term.note, term.line) == ("of a network", 5)
    assert (found.source_language, found.target_language) == ("en", "ja")


def test_tbx_of_2008(read: Read) -> None:
    (term,) = read("a.tbx", MARTIF, target="ja").terms
    assert (term.source, term.targets, term.forbidden) == ("Kirby", ("カービィ",), ("カービー",))
    assert term.is_name
    (german,) = read("b.tbx", MARTIF, target="en", source="de").terms
    assert (german.source, german.targets) == ("Kirby", ("Kirby",))


def test_tbx_without_the_target_language_is_refused(read: Read) -> None:
    with pytest.raises(UnreadableFile, match=r"found terms in en, ja, expected some in .* fr"):
        read("a.tbx", BASIC, target="fr")


def test_a_source_language_that_is_not_clear_is_asked_for(read: Read) -> None:
    with pytest.raises(UnreadableFile, match="which of them is the source language"):
        read("a.csv", "en,de,ja\ncat,Katze,猫\n", target="ja")


def test_spreadsheets(tmp_path: Path, read: Read) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in (["source", "target", "forbidden"], ["cat", "猫", None], ["dog", "犬", "狗"]):
        book.active.append(row)
    book.save(tmp_path / "a.xlsx")
    found = read("b.xlsx", (tmp_path / "a.xlsx").read_bytes())
    assert [(one.source, one.targets, one.forbidden, one.line) for one in found.terms] == [
        ("cat", ("猫",), (), 2),
        ("dog", ("犬",), ("狗",), 3),
    ]


def test_the_hash_is_of_the_content(read: Read) -> None:
    plain = read("a.csv", "a,b\n")
    packed = read("b.csv.gz", gzip.compress(b"a,b\n"))
    assert plain.terms == packed.terms
    assert plain.fingerprint == packed.fingerprint != read("c.csv", "a,c\n").fingerprint


def test_repetitions_are_merged_and_said(read: Read) -> None:
    found = read("a.csv", "cat,Katze\nCat,Kater\ncat,Katze,Mieze\n")
    (term,) = found.terms
    assert (term.targets, term.forbidden) == (("Katze", "Kater"), ("Mieze",))
    (note,) = found.notes
    assert "lines 1 and 2: 'Cat' with different targets" in note
    many = read("b.csv", "cat,Katze\n" * 9)
    assert "and 3 entries more" in many.notes[0]


def test_case_tells_terms_apart_where_it_matters(read: Read) -> None:
    found = read("a.csv", "source,target,case\nApple,Apple,yes\napple,Apfel,\n")
    assert [term.source for term in found.terms] == ["Apple", "apple"]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.csv", "", "there is no entry"),
        ("a.csv", "source,target\n", "there is no entry"),
        ("a.csv", "\n\n", "there is no entry"),
        ("a.txt", " \n", "there is no entry"),
        ("a.csv", "source,target\ncat,\n", r"line 2: 'cat' has neither a target term nor"),
        ("a.csv", "source,target\n,Katze\n", "line 2: there is no source term for 'Katze'"),
        ("a.csv", "source,target,case\na,b,perhaps\n", "line 2: found 'perhaps' as case"),
        ("a.csv", "source,note\na,b\n", "no column of target terms"),
        ("a.csv", "target,note\na,b\n", "none of source terms"),
        ("a.csv", "source,target,translation\na,b,c\n", "two columns may be the target term"),
        ("a.csv", "a,b,c,no,e,f\n", "line 1: found 6 fields, expected at most 5"),
        ("a.csv", 'source,target\n"a,b\n', "line 2: this is not CSV"),
        ("a.csv", "source,target,forbidden\na,b,B\n", "line 2: 'B' is both asked for and forb"),
        ("a.csv", "a,b\na,c,b\n", r"line 2: 'b' is both asked for and forbidden \(see line 1\)"),
        ("a.csv", f"a,{'b' * 2000}\n", "longer than 1,000 characters"),
        ("a.csv", "a,b\0\n", "line 1: NUL"),
        ("a.csv", "猫,cat\n".encode("cp932"), "not valid UTF-8"),
        ("a.csv", b"\xff\xfea\0,\0b\0", "UTF-16"),
        ("a.tbx", "<tbx><text>", "line 1: the XML is not well-formed"),
        ("a.tbx", "<html/>", "found <html>, expected <tbx>"),
        ("a.tbx", "<tbx/>", "there is no term in the file"),
        ("a.xlsx", b"PK no", "not|damaged|cannot"),
    ],
)
def test_what_is_no_glossary_is_refused_with_its_place(
    read: Read, name: str, content: str | bytes, message: str
) -> None:
    with pytest.raises(InputError, match=message) as caught:
        read(name, content)
    assert name in str(caught.value)


@pytest.mark.parametrize(
    "declaration",
    [
        '<!ENTITY a "b">',
        '<!ENTITY a SYSTEM "file:///etc/passwd">',
        '<!ENTITY % a SYSTEM "http://127.0.0.1/x.dtd"> %a;',
    ],
)
def test_entities_are_refused(read: Read, declaration: str) -> None:
    text = BASIC.replace("<tbx ", f"<!DOCTYPE tbx [{declaration}]><tbx ", 1)
    with pytest.raises(MalformedLine, match="entity"):
        read("a.tbx", text.replace("server", "&a;"), target="ja")


def test_deep_nesting_is_refused(read: Read) -> None:
    with pytest.raises(MalformedLine, match="nested too deeply"):
        read("a.tbx", "<tbx>" + "<a>" * 1000)


def test_a_folder_and_a_missing_file_are_said(tmp_path: Path) -> None:
    for path, message in ((tmp_path, "directory"), (tmp_path / "no.csv", "no such file")):
        with pytest.raises(UnreadableFile, match=message):
            read_glossary(str(path))
