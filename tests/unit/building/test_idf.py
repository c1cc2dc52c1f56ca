"""Dictionaries of document frequencies, counted from text."""

import json
from pathlib import Path

import pytest

from tenbin.building.idf import DocumentUnit, build_idf
from tenbin.core.errors import InputError, UnreadableFile, UsageError
from tenbin.formats.idf_file import read_idf_file

TEXT = "a b a\nb c\n\n\na d\n"


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "text.txt"
    path.write_text(TEXT)
    return path


@pytest.mark.parametrize(
    ("unit", "documents", "counts"),
    [
        (DocumentUnit.LINE, 4, {"a": 3, "b": 2, "c": 1, "d": 1, "e": 1}),
        (DocumentUnit.BLANK_LINE, 3, {"a": 3, "b": 1, "c": 1, "d": 1, "e": 1}),
        (DocumentUnit.FILE, 2, {"a": 2, "b": 1, "c": 1, "d": 1, "e": 1}),
    ],
)
def test_documents(text: Path, unit: DocumentUnit, documents: int, counts: dict[str, int]) -> None:
    more, output = text.with_name("more.txt"), text.with_name("x.idf")
    more.write_text("a e\n")
    built = build_idf([str(text), str(more)], "en", str(output), document=unit)
    read = read_idf_file(output)
    assert (read.documents, dict(read.counts)) == (documents, counts)
    assert (built.documents, built.tokens, built.sha256) == (documents, 5, read.sha256)
    assert f"{documents} documents are few" in built.notes[0]
    assert list(read.counts)[:2] == ["a", "b"]  # the commonest first


def test_the_header_says_what_was_counted(text: Path) -> None:
    output = text.with_name("x.idf")
    build_idf([str(text)], "en", str(output), lowercase=True)
    facts = read_idf_file(output).facts
    assert (facts["tokenizer"], facts["language"], facts["document"]) == ("13a", "en", "line")
    assert facts["lowercase"] is True
    assert facts["corpus"][0]["name"] == "text.txt"
    assert {"tenbin", "sacrebleu"} <= set(facts["versions"])
    first = output.read_bytes()
    build_idf([str(text)], "en", str(output), lowercase=True, force=True)
    assert output.read_bytes() == first


def test_japanese_words(tmp_path: Path) -> None:
    pytest.importorskip("sudachipy")
    path, output = tmp_path / "novel.txt", tmp_path / "novels.idf"
    path.write_text("齊藤さんは思った。\n猟師は槍を握った。\n", encoding="utf-8")
    build_idf([str(path)], "ja", str(output))
    read = read_idf_file(output)
    assert (read.counts["齊藤"], read.counts["は"]) == (1, 2)
    assert read.facts["tokenizer"] == "sudachi-c"


def model_folder(folder: Path) -> Path:
    tokenizers = pytest.importorskip("tokenizers")
    words = {"[UNK]": 0, "[CLS]": 1, "[SEP]": 2, "cat": 3, "##s": 4, "the": 5}
    opened = tokenizers.Tokenizer(tokenizers.models.WordPiece(words, unk_token="[UNK]"))  # noqa: S106 - no password
    opened.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    opened.normalizer = tokenizers.normalizers.Lowercase()
    opened.post_processor = tokenizers.processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 1), ("[SEP]", 2)]
    )
    opened.enable_truncation(3)
    folder.mkdir()
    opened.save(str(folder / "tokenizer.json"))
    return folder


def test_the_tokenizer_of_a_model(tmp_path: Path) -> None:
    folder = model_folder(tmp_path / "tiny-model")
    text, output = tmp_path / "text", tmp_path / "x.idf"
    text.write_text("The cats\nthe cat the cat cats xyz\n")
    build_idf([str(text)], "en", str(output), tokenizer=str(folder))
    read = read_idf_file(output)
    specials = {"[CLS]": 2, "[SEP]": 2}
    # Nothing is cut off after three tokens, and special tokens stand in every document.
    assert dict(read.counts) == {"the": 2, "cat": 2, "##s": 2, "[UNK]": 1, **specials}
    assert read.facts["tokenizer"] == "tiny-model"
    assert len(read.facts["versions"]["tokenizer.json"]) == 16
    with pytest.raises(UsageError, match="its own treatment of case"):
        build_idf([str(text)], "en", str(output), tokenizer=str(folder), lowercase=True, force=True)


def test_unknown_subwords_are_counted_under_the_name_that_a_model_has_for_them(
    tmp_path: Path,
) -> None:
    tokenizers = pytest.importorskip("tokenizers")
    subwords = [("[UNK]", 0.0), ("猫", -1.0), ("犬", -2.0)]
    opened = tokenizers.Tokenizer(tokenizers.models.Unigram(subwords, unk_id=0))
    text, output = tmp_path / "text", tmp_path / "x.idf"
    opened.save(str(tmp_path / "tokenizer.json"))
    text.write_text("猫犬\n犬鳥\n", encoding="utf-8")
    build_idf([str(text)], "ja", str(output), tokenizer=str(tmp_path))
    assert dict(read_idf_file(output).counts) == {"猫": 1, "犬": 2, "[UNK]": 1}


def test_folders_without_a_tokenizer(text: Path, tmp_path: Path) -> None:
    pytest.importorskip("tokenizers")
    output = tmp_path / "x.idf"
    with pytest.raises(UnreadableFile, match=r"tokenizer\.json: there is no such file"):
        build_idf([str(text)], "en", str(output), tokenizer=str(tmp_path))
    (tmp_path / "tokenizer.json").write_text(json.dumps({"version": "1.0"}))
    with pytest.raises(UnreadableFile, match="not a tokenizer"):
        build_idf([str(text)], "en", str(output), tokenizer=str(tmp_path))
    assert not output.exists()


def test_what_makes_no_dictionary(text: Path) -> None:
    output = text.with_name("x.idf")
    with pytest.raises(UsageError, match="there is no tokenizer 'nonsense'"):
        build_idf([str(text)], "en", str(output), tokenizer="nonsense")
    text.write_text("\n \n")
    with pytest.raises(InputError, match="no word in the corpus"):
        build_idf([str(text)], "en", str(output))
    output.write_text("mine")
    with pytest.raises(UsageError, match="force"):
        build_idf([str(text)], "en", str(output))
    assert output.read_text() == "mine"
