"""Every option of every command with values that nobody means: one clear line, or a result."""

import argparse
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import tenbin
from tenbin.cli.main import COMMANDS, build_parser

Cli = Callable[..., subprocess.CompletedProcess[str]]

NUMBERS = ("0", "-1", str(10**18), "1e308", "nan", "inf", "", "9" * 5000)
PATHS = ("", "x" * 5000, "a\0b", "~nosuchuser/x", "/dev/zero", ".", "=", "\udcff")
GRIDS = (
    "threshold=0:1:0.0000001",
    "threshold=0:1e999999:1",
    "threshold=1e5000:1e5000:1",
    "threshold=0:1:1e-999999",
    "threshold=nan:1:1",
    "threshold=" + "9" * 5000,
    "threshold=",
)
MOST_SHOWN = 2_000
MOST_LINES = 3  # one for each metric of a study
TEXTS = ("-r", "ref.txt", "-t", "good.txt", "-l", "en")
SET = ("--set", "set", "--pair", "de-en")
STUDIED = (*SET, "--resamples", "5", "--no-cache")
MEASURED = ("--measure", "segment-pearson", "--folds", "0", "--paraphrases", "none")
BASES: dict[tuple[str, ...], tuple[str, ...]] = {
    ("score",): (*TEXTS, "--ci", "--resamples", "5"),
    ("compare",): (*TEXTS, "-t", "poor.txt", "--rounds", "5"),
    ("check",): ("--baseline", "baseline.json", "-t", "good.txt", "--rounds", "5"),
    ("explain",): (*TEXTS, "-n", "1", "-m", "wer"),
    ("report",): ("scores.json", "-o", "out.html"),
    ("mbr",): ("-t", "good.txt", "poor.txt", "-l", "en"),
    ("rerank",): ("-t", "nbest.txt", "-l", "en", "--given"),
    ("oracle",): ("-r", "ref.txt", "-t", "good.txt", "poor.txt", "-l", "en"),
    ("meta",): (*SET, "-m", "chrf", "--ci", "--resamples", "5", "--compare", "--no-cache"),
    ("tune",): (
        *SET,
        *("-m", "chrf", "--parameter", "beta=1,2", "--measure", "segment-pearson"),
        *("--folds", "0", "--no-cache"),
    ),
    ("study", "ranking"): (*STUDIED, "--table", "none", "-m", "chrf"),
    ("study", "references"): (*STUDIED, "--table", "none", "-m", "chrf"),
    ("study", "lengths"): (*STUDIED, "--table", "none"),
    ("study", "humans"): (*STUDIED, "--table", "none"),
    ("study", "decomposition"): STUDIED,
    ("study", "vectors"): (*STUDIED, *MEASURED, "--vectors", "glove=glove-en-small:surface"),
    ("study", "lexicons"): (*STUDIED, *MEASURED),
    ("study", "attention"): (*STUDIED, "-m", "impact", "chrf", "--measure", "segment-pearson"),
    ("study", "grid"): (*STUDIED, "--model", "static:glove-en-small", "--idf", "none"),
    ("metrics",): (),
    ("sets", "list"): (),
    ("sets", "show"): ("set",),
    ("sets", "install"): ("--archive", "ref.txt"),
    ("resources", "list"): (),
    ("resources", "path"): ("wordnet-en",),
    ("resources", "verify"): (),
    ("resources", "install"): ("nosuch", "--offline"),
    ("resources", "remove"): ("nosuch",),
    ("build", "vectors"): ("ref.txt", "-l", "en", "-o", "built"),
    ("build", "function-words"): ("ref.txt", "-l", "en", "-o", "built"),
    ("build", "idf"): ("ref.txt", "-l", "en", "-o", "built"),
    ("build", "bert"): ("ref.txt", "-l", "en", "-o", "built"),
    ("build", "combination"): (*SET, "-m", "chrf", "eed", "--resamples", "5", "-o", "built"),
    ("build", "context"): ("-s", "ref.txt", "-r", "ref.txt", "-l", "en", "-o", "built"),
    ("build", "encoder"): ("ref.txt", "--languages", "de", "-o", "built"),
    ("build", "metric"): ("--table", "ref.txt", "-l", "en", "-o", "built.safetensors"),
    ("build", "paraphrases"): ("ref.txt", "-l", "en", "--from", "sets", "-o", "built"),
    # An address that no machine has, so that nothing begins to serve.
    ("serve",): ("--no-browser", "--host", "192.0.2.1"),
    ("completion",): ("bash",),
    ("doctor",): TEXTS,
}
# Together with the option before it, so that it is not refused for want of company.
COMPANY: dict[str, tuple[str, ...]] = {
    "--trials": ("--search", "random"),
    "--scores": ("--human-scores", "ref.txt"),
    "--human-scores": ("--scores", "ref.txt"),
    "--worst-by": ("--worst", "1"),
    "--differences-by": ("--differences", "1"),
    "--differences-between": ("--differences", "1"),
    "--input": ("-o", "out.parquet"),
}
# A model is trained for as long as these say.
SERIOUS = {"--steps", "--epochs", "--minutes"}


def commands() -> Iterator[tuple[tuple[str, ...], argparse.ArgumentParser]]:
    """Yield every command that can be called, with its parser."""
    for name in COMMANDS:
        parser = build_parser([name])
        (choices,) = parsers(parser)
        yield from leaves((name,), choices.choices[name])


def leaves(
    words: tuple[str, ...], parser: argparse.ArgumentParser
) -> Iterator[tuple[tuple[str, ...], argparse.ArgumentParser]]:
    below = parsers(parser)
    if not below:
        yield words, parser
    for one in below:
        for name, child in one.choices.items():
            yield from leaves((*words, name), child)


def parsers(
    parser: argparse.ArgumentParser,
) -> list["argparse._SubParsersAction[argparse.ArgumentParser]"]:
    return [one for one in parser._actions if isinstance(one, argparse._SubParsersAction)]


def cases(parser: argparse.ArgumentParser) -> Iterator[tuple[str, ...]]:
    """Yield options with values."""
    for action in parser._actions:
        if action.nargs == 0 or action.choices is not None:
            continue
        option = action.option_strings[-1] if action.option_strings else ""
        values: tuple[str, ...] = NUMBERS if action.type in {int, float} else PATHS
        if option == "--segment":
            values = (*NUMBERS, *PATHS)
        if option == "--parameter":
            values = (*GRIDS, *PATHS)
        for value in values:
            if option in SERIOUS and value in {str(10**18), "1e308"}:
                continue
            yield (*COMPANY.get(option, ()), f"{option}={value}") if option else (value,)


COMMAND_LIST = dict(commands())


def test_every_command_is_tried() -> None:
    assert set(BASES) == set(COMMAND_LIST)


@pytest.fixture
def small_set(texts: Path) -> Path:
    """A test set of six segments with human scores."""
    files = {
        "documents/de-en.docs": "".join(f"news\td{place // 2}\n" for place in range(6)),
        "sources/de-en.txt": "quelle\n" * 6,
        "references/de-en.refA.txt": (texts / "ref.txt").read_text(),
        "system-outputs/de-en/good.txt": (texts / "good.txt").read_text(),
        "system-outputs/de-en/poor.txt": (texts / "poor.txt").read_text(),
        "human-scores/de-en.da-z.seg.score": "".join(
            f"{name}\t{place * scale}\n"
            for name, scale in (("good", 2), ("poor", -1))
            for place in range(6)
        ),
        "human-scores/de-en.da-z.sys.score": "good\t1\npoor\t-1\n",
    }
    for name, content in files.items():
        path = texts / "set" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    scores = tenbin.score(
        (texts / "good.txt").read_text().splitlines(),
        (texts / "ref.txt").read_text().splitlines(),
        metrics=["wer"],
        language="en",
    )
    (texts / "scores.json").write_text(scores.to_json())
    texted = replace(
        tenbin.score(
            (texts / "good.txt").read_text().splitlines(),
            (texts / "ref.txt").read_text().splitlines(),
            metrics=["wer"],
            language="en",
            segments=True,
        ),
        texts=tenbin.TestSet(
            hypotheses={"hypotheses": tuple((texts / "good.txt").read_text().splitlines())},
            references=tuple((line,) for line in (texts / "ref.txt").read_text().splitlines()),
        ),
    )
    (texts / "baseline.json").write_text(texted.to_json())
    lines = (texts / "good.txt").read_text().splitlines()
    nbest = "".join(f"{place} ||| {text} ||| {place}\n" for place, text in enumerate(lines))
    (texts / "nbest.txt").write_text(nbest)
    return texts


TRAINED = {("build", name) for name in ("vectors", "bert", "context", "paraphrases")}
"""What takes minutes of processor time for some numbers; not tried here."""


@pytest.mark.parametrize("words", [one for one in BASES if one not in TRAINED], ids=" ".join)
def test_options(
    words: tuple[str, ...], small_set: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TENBIN_CACHE", str(small_set / "cache"))
    monkeypatch.setenv("COLUMNS", "80")
    # To make a parser takes longer than most of what is asked of it.
    parser = build_parser(words)
    monkeypatch.setattr("tenbin.cli.main.build_parser", lambda _words: parser)
    faults = []
    for given in cases(COMMAND_LIST[words]):
        shown = " ".join(word[:60] for word in given)
        try:
            done = cli(*words, *BASES[words], *given)
        except Exception as error:  # noqa: BLE001 - each is a fault
            faults.append(f"{shown}: {error!r:.300}")
            continue
        said = done.stderr.splitlines()
        errors = [line for line in said if "error:" in line]
        known = done.returncode in {0, 1, 2, 3, 4}
        clear = bool(errors) == (done.returncode != 0) and len(errors) <= MOST_LINES
        if words == ("doctor",):  # what it finds is its result
            clear = True
        if not known or not clear or max(map(len, said), default=0) > MOST_SHOWN:
            faults.append(f"{shown}: {done.returncode}, {done.stderr:.300}")
    assert not faults, "\n".join(faults)
