"""Concepts of words and of their lemmas."""

from tenbin.annotation.concepts import concept_rows
from tenbin.core.resource import ResourceIdentity, ResourceKind
from tenbin.formats.lexicons.table import lexicon_table
from tenbin.resources.lexicons.lexicon import TableLexicon

IDENTITY = ResourceIdentity("toy", ResourceKind.LEXICON, "1", "en", "CC0-1.0", "0" * 64)
LEXICON = TableLexicon(IDENTITY, lexicon_table({"car": [7, 3], "cars": [9], "auto": [3]}))


def rows(words: list[str], *, lemmas: dict[str, str] | None = None) -> list[list[int]]:
    def lemma_of(word: str) -> str:
        return (lemmas or {}).get(word, word)

    found = concept_rows(words, LEXICON, None if lemmas is None else lemma_of)
    return [found.row(place).tolist() for place in range(len(found))]


def test_words_as_they_stand() -> None:
    assert rows(["car", "cars", "bus"]) == [[3, 7], [9], []]
    assert rows([]) == []


def test_lemmas_add_their_concepts() -> None:
    assert rows(["car", "cars", "autos"], lemmas={"cars": "car", "autos": "auto"}) == [
        [3, 7],
        [3, 7, 9],
        [3],
    ]
