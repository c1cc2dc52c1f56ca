"""BERTScore of many systems by the package bert-score: MODEL LAYER OUT REFERENCE SYSTEM...

A program of its own, so that what it takes is measured as a user would see it. One scorer serves
all systems, which its own command would not do.
"""

import json
import sys
from importlib import import_module
from pathlib import Path


def main() -> None:
    """Score every system against the reference, on one processor."""
    model, layer, out, reference, *systems = sys.argv[1:]
    scorer = import_module("bert_score").BERTScorer(
        model_type=model, num_layers=int(layer), device="cpu", nthreads=1, lang="en"
    )
    expected = _lines(reference)
    found = {Path(name).stem: scorer.score(_lines(name), expected)[2].tolist() for name in systems}
    Path(out).write_text(json.dumps(found), encoding="utf-8")


def _lines(name: str) -> list[str]:
    return Path(name).read_text(encoding="utf-8").splitlines()


if __name__ == "__main__":
    main()
