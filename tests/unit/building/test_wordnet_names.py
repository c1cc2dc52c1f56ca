"""The list of names in WordNet."""

from pathlib import Path

from tenbin.building.wordnet_names import wordnet_names
from tenbin.penalty.names.lists import common_names

LINES = {
    "noun": "  1 licence\n00001740 18 n 03 Tolstoy 0 Leo_Tolstoy 0 ME 0 000 | writer\n"
    "00001930 06 n 02 smith 0 turkey 0 000 | x\n00002137 18 n 02 Smith 0 Turkey 0 000 | x\n",
    "verb": "00001740 29 v 01 march 0 000 | x\n",
    "adj": "00001740 01 a 02 Norwegian(a) 0 O'Brienesque 0 000 | x\n",
    "adv": "00001740 02 r 01 softly 0 000 | x\n",
}


def test_words_with_a_capital_only(tmp_path: Path) -> None:
    for part, content in LINES.items():
        (tmp_path / f"data.{part}").write_text(content)
    assert wordnet_names(tmp_path) == ["norwegian", "o'brienesque", "tolstoy"]


def test_the_bundled_list() -> None:
    assert {"tolstoy", "norwegian", "smith", "tanaka", "o'brien"} <= common_names()
    assert not {"turkey", "march", "me", "hospital", "hunter's", "#"} & common_names()
