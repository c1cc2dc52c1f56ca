"""Defects that were reproduced in other tools, each as a test of what we do instead.

Provenance: `peers.md` of the shared folder, section E, one test or more per row, in its order;
numbers of sacrebleu 2.6.0 and NLTK 3.10.4 are computed here; 2026-11-15. Rows about starting and
installing a program are in `test_peer_installation.py`.
"""

import json
import warnings
from pathlib import Path
from typing import Any, NoReturn

import pytest
import sacrebleu

import tenbin
from tenbin.cli.main import main

pytestmark = pytest.mark.oracle

HYPOTHESES_A = ["The cat sat on the mat today.", "It is raining in the north.", "He went home."]
HYPOTHESES_B = ["A cat is on a mat today.", "Rain is in the north now.", "He has gone home."]
REFERENCES = ["The cat sat on the mat.", "It rains in the north today.", "He went home early."]

JAPANESE_HYPOTHESES = ["私は昨日、東京で友人に会いました。", "天気がとても良いです。"]
JAPANESE_REFERENCES = ["私は昨日、大阪で友人に会いました。", "天気がとても良いです。"]


def write_lines(folder: Path, name: str, lines: list[str]) -> str:
    path = folder / name
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return str(path)


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    return {
        "reference": write_lines(tmp_path, "reference.txt", REFERENCES),
        "a": write_lines(tmp_path, "a.txt", HYPOTHESES_A),
        "b": write_lines(tmp_path, "b.txt", HYPOTHESES_B),
    }


def strict_json(text: str) -> Any:
    def refuse(name: str) -> NoReturn:
        raise AssertionError(f"{name} is not JSON")

    return json.loads(text, parse_constant=refuse)


def test_json_of_a_comparison_with_chrf_is_json(
    files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """sacrebleu: `-m chrf --paired-bs` computes, then fails: float32 is not JSON serializable.

    Ours: `tenbin compare` prints JSON whose numbers are plain floats, for both tests.
    """
    for test in ("bootstrap", "ar"):
        arguments = ["compare", "-r", files["reference"], "-t", files["a"], files["b"]]
        arguments += ["-l", "en", "-m", "chrf", "--test", test, "--rounds", "200", "-f", "json"]
        assert main([*arguments, "-q"]) == 0
        payload = strict_json(capsys.readouterr().out)
        assert [type(result["score"]) for result in payload["results"]] == [float, float]
        (pair,) = payload["pairs"]
        for key in ("difference", "p_value", "p_value_holm"):
            assert type(pair[key]) is float
        assert 0 < pair["p_value"] <= 1


def test_empty_segments_are_scored_by_definition_and_told() -> None:
    """sacrebleu: corpus chrF 86.2 while segments are 100, 0, 0; BLEU 0; TER 100; no word about it.

    Ours: the same numbers on purpose, so that scores stay comparable, and notes that count empty
    segments and send the reader to the segment scores.
    """
    hypotheses, references = ["a b", "", "c d"], ["a b", "x", ""]
    table = tenbin.score(
        hypotheses, references, metrics=["chrf", "bleu", "ter"], language="en", segments=True
    )
    expected = sacrebleu.corpus_chrf(hypotheses, [references]).score
    assert round(expected, 1) == 86.2
    assert table["hypotheses", "chrf"] == pytest.approx(expected, abs=1e-9)
    assert table["hypotheses", "bleu"] == 0
    assert table["hypotheses", "ter"] == 100
    segments = table.score_set.results[0].segments
    assert segments is not None
    assert segments[0].tolist() == [100, 0, 0]
    notes = " ".join(table.score_set.notes)
    assert "hypotheses: 1 segment of 3 empty" in notes
    assert "references: 1 segment empty" in notes
    assert "segment scores" in notes


def test_one_list_of_references_per_segment_is_our_shape() -> None:
    """sacrebleu: N lists of one reference are read as N streams: BLEU 100 without a warning.

    Ours: N lists of one are N segments and get the right number; K lists of N are refused with the
    way out, and taken if the caller says so.
    """
    hypotheses = ["the cat sat on the mat", "all of this is wrong"]
    nested = [["the cat sat on the mat"], ["nothing here is right"]]
    assert sacrebleu.corpus_bleu(hypotheses, nested).score == pytest.approx(100)
    stream = [texts[0] for texts in nested]
    expected = sacrebleu.corpus_bleu(hypotheses, [stream]).score
    table = tenbin.score(hypotheses, nested, metrics=["bleu"], language="en")
    assert table["hypotheses", "bleu"] == pytest.approx(expected, abs=1e-9)
    assert table["hypotheses", "bleu"] < 60
    for streams in ([REFERENCES], [REFERENCES, HYPOTHESES_B]):
        with pytest.raises(tenbin.InputError, match=r"transposed.*reference_axis=\"stream\""):
            tenbin.score(HYPOTHESES_A, streams, metrics=["bleu"], language="en")
        table = tenbin.score(
            HYPOTHESES_A, streams, reference_axis="stream", metrics=["bleu"], language="en"
        )
        expected = sacrebleu.corpus_bleu(HYPOTHESES_A, streams).score
        assert table["hypotheses", "bleu"] == pytest.approx(expected, abs=1e-9)


def test_japanese_is_never_a_silent_zero(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """sacrebleu: a Japanese pair that differs by one word scores BLEU 0.0 without `-l`.

    Ours: no language, the wrong language and the wrong tokenizer are errors that name the option;
    with `-l ja` the number is that of sacrebleu's ja-mecab.
    """
    pytest.importorskip("MeCab")
    reference = write_lines(tmp_path, "reference.txt", JAPANESE_REFERENCES)
    system = write_lines(tmp_path, "system.txt", JAPANESE_HYPOTHESES)
    arguments = ["score", "-r", reference, "-t", system, "-f", "json", "-q", "-m"]
    assert sacrebleu.corpus_bleu(JAPANESE_HYPOTHESES[:1], [JAPANESE_REFERENCES[:1]]).score == 0

    assert main([*arguments, "bleu"]) == 2
    assert "-l" in capsys.readouterr().err
    assert main([*arguments, "bleu", "-l", "en"]) == 3
    assert "-l ja" in capsys.readouterr().err
    assert main([*arguments, 'bleu(tokenizer="13a")', "-l", "ja"]) == 3
    assert 'tokenizer="sudachi-c", "ja-mecab" or "char"' in capsys.readouterr().err

    specs = {"bleu": "ja-mecab", 'bleu(tokenizer="char")': "char"}
    assert main([*arguments, *specs, "-l", "ja"]) == 0
    results = strict_json(capsys.readouterr().out)["results"]
    for result, tokenizer in zip(results, specs.values(), strict=True):
        expected = sacrebleu.corpus_bleu(
            JAPANESE_HYPOTHESES, [JAPANESE_REFERENCES], tokenize=tokenizer
        ).score
        assert expected > 50
        assert result["score"] == pytest.approx(expected, abs=1e-9)


def test_same_files_give_the_bleu_of_sacrebleu(
    files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """compare-mt: BLEU 42.4 where sacrebleu has 9.9 on the same files; NLTK: 6e-155 and warnings.

    Ours: sacrebleu's number, from the files, with its tokenizer and smoothing in the signature.
    """
    arguments = ["score", "-r", files["reference"], "-t", files["b"], "-l", "en", "-m", "bleu"]
    assert main([*arguments, "-f", "json", "-q"]) == 0
    (result,) = strict_json(capsys.readouterr().out)["results"]
    expected = sacrebleu.corpus_bleu(HYPOTHESES_B, [REFERENCES])
    assert result["score"] == pytest.approx(expected.score, abs=1e-9)
    assert result["score"] > 1
    assert {"tok:13a", "smooth:exp", "case:mixed"} <= set(result["signature"].split("|"))

    bleu_score = pytest.importorskip("nltk.translate.bleu_score")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        nltk = bleu_score.corpus_bleu(
            [[text.split()] for text in REFERENCES], [text.split() for text in HYPOTHESES_B]
        )
    assert nltk < 1e-50


def test_normalisation_is_part_of_the_signature() -> None:
    """METEOR: 0.435 with `-norm`, 0.364 without, and nothing in the output says which.

    Ours: a choice that moves the number moves the signature, known before scoring.
    """
    table = tenbin.score(
        HYPOTHESES_A,
        REFERENCES,
        metrics=["ribes", "ribes(tokenizer=none)", "ribes(lowercase=False)", "ter"],
        language="en",
    )
    signatures = [str(result.signature) for result in table.score_set.results]
    assert len(set(signatures)) == len(signatures)
    assert table["hypotheses", "ribes"] != table["hypotheses", 'ribes(tokenizer="none")']
    assert "tok:13a" in signatures[0]
    assert "tok:none" in signatures[1]
    assert "norm:no" in signatures[3]
    before = tenbin.load_metric("ribes(tokenizer=none)", language="en").signature
    assert dict(before.fields).items() <= dict(table.score_set.results[1].signature.fields).items()


@pytest.mark.parametrize(
    ("language", "advice"),
    [("klingonese-x", "is not a language tag"), ("jp", "'ja'"), ("xx", "is not a language tag")],
)
def test_unknown_language_is_an_error_in_words(
    files: dict[str, str], capsys: pytest.CaptureFixture[str], language: str, advice: str
) -> None:
    """METEOR: `-l ja` ends in a Java stack trace.

    Ours: a language that does not exist is one line that says what to write, exit code 2.
    """
    arguments = ["score", "-r", files["reference"], "-t", files["a"], "-l", language]
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert advice in captured.err
    assert "Traceback" not in captured.err


def test_language_without_resources_still_scores() -> None:
    """METEOR: languages without its data end in a stack trace.

    Ours: metrics here need no data of a language; scripts without spaces are cut into characters.
    """
    specs = ["bleu", "chrf", "ribes", "impact", "eed", "character", "nist"]
    for language, text in {"lo": "ຂ້ອຍຮັກພາສາລາວ", "yo": "Mo fẹ́ràn èdè Yorùbá"}.items():
        table = tenbin.score([text], [text], metrics=specs, language=language)
        assert table["hypotheses", "chrf"] == 100
        assert table["hypotheses", "bleu"] == pytest.approx(100)


def test_unequal_line_counts_name_files_and_counts(
    tmp_path: Path, files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """METEOR: unequal line counts give a clean message (good).

    Ours: exit code 3, both counts, both file names, no result on stdout.
    """
    short = write_lines(tmp_path, "short.txt", HYPOTHESES_A[:2])
    for command in ("score", "compare"):
        systems = [short] if command == "score" else [files["a"], short]
        assert main([command, "-r", files["reference"], "-t", *systems, "-l", "en"]) == 3
        captured = capsys.readouterr()
        assert captured.out == ""
        assert "reference.txt: 3" in captured.err
        assert "short.txt: 2" in captured.err
        assert "Traceback" not in captured.err
