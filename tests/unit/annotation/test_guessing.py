"""Languages by their script."""

import pytest

from tenbin.annotation.guessing import guess_language


@pytest.mark.parametrize(
    ("text", "script", "language"),
    [
        ("猫は静かに座っていた。", "Jpan", "ja"),
        ("他安静地坐着。", "Hans", "zh"),
        ("고양이가 조용히 앉아 있었다.", "Kore", "ko"),
        ("γάτα κάθισε.", "Grek", "el"),
        ("แมวนั่งเงียบ ๆ", "Thai", "th"),
        ("החתול ישב.", "Hebr", "he"),
        ("Кот сидел тихо.", "Cyrl", None),
        ("The cat sat.", "Latn", None),
        ("جلست القطة.", "Arab", None),
        ("बिल्ली बैठी।", "Deva", None),
        ("12345 !?", "", None),
        ("", "", None),
        # A Chinese text with a Japanese name, and Japanese with English words.
        ("东京的商店叫做の。他安静地坐着。没有说话。看着窗外的雨。", "Hans", "zh"),
        ("iPhone と MacBook を買いました。とても満足しています。", "Jpan", "ja"),
    ],
)
def test_guesses(text: str, script: str, language: str | None) -> None:
    found = guess_language([text])
    assert (found.script, found.language) == (script, language)
