"""The names of the run's glossary as words of Japanese, in every metric that Sudachi cuts for."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import tenbin
from tenbin.annotation.glossary_words import with_glossary_names
from tenbin.annotation.tokenizers import load_tokenizer, plain_tokenizer
from tenbin.core.run_glossary import NO_GLOSSARY, using_glossary
from tenbin.resources.lexicons.sudachi_names import load_names_dictionary
from tenbin.resources.store.lookup import CACHE_VARIABLE

pytest.importorskip("sudachipy")

SPECS = (
    'bleu(tokenizer="sudachi-c")',
    'meteor(paraphrases="none", stages=["exact"])',
    'paraeval(table="none", tokenizer="sudachi-a")',
)
# Without the dictionary ハイラル城 is two words.
REFERENCE, HYPOTHESIS = "カービィはハイラル城で戦った。", "カービィは城で戦った。"


@pytest.fixture(scope="module")
def glossary(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A list of names, with a cache folder of its own."""
    file = tmp_path_factory.mktemp("names") / "names.txt"
    file.write_text("カービィ\nハイラル城\nKirby\n", encoding="utf-8")
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv(CACHE_VARIABLE, str(tmp_path_factory.mktemp("cache")))
        yield str(file)
    load_names_dictionary.cache_clear()
    load_tokenizer.cache_clear()


def test_only_sudachi_takes_names(glossary: str) -> None:
    assert with_glossary_names("sudachi-c", "ja") == "sudachi-c"
    with using_glossary(glossary):
        named = with_glossary_names("sudachi-c", "ja")
        assert plain_tokenizer(named) == "sudachi-c" != named
        assert with_glossary_names(named, "ja") == named
        assert with_glossary_names("char", "ja") == "char"
        assert with_glossary_names("sudachi-c", "zh") == "sudachi-c"
        with using_glossary(NO_GLOSSARY):
            assert with_glossary_names("sudachi-c", "ja") == "sudachi-c"
    assert load_tokenizer(named).tokenize("ハイラル城だ") == ["ハイラル城", "だ"]


def test_a_glossary_without_names_of_japanese(tmp_path: Path) -> None:
    file = tmp_path / "names.txt"
    file.write_text("Kirby\n", encoding="utf-8")
    with using_glossary(str(file)):
        assert with_glossary_names("sudachi-c", "ja") == "sudachi-c"


@pytest.mark.parametrize("spec", SPECS)
def test_scores_and_signatures_depend_on_it(glossary: str, spec: str) -> None:
    def scored(file: str | None = None) -> "tenbin.ScoreTable":
        texts = ([HYPOTHESIS], [REFERENCE])
        return tenbin.score(*texts, metrics=[spec], language="ja", glossary=file)

    plain, named = scored(), scored(glossary)
    assert plain.results[0].scores[0] != named.results[0].scores[0]
    assert re.search(r":sudachi-[ac]\+[0-9a-f]{12}\|", str(named.results[0].signature))
    assert "+" not in str(plain.results[0].signature)
    assert not any("no score depends on the glossary" in note for note in named.notes)
    # The next run has none.
    assert scored().results[0].scores[0] == plain.results[0].scores[0]


def test_worker_processes_have_the_dictionary(glossary: str) -> None:
    texts = ([HYPOTHESIS] * 60, [REFERENCE] * 60)
    one, two = (
        tenbin.score(*texts, metrics=[SPECS[0]], language="ja", glossary=glossary, jobs=jobs)
        for jobs in (1, 2)
    )
    assert one.results[0].scores[0] == two.results[0].scores[0]


def test_a_run_that_says_none_has_no_names() -> None:
    with using_glossary(NO_GLOSSARY):
        assert with_glossary_names("sudachi-c", "ja") == "sudachi-c"
