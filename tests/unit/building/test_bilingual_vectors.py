"""Vectors of two languages in one space, and of words beside their tags or lemmas."""

import json
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tenbin
from tenbin.annotation import parts_of_speech
from tenbin.annotation.parts_of_speech import load_tagger
from tenbin.api.building import build_vectors
from tenbin.building.vectors import training as word_vectors
from tenbin.core.errors import (
    InputError,
    LengthMismatch,
    MalformedLine,
    MissingExtra,
    OutputError,
    ScriptMismatch,
    UnreadableFile,
    UsageError,
)
from tenbin.resources.store.fingerprints import file_sha256
from tenbin.resources.store.store import ResourceStore
from tenbin.resources.universal_tags import UniversalTag, universal_tags
from tenbin.resources.vectors.word_vectors import load_vectors

WORDS = 24
SMALL: dict[str, Any] = {"dimensions": 12, "epochs": 5, "sample": 0, "rate": 0.1, "min_count": 2}
BOTH: dict[str, Any] = {"variant": "bi", "source_language": "en"}
Segments = list[list[int]]


def walks(count: int, seed: int = 4) -> Segments:
    """Segments in which each word tells much about the next: one, two or three steps further."""
    rng = np.random.default_rng(seed)
    starts, steps = rng.integers(0, WORDS, count), rng.integers(1, 4, (count, 9))
    return ((starts[:, None] + np.cumsum(steps, axis=1)) % WORDS).tolist()


def spelled(segments: Segments, letter: str) -> list[str]:
    return [" ".join(f"{letter}{number}" for number in segment) for segment in segments]


def write(path: Path, lines: list[str]) -> str:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return str(path)


@pytest.fixture(scope="module")
def bitext(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """German on the left, English on the right, word for word."""
    segments = walks(900)
    pairs = zip(spelled(segments, "d"), spelled(segments, "e"), strict=True)
    path = tmp_path_factory.mktemp("bitext") / "de-en.tsv"
    write(path, ["\t".join(pair) for pair in pairs])
    return path


def share_found(folder: Path, german: Path, english: Path) -> float:
    """Return for how many German words the nearest English word is the translation."""
    store = ResourceStore(folder / "cache")
    units = [
        load_vectors(str(path), language, store)
        .look_up([f"{letter}{number}" for number in range(WORDS)])
        .units
        for path, language, letter in ((german, "de", "d"), (english, "en", "e"))
    ]
    nearest = (units[0] @ units[1].T).argmax(axis=1)
    return float(np.mean(nearest == np.arange(WORDS)))


def retrieved(folder: Path, text: str, **options: Any) -> float:
    german, english = folder / "v.de.bin", folder / "v.en.bin"
    build_vectors([text], "de", str(german), source_output=str(english), force=True, **options)
    return share_found(folder, german, english)


@pytest.mark.parametrize("method", ["cbow", "skipgram"])
def test_translations_are_neighbors_unless_the_bitext_is_shuffled(
    bitext: Path, tmp_path: Path, method: str
) -> None:
    options = SMALL | BOTH | {"method": method}
    assert retrieved(tmp_path, str(bitext), **options) >= 0.9
    lines = [line.split("\t") for line in bitext.read_text("utf-8").splitlines()]
    order = np.random.default_rng(1).permutation(len(lines))
    mixed = [f"{one}\t{lines[other][1]}" for (one, _), other in zip(lines, order, strict=True)]
    shuffled = write(tmp_path / "shuffled.tsv", mixed)
    assert retrieved(tmp_path, shuffled, **options) <= 0.3
    # Without predictions from the other language the spaces have nothing in common.
    assert retrieved(tmp_path, str(bitext), **(options | {"beta": 0})) <= 0.3


def test_links_say_which_words_belong_together(tmp_path: Path) -> None:
    segments = walks(900)
    backwards = [segment[::-1] for segment in segments]
    pairs = zip(spelled(segments, "d"), spelled(backwards, "e"), strict=True)
    text = write(tmp_path / "text.tsv", ["\t".join(pair) for pair in pairs])
    links = write(tmp_path / "links", [" ".join(f"{i}-{8 - i}" for i in range(9))] * 900)
    assert retrieved(tmp_path, text, **SMALL, **BOTH) <= 0.3
    card_path = tmp_path / "v.de.bin.card.json"
    assert json.loads(card_path.read_text("utf-8"))["alignment"] == "uniform"
    assert retrieved(tmp_path, text, **SMALL, **BOTH, links=[links]) >= 0.9
    card = json.loads(card_path.read_text("utf-8"))
    assert card["alignment"] == "links"
    assert [file["name"] for file in card["corpus"]] == ["text.tsv", "links"]
    # The first number is of the first column, be that the source or not.
    turned = [line.split("\t")[::-1] for line in Path(text).read_text("utf-8").splitlines()]
    text = write(tmp_path / "turned.tsv", ["\t".join(pair) for pair in turned])
    lopsided = [" ".join(f"{i}-{8 - i}" for i in range(9) if i != 3)] * 900
    links = write(tmp_path / "links", lopsided)
    found = retrieved(tmp_path, text, **SMALL, **BOTH, links=[links], source_first=True)
    assert found >= 0.9


def test_cards_name_each_other(bitext: Path, tmp_path: Path) -> None:
    german, english = tmp_path / "v.de.bin", tmp_path / "v.en.bin"
    card = build_vectors(
        [str(bitext)], "de", str(german), source_output=str(english), **SMALL, **BOTH
    )
    cards = {
        path.name: json.loads(Path(f"{path}.card.json").read_text("utf-8"))
        for path in (german, english)
    }
    assert cards["v.de.bin"] == card
    for one, other in ((german, english), (english, german)):
        mine = cards[one.name]
        assert mine["sha256"] == file_sha256(one)
        assert mine["other"]["file"] == other.name
        assert mine["other"]["sha256"] == file_sha256(other)
        assert (mine["variant"], mine["segments"], mine["left_out"]) == ("bi", 900, 0)
        assert mine["parameters"]["beta"] == 1
        assert all(after < before for before, after in pairwise(mine["loss"]))
    assert (cards["v.en.bin"]["language"], cards["v.en.bin"]["side"]) == ("en", "source")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        f"{path.name}{ending}" for path in (german, english) for ending in ("", ".card.json")
    )
    alone = tmp_path / "alone.bin"
    build_vectors([str(bitext)], "de", str(alone), **SMALL, **BOTH)
    assert alone.read_bytes() == german.read_bytes()


def test_the_same_bytes_in_every_process(bitext: Path, tmp_path: Path) -> None:
    here, there = tmp_path / "here.bin", tmp_path / "there.bin"
    text = write(tmp_path / "text", bitext.read_text("utf-8").splitlines()[:60])
    options = SMALL | BOTH | {"epochs": 2}
    build_vectors([text], "de", str(here), **options)
    code = (
        "import sys\n"
        "from tenbin.api.building import build_vectors\n"
        f"build_vectors([sys.argv[1]], 'de', sys.argv[2], **{options})\n"
    )
    # The plain twin of the kernel gives the same bytes.
    for kernels in ("plain", "compiled"):
        environment = {"PYTHONHASHSEED": "4321", "TENBIN_KERNELS": kernels}
        command = [sys.executable, "-c", code, text, str(there)]
        subprocess.run(command, env={**os.environ, **environment}, check=True)
        assert here.read_bytes() == there.read_bytes()
        Path(f"{there}.card.json").unlink()
        there.unlink()


def test_several_threads(bitext: Path, tmp_path: Path) -> None:
    options = SMALL | BOTH | {"jobs": 3}
    assert retrieved(tmp_path, str(bitext), **options) >= 0.9
    card = json.loads((tmp_path / "v.de.bin.card.json").read_text("utf-8"))
    assert card["reproducible"] is False


def test_two_files_are_as_good_as_two_columns(bitext: Path, tmp_path: Path) -> None:
    columns = zip(
        *(line.split("\t") for line in bitext.read_text("utf-8").splitlines()), strict=True
    )
    german, english = (
        write(tmp_path / name, list(lines))
        for name, lines in zip(("t.de", "t.en"), columns, strict=True)
    )
    outputs = [tmp_path / f"{number}.bin" for number in range(3)]
    build_vectors([str(bitext)], "de", str(outputs[0]), **SMALL, **BOTH)
    build_vectors([german], "de", str(outputs[1]), others=[english], **SMALL, **BOTH)
    build_vectors(
        [english], "de", str(outputs[2]), others=[german], source_first=True, **SMALL, **BOTH
    )
    assert len({path.read_bytes() for path in outputs}) == 1


def test_lines_with_an_empty_side_are_left_out(bitext: Path, tmp_path: Path) -> None:
    lines = bitext.read_text("utf-8").splitlines()
    text = write(tmp_path / "t.tsv", ["nur links\t", *lines, " \tonly right"])
    notes: list[str] = []
    output = tmp_path / "v.bin"
    card = build_vectors([text], "de", str(output), note=notes.append, **SMALL, **BOTH)
    assert (card["segments"], card["left_out"]) == (900, 2)
    assert notes == [
        f"2 of 902 lines have no words on a side and were left out, the first at {text}, line 1."
    ]
    plain = tmp_path / "plain.bin"
    build_vectors([str(bitext)], "de", str(plain), **SMALL, **BOTH)
    assert output.read_bytes() == plain.read_bytes()


@pytest.mark.parametrize(
    ("lines", "options", "error", "words"),
    [
        (["a b\tc d", "a b c"], {}, MalformedLine, r"t\.tsv, line 2: 1 column"),
        (["a\tb\tc"], {}, MalformedLine, r"t\.tsv, line 1: 3 columns"),
        ([], {}, UnreadableFile, "the file is empty"),
        (["\t", "a\t"], {}, UnreadableFile, "no line has words on both sides"),
        (["a b\tc d"] * 2, {"links": ["0-0"]}, LengthMismatch, r"t\.tsv: 2, .*links0: 1"),
        (["a b\tc d"] * 2, {"links": ["0-0"] * 3}, LengthMismatch, r"t\.tsv: 2, .*links0: 3"),
        (
            ["a b\tc d", "a b c\td"],
            {"links": ["0-0", "2-1"]},
            MalformedLine,
            r"links0, line 2: the link 2-1 leads out of a segment of 3 and 1 word",
        ),
        (["a b\tc d"], {"links": ["0:0"]}, MalformedLine, r"links0, line 1: '0:0' is not a link"),
        (["a b"] * 2, {"others": ["c"]}, LengthMismatch, r"t\.tsv: 2, .*others0: 1"),
        (["a b\tслово"] * 5, {}, ScriptMismatch, "source side of .* is not in the script of 'en'"),
        (["слово\ta b"] * 5, {}, ScriptMismatch, "target side of .* is not in the script of 'de'"),
        (["a b\tc d"], {"min_count": 2}, InputError, "no word occurs 2 times"),
        (["a b\tc d"], {"source_language": ""}, UsageError, "give `source_language`"),
        (["a b\tc d"], {"tags": ["X"]}, UsageError, "`tags` says nothing to the variant bi"),
        (["a b\tc d"], {"method": "fasttext"}, UsageError, "fastText .* one text"),
        (["a b\tc d"], {"source_language": "xx-wrong"}, UsageError, "language tag"),
        (["a b\tc d"], {"source_tokenizer": "nothing"}, UsageError, "nothing"),
    ],
    ids=str,
)
def test_bad_bitexts(
    tmp_path: Path,
    lines: list[str],
    options: dict[str, Any],
    error: type[Exception],
    words: str,
) -> None:
    text = write(tmp_path / "t.tsv", lines)
    given = dict(options)
    for name in ("links", "others"):
        if name in options:
            given[name] = [write(tmp_path / f"{name}0", options[name])]
    before = set(tmp_path.iterdir())
    with pytest.raises(error, match=words):
        build_vectors([text], "de", str(tmp_path / "v.bin"), **({"min_count": 1} | BOTH | given))
    assert set(tmp_path.iterdir()) == before


def test_options_that_do_not_go_together(bitext: Path, tmp_path: Path) -> None:
    text, output = str(bitext), str(tmp_path / "v.bin")
    cases: list[tuple[dict[str, Any], str]] = [
        ({"source_language": "en"}, "`source_language` says nothing to the variant mono"),
        ({"links": ["x"]}, "`links` says nothing to the variant mono"),
        ({"source_output": "x"}, "`source_output`: the variant mono has vectors of one language"),
        ({**BOTH, "links": ["x", "y"]}, "`links`: 2 given, expected one for each text .1."),
        ({**BOTH, "source_output": output}, "both languages would be written to it"),
        ({"variant": "pseudo-lemma", "method": "fasttext"}, "fastText .* one text"),
    ]
    for options, words in cases:
        with pytest.raises(UsageError, match=words):
            build_vectors([text], "de", output, **options)
    with pytest.raises(UsageError, match="no text was given"):
        build_vectors([], "de", output)


def test_both_files_or_none(bitext: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[Path] = []

    def full(path: Path, *_: object) -> None:
        written.append(path)
        if len(written) > 1:
            raise OSError(28, "No space left on device")

    outputs = tmp_path / "v.de.bin", tmp_path / "v.en.bin"
    for path in outputs:
        path.write_text("old")
    monkeypatch.setattr(word_vectors, "write_word2vec_binary", full)
    with pytest.raises(OutputError, match="No space left"):
        build_vectors(
            [str(bitext)],
            "de",
            str(outputs[0]),
            source_output=str(outputs[1]),
            force=True,
            **SMALL,
            **BOTH,
        )
    assert len(written) == 2
    assert [path.read_text() for path in sorted(tmp_path.iterdir())] == ["old", "old"]


def test_a_file_that_is_there_stays(bitext: Path, tmp_path: Path) -> None:
    (tmp_path / "v.en.bin.card.json").write_text("old")
    with pytest.raises(UsageError, match="there is such a file already"):
        build_vectors(
            [str(bitext)],
            "de",
            str(tmp_path / "v.de.bin"),
            source_output=str(tmp_path / "v.en.bin"),
            **SMALL,
            **BOTH,
        )


# What the vectors are for.


def test_reference_free_scores_rank_right_translations_higher(bitext: Path, tmp_path: Path) -> None:
    german, english = tmp_path / "v.de.bin", tmp_path / "v.en.bin"
    build_vectors([str(bitext)], "de", str(german), source_output=str(english), **SMALL, **BOTH)
    spec = f'yisi2(vectors="{german}", source_vectors="{english}")'
    segments = walks(30, seed=9)
    sources, hypotheses = spelled(segments, "e"), spelled(segments, "d")
    metric = tenbin.load_metric(spec, language="de")
    shuffled = [hypotheses[number - 1] for number in range(30)]
    right, wrong = (
        metric.score(texts, sources, source=sources).segments for texts in (hypotheses, shuffled)
    )
    assert np.mean(np.array(right) > np.array(wrong)) >= 0.9


@pytest.mark.parametrize("variant", ["mono", "bi"])
def test_metrics_take_the_vectors(bitext: Path, tmp_path: Path, variant: str) -> None:
    output = tmp_path / "v.bin"
    options = SMALL | (BOTH if variant == "bi" else {})
    text = bitext
    if variant == "mono":
        lines = bitext.read_text("utf-8").splitlines()
        text = Path(write(tmp_path / "text", [line.partition("\t")[0] for line in lines]))
    build_vectors([str(text)], "de", str(output), **options)
    for name in ("meteor", "was", "mas", "has", "we_wpi", "yisi1", "wmd", "mee", "sv"):
        metric = tenbin.load_metric(f'{name}(vectors="{output}")', language="de")
        near = metric.score(["d1 d2 d3 d5"], ["d1 d2 d4 d5"]).score
        assert 0 < near < metric.score(["d1 d2 d4 d5"], ["d1 d2 d4 d5"]).score, name


# A text beside its own tags or lemmas.

TAGS = ["DET NOUN VERB", "NOUN VERB DET NOUN"]
TEXT = ["The dog sleeps", "Dogs see a cat"]


def tagged(folder: Path, tags: list[str], text: list[str] | None = None, **options: Any) -> Any:
    return build_vectors(
        [write(folder / "text", TEXT if text is None else text)],
        "en",
        str(folder / "v.bin"),
        variant="pseudo-pos",
        tags=[write(folder / "tags", tags)],
        **({"min_count": 1, "dimensions": 4, "lowercase": True} | options),
    )


def test_tags_of_any_tagger(tmp_path: Path) -> None:
    card = tagged(tmp_path, TAGS)
    assert (card["variant"], card["unit"], card["vocabulary"]) == ("pseudo-pos", "tokens", 7)
    assert card["other"] == {
        "kind": "tags",
        "made_by": "tags",
        "vocabulary": 3,
        "files": [{"name": "tags", "sha256": file_sha256(tmp_path / "tags")}],
    }
    # Rare as it is, a tag has a vector.
    rare = tagged(tmp_path, ["X", *["NOUN"] * 3], ["x", *["dog"] * 3], force=True, min_count=3)
    assert (rare["vocabulary"], rare["other"]["vocabulary"]) == (1, 2)


@pytest.mark.parametrize(
    ("tags", "text", "error", "words"),
    [
        (TAGS[:1], None, LengthMismatch, "text: 2, .*tags: 1"),
        ([*TAGS, "X"], None, LengthMismatch, "text: 2, .*tags: 3"),
        (["DET NOUN", TAGS[1]], None, MalformedLine, "tags, line 1: 2 tags for 3 words of .*text"),
        ([TAGS[0], "NN VERB DET NOUN"], None, MalformedLine, "tags, line 2: 'NN' is no universal"),
        (["", "X"], ["", "."], InputError, ""),
        ([""], [""], UnreadableFile, "there is no word in the corpus"),
    ],
    ids=str,
)
def test_bad_tags(
    tmp_path: Path, tags: list[str], text: list[str] | None, error: type[Exception], words: str
) -> None:
    if not words:
        assert tagged(tmp_path, tags, text)["vocabulary"] == 1
        return
    with pytest.raises(error, match=words):
        tagged(tmp_path, tags, text)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["tags", "text"]


def test_words_of_a_class_come_closer_with_tags(tmp_path: Path) -> None:
    # Every noun follows one determiner of its own, so that words alone say little about classes.
    rng = np.random.default_rng(3)
    lines, tags = [], []
    for _ in range(1500):
        noun, verb = rng.integers(0, 12, 2)
        lines.append(f"d{noun} n{noun} v{verb} a{verb}")
        tags.append("DET NOUN VERB ADV")
    store = ResourceStore(tmp_path / "cache")
    within: dict[str, float] = {}
    for variant in ("mono", "pseudo-pos"):
        output = tmp_path / f"{variant}.bin"
        options = {"tags": [write(tmp_path / "tags", tags)]} if variant != "mono" else {}
        text = write(tmp_path / "text", lines)
        build_vectors([text], "en", str(output), variant=variant, **SMALL, **options)
        nouns = load_vectors(str(output), "en", store).look_up([f"n{n}" for n in range(12)]).units
        within[variant] = float((nouns @ nouns.T).mean())
    assert within["pseudo-pos"] > within["mono"] + 0.1


def test_lemmas_beside_words(english: Path, tmp_path: Path) -> None:
    pytest.importorskip("simplemma")
    words, lemmas = tmp_path / "words.bin", tmp_path / "lemmas.bin"
    options = {"dimensions": 8, "min_count": 2, "lowercase": True}
    card = build_vectors([str(english)], "en", str(words), variant="pseudo-lemma", **options)
    assert (card["unit"], card["other"]["kind"]) == ("tokens", "lemmas")
    assert card["other"]["made_by"] == "simplemma"
    assert "simplemma" in card["versions"]
    mono = build_vectors([str(english)], "en", str(lemmas), variant="mono-lemma", **options)
    assert (mono["variant"], mono["unit"]) == ("mono-lemma", "lemmas")
    same = tmp_path / "same.bin"
    build_vectors([str(english)], "en", str(same), lemmas=True, **options)
    assert same.read_bytes() == lemmas.read_bytes()


def test_vectors_of_lemmas_are_looked_up_by_lemma(tmp_path: Path) -> None:
    pytest.importorskip("simplemma")
    rng = np.random.default_rng(2)
    # Dogs and cats sleep alike, whatever the number.
    groups = [(["dog", "dogs", "cat", "cats"], ["sleeps", "sleep", "slept"])]
    groups += [(["house", "houses", "tower", "towers"], ["stands", "stood", "stand"])]
    lines, other = [], []
    for number in rng.integers(0, 2, 1200):
        nouns, verbs = groups[number]
        lines.append(f"{rng.choice(nouns)} {rng.choice(verbs)} {rng.choice(nouns)}")
        other.append("hier hier hier")
    text = write(tmp_path / "text", lines)
    build_vectors([text], "en", str(tmp_path / "mono.bin"), variant="mono-lemma", **SMALL)
    build_vectors(
        [text],
        "en",
        str(tmp_path / "bi.bin"),
        variant="bi-lemma",
        source_language="de",
        others=[write(tmp_path / "other", other)],
        **SMALL,
    )
    for name in ("mono", "bi"):
        path = tmp_path / f"{name}.bin"
        words = load_vectors(str(path), "en", ResourceStore(tmp_path / "cache")).look_up(
            ["dog", "dogs", "sleep", "sleeps", "slept", "house"]
        )
        assert words.present.tolist() == [True, False, True, False, False, True]
        shared = f'meteor(vectors="{path}", stages=("exact", "vector"), threshold=0.7'
        keyed = tenbin.load_metric(f'{shared}, vector_key="lemma")', language="en")
        plain = tenbin.load_metric(f"{shared})", language="en")
        pair = ["cats slept"], ["dogs slept"]
        assert keyed.score(*pair).score > plain.score(*pair).score


# Taggers.


def test_no_tagger_or_not_installed(
    english: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = str(tmp_path / "v.bin")
    with pytest.raises(UsageError, match=r"no tagger for 'fr' .*de, en, ja, nl, ru.*`tags`"):
        build_vectors([str(english)], "fr", output, variant="pseudo-pos")

    def absent(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(parts_of_speech, "import_module", absent)
    load_tagger.cache_clear()
    for language, extra in (("de", "tags"), ("ru", "lexicons")):
        with pytest.raises(MissingExtra, match=rf"pip install 'tenbin\[{extra}\]'.*`tags`"):
            build_vectors([str(english)], language, output, variant="pseudo-pos")
    load_tagger.cache_clear()


@pytest.mark.parametrize(
    ("package", "language", "words", "tags"),
    [
        ("HanTa", "de", "Der Arzt kaufte ein neues Auto .", "DET NOUN VERB DET ADJ NOUN PUNCT"),
        ("HanTa", "en", "The doctor bought 20 new cars .", "DET NOUN VERB NUM ADJ NOUN PUNCT"),
        ("HanTa", "nl", "De arts kocht een nieuwe auto .", "DET NOUN VERB DET ADJ NOUN PUNCT"),
        ("pymorphy3", "ru", "Врач купил новую машину .", "NOUN VERB ADJ NOUN PUNCT"),
        ("sudachipy", "ja", "医者 が 新しい 車 を 買う 。", "NOUN ADP ADJ NOUN ADP VERB PUNCT"),
    ],
)
def test_taggers(package: str, language: str, words: str, tags: str) -> None:
    pytest.importorskip(package)
    tagger = load_tagger(language)
    assert [str(tag) for tag in tagger.tags(words.split())] == tags.split()
    assert tagger.versions
    odd = ["", " ", "\u0301", "🙂", "x" * 3000, "-", "Ⅷ", "日本", "a\u00a0b", "'", "don't", "§"]
    kept = [word for word in odd if word]
    assert len(tagger.tags(kept)) == len(kept)
    assert len(tagger.tags(kept[:1])) == 1


def test_the_tagger_is_in_the_card(english: Path, tmp_path: Path) -> None:
    pytest.importorskip("HanTa")
    options = {"dimensions": 8, "min_count": 2, "lowercase": True}
    output = tmp_path / "v.bin"
    card = build_vectors([str(english)], "en", str(output), variant="pseudo-pos", **options)
    assert card["other"]["made_by"] == "hanta"
    assert card["versions"]["HanTa"]
    assert 10 < card["other"]["vocabulary"] <= len(UniversalTag)


def test_every_start_of_a_tag_is_of_some_use() -> None:
    for tagset in ("hanta-de", "hanta-en", "hanta-nl", "opencorpora", "sudachi"):
        tags = universal_tags(tagset)
        assert tags("no such tag") is UniversalTag.X
    assert universal_tags("hanta-nl")("N(eigen,ev,basis,zijd,stan)") is UniversalTag.PROPN
    assert universal_tags("sudachi")("名詞,普通名詞,一般,*,*,*") is UniversalTag.NOUN
