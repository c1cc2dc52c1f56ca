"""Errors: exit codes by family, near names, and messages that say what to do."""

import pytest

from tenbin.core import errors
from tenbin.core.errors import (
    InputError,
    InvalidParameter,
    LengthMismatch,
    MalformedLine,
    MissingExtra,
    OutputError,
    ResourceError,
    SpecError,
    TenbinError,
    UnknownLanguage,
    UnknownMetric,
    UnknownParameter,
    UnreadableFile,
    UsageError,
)

METRICS = ("bleu", "chrf", "chrf++", "ribes", "ter", "wer")


@pytest.mark.parametrize(
    ("family", "code"),
    [(TenbinError, 1), (UsageError, 2), (InputError, 3), (ResourceError, 4), (OutputError, 1)],
)
def test_a_family_of_errors_has_one_exit_code(family: type[TenbinError], code: int) -> None:
    assert family.exit_code == code
    members = [
        thing
        for thing in vars(errors).values()
        if isinstance(thing, type) and issubclass(thing, family) and family is not TenbinError
    ]
    assert {member.exit_code for member in members} <= {code}


@pytest.mark.parametrize(
    ("error", "facts"),
    [
        (UnknownMetric("blue", METRICS), ["unknown metric 'blue'", "Did you mean bleu"]),
        (UnknownMetric("CHRF+", METRICS), ["'CHRF+'", "chrf++ or chrf"]),
        (UnknownMetric("zzz", METRICS), ["'zzz'", "'tenbin metrics' lists all"]),
        (
            UnknownParameter("chrf", "word_oder", ["word_order", "beta"]),
            ["metric 'chrf'", "'word_oder'", "Did you mean 'word_order'?", "beta, word_order"],
        ),
        (UnknownParameter("x", "y", []), ["Its parameters: none."]),
        (
            InvalidParameter("chrf", "beta", -1, "a positive number"),
            ["'chrf'", "beta=-1", "expected a positive number"],
        ),
        (UnknownLanguage("xx"), ["'xx'", "ISO 639", "en, ja, zh"]),
        (UnreadableFile("a.txt", "no such file", "Check it."), ["a.txt", "no such file", "Check"]),
        (MalformedLine("a.txt", 7, "broken", "Mend it."), ["a.txt, line 7", "broken", "Mend it."]),
        (
            LengthMismatch({"ref.txt": 1000, "sys.txt": 999}),
            ["ref.txt: 1,000", "sys.txt: 999", "one segment per line"],
        ),
        (LengthMismatch({"a": 1, "b": 2}, "Look at line 1."), ["same order. Look at line 1."]),
        (
            MissingExtra("to_dataframe()", "tables"),
            ["to_dataframe()", "pip install 'tenbin[tables]'."],
        ),
        (MissingExtra("x", "ja", "Or do y."), ["'tenbin[ja]'. Or do y."]),
    ],
)
def test_messages_say_what_was_found_and_what_to_do(error: TenbinError, facts: list[str]) -> None:
    for fact in facts:
        assert fact in str(error)
    assert str(error).endswith((".", "?"))


def test_no_near_name_is_made_up() -> None:
    assert "Did you mean" not in str(UnknownMetric("zzz", METRICS))
    assert "Did you mean" not in str(UnknownParameter("chrf", "zzz", ["beta"]))


def test_errors_carry_their_facts() -> None:
    assert UnknownMetric("blue", METRICS).name == "blue"
    assert LengthMismatch({"a": 1, "b": 2}).counts == {"a": 1, "b": 2}
    assert MalformedLine("a", 3, "", "").line == 3
    assert UnreadableFile("a", "", "").path == "a"
    assert MissingExtra("x", "ja").extra == "ja"
    assert issubclass(UnknownMetric, SpecError)
