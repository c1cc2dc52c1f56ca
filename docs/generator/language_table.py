"""The table of metrics by target language, from the table that default metrics are chosen by."""

from tenbin.metrics.recommended import registered_recommendations

_START = "<!-- metrics by language -->\n"
_END = "<!-- end of metrics by language -->"


def with_language_table(page: str) -> str:
    """Return a page with the table between its markers, or as it is if it has none."""
    before, found, rest = page.partition(_START)
    if not found:
        return page
    return f"{before}{_START}\n{_table()}\n{_END}{rest.partition(_END)[2]}"


def _table() -> str:
    lines = ["| target language | metric, best first | needs | agreement |", "|---|---|---|---|"]
    for language, metrics in registered_recommendations().items():
        for number, one in enumerate(metrics):
            needs = [f"`{name}`" for name in one.resources]
            needs += [f"`tenbin[{one.extra}]`"] if one.extra else []
            cells = (f"`{language}`" if number == 0 else "", f"`{one.metric}`", ", ".join(needs))
            lines.append(f"| {' | '.join(cells)} | {one.agreement} |")
    lines.append("| any other | chrF++ or chrF alone | | |")
    return "\n".join(lines) + "\n"
