"""Weak links are left out of a matrix, the best of each word never."""

from tenbin.core.alignment import Alignment, Match, MatchKind, Span
from tenbin.core.folding import folded_links


def matrix(numbers: list[list[float]], *, masses: bool = False) -> Alignment:
    return Alignment(
        hypothesis=tuple(f"h{row}" for row in range(len(numbers))),
        reference=tuple(f"r{column}" for column in range(len(numbers[0]))),
        matches=tuple(
            Match(
                hypothesis=Span(row, row + 1),
                reference=Span(column, column + 1),
                kind=MatchKind.VECTOR,
                similarity=value,
                evidence="",
                mass=value if masses else None,
                cost=1.0 if masses else None,
            )
            for row, line in enumerate(numbers)
            for column, value in enumerate(line)
        ),
        exclusive=False,
    )


def test_the_best_link_of_each_word_stays() -> None:
    folding = folded_links(matrix([[0.9, 0.2], [0.3, 0.1]]))
    assert [match.similarity for match in folding.shown] == [0.9, 0.2, 0.3]
    assert folding.folded == 1


def test_all_links_are_shown_where_that_is_asked_for() -> None:
    folding = folded_links(matrix([[0.9, -0.2], [0.3, -0.1]]), 0)
    assert (len(folding.shown), folding.folded) == (4, 0)


def test_a_threshold_of_ones_own() -> None:
    folding = folded_links(matrix([[0.9, 0.8], [0.7, 0.6]]), 0.65)
    assert [match.similarity for match in folding.shown] == [0.9, 0.8, 0.7]


def test_masses_that_would_be_shown_as_nothing_are_left_out() -> None:
    folding = folded_links(matrix([[0.5, 0.004], [0.001, 0.495]], masses=True))
    assert [match.mass for match in folding.shown] == [0.5, 0.495]
    assert (folding.threshold, folding.folded) == (0.005, 2)


def test_nothing_to_fold() -> None:
    empty = Alignment(hypothesis=("a",), reference=("b",), matches=(), exclusive=False)
    assert folded_links(empty).shown == ()
