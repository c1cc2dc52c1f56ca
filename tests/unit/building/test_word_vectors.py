"""Trained vectors: readable, reproducible, described, and whole or not there."""

import json
import logging
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tenbin.api.building import build_vectors
from tenbin.api.scoring import score
from tenbin.building.corpus import Corpus
from tenbin.building.vectors import fasttext, learning
from tenbin.building.vectors import training as word_vectors
from tenbin.building.vectors.numbered_text import NumberedText
from tenbin.building.vectors.recipe import Method, VectorTraining
from tenbin.building.vectors.training import CARD_ENDING, build_word_vectors
from tenbin.core.errors import InputError, MissingExtra, OutputError, UsageError
from tenbin.resources.store.fingerprints import file_sha256
from tenbin.resources.store.store import ResourceStore
from tenbin.resources.vectors.word_vectors import load_vectors

models = pytest.importorskip("gensim.models")

SMALL = {"dimensions": 20, "min_count": 2, "epochs": 2}


def training(method: str = "cbow", **changes: int) -> VectorTraining:
    return VectorTraining(method=Method(method), **(SMALL | changes))


def corpus(path: Path, language: str = "en", *, lemmas: bool = False) -> Corpus:
    return Corpus([str(path)], language, lowercase=True, lemmas=lemmas)


@pytest.mark.parametrize("method", ["cbow", "skipgram", "fasttext"])
def test_vectors_can_be_read(english: Path, tmp_path: Path, method: str) -> None:
    output = tmp_path / "vectors.bin"
    card = build_word_vectors(corpus(english), str(output), training(method))
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        output.name,
        f"{output.name}.card.json",
    ]
    if method == "fasttext":
        theirs = models.fasttext.load_facebook_vectors(str(output))
    else:
        theirs = models.KeyedVectors.load_word2vec_format(str(output), binary=True)
    assert theirs.vectors.shape == (card["vocabulary"], 20)
    words = list(theirs.index_to_key)
    assert words[0] == "the"
    ours = load_vectors(str(output), "en", ResourceStore(tmp_path / "cache"))
    assert (ours.dimensions, ours.word_count) == (20, len(words))
    assert ours.has_subwords == (method == "fasttext")
    known = ours.look_up([*words, "no-such-word-at-all"])
    assert known.present.tolist() == [True] * len(words) + [False]
    expected = np.stack([theirs[word] for word in words])
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    np.testing.assert_allclose(known.units[:-1], expected, atol=1e-6)


def test_fasttext_has_vectors_for_unknown_words(english: Path, tmp_path: Path) -> None:
    output = tmp_path / "vectors.bin"
    build_word_vectors(corpus(english), str(output), training("fasttext"))
    theirs = models.fasttext.load_facebook_vectors(str(output))
    ours = load_vectors(str(output), "en", ResourceStore(tmp_path / "cache"))
    known = ours.look_up(["unmountainous"], subwords=True)
    expected = theirs["unmountainous"] / np.linalg.norm(theirs["unmountainous"])
    np.testing.assert_allclose(known.units[0], expected, atol=1e-6)


def test_words_that_occur_together_are_near(tmp_path: Path) -> None:
    text = tmp_path / "text"
    rng = np.random.default_rng(5)
    lines = [
        " ".join(f"{topic}{number}" for number in rng.choice(20, 8, replace=False))
        for topic in rng.choice(["sea", "hill"], 800)
    ]
    text.write_text("\n".join(lines), encoding="utf-8")
    output = tmp_path / "vectors.bin"
    build_word_vectors(corpus(text), str(output), training("skipgram", epochs=10))
    found = models.KeyedVectors.load_word2vec_format(str(output), binary=True)
    for topic in ("sea", "hill"):
        nearest = [word for word, _ in found.most_similar(f"{topic}3", topn=10)]
        assert sum(word.startswith(topic) for word in nearest) >= 9


def test_one_job_and_a_seed_give_the_same_files_in_every_process(
    english: Path, tmp_path: Path
) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    for folder in (here, there):
        folder.mkdir()
    for method in ("cbow", "fasttext"):
        build_word_vectors(corpus(english), str(here / method), training(method))
    code = (
        "import sys\n"
        "from tenbin.building.corpus import Corpus\n"
        "from tenbin.building.vectors.recipe import Method, VectorTraining\n"
        "from tenbin.building.vectors.training import build_word_vectors\n"
        "for method in ('cbow', 'fasttext'):\n"
        f"    training = VectorTraining(method=Method(method), **{SMALL})\n"
        "    corpus = Corpus([sys.argv[1]], 'en', lowercase=True)\n"
        "    build_word_vectors(corpus, sys.argv[2] + '/' + method, training)\n"
    )
    hashes = {"PYTHONHASHSEED": "4321"}
    command = [sys.executable, "-c", code, str(english), str(there)]
    subprocess.run(command, env={**os.environ, **hashes}, check=True)
    names = sorted(path.name for path in here.iterdir())
    assert len(names) == 4
    assert [(here / name).read_bytes() == (there / name).read_bytes() for name in names] == [
        True
    ] * 4
    other = tmp_path / "other"
    build_word_vectors(corpus(english), str(other), training("cbow", seed=2))
    assert other.read_bytes() != (here / "cbow").read_bytes()


def test_the_card(english: Path, tmp_path: Path) -> None:
    output = tmp_path / "vectors.bin"
    card = build_word_vectors(corpus(english), str(output), training(jobs=2, seed=7))
    stored = json.loads(Path(f"{output}{CARD_ENDING}").read_text(encoding="utf-8"))
    assert stored == card
    assert card["sha256"] == file_sha256(output)
    assert card["corpus"] == [
        {"name": "corpus.en", "sha256": file_sha256(english), "lines": 320, "tokens": 6374}
    ]
    assert (card["lines"], card["tokens"], card["vocabulary"]) == (320, 6374, 616)
    assert card["tokens_with_vector"] < card["tokens"]
    assert card["parameters"] == {
        "method": "cbow",
        "dimensions": 20,
        "window": 5,
        "min_count": 2,
        "epochs": 2,
        "negative": 5,
        "sample": 1e-3,
        "rate": 0.05,
        "seed": 7,
        "jobs": 2,
    }
    assert card["variant"] == "mono"
    assert len(card["loss"]) == 2
    assert card["reproducible"] is False
    assert (card["language"], card["unit"], card["tokenizer"]) == ("en", "tokens", "13a")
    assert {"tenbin", "numpy", "sacrebleu"} == set(card["versions"])
    other = tmp_path / "fasttext.bin"
    card = build_word_vectors(corpus(english), str(other), training("fasttext"))
    assert {"tenbin", "gensim", "numpy", "sacrebleu"} == set(card["versions"])
    assert card["parameters"]["bucket"] == 20 * card["vocabulary"]


def test_lemmas(japanese: Path, tmp_path: Path) -> None:
    pytest.importorskip("sudachipy")
    output = tmp_path / "vectors.bin"
    card = build_word_vectors(corpus(japanese, "ja", lemmas=True), str(output), training())
    assert (card["unit"], card["lowercase"]) == ("lemmas", True)
    words = models.KeyedVectors.load_word2vec_format(str(output), binary=True).index_to_key
    assert "する" in words
    assert "し" not in words


def test_the_steps_are_shown(
    english: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: dict[str, tuple[int | None, list[int]]] = {}

    class Step:
        def __init__(self, label: str, total: int | None) -> None:
            self.done: list[int] = []
            shown[label] = (total, self.done)

        def __enter__(self) -> object:
            return self.done.append

        def __exit__(self, *_: object) -> None:
            return

    monkeypatch.setattr(learning, "_BLOCK_WORDS", 100)
    for method in ("cbow", "fasttext"):
        shown.clear()
        chosen = training(method)
        build_word_vectors(corpus(english), str(tmp_path / method), chosen, phase=Step)  # type: ignore[arg-type]
        assert list(shown) == ["tokenizing", "training"]
        for total, done in shown.values():
            assert sum(done) == total
            assert len(done) > 100


@pytest.mark.parametrize(
    ("method", "module", "moment"),
    [
        ("cbow", learning, "train_text"),
        ("cbow", word_vectors, "learn_vectors"),
        ("cbow", word_vectors, "write_word2vec_binary"),
        ("fasttext", models.FastText, "train"),
        ("fasttext", models.FastText, "build_vocab_from_freq"),
        ("fasttext", models.fasttext, "save_facebook_model"),
    ],
)
@pytest.mark.parametrize("jobs", [1, 2])
def test_an_interrupt_leaves_nothing(
    english: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    method: str,
    module: object,
    moment: str,
    jobs: int,
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(module, moment, interrupted)
    with pytest.raises(KeyboardInterrupt):
        build_word_vectors(
            corpus(english), str(tmp_path / "vectors.bin"), training(method, jobs=jobs)
        )
    assert list(tmp_path.iterdir()) == []


def test_a_failed_training_leaves_the_old_files(
    english: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = tmp_path / "vectors.bin"
    for path in (output, Path(f"{output}{CARD_ENDING}")):
        path.write_text("old")
        with pytest.raises(UsageError, match="there is such a file already"):
            build_word_vectors(corpus(english), str(output), training())
        assert path.read_text() == "old"

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    for module, moment in ((word_vectors, "write_word2vec_binary"), (NumberedText, "_store_block")):
        with monkeypatch.context() as patched:
            patched.setattr(module, moment, full)
            with pytest.raises(OutputError, match="No space left"):
                build_word_vectors(corpus(english), str(output), training(), force=True)
        assert sorted(path.read_text() for path in tmp_path.iterdir()) == ["old", "old"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "there is no word in the corpus"),
        ("\n\n", "there is no word in the corpus"),
        (
            "a b a\n",
            "no word occurs 3 times among all tokens .3.*'a', occurs 2 times.*smaller min_count",
        ),
    ],
)
def test_texts_that_are_too_small(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "text"
    path.write_text(text)
    with pytest.raises(InputError, match=words):
        build_word_vectors(corpus(path), str(tmp_path / "v.bin"), training(min_count=3))
    assert [one.name for one in tmp_path.iterdir()] == ["text"]


def test_without_gensim_the_extra_is_named(
    english: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def absent(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(fasttext, "import_module", absent)
    with pytest.raises(MissingExtra, match=r"pip install 'tenbin\[build\]'"):
        build_word_vectors(corpus(english), str(tmp_path / "v.bin"), training("fasttext"))
    build_word_vectors(corpus(english), str(tmp_path / "v.bin"), training())


@pytest.mark.parametrize(
    "change",
    [{name: 0} for name in ("dimensions", "window", "min_count", "epochs", "negative", "jobs")]
    + [{"seed": -1}, {"seed": 2**32}, {"dimensions": 2.5}, {"rate": 0}, {"rate": 1.5}]
    + [{"sample": -0.1}, {"sample": float("nan")}, {"beta": -1}, {"beta": float("inf")}],
    ids=str,
)
def test_wrong_numbers(change: dict[str, float]) -> None:
    (name,) = change
    with pytest.raises(UsageError, match=f"{name}="):
        VectorTraining(**change)  # type: ignore[arg-type]


def test_gensim_is_quiet_and_its_log_as_loud_as_before(
    english: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    logger = logging.getLogger("gensim")
    before = logger.level
    build_word_vectors(corpus(english), str(tmp_path / "v.bin"), training("fasttext", jobs=4))
    assert logger.level == before
    assert capfd.readouterr() == ("", "")


def test_chinese_is_cut_into_the_words_that_metrics_look_up(tmp_path: Path) -> None:
    pytest.importorskip("jieba")
    text = tmp_path / "text.zh"
    text.write_text("他来到了网易杭研大厦。\n我来到北京清华大学。\n" * 20, encoding="utf-8")
    output = tmp_path / "zh.bin"
    card = build_vectors([str(text)], "zh", str(output), dimensions=4)
    assert card["tokenizer"] == "jieba"
    spec = f'has(vectors="{output}")'
    # It would be refused where few words have a vector.
    table = score(["我来到北京。"], ["他来到北京。"], metrics=[spec], language="zh")
    assert not any("have a vector" in note for note in table.notes)
