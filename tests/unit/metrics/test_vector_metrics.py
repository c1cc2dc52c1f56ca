"""What metrics over word vectors share: unknown words, case, references, coverage, memory."""

from pathlib import Path

import numpy as np
import pytest

import tenbin
from tenbin.core.arrays import FloatArray
from tenbin.core.errors import InvalidParameter, LowCoverage, UsageError
from tenbin.core.text import TestSet
from tenbin.evaluation.statistics import chunk_statistics
from tenbin.metrics.registry import load
from tenbin.metrics.representations import compared
from tenbin.metrics.representations.blocks import part_bounds

TOY = str(Path(__file__).resolve().parents[2] / "data" / "toy-vectors" / "toy.vec")
OVER_VECTORS = ("sv", "was", "mas", "has", "wmd", "we_wpi", "yisi1", "mee")
LEARNING = ("we_wpi", "yisi0", "yisi1")
ALL = ("onehot", "yisi0", *OVER_VECTORS)


def spec_of(metric: str, **parameters: object) -> str:
    own = {} if metric in {"onehot", "yisi0"} else {"vectors": TOY, "min_coverage": 0.0}
    listed = ", ".join(f"{name}={value!r}" for name, value in {**own, **parameters}.items())
    return f"{metric}({listed})" if listed else metric


def segments(
    metric: str, hypotheses: list[str], references: object, **parameters: object
) -> FloatArray:
    loaded = tenbin.load_metric(spec_of(metric, **parameters), language="en")
    return loaded.score(hypotheses, references).segments


@pytest.mark.parametrize("metric", [name for name in ALL if name not in LEARNING])
def test_the_best_reference_counts(metric: str) -> None:
    texts = ["a kitten sits", "the dog", "mat"]
    first, second = ["a kitten sat", "zzz", "mat"], ["zzz", "the dog sat", "sat"]
    pairs = [list(pair) for pair in zip(first, second, strict=True)]
    by_first, by_second = (segments(metric, texts, side) for side in (first, second))
    assert by_first[0] > by_second[0]
    assert by_first[1] < by_second[1]
    np.testing.assert_array_equal(segments(metric, texts, pairs), np.maximum(by_first, by_second))


@pytest.mark.parametrize("metric", LEARNING)
def test_the_best_reference_counts_where_weights_come_from_all(metric: str) -> None:
    references = [["qqq", "a kitten sat", "www"]]
    (explained,) = tenbin.explain(
        ["a kitten sits"], references, language="en", metric=spec_of(metric)
    )
    assert (explained.reference, explained.reference_count) == (2, 3)
    assert segments(metric, ["a kitten sits"], references).tolist() == [explained.score]


@pytest.mark.parametrize("metric", ALL)
def test_empty_segments_score_zero(metric: str) -> None:
    found = segments(metric, ["", "a cat", "", "the dog"], ["a cat", "", "", "the dog"])
    assert found[:3].tolist() == [0, 0, 0]
    assert found[3] > 0


@pytest.mark.parametrize(
    ("metric", "oov", "expected"),
    [
        ("was", "identity", 1 / 2),
        ("was", "zero", 0),
        ("was", "drop", 0),
        ("mas", "identity", 1),
        ("has", "identity", 1),
        ("has", "zero", 0),
        ("sv", "identity", 1),
        ("sv", "drop", 0),
        ("sv", "zero", 0),
        ("wmd", "identity", 1),
        ("wmd", "drop", 0),
        ("wmd", "zero", 1 / (1 + np.sqrt(2))),
        ("we_wpi", "identity", 1),
        ("we_wpi", "zero", 0),
        ("yisi1", "identity", 1),
        ("yisi1", "zero", 0),
        ("mee", "identity", 1),
        ("mee", "zero", 1),
    ],
)
def test_words_without_a_vector(metric: str, oov: str, expected: float) -> None:
    found = segments(metric, ["xxx zzz"], ["xxx zzz"], oov=oov)
    assert found[0] == pytest.approx(expected, abs=1e-9)


def test_dropped_words_shorten_the_segment() -> None:
    full = segments("was-paper", ["a xxx kitten"], ["the cat zzz"])[0]
    dropped = segments("was-paper", ["a xxx kitten"], ["the cat zzz"], oov="drop")[0]
    assert full == pytest.approx((0.928 + 0.48 + 0.48 + 0.8) / 9)
    assert dropped == pytest.approx((0.928 + 0.48 + 0.48 + 0.8) / 4)


def test_unknown_words_are_dimensions_of_an_average() -> None:
    found = segments("sv", ["cat xxx"], ["cat zzz"], oov="identity")[0]
    assert found == pytest.approx(0.5)


def test_upper_case_is_looked_up_in_lower_case_unless_told_otherwise() -> None:
    assert segments("has", ["Kitten"], ["cat"])[0] == pytest.approx(0.8)
    assert segments("has", ["Kitten"], ["cat"], fold_case=False)[0] == 0
    assert segments("has", ["Cat"], ["cat"])[0] == 1, "found in one form, they are one word"
    assert segments("has", ["Zzz"], ["zzz"])[0] == 1, "and so are words that are not found"
    assert segments("has", ["Zzz"], ["zzz"], fold_case=False)[0] == 0
    assert segments("has", ["Cat"], ["cat"], lowercase=True)[0] == 1
    assert segments("yisi1", ["Cat"], ["cat"])[0] == 1, "case does not count in YiSi"


def test_subwords_need_a_table_that_has_them() -> None:
    with pytest.raises(UsageError, match=r"no subwords.*\.bin"):
        load(spec_of("was", oov="subword")).bind("en")


def test_weak_alignments_are_rejected_at_the_default_threshold_and_kept_at_minus_one(
    tmp_path: Path,
) -> None:
    table = tmp_path / "opposite.vec"
    table.write_text("2 2\nup 1 0\ndown -1 0\n")
    assert segments("was", ["up"], ["down"], vectors=str(table))[0] == 0
    assert segments("was", ["up"], ["down"], vectors=str(table), threshold=-1.0)[0] == -1
    assert segments("sv", ["up"], ["down"], vectors=str(table))[0] == -1
    assert segments("we_wpi", ["up"], ["down"], vectors=str(table))[0] == 0
    assert segments("we_wpi", ["up"], ["down"], vectors=str(table), clip=False)[0] == -1
    assert segments("wmd", ["up"], ["down"], vectors=str(table), form="negative")[0] == -2


@pytest.mark.parametrize("metric", ["was", "mas", "has"])
def test_length_penalty_is_of_the_system_alone(metric: str) -> None:
    texts, references = ["the cat", "a dog sits"], ["the cat sat on", "the dog sat"]
    plain, penalised = (
        tenbin.load_metric(spec_of(metric, length_penalty=flag), language="en").score(
            texts, references
        )
        for flag in (False, True)
    )
    np.testing.assert_array_equal(plain.segments, penalised.segments)
    assert penalised.score == pytest.approx(plain.score * np.exp(1 - 7 / 5))
    assert plain.score == pytest.approx(plain.segments.mean())


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ({"threshold": 1.5}, "a number from -1 to 1"),
        ({"min_coverage": 2.0}, "a number from 0 to 1"),
        ({"oov": "guess"}, "one of identity, drop, zero, subword"),
        ({"rejected": "gone"}, "one of zero, survivors"),
    ],
)
def test_parameters_out_of_range(parameters: dict[str, object], expected: str) -> None:
    with pytest.raises(InvalidParameter, match=expected):
        load(spec_of("was", **parameters))


def test_few_known_words_are_told_and_hardly_any_refused() -> None:
    half = "cat xxx yyy"
    table = tenbin.score([half], [half], metrics=[f"was(vectors={TOY!r})"], language="en")
    (note,) = [note for note in table.score_set.notes if "vector" in note]
    assert "only 33% of the words have a vector in 'toy.vec'" in note
    none = "xxx yyy zzz uuu vvv www ttt sss rrr qqq ppp"
    for metrics in ([f"was(vectors={TOY!r})"], [f"mee(vectors={TOY!r})", "bleu"]):
        with pytest.raises(
            LowCoverage, match=r"only 0\.0% .*expected at least 10%.*min_coverage=0"
        ):
            tenbin.score([none], [none], metrics=metrics, language="en")
    forced = tenbin.score(
        [none], [none], metrics=[f"mas(vectors={TOY!r}, min_coverage=0)"], language="en"
    )
    assert forced.score_set.results[0].scores[0] == 1
    assert LowCoverage("v", 0, 0.1, "en").exit_code == 3


def test_a_note_on_coverage_is_given_once_for_many_metrics() -> None:
    metrics = [f"{name}(vectors={TOY!r})" for name in ("was", "mas", "has")]
    table = tenbin.score(["cat xxx yyy"], ["cat xxx yyy"], metrics=metrics, language="en")
    assert len([note for note in table.score_set.notes if "vector" in note]) == 1


@pytest.mark.parametrize("metric", ALL)
def test_parts_of_a_batch_give_the_numbers_of_the_whole(
    metric: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    test_set = TestSet(
        hypotheses={"a": ("a kitten sits", "", "the dog"), "b": ("the mat", "zzz", "a dog sat")},
        references=(("the cat sat", "a cat"), ("sat",), ("the dog sat",)),
    )
    bound = load(spec_of(metric)).bind("en")
    (whole,) = chunk_statistics(test_set, [bound])
    monkeypatch.setattr(compared, "part_bounds", lambda sizes: part_bounds(sizes, most=10))
    (in_parts,) = chunk_statistics(test_set, [bound])
    np.testing.assert_array_equal(in_parts, whole)


@pytest.mark.parametrize("metric", LEARNING)
def test_another_system_changes_nothing(metric: str) -> None:
    references = (("the cat sat",), ("the dog sat",))
    own = ("sat the cat", "a dog sits")
    bound = load(spec_of(metric)).bind("en")
    (alone,) = chunk_statistics(TestSet(hypotheses={"a": own}, references=references), [bound])
    other = ("cat cat cat", "sat sat")
    both = TestSet(hypotheses={"b": other, "a": own}, references=references)
    (together,) = chunk_statistics(both, [bound])
    np.testing.assert_array_equal(together[1], alone[0])


def test_signature_names_the_vectors_and_not_where_they_lie() -> None:
    signature = load(spec_of("was")).bind("en").signature()
    assert signature.get("vectors") == "toy.vec"
    assert signature.get("precision") == "float32"
    assert [name for name, _ in signature.resources] == ["toy.vec"]
    assert "/" not in str(signature)


def test_japanese_words_are_found_under_their_normalised_form(tmp_path: Path) -> None:
    pytest.importorskip("sudachipy")
    table = tmp_path / "ja.vec"
    table.write_text("2 2\n付属 1 0\n学校 0 1\n", encoding="utf-8")
    metric = tenbin.load_metric(f"has(vectors={str(table)!r})", language="ja")
    assert metric.score(["附属学校"], ["付属学校"]).score == pytest.approx(1, abs=1e-5)


def test_chinese_is_cut_into_words() -> None:
    pytest.importorskip("jieba")
    bound = load(spec_of("was")).bind("zh")
    assert dict(bound.signature().fields)["tok"] == "jieba"


def test_weights_of_we_wpi_are_those_of_the_references() -> None:
    """A word that no reference has weighs as one that a single reference has."""
    references = [["the cat sat"], ["the dog sat"]]
    systems = {"one": ["the kitten sat", "the dog sat"], "two": ["the kitten sat", "a kitten"]}

    def scores(idf: str) -> list[float]:
        spec = f"we_wpi(vectors={TOY!r}, idf={idf!r})"
        table = tenbin.score(systems, references, metrics=[spec], language="en", segments=True)
        noted = [note for note in table.notes if "equal segments of two systems" in note]
        assert len(noted) == (idf == "system")
        (result,) = table.results
        assert result.segments is not None
        return [float(one) for one in result.segments[:, 0]]

    first, second = scores("references")
    assert first == second
    # the 2/2, kitten unseen, sat 2/2, against the 2/2, cat 1/2, sat 2/2: both sides weigh the same.
    common, rare = np.log10(2), np.log10(3)
    assert first == pytest.approx(1 - 0.2 * rare / (2 * common + rare), abs=1e-6)
    first, second = scores("system")
    assert first != second


@pytest.mark.parametrize("spec", ["we_wpi(idf=testset)", "we_wpi(idf='')", "bertscore(idf=system)"])
def test_weights_that_do_not_say_whose_they_are_are_refused(spec: str) -> None:
    with pytest.raises(InvalidParameter, match="idf"):
        load(spec)
