"""The reports that are opened: from the bundled example, from WMT sets, and from hostile texts."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.browser.hostile import ARABIC, CHINESE, HEBREW, JAPANESE, STRINGS

from tenbin.api.page import write_page
from tenbin.api.scoring import score_test_set
from tenbin.cli.main import main
from tenbin.core.text import TestSet

ROOT = Path(__file__).resolve().parents[2]
JUDGED = ROOT / "tests" / "data" / "judged"
SHARED = ROOT.parent / "shared"


def _run(*words: str) -> None:
    code = main([*words])
    if code == 4:
        pytest.skip(f"what 'tenbin {' '.join(words)}' needs is not installed")
    assert code == 0


def example_score(path: Path) -> None:
    """Two references, intervals, metrics of five kinds that explain themselves."""
    metrics = ("bleu", "chrf++", "ter", "meteor", 'we_wpi(vectors="glove-en-small")')
    _run(
        *("score", "--set", "bundled:example", "--pair", "ja-en", "-r", "refA", "refB"),
        *("-m", *metrics, 'bertscore(model="static:glove-en-small")'),
        *("--ci", "--by", "segments"),
        *("--report", str(path)),
    )


def example_compare(path: Path) -> None:
    """Every pair of systems tested."""
    _run(
        *("compare", "--set", "bundled:example", "--pair", "ja-en", "-m", "chrf++", "meteor"),
        *("--by", "segments", "--report", str(path)),
    )


def example_japanese(path: Path) -> None:
    """Translations into Japanese, and words of the page in Japanese."""
    _run(
        *("score", "--set", "bundled:example", "--pair", "en-ja", "-m", "chrf", "ter", "yisi0"),
        *("--report", str(path), "--report-language", "ja"),
    )


def judged_meta(path: Path) -> None:
    """Agreement of three metrics with people."""
    _run(
        *("meta", "--set", str(JUDGED), "--pair", "de-en", "-m", "bleu", "chrf", "yisi0"),
        *("--report", str(path)),
    )


def judged_tune(path: Path) -> None:
    """A parameter whose best value lies at the end of its range, or near."""
    _run(
        *("tune", "-m", "chrf", "--parameter", "beta=1:3:0.5", "--measure", "kendall"),
        *("--set", str(JUDGED), "--pair", "de-en", "--report", str(path)),
    )


def wmt24_japanese(path: Path) -> None:
    """News and speech into Japanese, with judgments."""
    _wmt(path, "wmt24", "en-ja", ["GPT-4", "NTTSU", "IKUN-C"], ["chrf", "meteor", "has", "was"])


def wmt22_english(path: Path) -> None:
    """1,984 segments into English, with judgments."""
    vectors = ('has(vectors="glove-en-small")', 'was(vectors="glove-en-small")')
    _wmt(path, "wmt22", "de-en", ["Online-A", "PROMT", "LT22"], ["chrf", "meteor", *vectors])


def _wmt(path: Path, name: str, pair: str, systems: list[str], metrics: list[str]) -> None:
    if not SHARED.is_dir():
        pytest.skip("the folder 'shared' (WMT data) is not beside the repository")
    _run(
        *("score", "--set", str(SHARED / "data" / name), "--pair", pair, "-t", *systems),
        *("-m", *metrics, "--report", str(path)),
    )


def hebrew(path: Path) -> None:
    """From Arabic into Hebrew: both are written from right to left, numbers and names are not."""
    texts = {"source": ARABIC, "refA": HEBREW, "near": HEBREW.replace("17", "71"), "far": "הבית."}
    _written(path, "ar-he", texts, ["chrf", "ter", "yisi0"])


def chinese(path: Path) -> None:
    """From Japanese into Chinese: the same characters, drawn otherwise."""
    texts = {
        "source": JAPANESE,
        "refA": CHINESE,
        "near": CHINESE.replace("42", "24"),
        "far": "他。",
    }
    _written(path, "ja-zh", texts, ["chrf", "ter", "yisi0"])


def _written(path: Path, pair: str, texts: dict[str, str], metrics: list[str]) -> None:
    """Write a test set of forty segments, and its report."""
    folder = path.with_suffix("")
    for name, text in texts.items():
        role = {"source": "sources", "refA": "references"}.get(name, f"system-outputs/{pair}")
        file = {"source": f"{pair}.txt", "refA": f"{pair}.refA.txt"}.get(name, f"{name}.txt")
        (folder / role).mkdir(parents=True, exist_ok=True)
        lines = "".join(f"{text} {number}\n" for number in range(1, 41))
        (folder / role / file).write_text(lines, encoding="utf-8", newline="\n")
    _run(*("score", "--set", str(folder), "--pair", pair, "-m", *metrics, "--report", str(path)))


def hostile(path: Path) -> None:
    """Strings that try to be markup, formulas or commands, wherever a report has a text."""
    texts = tuple(STRINGS.values())
    systems = {
        STRINGS["script"]: texts,
        STRINGS["attribute"]: tuple(f"{text} and more" for text in texts),
        STRINGS["bidi"]: texts[::-1],
        "=1+1": tuple(f"The house number {place}." for place, _ in enumerate(texts)),
        "__proto__": tuple("constructor" for _ in texts),
    }
    test_set = TestSet(
        hypotheses=systems,
        references=tuple((text, f"{text} {STRINGS['tag']}") for text in texts),
        source=texts,
        documents=tuple(f"{text[:200]} {place // 5}" for place, text in enumerate(texts)),
        notes=(STRINGS["script"], STRINGS["ansi"]),
    )
    metrics = ["chrf", "ter", "meteor", 'has(vectors="glove-en-small")']
    table = score_test_set(test_set, metrics, "en", segments=True, cache=False)
    write_page(
        table,
        str(path),
        test_set=test_set,
        command=f"tenbin score -r {STRINGS['path']} -t '{STRINGS['script']}'",
        title=STRINGS["title"],
    )


MAKERS: dict[str, Callable[[Path], None]] = {
    "example": example_score,
    "compare": example_compare,
    "japanese": example_japanese,
    "meta": judged_meta,
    "tune": judged_tune,
    "hebrew": hebrew,
    "chinese": chinese,
    "hostile": hostile,
    "wmt24": wmt24_japanese,
    "wmt22": wmt22_english,
}
