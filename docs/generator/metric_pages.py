"""One page per metric, from what its class declares and from the fragment with its formula."""

from pathlib import Path

from tenbin.metrics.catalogue import MetricDescription, describe_all
from tenbin.reports.catalog import longest_text, needs_text, range_text

_NOTICE = "<!-- Written by docs/generate.py; edit the metric's class or docs/formulas. -->\n"
_SIGNATURE = (
    "With the defaults and `-l en`. A run adds the language, the number of references and, with "
    "resampling, the resamples and their seed."
)


def metric_pages(fragments: Path) -> dict[str, str]:
    """Return the pages by file name; each metric must have a fragment."""
    descriptions = [one for one in describe_all() if one.package == "tenbin"]
    pages = {"index.md": _index(descriptions)}
    for one in descriptions:
        fragment = (fragments / f"{one.name}.md").read_text(encoding="utf-8")
        pages[f"{one.name}.md"] = _page(one, fragment)
    return pages


def _index(descriptions: list[MetricDescription]) -> str:
    rows = [
        f"| [`{one.name}`]({one.name}.md) | {one.info.title} | {_arrow(one)} | {range_text(one)} "
        f"| {_cell(one.info.summary)} |"
        for one in descriptions
    ]
    aliases = [f"- `{alias}`" for one in descriptions for alias in one.aliases]
    return (
        f"# Metrics\n\n{_NOTICE}\n"
        "↑: higher is better; ↓: lower is better. `tenbin metrics NAME` prints the same "
        "information.\n\n"
        "| name | metric | better | range | what it measures |\n|---|---|---|---|---|\n"
        + "\n".join(rows)
        + "\n\nAliases:\n\n"
        + "\n".join(aliases)
        + "\n"
    )


def _page(one: MetricDescription, fragment: str) -> str:
    sections = [
        f"# {one.info.title}\n\n{_NOTICE}\n{one.info.summary} On the command line: `-m {one.name}`."
        + "".join(f" Alias: `{alias}`." for alias in one.aliases),
        f"## Definition\n\n{one.definition}",
        fragment.strip(),
        f"## Parameters\n\n{_parameters(one)}",
        f"## Properties\n\n{_properties(one)}",
        f"## Known weaknesses\n\n{one.info.weaknesses}",
        f"## Checked against\n\n{one.info.oracle}",
        f"## Signature\n\n{_SIGNATURE}\n\n```text\n{one.signature}\n```",
        f"## Citation\n\n{one.info.citation}",
    ]
    return "\n\n".join(sections) + "\n"


def _parameters(one: MetricDescription) -> str:
    if not one.parameters:
        return "None."
    rows = [
        f"| `{parameter.name}` | `{parameter.default}` | {_cell(parameter.kind)} "
        f"| {_cell(parameter.help)} |"
        for parameter in one.parameters
    ]
    return "| parameter | default | value | meaning |\n|---|---|---|---|\n" + "\n".join(rows)


def _properties(one: MetricDescription) -> str:
    better = "higher is better" if one.info.higher_is_better else "lower is better"
    declared = [f"- {trait}" for trait in sorted(one.info.properties)]
    return "\n".join(
        [
            f"- range {range_text(one)}, {better}; printed with {one.info.decimals} decimals",
            f"- reads {needs_text(one)}",
            f"- longest segment: {longest_text(one)} ([why](../../concepts/long-segments.md))",
            *declared,
        ]
    )


def _arrow(one: MetricDescription) -> str:
    return "↑" if one.info.higher_is_better else "↓"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
