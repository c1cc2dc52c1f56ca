"""The bundled example set keeps its layout and its known ranking of systems."""

from importlib.resources import files
from importlib.resources.abc import Traversable

import pytest
from sacrebleu.metrics.chrf import CHRF

SEGMENTS = {"ja-en": 60, "en-ja": 20}
REFERENCES = {"ja-en": ("refA", "refB"), "en-ja": ("refA",)}
SYSTEMS = ("careful", "literal", "gloss")
SEGMENTS_PER_DOCUMENT = 10


def example_file(path: str) -> Traversable:
    return files("tenbin.resources").joinpath("bundled", "example", *path.split("/"))


def read_segments(path: str) -> list[str]:
    """Return the segments, split on LF alone as the layout asks."""
    text = example_file(path).read_bytes().decode("utf-8")
    assert text.endswith("\n")
    return text[:-1].split("\n")


def reference_paths(pair: str) -> list[str]:
    return [f"references/{pair}.{name}.txt" for name in REFERENCES[pair]]


def text_paths(pair: str) -> list[str]:
    systems = [f"system-outputs/{pair}/{system}.txt" for system in SYSTEMS]
    return [f"sources/{pair}.txt", *reference_paths(pair), *systems]


TEXTS = [(pair, path) for pair in SEGMENTS for path in text_paths(pair)]


def test_folders_hold_exactly_the_named_files() -> None:
    expected = {
        "sources": {f"{pair}.txt" for pair in SEGMENTS},
        "documents": {f"{pair}.docs" for pair in SEGMENTS},
        "references": {f"{pair}.{name}.txt" for pair in SEGMENTS for name in REFERENCES[pair]},
        "system-outputs": set(SEGMENTS),
        "glossaries": {"ja-en.csv"},
    } | {f"system-outputs/{pair}": {f"{name}.txt" for name in SYSTEMS} for pair in SEGMENTS}
    found = {
        folder: {entry.name for entry in example_file(folder).iterdir()} for folder in expected
    }
    assert found == expected


def test_origin_states_licence_and_every_document() -> None:
    origin = example_file("ORIGIN.md").read_text(encoding="utf-8")
    assert "CC0" in origin
    for pair in SEGMENTS:
        for line in read_segments(f"documents/{pair}.docs"):
            document = line.split("\t")[1]
            assert f"| {document} |" in origin


@pytest.mark.parametrize(("pair", "path"), TEXTS)
def test_text_has_one_clean_segment_per_line(pair: str, path: str) -> None:
    segments = read_segments(path)
    assert len(segments) == SEGMENTS[pair]
    assert len(set(segments)) == len(segments)
    for segment in segments:
        assert segment
        assert segment == segment.strip()
        assert segment.isprintable()  # no tab, CR, BOM or ideographic space


@pytest.mark.parametrize("pair", SEGMENTS)
def test_documents_are_contiguous_blocks(pair: str) -> None:
    lines = read_segments(f"documents/{pair}.docs")
    assert len(lines) == SEGMENTS[pair]
    assert all(len(line.split("\t")) == 2 for line in lines)
    blocks = [
        set(lines[start : start + SEGMENTS_PER_DOCUMENT])
        for start in range(0, len(lines), SEGMENTS_PER_DOCUMENT)
    ]
    assert all(len(block) == 1 for block in blocks)
    assert len(set.union(*blocks)) == len(blocks)


@pytest.mark.parametrize("pair", SEGMENTS)
@pytest.mark.parametrize("system", SYSTEMS)
def test_systems_do_not_repeat_a_reference(pair: str, system: str) -> None:
    hypotheses = read_segments(f"system-outputs/{pair}/{system}.txt")
    for path in reference_paths(pair):
        references = read_segments(path)
        assert not any(h == r for h, r in zip(hypotheses, references, strict=True))


@pytest.mark.parametrize("pair", SEGMENTS)
def test_chrf_ranks_careful_over_literal_over_gloss(pair: str) -> None:
    references = [read_segments(path) for path in reference_paths(pair)]
    # Against each reference alone and all together: the ranking must not hang on one of them.
    for chosen in (*([one] for one in references), references):
        careful, literal, gloss = (
            CHRF().corpus_score(read_segments(f"system-outputs/{pair}/{system}.txt"), chosen).score
            for system in SYSTEMS
        )
        assert careful > literal + 10
        assert literal > gloss + 4
