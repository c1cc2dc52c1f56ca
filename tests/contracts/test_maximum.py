"""Contract: only texts of the same words reach the best score, in every language with vectors.

Tables that are pruned give thousands of words the row of another word: two names or two years then
have one vector. Words that a metric takes for one and the same (capitals that it folds, spellings
of one word in Sudachi's dictionary) are not what this is about.
"""

from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest

from tenbin.core.errors import ResourceError
from tenbin.core.spec import Spec
from tenbin.core.text import TestSet
from tenbin.evaluation.statistics import chunk_statistics
from tenbin.metrics import registry
from tenbin.resources.vectors import load_vectors

# A score that is printed as the best one must be the best one.
LEAST_LOSS = 1e-4
TABLES = {
    "en": "glove-en-small",
    "fr": "vectors-fr",
    "ja": "vectors-ja",
    "ru": "vectors-ru",
    "zh": "vectors-zh",
}
# Each stands in the same place of a sentence: names, years, colors, days, and words of no language.
WORDS = {
    "en": ("Smith", "Jones", "Monday", "Tuesday", "2018", "2019", "red", "blue", "qwxz", "vbkj"),
    "fr": ("Dupont", "Hugo", "lundi", "mardi", "2018", "2019", "rouge", "bleu", "qwxz", "vbkj"),
    "ja": (
        *("カービィ", "メタナイト", "田中", "鈴木", "月曜日", "火曜日", "2018", "2019", "赤", "青"),
        *("ヌヘモ", "ソユヲ"),
    ),
    "ru": ("Иванов", "Петров", "понедельник", "вторник", "2018", "2019", "красный", "синий"),
    "zh": ("王伟", "李娜", "星期一", "星期二", "2018", "2019", "红色", "蓝色"),
}
SENTENCES = {
    "en": ("The {} report arrived late .", "We saw {} ."),
    "fr": ("Le rapport {} est en retard .", "Nous avons vu {} ."),
    "ja": ("{}がデデデ大王を倒した。", "{}の報告が届いた。"),
    "ru": ("Отчёт {} пришёл поздно .", "Мы видели {} ."),
    "zh": ("{}的报告来得很晚。", "我们看到了{}。"),
}


def spec_with(
    name: str, wanted: set[str], table: str, training: tuple[tuple[str, int], ...]
) -> str:
    """Return the spec of a metric over a table, where it compares by vectors."""
    if "model" in wanted:
        return str(Spec(name, (("model", f"static:{table}"),)))
    return str(Spec(name, (("vectors", table), *training))) if "vectors" in wanted else name


def replaced(language: str) -> TestSet:
    """Return sentences that differ from their reference in one word."""
    pairs = [
        (sentence.format(one), sentence.format(other))
        for sentence in SENTENCES[language]
        for one, other in combinations(WORDS[language], 2)
    ]
    return TestSet(
        hypotheses={"other": tuple(one for one, _ in pairs)},
        references=tuple((other,) for _, other in pairs),
        source=tuple(other for _, other in pairs),
    )


@pytest.mark.parametrize("language", TABLES)
def test_only_equal_words_reach_the_best_score(
    spec: str,
    wanted: set[str],
    training: tuple[tuple[str, int], ...],
    adapter_of: Callable[[str], str],
    language: str,
) -> None:
    table = TABLES[language]
    try:
        load_vectors(table, language)
    except ResourceError as error:
        pytest.skip(str(error))
    full = spec_with(spec, wanted, table, training)
    if "adapter" in wanted:
        full = str(Spec(spec, (("adapter", adapter_of(language)),)))
    metric = registry.load(full).bind(language)
    texts = replaced(language)
    scores = metric.segment_score(chunk_statistics(texts, [metric])[0])[0]
    best = metric.info.maximum if metric.info.higher_is_better else metric.info.minimum
    reached = np.flatnonzero(np.abs(scores - best) < LEAST_LOSS * max(1.0, abs(best)))
    assert not [(texts.hypotheses["other"][n], texts.references[n][0]) for n in reached.tolist()]


@pytest.mark.parametrize("name", ["mas", "has", "we_wpi", "sv", "wmd", "yisi1"])
@pytest.mark.parametrize("pair", [("a dog barked", "A dog barked"), ("X fell", "x fell")])
def test_unknown_words_are_folded_as_known_ones(name: str, pair: tuple[str, str]) -> None:
    metric = registry.load(name).bind("en")
    texts = TestSet(hypotheses={"other": (pair[0],)}, references=((pair[1],),))
    score = metric.segment_score(chunk_statistics(texts, [metric])[0])[0, 0]
    assert score == pytest.approx(metric.info.maximum, abs=1e-6)
