"""Meta-evaluations as the page reads them: what ``-f json`` writes, and what only a page shows."""

from typing import Any

from tenbin.core.agreement import Interval, MetaTable, RankedSystem
from tenbin.reports.data import defined
from tenbin.reports.meta import payload


def agreement_payload(table: MetaTable) -> dict[str, Any]:
    """Return a meta-evaluation with its measures in words and how metrics rank the systems."""
    used = dict.fromkeys(row.measure for row in table.rows)
    return {
        **payload(table),
        "measures": {
            name: {
                "summary": table.measures[name].summary,
                "level": str(table.measures[name].level),
                "counts": table.measures[name].counts,
            }
            for name in used
            if name in table.measures
        },
        "drawn": table.drawn,
        "rankings": [
            {"title": ranking.title, "systems": [_ranked(one) for one in ranking.systems]}
            for ranking in table.rankings
        ],
    }


def _ranked(system: RankedSystem) -> dict[str, Any]:
    human = system.human_score
    return {
        "name": system.name,
        "score": defined(system.score),
        "interval": _interval(system.interval),
        "humanScore": None if human is None else defined(human),
        "isHuman": system.is_human,
    }


def _interval(interval: Interval | None) -> list[float | None] | None:
    return None if interval is None else [defined(end) for end in interval]
