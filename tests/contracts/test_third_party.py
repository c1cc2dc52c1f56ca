"""A metric of another package joins the contracts by being installed: no file here names it.

The package lies in ``example_package`` as ``pip`` would have installed it, with its entry points.
The contracts run on it in a process of their own, which has that folder on its path.
"""

import os
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

FOLDER = Path(__file__).parent
PACKAGE = FOLDER / "example_package"
OPTIONS = (
    *("-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--hypothesis-profile=no-shrinking"),
    *("-k", "overlap and not ja and not zh"),
    *(f"--ignore={__file__}", f"--ignore={PACKAGE}"),
)
_OF_ANY_METRIC = (
    r"\b(metric|(?:full_)?spec|any_name|best_at_identity|\w*_of_\w+|segment_by_segment):"
)

Outcomes = dict[str, dict[str, set[str]]]  # metric -> "passed" or "failed" -> names of contracts


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> Outcomes:
    report = tmp_path_factory.mktemp("contracts") / "report.xml"
    path = os.pathsep.join([str(PACKAGE), os.environ.get("PYTHONPATH", "")])
    finished = subprocess.run(
        [sys.executable, "-m", "pytest", str(FOLDER), *OPTIONS, f"--junitxml={report}"],
        cwd=FOLDER.parents[1],
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        check=False,
        text=True,
    )
    assert report.exists(), finished.stdout + finished.stderr
    found: Outcomes = defaultdict(lambda: defaultdict(set))
    for case in ET.parse(report).iter("testcase"):  # noqa: S314 - our own file
        metric = re.search(r"\[((?:careless-|source-)?overlap)\b", case.get("name", ""))
        if metric is not None:
            outcome = "failed" if case.find("failure") is not None else "passed"
            found[metric[1]][outcome].add(case.get("name", "").partition("[")[0])
    return found


def test_an_installed_metric_joins_and_keeps_every_contract(outcomes: Outcomes) -> None:
    joined = outcomes["overlap"]
    assert not joined["failed"]
    contracts = {
        name
        for file in FOLDER.glob("test_*.py")
        for name, arguments in re.findall(
            r"^def (test_\w+)\(([^)]*)\)", file.read_text(encoding="utf-8"), re.MULTILINE
        )
        if re.search(_OF_ANY_METRIC, arguments)
    }
    # Long segments are tried with the metrics of Tenbin alone.
    assert joined["passed"] == contracts - {"test_a_million_characters_are_scored_or_refused"}


def test_an_installed_metric_that_needs_no_reference_joins_too(outcomes: Outcomes) -> None:
    joined = outcomes["source-overlap"]
    assert not joined["failed"]
    contracts = FOLDER.joinpath("test_without_references.py").read_text(encoding="utf-8")
    assert joined["passed"] >= set(re.findall(r"^def (test_\w+)", contracts, re.MULTILINE))


def test_each_fault_of_a_careless_metric_is_found(outcomes: Outcomes) -> None:
    assert outcomes["careless-overlap"]["failed"] >= {
        "test_a_segment_scores_the_same_in_any_batch",
        "test_changing_any_one_field_changes_the_signature",
        "test_identity_is_best_of_made_up_segments",
        "test_identity_is_best_where_declared",
        "test_reference_order_does_not_matter_where_declared",
        "test_score_of_a_stack_is_the_stack_of_scores",
        "test_scores_are_in_the_declared_range",
        "test_statistics_of_a_concatenation_are_the_rows_of_both",
    }
