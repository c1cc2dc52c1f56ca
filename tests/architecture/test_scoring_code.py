"""What the cache of scores leaves out of its keys is above all that scores."""

import tomllib
from pathlib import Path

from tenbin.evaluation.score_cache import ABOVE_SCORING

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = {"__main__"}


def test_no_score_depends_on_what_the_cache_leaves_out() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    (layers,) = [one["layers"] for one in contracts if one["type"] == "layers"]
    above = layers[: layers.index("evaluation")]
    assert {name for layer in above for name in layer.split(" | ")} == {*ABOVE_SCORING, *PROGRAM}
