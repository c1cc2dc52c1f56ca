"""Whole outputs of commands, kept as text beside this file and reviewed as text.

``pytest tests/golden --refresh-golden`` writes them anew. Versions are masked, so that a release
does not change them, and long fractions are cut, so that another processor does not either.
"""

import re
import shutil
import sys
from pathlib import Path

import pytest

from tenbin.cli.main import main

OUTPUTS = Path(__file__).with_name("outputs")
EXAMPLE = "--set bundled:example --pair ja-en -r refA refB"
EVERY_KIND = "-m bleu chrf++ ter nist ribes impact wer"
BASELINE = "--baseline literal --rounds 1000"
JUDGED = "--set judged --pair de-en --import-scores judged --no-cache"
STUDIED = (
    "--set judged --pair de-en -r refA --no-cache --resamples 50 --by segments --vectors near.vec"
)
EXPLAINED = '-m meteor(paraphrases="none") -n 2'
TERMS = "--glossary bundled:example"
BOOTSTRAP = "--test bootstrap --by segments --rounds 200"
FORMS = ("text", "json", "tsv", "markdown", "latex")
BROKEN = {
    "good.txt": b"A cat sleeps.\nRain falls on the town.\nNobody came.\n",
    "latin1.txt": b"caf\xe9\nna\xefve\nok\n",
    "nul.txt": b"a\nb\0c\nd\n",
    "empty.txt": b"",
    "windows.txt": b"\xef\xbb\xbfA cat sleeps.\r\n\r\nNobody came.\r\n",
    "short.txt": b"A cat sleeps.\n",
    "japanese.txt": "猫が寝ている。\n町に雨が降る。\n誰も来なかった。\n".encode(),
    "entities.txt": b"Q&amp;A .\nR&amp;D .\nthe end .\n",
    "cut.txt.gz": b"\x1f\x8b\x08\x00cut",
    "words.tsv": b"shut\tclosed\ncity\ttown\n",
    "near.vec": b"the 1 0 0\nan 0.9 0.3 0.3\nquietly 0 1 0\ncalmly 0 1 0.4\nquiet 0.2 1 0\n"
    b"was 0 0 1\nwent 0.5 0.2 1\nhad 0.4 0 1\nsat 0.3 0.3 0.3\nsits 0.3 0.4 0.3\non 0.6 0 0.2\n",
}
COMMANDS = {
    **{f"score.{form}": f"score {EXAMPLE} -m bleu chrf++ -f {form}" for form in FORMS},
    "score-many-metrics.text": f"score {EXAMPLE} {EVERY_KIND}",
    **{
        f"score-intervals.{form}": f"score {EXAMPLE} -m bleu chrf ribes --ci -f {form}"
        for form in FORMS
    },
    "score-segments.text": f"score {EXAMPLE} -t careful gloss -m sentbleu chrf --segments",
    "score-segments.tsv": f"score {EXAMPLE} -t careful -m chrf --segments -f tsv",
    **{
        f"score-terms.{form}": f"score {EXAMPLE} -m terms --segments -t literal {TERMS} -f {form}"
        for form in ("text", "json")
    },
    "explain-terms.text": f"explain {EXAMPLE} -m terms -t literal -n 2 8 9 {TERMS}",
    "explain-glossary.text": f"explain {EXAMPLE} {EXPLAINED} -t literal {TERMS}",
    "explain-glossary.json": f"explain {EXAMPLE} {EXPLAINED} -t literal {TERMS} -f json",
    "score-japanese.text": "score --set bundled:example --pair en-ja -m bleu chrf ribes ter",
    **{
        f"compare.{form}": f"compare {EXAMPLE} -m bleu chrf --by segments --rounds 1000 -f {form}"
        for form in FORMS
    },
    **{
        f"compare-baseline.{form}": f"compare {EXAMPLE} -m chrf++ {BASELINE} -f {form}"
        for form in FORMS
    },
    **{
        f"compare-people.{form}": "compare --set bundled:example --pair ja-en -r refA -m chrf ter "
        f"chrf(beta=1) --by segments --rounds 1000 -f {form}"
        for form in FORMS
    },
    **{
        f"score-worst.{form}": f"score {EXAMPLE} -t careful gloss -m chrf++ ter --worst 2 "
        f"--worst-by ter -f {form}"
        for form in FORMS
    },
    "score-worst-japanese.text": "score --set bundled:example --pair en-ja -t gloss -m chrf "
    "--worst 3",
    **{
        f"compare-differences.{form}": f"compare {EXAMPLE} -m chrf --by segments --rounds 100 "
        f"--differences 2 -f {form}"
        for form in FORMS
    },
    "compare-differences-baseline.text": f"compare {EXAMPLE} -t careful gloss literal -m chrf "
    "--by segments --rounds 100 --differences 1 --baseline literal",
    "compare-differences-japanese.text": "compare --set bundled:example --pair en-ja -m chrf "
    "--by segments --rounds 100 --differences 2",
    "compare-bootstrap.text": f"compare {EXAMPLE} -m chrf {BOOTSTRAP}",
    "explain.text": f"explain {EXAMPLE} -t careful gloss {EXPLAINED}",
    "explain.json": f"explain {EXAMPLE} -t careful {EXPLAINED} -f json",
    "explain-japanese.text": f"explain --set bundled:example --pair en-ja -t gloss {EXPLAINED}",
    "explain-worst.text": f"explain {EXAMPLE} -t careful -m mas --worst 2",
    "explain-matrix.text": f"explain {EXAMPLE} -t careful -m was(threshold=0) -n 2",
    "explain-matrix-all.text": f"explain {EXAMPLE} -t careful -m was(threshold=0) -n 2 --fold 0",
    "error-explain.text": f"explain {EXAMPLE} -n 999",
    "error-explain-metric.text": f"explain {EXAMPLE} -m chrf -n 1",
    **{
        f"meta.{form}": f"meta {JUDGED} -m chrf ter --measure segment-pearson system-accuracy "
        f"--imported Good-refA Constant-src -f {form}"
        for form in FORMS
    },
    **{
        f"meta-ranks.{form}": f"meta {JUDGED} -m chrf ter --measure darr-tau system-pearson "
        f"--imported Good-refA Partial-refA --ci --resamples 200 --compare -f {form}"
        for form in FORMS
    },
    "meta-paraeval.text": f"meta {JUDGED} -m ter chrf --measure paraeval-spearman",
    **{
        f"meta-curve.{form}": f"meta {JUDGED} --curve -m chrf ter --imported Good-refA "
        f"--resamples 50 -f {form}"
        for form in FORMS
    },
    "meta-list.text": "meta --list",
    "error-meta.text": f"meta {JUDGED} --measure sistem-pearson nonsense",
    **{
        f"study-lexicons.{form}": f"study lexicons {STUDIED} --lexicon words.tsv "
        f"--paraphrases none -f {form}"
        for form in FORMS
    },
    "study-attention.text": f"study attention {STUDIED} -m we_wpi impact chrf --import-scores "
    "judged --measure darr-tau system-pearson",
    "error-study.text": "study vectors --set judged --pair de-en --bitext en-fr=words.tsv --work w",
    "metrics.text": "metrics",
    "metrics-chrf.text": "metrics chrf",
    "metrics-chrf.json": "metrics chrf -f json",
    "doctor-broken-files.text": "doctor -r good.txt japanese.txt none.txt -t latin1.txt nul.txt "
    "empty.txt windows.txt short.txt entities.txt cut.txt.gz good.txt . -l en",
    "error-metrics.text": "score -r good.txt -t windows.txt -l en -m blue chrf(beta=x) wer(n=1)",
    "error-files.text": "score -r good.txt none.txt -t latin1.txt nul.txt . -l en -m bleu chrf",
    "error-lengths.text": "score -r good.txt -t windows.txt short.txt -l en -m bleu chrf",
    "error-script.text": "score -r japanese.txt -t good.txt -l en -m bleu chrf",
    "error-pair.text": "score -r good.txt -t windows.txt -l en-de",
}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_prints_what_it_printed(
    name: str,
    refresh_golden: bool,  # noqa: FBT001 - a fixture
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for file, content in BROKEN.items():
        (tmp_path / file).write_bytes(content)
    shutil.copytree(OUTPUTS.parents[1] / "data" / "judged", tmp_path / "judged")
    monkeypatch.chdir(tmp_path)
    code = main(COMMANDS[name].split())
    out, err = capsys.readouterr()
    parts = [f"$ tenbin {COMMANDS[name]}\n", masked(out)]
    parts += [f"\non stderr:\n{masked(err)}"] if err else []
    shown = "".join([*parts, f"\nexit code: {code}\n"])
    stored = OUTPUTS / f"{name}.txt"
    if refresh_golden:
        OUTPUTS.mkdir(exist_ok=True)
        stored.write_text(shown, encoding="utf-8")
    assert stored.is_file(), "run pytest tests/golden --refresh-golden, and review the new file"
    assert shown == stored.read_text(encoding="utf-8")


def test_no_output_is_left_from_a_command_that_has_gone() -> None:
    assert {path.name for path in OUTPUTS.iterdir()} == {f"{name}.txt" for name in COMMANDS}


def masked(text: str) -> str:
    """Return an output without what may change from release to release or machine to machine."""
    text = re.sub(r"(version:\w+=)[^|\s}\"`\\]+", r"\1*", text)
    text = re.sub(r'("tenbin": )"[^"]+"', r'\1"*"', text)
    text = re.sub(r"-?\d+\.\d{7,}(?:e-?\d+)?", lambda found: f"{float(found[0]):.6f}", text)
    # What is installed is a matter of the machine.
    return re.sub(r"(?s)^.*?\n(?= +Texts\n)", "(the installation)\n\n", text)


def test_masks() -> None:
    assert masked("x|version:tenbin=1.2.3|version:a=b") == "x|version:tenbin=*|version:a=*"
    assert masked('{\n "tenbin": "1.0.dev1",') == '{\n "tenbin": "*",'
    assert masked("0.12345678901 12.5") == "0.123457 12.5"
    assert masked(f"  Installation\nok {sys.version}\n\n    Texts\nok") == (
        "(the installation)\n\n    Texts\nok"
    )
