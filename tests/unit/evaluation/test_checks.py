"""Notes on texts: what a metric makes of scripts without spaces."""

from pathlib import Path

import pytest

import tenbin
from tenbin.core.errors import ScriptMismatch
from tenbin.evaluation.run import Options
from tenbin.evaluation.score_cache import ScoreCache, evaluate_cached

UNSPACED = {
    "ja": "昨日は雨が降っていたので家にいました。",
    "zh": "昨天下雨了所以我一直待在家里没有出门。",
    "th": "เมื่อวานฝนตกผมจึงอยู่บ้านทั้งวัน",
}
OF_SPACES = ("chrf++", "chrf+", "ter")


def notes(language: str, text: str, *metrics: str) -> list[str]:
    return list(tenbin.score([text], [text], metrics=metrics, language=language).notes)


@pytest.mark.parametrize("language", UNSPACED)
@pytest.mark.parametrize("metric", OF_SPACES)
def test_metrics_that_split_at_spaces_say_so_where_there_are_none(
    language: str, metric: str
) -> None:
    (note,) = notes(language, UNSPACED[language], metric)
    assert f"in {language}, which is written without spaces" in note
    assert note.startswith("TER" if metric == "ter" else "chrF++")


def test_each_thing_is_said_once() -> None:
    assert len(notes("ja", UNSPACED["ja"], "chrf+", "chrf++", "chrf(word_order=3)")) == 1


@pytest.mark.parametrize("metric", ["chrf", "ter(normalized=True, asian_support=True)"])
def test_characters_need_no_note(metric: str) -> None:
    assert notes("ja", UNSPACED["ja"], metric) == []


@pytest.mark.parametrize("metric", OF_SPACES)
def test_text_with_spaces_needs_no_note(metric: str) -> None:
    assert notes("ja", "昨日 は 雨 が 降っ て い た", metric) == []
    assert notes("en", "it rained yesterday", metric) == []


def test_other_metrics_refuse_such_text() -> None:
    with pytest.raises(ScriptMismatch, match="does not find words in 'ja'"):
        notes("ja", UNSPACED["ja"], 'bleu(tokenizer="13a")')


def test_cached_scores_come_with_the_notes_of_the_first_run(tmp_path: Path) -> None:
    texts = tenbin.TestSet(hypotheses={"a": (UNSPACED["ja"],)}, references=((UNSPACED["ja"],),))
    cache = ScoreCache(tmp_path)
    first, second = (
        evaluate_cached(texts, ["chrf++"], "ja", Options(), cache).notes for _ in range(2)
    )
    assert first == second != ()


def test_what_cuts_a_text_into_characters_is_named_where_it_does() -> None:
    (japanese,), (thai,) = (notes(one, UNSPACED[one], "ter") for one in ("ja", "th"))
    assert "asian_support=True" in japanese
    assert thai.endswith("which is written without spaces; wer and chrf do not.")


@pytest.mark.parametrize(
    ("text", "script"), [("बिल्ली चटाई पर बैठी ।", "Deva"), (UNSPACED["th"], "Thai")]
)
def test_vowel_signs_are_no_letters(text: str, script: str) -> None:
    with pytest.raises(ScriptMismatch, match=f": 100 % of their letters are {script}"):
        tenbin.score([text], [text], metrics=["chrf"], language="en")


def test_a_text_that_is_mostly_in_another_script_is_noted() -> None:
    text = "宝可梦 Pokémon 系列游戏在北京发布以后受到广大玩家欢迎"
    (note,) = notes("pt", text, "chrf")
    assert note.startswith("only 24% of the letters of the references are in the script of pt; ")
    assert notes("zh", text, "chrf") == []
