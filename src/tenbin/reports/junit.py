"""A check as JUnit XML, which continuous integration shows: a test case for each metric."""

import re
from html import escape

from tenbin.core.baseline_check import BaselineCheck, CheckOutcome, MetricCheck
from tenbin.reports.baseline_check import sentence

# Everything that XML 1.0 has no character for.
_NOT_IN_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit_text(check: BaselineCheck) -> str:
    """Return the XML text; a significant drop is a failure, an undefined score an error."""
    outcomes = [one.outcome for one in check.metrics]
    failures = outcomes.count(CheckOutcome.FAILED)
    errors = outcomes.count(CheckOutcome.UNDEFINED)
    counts = f'tests="{len(outcomes)}" failures="{failures}" errors="{errors}"'
    cases = "".join(_case(check, one) for one in check.metrics)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<testsuites name="tenbin check" {counts}>\n'
        f' <testsuite name={_quoted(check.system)} {counts} skipped="0">\n'
        f"{cases} </testsuite>\n</testsuites>\n"
    )


def _case(check: BaselineCheck, one: MetricCheck) -> str:
    name = f'  <testcase classname="tenbin.check" name={_quoted(one.metric)}'
    details = f"baseline {check.file}, {check.baseline}\n{one.signature}"
    if one.outcome in {CheckOutcome.FAILED, CheckOutcome.UNDEFINED}:
        element = "failure" if one.outcome is CheckOutcome.FAILED else "error"
        message = f'message={_quoted(sentence(one))} type="{one.outcome}"'
        return f"{name}>\n   <{element} {message}>{_text(details)}</{element}>\n  </testcase>\n"
    printed = f"{sentence(one)}: {one.outcome}\n{details}"
    return f"{name}>\n   <system-out>{_text(printed)}</system-out>\n  </testcase>\n"


def _text(text: str) -> str:
    return escape(_NOT_IN_XML.sub("\ufffd", text))


def _quoted(text: str) -> str:
    one_line = _text(text).replace("\n", "&#10;").replace("\r", "&#13;").replace("\t", "&#9;")
    return f'"{one_line}"'
