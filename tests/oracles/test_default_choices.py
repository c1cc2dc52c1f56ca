"""Switches and named choices: the default is the one of the source, and another scores otherwise.

Each line has the value that the paper, program or record names, another value, and a pair of texts
on which the two differ. The metric that is told nothing must score as the metric that is told the
value: so a line fails if the default changes, and if the choice loses its effect.
"""

from pathlib import Path
from typing import NamedTuple

import pytest

import tenbin
from tenbin.annotation.encoders.settings import NumberType
from tenbin.building.paraphrases.sets import sets_from_groups
from tenbin.core.errors import LowCoverage
from tenbin.metrics import registry
from tenbin.metrics.bertscore import BertScore
from tenbin.metrics.tenbin_score import TenbinScore
from tenbin.penalty.choices import Coefficient
from tenbin.resources.paraphrases import write_paraphrase_sets

# Unit vectors; `anti` is the opposite of `cat`, and `Cat` another word.
VECTORS = """\
cat 1 0 0
Cat 0 .6 .8
kitten .8 .6 0
dog 0 1 0
anti -1 0 0
sat 0 0 1
sits 0 .28 .96
the .36 .48 .8
one .9 .436 0
two .3 -.13 .9457
three 1 0 0
four 0 .4587 -.8886
half .52 0 .854166
less .42 0 .907524
faint .05 .998749 0
"""
SETS = (("big cat", "lion"), ("lion", "beast"), ("dog", "hound"))
VECTOR_METRICS = {"has", "mas", "mee", "sv", "was", "we_wpi", "wmd", "yisi1"}
MODEL_METRICS = {"bertscore", "moverscore", "tenbin", "yisi1-context"}
Texts = tuple[str, ...]


class Case(NamedTuple):
    """A choice of some metrics.

    Attributes:
        metrics: Their names.
        parameter: The parameter.
        value: The value that the source names, as a spec writes it.
        other: Another value.
        own: Hypotheses.
        answer: References.
        source: Who says so.
        given: What else the metrics are told.
    """

    metrics: str
    parameter: str
    value: str
    other: str
    own: Texts
    answer: Texts
    source: str
    given: str = ""


ANY_VECTORS = "has mas mee sv was we_wpi wmd yisi1"
CASES = [
    # Text.
    Case(
        "has mas mee sv was we_wpi wmd onehot yisi0 per wer character "
        "chrf bleu bp-bleu gm mup nist sentbleu",
        "lowercase",
        "False",
        "True",
        ("Cat sat Dog sat the kitten", "sat the dog the cat", "the cat sat"),
        ("cat sat dog sat the kitten", "sat the dog the cat", "the dog sat"),
        "the text as it stands: sacrebleu, NLTK, YiSi, cer",
    ),
    Case(
        "impact ribes meteor paraeval",
        "lowercase",
        "True",
        "False",
        ("The Cat sat",),
        ("the cat sat",),
        "RIBES.py without -c; METEOR -norm; specs/surface.md; specs/paraeval.md",
    ),
    Case(
        "bleu",
        "effective_order",
        '"segment"',
        '"never"',
        ("the cat",),
        ("the cat",),
        "sacrebleu --sentence-level",
    ),
    Case(
        "nist",
        "max_order",
        "5",
        "6",
        ("a b c d e f a b c d e g",),
        ("a b c d e f a b c d e g",),
        "Doddington (2002); NLTK",
    ),
    # Word vectors: specs/embedding.md and decision 0016.
    Case(
        f"{ANY_VECTORS} yisi2",
        "fold_case",
        "True",
        "False",
        ("Kitten Sat the dog",),
        ("cat sat the dog",),
        "decision 0015: tables are of lower case",
    ),
    Case(
        "has mas was",
        "length_penalty",
        "False",
        "True",
        ("cat",),
        ("cat sat dog",),
        "Matsuo et al. (2017): a variant at system level",
    ),
    Case(
        "has mas was",
        "rejected",
        '"zero"',
        '"survivors"',
        ("cat anti",),
        ("cat cat",),
        "Matsuo et al. (2017) leave their formulas as they are",
    ),
    Case(
        "has mas",
        "threshold",
        "0",
        "0.1",
        ("faint",),
        ("cat",),
        "decision 0016: nothing but negative cosines is rejected",
    ),
    # Cosines .9 .2 / .3 -.9: the best matching takes .2 and .3, that without negatives .9 and 0.
    Case(
        "has",
        "order",
        '"match_then_reject"',
        '"zero_first"',
        ("one two",),
        ("three four",),
        "specs/embedding.md, open choice 2",
    ),
    Case("we_wpi", "clip", "True", "False", ("cat",), ("anti",), "decision 0016"),
    Case("we_wpi", "normalized", "True", "False", ("cat sat",), ("cat",), "decision 0016"),
    Case(
        "we_wpi",
        "tf",
        '"sentence"',
        '"collection"',
        ("cat cat sat", "dog sat"),
        ("cat sat", "dog sat sat"),
        "decision 0016",
    ),
    Case(
        "we_wpi",
        "position",
        '"linear"',
        '"exp"',
        ("sat cat",),
        ("cat sat",),
        "Echizen'ya et al. (2019)",
    ),
    Case(
        "we_wpi",
        "alignment",
        '"soft"',
        '"hard"',
        ("kitten sits",),
        ("cat the dog",),
        "decision 0016",
    ),
    Case(
        "wmd", "form", '"inverse"', '"negative"', ("kitten",), ("cat",), "higher is better, up to 1"
    ),
    Case("mee", "root", "0.5", "0.55", ("half dog",), ("cat dog",), "specs/surface.md 10"),
    Case("mee", "synonym", "0.4", "0.44", ("less dog",), ("cat dog",), "specs/surface.md 10"),
    Case(
        "mee",
        "compat",
        "False",
        "True",
        ("cat sat",),
        ("cat kitten dog",),
        "a word that is matched exactly is matched once",
    ),
    Case("mee", "oov", '"zero"', '"drop"', ("zzz cat",), ("cat yyy",), "specs/surface.md 10"),
    Case(
        "has mas was we_wpi yisi1 yisi2",
        "oov",
        '"identity"',
        '"zero"',
        ("zzz cat",),
        ("zzz dog",),
        "specs/embedding.md",
    ),
    Case("sv wmd", "oov", '"identity"', '"drop"', ("zzz cat",), ("yyy cat",), "decision 0032"),
    # Models: specs/contextual.md.
    Case(
        "yisi1-context",
        "ngram",
        "3",
        "4",
        ("cat sat the dog kitten",),
        ("the cat sits dog sat",),
        "YiSi",
    ),
    Case(
        "bertscore tenbin",
        "idf",
        "False",
        "True",
        ("cat sits", "dog sits"),
        ("kitten sat", "dog sat"),
        "bert-score",
    ),
    Case(
        "moverscore yisi1-context",
        "idf",
        "True",
        "False",
        ("cat sits", "dog sits"),
        ("kitten sat", "dog sat"),
        "the programs of MoverScore and YiSi",
    ),
    Case("bertscore", "measure", '"f"', '"r"', ("cat",), ("cat sat",), "Zhang et al. (2020)"),
    Case("moverscore", "ngram", "1", "2", ("cat sat dog",), ("dog cat sits",), "MoverScore v2"),
    Case("moverscore", "variant", '"v2"', '"v1"', ("kitten",), ("cat",), "specs/contextual.md"),
    # Names and numbers: off, but in the preset.
    Case(
        f"{ANY_VECTORS} onehot yisi0 impact meteor bertscore moverscore yisi1-context paraeval",
        "penalty",
        '"none"',
        '"numbers"',
        ("the cat sat 7 dog in Paris",),
        ("the cat sat 9 dog in London",),
        "the metric of its paper",
    ),
    Case(
        "tenbin",
        "penalty",
        '"numbers"',
        '"none"',
        ("cat sat 700 in Paris",),
        ("cat sat 900 in London",),
        "the preset that was measured",
    ),
    # docs/measurements/names-and-numbers.md: half is lost to the first wrong name or number.
    Case(
        f"{ANY_VECTORS} onehot yisi0 impact meteor bertscore moverscore yisi1-context paraeval",
        "strength",
        "0.5",
        "0.55",
        ("the cat sat 7 dog",),
        ("the cat sat 9 dog",),
        "minimal pairs: tests/oracles/test_minimal_pairs.py",
        given='penalty="numbers"',
    ),
    # ParaEval: Zhou et al. (2006) and specs/paraeval.md.
    Case(
        "paraeval",
        "measure",
        '"precision"',
        '"recall"',
        ("lion",),
        ("big cat sat",),
        "Zhou et al. (2006)",
    ),
    Case(
        "paraeval", "merge", '"none"', '"components"', ("beast",), ("big cat",), "specs/paraeval.md"
    ),
    Case("paraeval", "min_length", "1", "2", ("hound",), ("dog",), "Zhou et al. (2006)"),
    # METEOR 1.5 and METEOR-E.
    Case(
        "meteor",
        "characters",
        "False",
        "True",
        ("the cat elephant",),
        ("the dog elephant",),
        "METEOR 1.5 counts words",
    ),
    Case(
        "meteor",
        "function_words",
        '"meteor-1.5"',
        '"none"',
        ("the cat",),
        ("the dog",),
        "METEOR 1.5",
    ),
]
SCORED = [
    pytest.param(case, name, id=f"{name}-{case.parameter}")
    for case in CASES
    for name in case.metrics.split()
]


@pytest.fixture(autouse=True)
def _own_encodings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TENBIN_ENCODINGS", str(tmp_path / "encodings"))


@pytest.fixture
def data(tmp_path: Path) -> dict[str, str]:
    """The files that metrics must be told, as parts of a spec."""
    (tmp_path / "toy.vec").write_text(f"15 3\n{VECTORS}", encoding="utf-8")
    table = tmp_path / "toy.paraphrases"
    write_paraphrase_sets(str(table), sets_from_groups(SETS), {"language": "en"})
    told = dict.fromkeys(VECTOR_METRICS, f"vectors={str(tmp_path / 'toy.vec')!r}")
    told |= dict.fromkeys(MODEL_METRICS, f'model="static:{tmp_path / "toy.vec"}"')
    vectors = told["has"]
    return told | {
        "paraeval": f'table={str(table)!r}, tokenizer="none"',
        "meteor": 'stages=("exact",), tokenizer="none"',
        "yisi2": f"{vectors}, source_{vectors}",
    }


@pytest.mark.parametrize(("case", "name"), SCORED)
def test_the_choice_of_the_source(case: Case, name: str, data: dict[str, str]) -> None:
    def scores(told: str = "") -> tuple[float, ...]:
        inside = ", ".join(part for part in (data.get(name, ""), case.given, told) if part)
        metric = tenbin.load_metric(f"{name}({inside})", language="en")
        source = list(case.answer) if name == "yisi2" else None
        made = metric.score(list(case.own), list(case.answer), source=source)
        return (float(made.score), *(float(score) for score in made.segments))

    plain = scores()
    assert plain == pytest.approx(scores(f"{case.parameter}={case.value}"), abs=1e-12)
    assert plain != pytest.approx(scores(f"{case.parameter}={case.other}"), abs=1e-9)


@pytest.mark.parametrize("name", sorted({*VECTOR_METRICS, "yisi2"}))
def test_one_word_of_ten_must_have_a_vector(name: str, data: dict[str, str]) -> None:
    # Decision 0016: below it the vectors are those of another language.
    metric = tenbin.load_metric(f"{name}({data[name]})", language="en")

    def score(count: int) -> float:
        text = ["cat dog " + " ".join(f"x{'y' * number}" for number in range(count - 2))]
        source = text if name == "yisi2" else None
        return metric.score(text, text, source=source).score

    assert score(20) > 0  # two of twenty
    with pytest.raises(LowCoverage):
        score(21)


def test_no_word_is_left_out(data: dict[str, str], tmp_path: Path) -> None:
    # Kusner et al. (2015) leave stop words out; metrics of translation count every word.
    (tmp_path / "stop").write_text("the\n", encoding="utf-8")

    def score(told: str = "") -> float:
        spec = f"wmd({data['wmd']}{told})"
        return tenbin.load_metric(spec, language="en").score(["the cat"], ["the dog"]).score

    assert score() == score(', stop_words="none"')
    assert score() != pytest.approx(score(f", stop_words={str(tmp_path / 'stop')!r}"))


@pytest.mark.parametrize("name", [*sorted(MODEL_METRICS), "yisi2-context"])
def test_models_compute_in_32_bits(name: str) -> None:
    # As bert-score does, whose numbers in tests/oracles/test_bertscore.py are met so.
    assert registry.load(name).dtype is NumberType.FLOAT32  # type: ignore[attr-defined]


def test_how_rare_names_are_compared() -> None:
    # Tanahashi et al. (2020): a coefficient for precision and one for recall. What the three do is
    # tested in tests/unit/metrics/test_bertscore_penalty.py.
    assert BertScore().coefficient is TenbinScore().coefficient is Coefficient.DIRECTION
