"""Tokenizers that are opened without transformers cut texts as it does."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("transformers")

from tenbin.annotation.encoders.library_tokenizer import LibraryTokenizer
from tenbin.annotation.encoders.tokenizer_file import ROLES, TokenizerFile, open_tokenizer_file
from tenbin.core.errors import MissingResource
from tenbin.resources.checkpoints import find_checkpoint

PIECES = (
    *("[CLS]", "[SEP]", "[UNK]", "[MASK]", "[PAD]", "<s>", "</s>", "<pad>", "<unk>", "<mask>"),
    *(
        " ",
        "\t",
        "\u3000",
        "\u200b",
        "\0",
        "the",
        "CATS",
        "naïve",
        "Ångström",
        "猫",
        "한국어",
        "👩‍🚀",
        "##s",
    ),
)
TEXTS = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=8)), max_size=12).map("".join)


@pytest.fixture(params=["tiny_model", "tiny_mpnet"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    shutil.copytree(request.getfixturevalue(request.param), tmp_path / "model")
    return tmp_path / "model"


@pytest.fixture(scope="module", params=["minilm-en", "mpnet-en"])
def both(request: pytest.FixtureRequest) -> tuple[TokenizerFile, LibraryTokenizer]:
    try:
        place = find_checkpoint(request.param, "en").folder
    except MissingResource as missing:
        pytest.skip(str(missing))
    own = open_tokenizer_file(place)
    assert own is not None
    return own, LibraryTokenizer(place)


def changed(folder: Path, name: str, **values: Any) -> None:
    path = folder / name
    path.write_text(json.dumps(json.loads(path.read_text()) | values))


def bert(folder: Path) -> None:
    """Let a folder be one of BERT's, by the settings that its tokenizer has."""
    more = {"do_lower_case": True, "strip_accents": None, "tokenize_chinese_chars": True}
    changed(folder, "tokenizer_config.json", tokenizer_class="BertTokenizer", **more)
    model = json.loads((folder / "tokenizer.json").read_text())["model"]
    usual = {"continuing_subword_prefix": "##", "max_input_chars_per_word": 100}
    changed(folder, "tokenizer.json", model=model | usual)


def test_what_both_know_is_the_same(both: tuple[TokenizerFile, LibraryTokenizer]) -> None:
    own, library = both
    assert own.size == library.size
    assert own.longest == library.longest == 512
    assert {role: own.special(role) for role in ROLES} == {
        role: library.special(role) for role in ROLES
    }
    every = range(own.size)
    assert own.names(every) == library.names(every)
    assert own.tokenize_pair("a cat", "the dogs") == library.tokenize_pair("a cat", "the dogs")


@given(st.lists(TEXTS, min_size=1, max_size=4))
def test_any_text_is_cut_alike(
    both: tuple[TokenizerFile, LibraryTokenizer], texts: list[str]
) -> None:
    own, library = both
    some = [text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") for text in texts]
    assert own.tokenize(some) == library.tokenize(some)
    assert own.plain(some) == library.plain(some)


def test_long_texts_are_not_truncated(both: tuple[TokenizerFile, LibraryTokenizer]) -> None:
    own, library = both
    text = "a cat sat on the mat, and " * 200
    assert own.plain([text, "x" * 300]) == library.plain([text, "x" * 300])
    assert len(own.plain([text])[0]) > 1_000


def test_a_generic_tokenizer_is_its_file(folder: Path) -> None:
    own, library = open_tokenizer_file(folder), LibraryTokenizer(folder)
    assert own is not None
    texts = ["The CATS sat on a mat.", "", "[MASK] <mask> 猫"]
    assert own.tokenize(texts) == library.tokenize(texts)
    assert own.longest == library.longest


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("tokenizer_config.json", {"tokenizer_class": "BertJapaneseTokenizer"}),
        ("tokenizer_config.json", {"tokenizer_class": "RobertaTokenizerFast"}),
        ("tokenizer_config.json", {"auto_map": {"AutoTokenizer": "own.py"}}),
        ("tokenizer_config.json", {"split_special_tokens": True}),
        ("tokenizer_config.json", {"unk_token": "[NOTHING]"}),
        ("tokenizer_config.json", {"added_tokens_decoder": {"7": {"content": "[X]"}}}),
        ("tokenizer.json", {"added_tokens": []}),
        ("tokenizer.json", {"model": {"type": "no such model"}}),
    ],
    ids=str,
)
def test_what_transformers_may_change_is_left_to_it(
    folder: Path, name: str, values: dict[str, Any]
) -> None:
    changed(folder, name, **values)
    assert open_tokenizer_file(folder) is None


@pytest.mark.parametrize(
    "values",
    [
        {"do_lower_case": False},
        {"strip_accents": True},
        {"tokenize_chinese_chars": False},
        {"unk_token": None},
        {"mask_token": None},
    ],
    ids=str,
)
def test_settings_that_differ_from_the_file_are_left_to_transformers(
    tiny_model: Path, tmp_path: Path, values: dict[str, Any]
) -> None:
    folder = tmp_path / "bert"
    shutil.copytree(tiny_model, folder)
    bert(folder)
    assert open_tokenizer_file(folder) is not None
    changed(folder, "tokenizer_config.json", **values)
    assert open_tokenizer_file(folder) is None


def test_special_tokens_elsewhere_are_left_to_transformers(
    tiny_model: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "bert"
    shutil.copytree(tiny_model, folder)
    bert(folder)
    assert open_tokenizer_file(folder) is not None
    changed(folder, "tokenizer.json", post_processor=None)
    assert open_tokenizer_file(folder) is None


@pytest.mark.parametrize("name", ["tokenizer.json", "tokenizer_config.json"])
def test_a_missing_or_damaged_file_is_left_to_transformers(folder: Path, name: str) -> None:
    (folder / name).write_bytes(b"{\xff")
    assert open_tokenizer_file(folder) is None
    (folder / name).unlink()
    assert open_tokenizer_file(folder) is None


@pytest.mark.parametrize("metric", ["tenbin-fast", "bertscore"])
def test_metrics_run_without_transformers(metric: str) -> None:
    code = (
        "import sys, tenbin\n"
        "tenbin.score(['a cat'], ['the cat'], metrics=sys.argv[1:], language='en', cache=False)\n"
        "assert 'torch' in sys.modules and 'transformers' not in sys.modules"
    )
    try:
        find_checkpoint("minilm-en", "en")
    except MissingResource as missing:
        pytest.skip(str(missing))
    subprocess.run([sys.executable, "-c", code, metric], check=True)
