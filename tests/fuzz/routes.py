"""One text, one score: from Python, from the command line, with workers and from Parquet."""

import contextlib
import io
import json
import random
from itertools import count
from pathlib import Path

import numpy as np
from tests.fuzz.metrics import spec_in
from tests.fuzz.texts import any_text, changed_text

import tenbin
from tenbin.cli.main import main
from tenbin.core.text import TestSet
from tenbin.formats.parquet import arrow
from tenbin.metrics import registry

SEGMENTS = 12
pa, pq = arrow(), arrow("parquet")
_numbers = count()
_WORDS = {
    "en": ("The cat sat on the mat.", "It rained for 3 days in Paris.", "Nobody came to see us."),
    "ja": ("猫がマットの上に座った。", "パリでは三日間雨が降った。", "誰も会いに来なかった。"),
}


def try_routes(language: str, rng: random.Random, folder: Path) -> object:
    """Score texts by all metrics on four ways; all give the same scores."""
    texts = _texts(language, rng)
    own = folder / str(next(_numbers))
    own.mkdir()
    specs = [spec_in(name, language) for name in registry.metric_names() if not _needs(name)]
    expected = _scores(tenbin.score(texts, metrics=specs, language=language, segments=True))
    workers = tenbin.score(texts, metrics=specs, language=language, segments=True, jobs=2)
    _same(_scores(workers), expected)
    _same(_from_command(texts, specs, language, own), expected)
    # Tables are scored part by part, which metrics that look at all texts together refuse.
    by_row = [spec for spec in specs if not registry.load(spec).needs.collection]
    _same(_from_table(texts, by_row, language, own), {spec: expected[spec] for spec in by_row})
    return expected


def _needs(name: str) -> bool:
    # What needs data that only a user can name is left to its own tests.
    return bool(registry.load(name).needs.parameters)


def _texts(language: str, rng: random.Random) -> TestSet:
    """Return ordinary segments with something odd in them: most pass the check of the language."""
    references = []
    for _ in range(SEGMENTS):
        words = f"{rng.choice(_WORDS[language])} {any_text(rng, one_line=True)}"
        references.append((_line(words), _line(changed_text(words, rng))))
    hypotheses = tuple(_line(changed_text(rng.choice(texts), rng)) for texts in references)
    return TestSet(
        hypotheses={"system": hypotheses}, references=tuple(references), source=hypotheses
    )


def _line(text: str) -> str:
    # A byte order mark at the start of a file is not part of its text.
    return " ".join(text.replace("\r", "").split("\n")).removeprefix("\ufeff") or "x"


def _scores(table: tenbin.ScoreTable) -> dict[str, list[float]]:
    return {
        one.metric: [] if one.segments is None else one.segments[0].tolist()
        for one in table.results
    }


def _same(found: dict[str, list[float]], expected: dict[str, list[float]]) -> None:
    assert found.keys() == expected.keys()
    for metric, scores in expected.items():
        np.testing.assert_allclose(found[metric], scores, rtol=1e-5, atol=1e-5, err_msg=metric)


def _from_command(
    texts: TestSet, specs: list[str], language: str, folder: Path
) -> dict[str, list[float]]:
    places = {
        "system": texts.hypotheses["system"],
        "refA": [one[0] for one in texts.references],
        "refB": [one[1] for one in texts.references],
        "source": texts.source or (),
    }
    for name, lines in places.items():
        (folder / f"{name}.txt").write_bytes("".join(f"{line}\n" for line in lines).encode())
    paths = {name: str(folder / f"{name}.txt") for name in places}
    output = folder / "scores.json"
    arguments = ["score", "-r", paths["refA"], paths["refB"], "-t", paths["system"]]
    arguments += ["-s", paths["source"], "-l", language, "-m", *specs]
    arguments += ["--segments", "-q", "-f", "json", "-o", str(output)]
    with contextlib.redirect_stderr(io.StringIO()) as told:
        code = main(arguments)
    assert code == 0, told.getvalue()
    found = json.loads(output.read_text("utf-8"))
    return {one["metric"]: one["segments"] for one in found["results"]}


def _from_table(
    texts: TestSet, specs: list[str], language: str, folder: Path
) -> dict[str, list[float]]:
    table = {
        "hypothesis": list(texts.hypotheses["system"]),
        "references": [list(one) for one in texts.references],
        "source": list(texts.source or ()),
    }
    pq.write_table(pa.table(table), folder / "in.parquet")
    tenbin.score_table(
        folder / "in.parquet", folder / "out.parquet", metrics=specs, language=language
    )
    scored = pq.read_table(folder / "out.parquet")
    return {spec: scored[spec].to_pylist() for spec in specs}
