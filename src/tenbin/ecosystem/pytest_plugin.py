"""The fixture ``translation_check``: tests that fail when translations are too bad, or got worse.

Installed with Tenbin as a plugin of pytest, which imports it in every run; so it imports nothing of
Tenbin before a test asks for it.
"""

from collections.abc import Callable, Mapping
from os import PathLike
from typing import Any

import pytest

_WRITE = "--write-baselines"

TranslationCheck = Callable[..., dict[str, float]]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that stores baselines."""
    parser.getgroup("tenbin").addoption(
        _WRITE,
        action="store_true",
        help="store the translations of tests that use translation_check as their baselines, in "
        "the place of comparing them",
    )


@pytest.fixture
def translation_check(request: pytest.FixtureRequest) -> TranslationCheck:
    """Return a function that fails the test if translations are too bad.

    Its arguments are ``hypotheses``, ``references=None``, ``source=None``, and by name:
    ``language``; ``at_least`` and ``at_most``, the limits of scores by spec, such as
    ``{"chrf": 60}``; ``baseline``, a file of ``tenbin check --write-baseline`` or of this plugin's
    option ``--write-baselines``; ``max_drop``, by how much each score may get worse than there;
    and ``p``, at which p-value of the paired test a drop is significant. It returns the corpus
    scores by spec.
    """
    write = bool(request.config.getoption(_WRITE))

    def check(  # noqa: PLR0913 - every limit has a name
        hypotheses: Any,  # noqa: ANN401 - as `tenbin.score` takes them
        references: Any = None,  # noqa: ANN401
        source: Any = None,  # noqa: ANN401
        *,
        language: str,
        at_least: Mapping[str, float] | None = None,
        at_most: Mapping[str, float] | None = None,
        baseline: str | PathLike[str] | None = None,
        max_drop: Mapping[str, float] | None = None,
        p: float | None = None,
    ) -> dict[str, float]:
        from tenbin.ecosystem.translation_check import (  # noqa: PLC0415 - when it is needed
            TranslationLimits,
            check_translations,
        )

        __tracebackhide__ = True
        found = check_translations(
            hypotheses,
            references,
            source,
            language=language,
            limits=TranslationLimits(
                dict(at_least or {}), dict(at_most or {}), dict(max_drop or {}), p
            ),
            baseline=baseline,
            write=write,
        )
        if found.failures:
            pytest.fail("\n".join(found.failures), pytrace=False)
        return found.scores

    return check
