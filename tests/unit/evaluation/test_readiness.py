"""What metrics lack is told at once, with the metric it belongs to and one command."""

import pickle
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenbin.core.errors import (
    MissingExtra,
    MissingParts,
    MissingResource,
    ResourceError,
    SpecError,
    TenbinError,
    UnusableMetrics,
    UsageError,
)
from tenbin.core.metric import Metric
from tenbin.core.missing import flattened, install_command, missing_parts, unready_metrics
from tenbin.evaluation.readiness import check_ready, found_lacks, told_at_once
from tenbin.metrics.registry import load

SPECS = ("bleu", "chrf", "ter", "wer", "yisi0", "ribes")
ERRORS: tuple[TenbinError, ...] = (
    MissingExtra("a tokenizer", "ja"),
    MissingExtra("a model", "neural", "Or none."),
    MissingExtra("two things", "ja,zh"),
    MissingResource("vectors-ja"),
    MissingResource("minilm-en"),
    MissingResource("jieba", "pip install 'tenbin[zh]'"),
    MissingResource("cedict", "pip install cedict-data"),
    MissingResource("owner/model", "hf download owner/model"),
    MissingResource("local", "put the file at /data/x"),
    ResourceError("torch finds no CUDA device."),
    UsageError("it is not for the language."),
)
Lacking = dict[str, tuple[TenbinError, ...]]


def lacking(patch: pytest.MonkeyPatch, lacks: Lacking) -> None:
    by_metric = {load(spec): own for spec, own in lacks.items()}

    def found(metric: Metric, _language: str) -> tuple[TenbinError, ...]:
        return by_metric.get(metric, ())

    patch.setattr("tenbin.evaluation.readiness.lacks_of", found)


def raised(specs: Sequence[str], **texts: bool) -> TenbinError | None:
    try:
        check_ready(specs, ["en"], **texts)
    except TenbinError as error:
        return error
    return None


def test_the_message() -> None:
    with pytest.MonkeyPatch.context() as patch:
        lacks = {
            "yisi0": (ERRORS[3], ERRORS[0]),
            "bleu": (ERRORS[0],),
            "ter": (ERRORS[1],),
            "wer": (ERRORS[10],),
        }
        lacking(patch, lacks)
        error = raised(
            ["yisi0", "bleu", "chrf", "ter", "wer", "we_wpi_attention"], has_source=False
        )
    assert isinstance(error, UnusableMetrics)
    assert error.exit_code == 2
    command = "pip install 'tenbin[ja,neural]' && tenbin resources install vectors-ja"
    assert error.command == command
    assert str(error) == (
        "not all of 6 metrics can run:\n"
        "  yisi0: the resource 'vectors-ja' is not installed.\n"
        "  yisi0, bleu: a tokenizer needs the extra 'ja', which is not installed.\n"
        "  ter: a model needs the extra 'neural', which is not installed. Or none.\n"
        "  wer: it is not for the language.\n"
        "  the metric 'we_wpi_attention' reads the source text, which is missing (`source`).\n"
        f"To install all that can be installed: {command}"
    )


def test_only_installations_are_missing() -> None:
    with pytest.MonkeyPatch.context() as patch:
        lacking(patch, {"bleu": (ERRORS[0],), "ter": (ERRORS[4],)})
        error = raised(["bleu", "chrf", "ter"])
    assert isinstance(error, MissingParts)
    assert error.exit_code == 4
    assert error.command == "pip install 'tenbin[ja]' && tenbin resources install minilm-en"


def test_one_of_several_is_named() -> None:
    with pytest.MonkeyPatch.context() as patch:
        lacking(patch, {"ter": (ERRORS[4],)})
        error = raised(["bleu", "ter"])
    assert str(error) == (
        "1 of 2 metrics cannot run:\n"
        "  ter: the resource 'minilm-en' is not installed.\n"
        "To install all that can be installed: tenbin resources install minilm-en"
    )


def test_a_metric_alone_keeps_its_own_message() -> None:
    with pytest.MonkeyPatch.context() as patch:
        lacking(patch, {"ter": (ERRORS[4],)})
        assert raised(["ter"]) is ERRORS[4]
        lacking(patch, {"ter": (ERRORS[4], ERRORS[1])})
        assert str(raised(["ter"])).startswith("ter cannot run:\n  the resource 'minilm-en' is")


def test_languages_are_told_apart() -> None:
    with pytest.MonkeyPatch.context() as patch:
        lacking(patch, {"ter": (ERRORS[4],)})
        lacks = found_lacks(["ter", "bleu"], ["en", "ja"], has_references=True, has_source=True)
    assert [name for name, _ in lacks] == ["ter (en)", "ter (ja)"]


def test_unknown_metrics_and_missing_parts_together() -> None:
    with pytest.MonkeyPatch.context() as patch:
        lacking(patch, {"ter": (ERRORS[4],)})
        error = raised(["ter", "blue", "chrf(beta=-1)"])
    assert isinstance(error, UnusableMetrics)
    assert "blue: unknown metric 'blue'" in str(error)
    assert "beta=-1" in str(error)
    with pytest.raises(SpecError, match=r"blue.*\n.*crhf"):
        check_ready(["blue", "crhf"], ["en"])


def test_texts_alone_are_told_as_ever() -> None:
    with pytest.raises(UsageError, match=r"'bleu', 'ter' read references") as caught:
        check_ready(["bleu", "ter"], ["en"], has_references=False)
    assert type(caught.value) is UsageError


def test_nothing_is_looked_for_unless_something_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def looked(*_: object) -> None:
        pytest.fail("it was looked for")

    monkeypatch.setattr("tenbin.evaluation.readiness.lacks_of", looked)
    with told_at_once(["bleu"], "en"):
        pass


def test_an_error_of_another_kind_stays() -> None:
    def failing() -> None:
        with told_at_once(["bleu"], "en"):
            raise UsageError("something else")

    with pytest.raises(UsageError, match="something else"):
        failing()


@given(
    st.dictionaries(
        st.sampled_from(SPECS),
        st.lists(st.sampled_from(ERRORS), max_size=4, unique=True).map(tuple),
    )
)
def test_at_once_is_the_union_of_one_by_one(lacks: Lacking) -> None:
    with pytest.MonkeyPatch.context() as patch:
        lacking(patch, lacks)
        alone: set[tuple[str, str]] = set()
        for spec in SPECS:
            error = raised([spec])
            if error is not None:
                alone |= {(spec, str(one)) for _, one in flattened([("", error)])}
        whole = raised(SPECS)
    if whole is None:
        assert not alone
        return
    told = flattened([("", whole)])
    if len(told) > 1 or isinstance(told[0][1], ResourceError):
        assert {(name, str(one)) for name, one in told} == alone
    assert install_command(one for _, one in told) == install_command(
        one for spec in SPECS for one in lacks.get(spec, ())
    )


@given(st.lists(st.sampled_from(ERRORS)))
def test_a_command_has_each_thing_once(errors: list[TenbinError]) -> None:
    command = install_command(errors)
    words = command.replace("&&", " ").split()
    assert command.count("pip install") <= 1
    assert command.count("tenbin resources install") <= 1
    named = [word for word in words if word in {"vectors-ja", "minilm-en", "cedict-data"}]
    assert len(named) == len(set(named))


def test_what_cannot_be_installed_by_a_command_keeps_its_advice() -> None:
    error = missing_parts([("", ERRORS[8]), ("", ERRORS[3])])
    assert "Run: put the file at /data/x" in str(error)
    assert str(error).endswith(": tenbin resources install vectors-ja")


def test_members_are_named() -> None:
    inner = missing_parts([("ribes", ERRORS[0]), ("sentence", ERRORS[3])])
    error = unready_metrics([("combination-ja", inner), ("bleu", ERRORS[0])], 3)
    assert "2 of 3 metrics cannot run" in str(error)
    assert "  combination-ja (ribes), bleu: a tokenizer needs" in str(error)
    assert isinstance(error, MissingParts)


def test_errors_travel_between_processes() -> None:
    for error in (missing_parts([("", one) for one in ERRORS[:4]]), *ERRORS[:5]):
        sent = pickle.loads(pickle.dumps(error))  # noqa: S301
        assert str(sent) == str(error)
        assert sent.problem == error.problem  # type: ignore[attr-defined]
        assert flattened([("", sent)])[0][0] == ""
