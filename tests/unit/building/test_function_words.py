"""Lists of function words: made from a text, taken by METEOR."""

from pathlib import Path

import pytest

import tenbin
from tenbin.building.function_words import build_function_words
from tenbin.core.errors import InputError, OutputError, UsageError


def test_a_list_and_its_use(english: Path, tmp_path: Path) -> None:
    output = tmp_path / "words.txt"
    built = build_function_words([str(english)], "en", str(output), share=0.005)
    listed = output.read_text(encoding="utf-8").splitlines()
    assert tuple(listed) == built.words
    assert listed[:3] == ["the", ",", "."]  # the commonest first
    assert {"of", "and"} <= set(listed)
    assert "mountain" not in listed
    assert 0 < len(listed) < built.distinct < built.tokens
    hypothesis, reference = ["the cat"], ["the dog"]
    spec = f'meteor(stages=("exact",), function_words="{output}")'
    metric = tenbin.load_metric(spec, language="en")
    plain = tenbin.load_metric('meteor(stages=("exact",), function_words="none")', language="en")
    # A matched function word counts 0.25 where a content word counts 0.75.
    assert metric.score(hypothesis, reference).score < plain.score(hypothesis, reference).score
    assert "|resource:words.txt=" in str(metric.signature)


def test_the_share_is_of_all_tokens(tmp_path: Path) -> None:
    text, output = tmp_path / "text", tmp_path / "words"
    text.write_text("na na na wa Mtu\n" * 20, encoding="utf-8")
    built = build_function_words([str(text), str(text)], "sw", str(output), share=0.2)
    assert output.read_text() == "na\n"  # wa and mtu are not above one in five
    assert (built.tokens, built.distinct) == (200, 3)
    assert "the corpus has 200 tokens; with fewer than 500" in built.notes[0]
    again = tmp_path / "more"
    assert build_function_words([str(text)], "sw", str(again), share=0.1).words == (
        "na",
        "mtu",
        "wa",
    )
    enough = build_function_words([str(text)] * 5, "sw", str(output), share=0.2, force=True)
    assert enough.notes == ()


def test_files_are_not_overwritten_unasked(english: Path, tmp_path: Path) -> None:
    output = tmp_path / "words.txt"
    output.write_text("mine")
    with pytest.raises(UsageError, match=r"there is such a file already.*force"):
        build_function_words([str(english)], "en", str(output))
    assert output.read_text() == "mine"
    build_function_words([str(english)], "en", str(output), force=True)
    assert output.read_text() != "mine"


@pytest.mark.parametrize(
    ("text", "share", "error", "words"),
    [
        ("", 0.001, InputError, "no word in the corpus"),
        ("\n \n", 0.001, InputError, "no word in the corpus"),
        ("a b", 0.5, UsageError, "no word makes up more than 0.5"),
        ("a b", 0.0, UsageError, "between 0 and 1"),
        ("a b", 1.0, UsageError, "between 0 and 1"),
        ("a b", float("nan"), UsageError, "between 0 and 1"),
    ],
)
def test_what_makes_no_list(
    tmp_path: Path, text: str, share: float, error: type[Exception], words: str
) -> None:
    path, output = tmp_path / "text", tmp_path / "words"
    path.write_text(text)
    with pytest.raises(error, match=words):
        build_function_words([str(path)], "en", str(output), share=share)
    assert not output.exists()


def test_a_folder_that_is_not_there_is_noticed_before_reading(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="there is no folder"):
        build_function_words(["missing"], "en", str(tmp_path / "none" / "words"))
