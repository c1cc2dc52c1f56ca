"""Alignments drawn as text; the picture is the assertion."""

import json
import re
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tenbin.core.alignment import Alignment, Match, MatchKind, Span
from tenbin.core.explanation import Explanation, Explanations, Step
from tenbin.core.signature import Signature
from tenbin.reports.alignment_drawing import draw_alignment
from tenbin.reports.grid import display_width
from tenbin.reports.render import render

ESCAPES = re.compile(r"\x1b\[\d+m")


def match(left: int, right: int, kind: str = "exact", sizes: tuple[int, int] = (1, 1)) -> Match:
    return Match(
        hypothesis=Span(left, left + sizes[0]),
        reference=Span(right, right + sizes[1]),
        kind=MatchKind(kind),
        similarity=1.0,
        evidence=f"{kind} evidence",
    )


def alignment(left: str, right: str, *matches: Match) -> Alignment:
    return Alignment(
        hypothesis=tuple(left.split()), reference=tuple(right.split()), matches=matches
    )


CROSSED = alignment(
    "yesterday the old cats sat on a rug",
    "the cat was sitting on carpets yesterday",
    match(0, 6),
    match(1, 0),
    match(3, 1, "stem"),
    match(4, 2, "paraphrase", (1, 2)),
    match(5, 4),
)


def explanation(drawn: Alignment, **changes: Any) -> Explanation:
    return Explanation(
        alignment=drawn,
        steps=(Step("chunks", "runs", "", 4), Step("score", "the end", "1 / 3", 1 / 3)),
        score=1 / 3,
        signature=Signature(metric="meteor"),
        **changes,
    )


def test_runs_that_keep_their_order_stand_above_each_other_and_others_stand_twice() -> None:
    assert draw_alignment(CROSSED, 100) == (
        "translation  yesterday  the  old  cats  sat          on  a  rug\n"
        "             1E         2E   ·    3S────P────────────E   ·  ·    ·        1E\n"
        "reference               the       cat   was sitting  on          carpets  yesterday\n"
    )


def test_unmatched_words_share_columns() -> None:
    drawn = alignment("a b c", "x c", match(2, 1))
    assert draw_alignment(drawn, 40) == (
        "translation  a  b  c\n             ·  ·  1E\nreference    x     c\n"
    )


def test_a_run_that_moved_as_a_whole_is_joined_in_both_places() -> None:
    drawn = alignment("p q w x y z", "w x y z p q", *(match(i, (i + 4) % 6) for i in range(6)))
    lines = draw_alignment(drawn, 80).splitlines()
    assert lines[1].split() == ["1E──E", "2E──E──E──E", "1E──E"]


def test_long_sentences_go_on_in_further_lines() -> None:
    words = " ".join(f"word{number}" for number in range(12))
    drawn = alignment(words, words, *(match(i, i) for i in range(12)))
    blocks = draw_alignment(drawn, 50).split("\n\n")
    assert len(blocks) == 3
    assert [block.splitlines()[0].split()[0] for block in blocks] == ["translation"] * 3
    assert blocks[0].splitlines()[1].endswith("─")


def test_wide_characters_keep_columns_straight() -> None:
    drawn = alignment("猫 が 寝る", "猫 は 寝る", match(0, 0), match(2, 2))
    above, links, below = draw_alignment(drawn, 60).splitlines()
    assert above == "translation  猫  が  寝る"
    assert links == "             1E  ·   2E"
    assert below == "reference    猫  は  寝る"


def test_a_word_wider_than_the_page_loses_its_middle() -> None:
    drawn = alignment("x" * 90, "x" * 90, match(0, 0))
    above, _, below = draw_alignment(drawn, 50).splitlines()
    assert display_width(above) <= 50
    assert "x…x" in above
    assert "x…x" in below


def test_nothing_to_draw() -> None:
    assert draw_alignment(alignment("", ""), 60) == "translation\n\nreference\n"


def test_colors_change_nothing_but_colors() -> None:
    painted = draw_alignment(CROSSED, 60, color=True)
    assert "\x1b[36m3S" in painted
    assert "\x1b[31mrug" in painted
    bare = [line.rstrip() for line in ESCAPES.sub("", painted).splitlines()]
    assert bare == draw_alignment(CROSSED, 60).splitlines()


def test_control_characters_do_not_reach_the_terminal() -> None:
    drawn = Alignment(hypothesis=("a\x1b[31m",), reference=("b\rc",), matches=(match(0, 0),))
    shown = render(explanation(drawn), "text")
    assert "\x1b" not in shown
    assert "\r" not in shown


@given(st.permutations(range(9)), st.sets(st.integers(0, 8)), st.integers(34, 120))
def test_every_word_is_drawn_once_and_fits(order: list[int], kept: set[int], width: int) -> None:
    matches = [match(left, right) for left, right in enumerate(order) if left in kept]
    drawn = Alignment(
        hypothesis=tuple(f"h{i}" for i in range(9)),
        reference=tuple(f"参{i}" for i in range(9)),
        matches=tuple(matches),
    )
    lines = draw_alignment(drawn, width).splitlines()
    assert max(map(display_width, lines)) <= width
    rows = [line.split() for line in lines if line]
    assert [w for row in rows if row[0] == "translation" for w in row[1:]] == list(drawn.hypothesis)
    assert [w for row in rows if row[0] == "reference" for w in row[1:]] == list(drawn.reference)
    links = [row for row in rows if row[0] not in {"translation", "reference"}]
    marks = re.findall(r"\d+(?=E)", " ".join(" ".join(row) for row in links))
    assert sorted({int(mark) for mark in marks}) == list(range(1, len(drawn.chunks) + 1))


def test_chunks_are_the_longest_runs() -> None:
    assert [len(chunk) for chunk in CROSSED.chunks] == [1, 1, 3]
    assert alignment("a", "b").chunks == ()


def test_text_has_drawing_evidence_arithmetic_and_signature() -> None:
    shown = render(
        explanation(CROSSED, system="sys", segment=17, reference=2, reference_count=3),
        "text",
        width=100,
    )
    assert shown.startswith("sys, segment 17: meteor 0.3333 (reference 2 of 3, the best)\n───")
    assert "\n  E  the same word: yesterday the on\n" in shown
    assert "\n  S  cats = cat: stem evidence\n" in shown
    assert "\n  P  sat = was sitting: paraphrase evidence\n" in shown
    assert "\n  ·  only in the translation: old a rug\n" in shown
    assert "\n  ·  only in the reference: carpets\n" in shown
    assert "\n  chunks       4  runs\n  score   0.3333  the end: 1 / 3\n" in shown
    assert shown.endswith("a chunk that moved.\n\n  meteor\n")


def test_what_is_the_same_for_all_is_said_once() -> None:
    shown = render(Explanations((explanation(CROSSED),) * 3), "text")
    assert shown.count("A number starts a chunk") == 1
    assert shown.count("\n  meteor\n") == 1


def test_the_data_hold_everything() -> None:
    (one,) = json.loads(render(explanation(CROSSED, system="s"), "json"))["explanations"]
    assert one["score"] == 1 / 3
    assert one["translation"] == list(CROSSED.hypothesis)
    assert one["matches"][3] == {
        "translation": [4, 5],
        "reference": [2, 4],
        "kind": "paraphrase",
        "chunk": 3,
        "similarity": 1.0,
        "evidence": "paraphrase evidence",
    }
    assert one["steps"][-1]["formula"] == "1 / 3"
