"""The tables that the WMT20 metrics task published come out of its own scores.

Provenance: `data/wmt20/published` of the shared folder, from WMT-Metrics-task/wmt20-metrics; how it
was checked there: `data/README.md`; read 2026-11-15.
"""

import csv
from collections import defaultdict
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from tenbin.core.judgments import HumanPairs, Level, ScoreMatrix
from tenbin.formats.human_pairs import read_human_pairs, read_pair_agreement
from tenbin.formats.mt_metrics_eval import human_score_files, metric_score_files, read_score_file
from tenbin.formats.wmt_layout import human_translations
from tenbin.meta.measures.catalog import measure
from tenbin.meta.measures.measurement import Settings
from tenbin.meta.measures.pair_tau import PairTau, wmt12_tau
from tenbin.meta.measures.scores import build_darr, outliers, system_means

pytestmark = pytest.mark.oracle

PAIRS = (
    "de-en",
    "en-cs",
    "en-de",
    "en-ja",
    "en-pl",
    "en-zh",
    "iu-en",
    "ja-en",
    "ps-en",
    "ru-en",
    "ta-en",
)
# Published with three decimals; the last one is rounded.
THREE_DECIMALS = 5.0001e-4
FOUR_DECIMALS = 5e-5
SYSTEM_TABLES = {
    "sys.pearson.all-systems.tsv": "system-pearson",
    "sys.pearson.without-outliers.tsv": "system-pearson-without-outliers",
    "sys.kendall.all-systems.tsv": "system-kendall",
}
# Published, but what it was scored against is not among the files.
NOT_STORED = {("en-de", "bleurt-Yisi-combi")}


@cache
def published(shared: Path, name: str) -> dict[str, list[dict[str, str]]]:
    rows = defaultdict(list)
    path = shared / "data" / "wmt20" / "published" / name
    with path.open(encoding="utf-8") as stream:
        for row in csv.DictReader(stream, delimiter="\t"):
            rows[row["lp"]].append(row)
    return rows


def machines(table: ScoreMatrix) -> ScoreMatrix:
    return table.without(human_translations(table.systems))


def stored(folder: Path, pair: str, metric: str, level: Level) -> str | None:
    files = metric_score_files(str(folder), pair)
    for reference in ("refA", "src", "refB"):
        path = files.get(f"{metric}-{reference}", {}).get(level)
        if path is not None:
            return path
    return None


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("table", SYSTEM_TABLES)
def test_system_tables(shared: Path, table: str, pair: str) -> None:
    folder = shared / "data" / "wmt20"
    kinds = human_score_files(str(folder), pair)
    human = machines(read_score_file(kinds["da-z"][Level.SYSTEM]))
    listed = tuple(row["system"] for row in published(shared, "outlier-systems.tsv")[pair])
    rows = published(shared, table)[pair]
    assert len(rows) > 20
    for row in rows:
        name = row["metric"]
        if (pair, name) in NOT_STORED:
            continue
        path = (
            kinds["da-raw"][Level.SYSTEM]
            if name == "HUMAN_RAW"
            else stored(folder, pair, name, Level.SYSTEM)
        )
        assert path is not None, name
        settings = Settings(outliers=listed)
        found = measure(SYSTEM_TABLES[table], human, read_score_file(path), settings)
        assert found.n == int(row["n_systems"]), name
        assert found.value == pytest.approx(float(row["value"]), abs=THREE_DECIMALS), name


@pytest.mark.parametrize("pair", PAIRS)
def test_outliers_by_the_rule_are_among_the_published_ones(shared: Path, pair: str) -> None:
    # The task left out further systems, which lie 1.97 to 2.45 scaled median deviations away.
    kinds = human_score_files(str(shared / "data" / "wmt20"), pair)
    found = set(outliers(read_score_file(kinds["da-z"][Level.SYSTEM])))
    listed = {row["system"] for row in published(shared, "outlier-systems.tsv")[pair]}
    assert found <= listed
    assert bool(found) == (pair in {"de-en", "en-cs", "en-de", "en-pl", "ja-en", "ru-en"})


def judgments(pairs: HumanPairs) -> list[tuple[int, str, str]]:
    rows = zip(pairs.segments, pairs.better, pairs.worse, strict=True)
    return sorted((int(s), pairs.systems[b], pairs.systems[w]) for s, b, w in rows)


@pytest.mark.parametrize("pair", PAIRS)
def test_darr_is_rebuilt_judgment_by_judgment(shared: Path, pair: str) -> None:
    folder = shared / "data" / "wmt20"
    kinds = human_score_files(str(folder), pair)
    direct = read_score_file(kinds["da-raw"][Level.SEGMENT])
    listed = read_human_pairs(str(folder / "human-pairs" / f"{pair}.darr.tsv"))
    built = build_darr(direct)
    assert judgments(built) == judgments(listed)
    counts = {
        int(row["n_pairs"]) for row in published(shared, "seg.darr-tau.all-systems.tsv")[pair]
    }
    assert counts == {len(built)}


@pytest.mark.parametrize("pair", PAIRS)
def test_darr_tau_of_stored_scores_and_of_agreement_columns(shared: Path, pair: str) -> None:
    folder = shared / "data" / "wmt20"
    human = read_human_pairs(str(folder / "human-pairs" / f"{pair}.darr.tsv"))
    pairs, columns = read_pair_agreement(str(folder / "pair-agreement" / f"{pair}.tsv.gz"))
    assert judgments(pairs) == judgments(human)
    known = {row["metric"]: row for row in published(shared, "seg.darr-tau.all-systems.tsv")[pair]}
    compared = []
    for name, row in known.items():
        path = stored(folder, pair, name, Level.SEGMENT)
        if path is not None:
            found = measure("darr-tau", human, read_score_file(path)).value
            assert found == pytest.approx(float(row["tau"]), abs=FOUR_DECIMALS), name
            compared.append(name)
    # No metric that was scored on iu-en is stored by segment.
    assert len(compared) == {"iu-en": 0}.get(pair, 4 if "SWSS+METEOR" in known else 3)
    assert len(columns) >= 15
    for name, agrees in columns.items():
        tau = PairTau.of_signs(wmt12_tau, np.where(agrees, 1.0, -1.0)).value().value
        assert tau == pytest.approx(float(known[name]["tau"]), abs=FOUR_DECIMALS), name


@pytest.mark.parametrize(
    ("test_set", "kind", "tolerance"), [("wmt23", "mqm", 1e-6), ("wmt24", "esa", 1e-6)]
)
def test_system_scores_are_means_of_segments(
    shared: Path, test_set: str, kind: str, tolerance: float
) -> None:
    folder = shared / "data" / test_set
    pairs = [path.name.split(".")[0] for path in (folder / "human-scores").glob(f"*.{kind}.sys.*")]
    assert pairs
    for pair in pairs:
        files = human_score_files(str(folder), pair)[kind]
        listed = read_score_file(files[Level.SYSTEM])
        found = system_means(read_score_file(files[Level.SEGMENT])).chosen(listed.systems)
        np.testing.assert_allclose(found.scores, listed.scores, atol=tolerance)


def test_wmt14_preferences_are_read_whole(shared: Path) -> None:
    folder = shared / "data" / "wmt14" / "human-pairs"
    counts = {path.name[:5]: len(read_human_pairs(str(path))) for path in folder.glob("*.rr.tsv")}
    assert counts == {"cs-en": 15_732, "de-en": 18_310, "fr-en": 19_620}
