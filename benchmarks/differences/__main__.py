"""Fits what a difference of system scores means to people: python -m benchmarks.differences.

python -m benchmarks.differences                        score what is missing, fit, write all
python -m benchmarks.differences -m bertscore tenbin    score these metrics only, fit all
python -m benchmarks.differences -m tenbin-fast --again score it even if its scores are stored
python -m benchmarks.differences --no-scoring           fit on the stored scores

Scores are stored after each language pair, so that a run that was interrupted goes on.
"""

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path

from benchmarks.differences.fitting import fit_all, judged_systems
from benchmarks.differences.forms import held_out_losses
from benchmarks.differences.page import (
    curve_rows,
    filled,
    form_rows,
    published_rows,
    write_points,
)
from benchmarks.differences.scoring import METRICS, SystemScore, read_scores, score_places
from tenbin.core.difference_curve import FEWEST_PLACES
from tenbin.formats.difference_curves import curves_text, parse_curves

ROOT = Path(__file__).resolve().parents[2]
SCORES = ROOT / "benchmarks" / "results" / "system-scores.tsv"
CURVES = ROOT / "src" / "tenbin" / "resources" / "bundled" / "difference-curves.json"
POINTS = ROOT / "docs" / "measurements" / "difference-curves.tsv"
PAGE = ROOT / "docs" / "howto" / "differences.md"


def main() -> None:
    """Score, fit and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("-m", "--metrics", nargs="+", default=list(METRICS))
    parser.add_argument(
        "--adapters",
        type=Path,
        default=Path("adapters"),
        metavar="DIR",
        help="learned metrics without a year, by benchmarks.left_out_years or benchmarks.students",
    )
    parser.add_argument(
        "--again", action="store_true", help="score the metrics of -m even if scores are stored"
    )
    parser.add_argument("--no-scoring", action="store_true", help="fit on the stored scores")
    options = parser.parse_args()
    if options.no_scoring:
        scores = read_scores(SCORES)
    else:
        wanted, folder = options.metrics, options.adapters
        scores = score_places(options.data, SCORES, wanted, folder, _tell, again=options.again)
    table = fit_all(options.data, scores)
    text = curves_text(table)
    CURVES.write_text(text, encoding="utf-8")
    write_points(POINTS, table)
    # As stored, rounded, so that the page can be checked against the file.
    stored = parse_curves(text, CURVES.name)
    blocks = {
        "curves": curve_rows(stored),
        "published": published_rows(stored),
        "forms": form_rows(_losses(options.data, scores)),
    }
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8"), blocks), encoding="utf-8")
    _tell(f"{len(table.curves)} curves, {CURVES}")


def _losses(data: Path, scores: list[SystemScore]) -> Mapping[str, Mapping[str, float]]:
    losses = {}
    for metric in dict.fromkeys(one.metric for one in scores):
        for places in judged_systems(data, scores, metric).values():
            if len(places) >= FEWEST_PLACES and metric not in losses:
                losses[metric] = held_out_losses(places)
    return losses


def _tell(line: str) -> None:
    sys.stderr.write(f"{line}\n")


if __name__ == "__main__":
    main()
