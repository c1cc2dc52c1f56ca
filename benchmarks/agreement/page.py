"""Agreement with people as Markdown tables inside pages, and as a file of data."""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from benchmarks.agreement.columns import Column, Verdict, wins
from benchmarks.agreement.measuring import PairResults

DECIMALS = 6
"""Of the numbers in the file of data: enough to see that a row is stale."""

MARKS = {Verdict.BETTER: " ▲", Verdict.WORSE: " ▼", Verdict.ALIKE: "", None: ""}


def render_columns(columns: Sequence[Column], metrics: Sequence[str], base: str) -> str:
    """Return a table with one row per metric; the best value of a column is bold.

    Args:
        columns: The columns.
        metrics: The rows; those without any value are left out.
        base: The metric that the others are set beside: ▲ and ▼ mark differences beyond chance.
    """
    header = ["metric", *(column.title for column in columns)]
    rows = []
    best = [
        max((v for m in metrics if (v := c.value(m)) is not None), default=None) for c in columns
    ]
    for metric in metrics:
        values = [column.value(metric) for column in columns]
        if any(value is not None for value in values):
            cells = [
                _cell(value, is_best=value == top) + MARKS[column.verdict(metric, base)]
                for value, top, column in zip(values, best, columns, strict=True)
            ]
            rows.append([metric, *cells])
    return render_table(header, rows)


def render_vectors(results: Sequence[PairResults], metrics: Sequence[str]) -> str:
    """Return a table of metrics with the installed English vectors, beside the embedded ones."""
    columns = [Column(one.main, (one,)) for one in results if one.samples]
    rows = []
    for metric in metrics:
        own, other = f"{metric}, installed", f"{metric}, embedded"
        both = [
            (first, second)
            for column in columns
            if (first := column.value(own)) is not None
            and (second := column.value(other)) is not None
        ]
        if both:
            gaps = [first - second for first, second in both]
            mean, least, most = sum(gaps) / len(gaps), min(gaps), max(gaps)
            gap = f"{mean:+.4f} ({least:+.4f} to {most:+.4f})"
            rows.append([metric, str(len(both)), gap, wins(columns, own, other)])
    header = ["metric", "pairs", "installed - embedded,<br>mean (range)"]
    return render_table([*header, "pairs higher (▲) / lower (▼)"], rows)


def render_pairs(results: Sequence[PairResults]) -> str:
    """Return the table of one test set: every metric, pair and measure; others' metrics last."""
    header = ["metric"]
    places: list[tuple[PairResults, str]] = []
    for one in results:
        for measure in one.human:
            places.append((one, measure))
            header.append(f"{one.pair}<br>{measure}<br>n = {one.counts[measure]:,}")
    own = list(dict.fromkeys(name for one in results for name in one.own))
    others = {name for one in results for name in one.values} - set(own)
    rows = [
        [name, *(_cell(one.values.get(name, {}).get(measure)) for one, measure in places)]
        for name in [*own, *sorted(others, key=str.lower)]
    ]
    return render_table(header, rows)


def render_table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table whose first column is text and whose others are numbers.

    >>> print(render_table(["metric", "tau"], [["chrf", "0.379"]]))
    | metric | tau |
    | --- | ---: |
    | chrf | 0.379 |
    """
    lines = [header, ["---", *["---:"] * (len(header) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def replaced_blocks(page: str, blocks: Mapping[str, str]) -> str:
    """Return a page with what stands between the markers of each block replaced.

    >>> page = "<!-- tables -->" + chr(10) + "old" + chr(10) + "<!-- end of tables -->"
    >>> print(replaced_blocks(page, {"tables": "new"}))
    <!-- tables -->
    <BLANKLINE>
    new
    <BLANKLINE>
    <!-- end of tables -->

    Raises:
        ValueError: The page has no place for a block.
    """
    for name, text in blocks.items():
        start, end = _markers(name)
        found = _block(name)
        if not found.search(page):
            raise ValueError(f"the page has no '{start}' with '{end}' after it")
        block = f"{start}\n\n{text.strip()}\n\n{end}"
        page = block.join(found.split(page, maxsplit=1))
    return page


def write_blocks(pages: Sequence[Path], blocks: Mapping[str, str]) -> None:
    """Replace each block in the page that has its markers; no page changes if one is missing.

    Raises:
        ValueError: No page has a place for a block.
    """
    texts = {page: page.read_text(encoding="utf-8") for page in pages}
    for name, text in blocks.items():
        page = next((one for one in pages if _block(name).search(texts[one])), None)
        if page is None:
            raise ValueError(f"no page has a place for '{name}': {', '.join(map(str, pages))}")
        texts[page] = replaced_blocks(texts[page], {name: text})
    for page, text in texts.items():
        page.write_text(text, encoding="utf-8")


def write_data(path: Path, results: Sequence[PairResults], base: str | None = None) -> None:
    """Store every value: a line for each test set, pair and metric, a column for each measure.

    The interval is that of the main measure; ``from`` and ``to`` are the one of the difference from
    the base, if there is one. ``signature`` is a digest of what a metric was computed with.
    """
    measures = list(dict.fromkeys(name for one in results for name in one.human))
    intervals = ["low", "high", *([] if base is None else [f"{base} from", f"{base} to"])]
    header = ["set", "pair", "metric", "by", "signature", *measures, *intervals]
    lines = ["\t".join(header)]
    for one in results:
        column = Column(one.main, (one,))
        for metric, values in one.values.items():
            interval = column.interval(metric) or (None, None)
            numbers = [*(values.get(measure) for measure in measures), *interval]
            if base is not None:
                numbers += column.difference(metric, base) or (None, None)
            known = ["" if value is None else f"{value:.{DECIMALS}f}" for value in numbers]
            by = "tenbin" if metric in one.own else "others"
            signature = one.signatures.get(metric, "")
            lines.append("\t".join([one.test_set, one.pair, metric, by, signature, *known]))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _markers(name: str) -> tuple[str, str]:
    return f"<!-- {name} -->", f"<!-- end of {name} -->"


def _block(name: str) -> re.Pattern[str]:
    start, end = _markers(name)
    return re.compile(f"{re.escape(start)}.*?{re.escape(end)}", re.DOTALL)


def _cell(value: float | None, *, is_best: bool = False) -> str:
    if value is None:
        return ""
    return f"**{value:.3f}**" if is_best else f"{value:.3f}"
