"""Making the WordNet table from WordNet's own files."""

from pathlib import Path

import pytest

from tenbin.building.wordnet_table import build_wordnet_table
from tenbin.core.errors import MalformedLine

LICENCE = "  1 This software and database is being provided to you, the LICENSEE\n"


def written(folder: Path, **changed: str) -> Path:
    files = {
        "index.noun": "car n 2 1 @ 2 2 02958343 02959942  \nmouse n 1 1 @ 1 1 02330245  \n",
        "index.verb": "mouse v 1 1 @ 1 1 02330245  \n",
        "index.adj": "",
        "index.adv": "",
        "noun.exc": "mice mouse\n",
        "verb.exc": "mice mouse_about\n",
        "adj.exc": "",
        "adv.exc": "",
    } | {name.replace("_", "."): text for name, text in changed.items()}
    for name, text in files.items():
        (folder / name).write_text((LICENCE if "index" in name else "") + text, encoding="utf-8")
    return folder


def test_table(tmp_path: Path) -> None:
    folder = written(tmp_path)
    table = build_wordnet_table(folder, folder)
    assert table.words == ("car", "mouse")
    assert table.sets_of("car") == (2958343, 2959942)
    assert table.sets_of("mouse") == (2330245,)  # noun and verb with one offset fall together
    assert table.notes == "mice mouse mouse_about"


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("index_verb", "run v\n", "a lemma with its synsets"),
        ("index_verb", "run v x 1 @ 1 1 02330245\n", "a lemma with its synsets"),
        ("adj_exc", "better\n", "a form and its base"),
    ],
)
def test_malformed(tmp_path: Path, name: str, text: str, problem: str) -> None:
    folder = written(tmp_path, **{name: text})
    with pytest.raises(MalformedLine, match=problem):
        build_wordnet_table(folder, folder)
