"""A metric that is loaded once and called again and again."""

import pytest

import tenbin
from tenbin.core.errors import ShapeError


def test_a_single_text_is_named_as_what_it_is() -> None:
    with pytest.raises(ShapeError, match=r"^hypotheses is a single text; expected a list"):
        tenbin.load_metric("chrf", language="en").score("a cat", ["the cat"])
