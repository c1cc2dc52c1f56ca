"""BERTScore of many systems by Tenbin: SPEC OUT REFERENCE SYSTEM..., as contextual_peer."""

import json
import sys
from pathlib import Path

import tenbin


def main() -> None:
    """Score every system against the reference, all in one call."""
    spec, out, reference, *systems = sys.argv[1:]
    texts = {Path(name).stem: _lines(name) for name in systems}
    table = tenbin.score(texts, _lines(reference), metrics=[spec], language="en", segments=True)
    (result,) = table.score_set.results
    segments = result.segments
    if segments is None:
        raise RuntimeError("segment scores were asked for")
    found = {name: segments[place].tolist() for place, name in enumerate(result.systems)}
    Path(out).write_text(json.dumps(found), encoding="utf-8")


def _lines(name: str) -> list[str]:
    return Path(name).read_text(encoding="utf-8").splitlines()


if __name__ == "__main__":
    main()
