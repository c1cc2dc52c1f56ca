"""Lexicons by name and by file, through the store."""

from pathlib import Path

import pytest

from tenbin.core.errors import MalformedLine, MissingResource, UnknownResource, UnreadableFile
from tenbin.core.resource import ResourceKind
from tenbin.formats.lexicons.table import lexicon_table, write_lexicon_table
from tenbin.resources.lexicons.files import lexicon_sets, load_lexicon
from tenbin.resources.store.store import ResourceStore

FILES = {
    "a.synsets": "auto\n1 2\nwagen\n2\nhaus\n3\n",
    "a.dat": "UTF-8\nAuto|1\n-|Wagen\nHaus|1\n-|Heim\n",
    "a.tsv": "Auto\tWagen\nHaus\tHeim\n",
    "a.txt": "auto\twagen\nhaus\theim\n",
    "a.ttl": "@prefix d: <http://kaiko.getalp.org/dbnary#> .\n"
    "@prefix w: <http://kaiko.getalp.org/dbnary/deu/> .\n"
    "w:Auto__Substantiv__1 d:synonym w:Wagen .\nw:Haus__Substantiv__1 d:synonym w:Heim .\n",
}


@pytest.fixture
def store(tmp_path: Path) -> ResourceStore:
    return ResourceStore(tmp_path / "cache", offline=True)


@pytest.mark.parametrize("name", FILES)
def test_every_form_of_file(tmp_path: Path, store: ResourceStore, name: str) -> None:
    if name.endswith("ttl"):
        pytest.importorskip("pyoxigraph")
    path = tmp_path / name
    path.write_text(FILES[name], encoding="utf-8")
    first = load_lexicon(path, "de", store)
    again = load_lexicon(path, "de", store)  # from the table in the cache
    for lexicon in (first, again):
        assert not set(lexicon.concepts("auto")) & set(lexicon.concepts("haus"))
        assert lexicon.concepts("baum") == ()
        (common,) = set(lexicon.concepts("auto")) & set(lexicon.concepts("wagen"))
        assert lexicon.describe(common) == f"{name} {common}: auto, wagen"
    identity = first.identity
    assert (identity.name, identity.kind, identity.language) == (name, ResourceKind.LEXICON, "de")


def test_a_table(tmp_path: Path, store: ResourceStore) -> None:
    path = tmp_path / "mine.npz"
    write_lexicon_table(path, lexicon_table({f"w{n:02}": [5] for n in range(10)}))
    lexicon = load_lexicon(path, "de", store)
    assert lexicon.concepts("w03") == (5,)
    assert lexicon.describe(5).endswith("w06, w07 and 2 more")


def test_wordnet() -> None:
    assert load_lexicon("wordnet", "en").identity.name == "wordnet"


def test_a_changed_file_is_another_lexicon(tmp_path: Path, store: ResourceStore) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("auto\twagen\n", encoding="utf-8")
    before = load_lexicon(path, "de", store)
    path.write_text("auto\tbahn\n", encoding="utf-8")
    after = load_lexicon(path, "de", store)
    assert before.identity.fingerprint != after.identity.fingerprint
    assert (after.concepts("wagen"), bool(after.concepts("bahn"))) == ((), True)


def test_what_cannot_be_opened(tmp_path: Path, store: ResourceStore) -> None:
    with pytest.raises(UnknownResource, match="wordnot"):
        load_lexicon("wordnot", "en", store)
    with pytest.raises(UnreadableFile, match="no such file"):
        load_lexicon(tmp_path / "absent.tsv", "en", store)
    odd = tmp_path / "lexicon.pdf"
    odd.write_text("x", encoding="utf-8")
    with pytest.raises(UnreadableFile, match=r"the extension '\.pdf' is not that of a lexicon"):
        load_lexicon(odd, "en", store)
    with pytest.raises(UnreadableFile, match="the name has no extension"):
        lexicon_sets(tmp_path / "lexicon")


def test_a_damaged_file_leaves_nothing_behind(tmp_path: Path, store: ResourceStore) -> None:
    path = tmp_path / "a.synsets"
    path.write_text("auto\n", encoding="utf-8")
    with pytest.raises(MalformedLine, match="line 1"):
        load_lexicon(path, "de", store)
    assert not list((tmp_path / "cache").rglob("*.npz"))


def test_a_lexicon_that_is_not_installed(store: ResourceStore) -> None:
    if Path("/usr/share/mythes/th_cs_CZ_v2.dat").exists():
        pytest.skip("mythes-cs is installed")
    with pytest.raises(MissingResource, match="tenbin resources install mythes-cs"):
        load_lexicon("mythes-cs", "cs", store)
