"""From bitext to a paraphrase table: results, bad input, builds that go on."""

import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from tenbin.building.corpus import Advance
from tenbin.building.paraphrases.alignment import Aligner, learned_links
from tenbin.building.paraphrases.bitext import BitextFile, pack_bitext, words_of
from tenbin.building.paraphrases.conversion import convert_paraphrases, export_to_meteor
from tenbin.building.paraphrases.pivot import Engine, Pivoting
from tenbin.building.paraphrases.table import BuiltTable, ParaphraseRecipe, build_paraphrase_table
from tenbin.core.errors import InputError, LengthMismatch, MalformedLine, UsageError
from tenbin.kernels.alignment.symmetrization import Symmetrization, symmetrized_links
from tenbin.resources.paraphrases import ParaphraseSets, load_paraphrase_sets, load_paraphrases
from tenbin.resources.store.store import ResourceStore

pytest.importorskip("pyarrow")
pytest.importorskip("duckdb")

TEXT = "It is under control\tEs ist unter Kontrolle\nIt is in check\tEs ist unter Kontrolle\n"
LINKS = "0-0 1-1 2-2 3-3\n0-0 1-1 2-2 3-3\n"
RECIPE = ParaphraseRecipe(language="en")


@pytest.fixture
def bitext(tmp_path: Path) -> BitextFile:
    (tmp_path / "text.tsv").write_text(TEXT)
    (tmp_path / "links").write_text(LINKS)
    return BitextFile(str(tmp_path / "text.tsv"), "de", links=str(tmp_path / "links"))


def built(bitext: BitextFile, recipe: ParaphraseRecipe = RECIPE, **options: object) -> BuiltTable:
    output = Path(bitext.path).with_name("out.paraphrases")
    engine = Engine(threads=1, memory="200MB")
    return build_paraphrase_table(
        [bitext],
        str(output),
        recipe,
        engine=engine,
        force=True,
        **options,  # type: ignore[arg-type]
    )


def opened(folder: Path, name: str = "out.paraphrases") -> ParaphraseSets:
    store = ResourceStore(folder / "cache", offline=True)
    return load_paraphrase_sets(str(folder / name), "en", store)


def paraphrases(table: ParaphraseSets) -> set[frozenset[str]]:
    members, bounds = table.sets
    return {
        frozenset(table.phrase(number) for number in members[bounds[n] : bounds[n + 1]].tolist())
        for n in range(table.set_count)
    }


def test_a_table(bitext: BitextFile, tmp_path: Path) -> None:
    made = built(bitext)
    table = opened(tmp_path)
    assert paraphrases(table) == {
        frozenset({"under", "in"}),
        frozenset({"control", "check"}),
        frozenset({"under control", "in check"}),
        frozenset({"is under", "is in"}),
        frozenset({"is under control", "is in check"}),
        frozenset({"it is under", "it is in"}),
        frozenset({"it is under control", "it is in check"}),
    }
    assert set(table.pairs[1].tolist()) == {0.5}
    assert (table.tokenizer, table.facts["pivots"]) == ("13a", ["de"])
    assert table.facts["phrases"] == table.phrase_count == 14
    assert made.reused == ()
    assert not (tmp_path / "out.paraphrases.work").exists()


def test_phrases_are_no_longer_than_wanted(bitext: BitextFile, tmp_path: Path) -> None:
    built(bitext, ParaphraseRecipe(language="en", longest=1))
    assert paraphrases(opened(tmp_path)) == {
        frozenset({"under", "in"}),
        frozenset({"control", "check"}),
    }


def test_function_words_and_punctuation_make_no_pivot(bitext: BitextFile, tmp_path: Path) -> None:
    Path(bitext.path).write_text("It ,\tes ist .\nthat ;\tes ist .\n")
    Path(bitext.links).write_text("0-0 1-2\n0-0 1-2\n")
    built(bitext)
    assert frozenset({"it", "that"}) in paraphrases(opened(tmp_path))
    assert frozenset({",", ";"}) in paraphrases(opened(tmp_path))
    built(bitext, ParaphraseRecipe(language="en", drop_punctuation=True))
    left = paraphrases(opened(tmp_path))
    assert frozenset({"it", "that"}) in left
    assert frozenset({",", ";"}) not in left
    with pytest.raises(InputError, match="no phrase with a paraphrase"):
        built(bitext, ParaphraseRecipe(language="en", drop_function_pivots=True))


def test_columns_the_other_way_round(bitext: BitextFile, tmp_path: Path) -> None:
    built(bitext)
    expected = paraphrases(opened(tmp_path))
    lines = [line.split("\t") for line in TEXT.splitlines()]
    Path(bitext.path).write_text("".join(f"{two}\t{one}\n" for one, two in lines))
    built(BitextFile(bitext.path, "de", links=bitext.links, pivot_first=True))
    assert paraphrases(opened(tmp_path)) == expected


def test_links_of_two_directions_are_symmetrised(bitext: BitextFile, tmp_path: Path) -> None:
    reverse = tmp_path / "reverse"
    reverse.write_text("0-0 1-1 2-2 3-3\n0-0 1-1 2-2\n")
    both = BitextFile(bitext.path, "de", links=bitext.links, reverse_links=str(reverse))
    built(both, ParaphraseRecipe(language="en", symmetrisation=Symmetrization.INTERSECT))
    assert frozenset({"control", "check"}) not in paraphrases(opened(tmp_path))
    built(both, ParaphraseRecipe(language="en", symmetrisation=Symmetrization.UNION))
    assert frozenset({"control", "check"}) in paraphrases(opened(tmp_path))


def test_empty_and_endless_segments_are_left_out(bitext: BitextFile, tmp_path: Path) -> None:
    built(bitext)
    expected = (tmp_path / "out.paraphrases").read_bytes()
    endless = "word " * 10_000
    Path(bitext.path).write_text(f"\tleer\n{TEXT}empty\t \n{endless}\t{endless}\n")
    Path(bitext.links).write_text(f"\n{LINKS}\n0-0\n")
    built(bitext)
    table = opened(tmp_path)
    assert table.phrase_count == 14
    assert (tmp_path / "out.paraphrases").stat().st_size == len(expected)


@pytest.mark.parametrize(
    ("text", "links", "message"),
    [
        (TEXT, "0-0\n0-4\n", r"line 2: the link 0-4 leads out of a segment of 4 and 4 words"),
        (TEXT, "0-0\n", r"text\.tsv: 2, .*links: 1"),
        (TEXT, LINKS + "0-0\n", r"text\.tsv: 2, .*links: 3"),
        (TEXT + "no tab\n", LINKS, "line 3"),
        ("\t\n", "\n", "no segment has 1 to 100 words"),
    ],
)
def test_bad_input(bitext: BitextFile, text: str, links: str, message: str) -> None:
    Path(bitext.path).write_text(text)
    Path(bitext.links).write_text(links)
    with pytest.raises(InputError, match=message):
        built(bitext)
    assert not Path(bitext.path).with_name("out.paraphrases").exists()


def test_text_that_is_not_utf8(bitext: BitextFile) -> None:
    Path(bitext.path).write_bytes(TEXT.encode() + b"caf\xe9\tx\n")
    with pytest.raises(MalformedLine, match="line 3"):
        built(bitext)


def test_sides_of_different_length(tmp_path: Path) -> None:
    (tmp_path / "en").write_text("a\nb\n")
    (tmp_path / "de").write_text("x\n")
    with pytest.raises(LengthMismatch):
        built(BitextFile(str(tmp_path / "en"), "de", other=str(tmp_path / "de")))


def test_an_interrupted_build_goes_on(bitext: BitextFile, tmp_path: Path) -> None:
    @contextmanager
    def phase(label: str, _total: int | None) -> Iterator[Advance | None]:
        if label == "pivoting":
            raise KeyboardInterrupt
        yield None

    with pytest.raises(KeyboardInterrupt):
        built(bitext, phase=phase)
    work = tmp_path / "out.paraphrases.work"
    assert not (tmp_path / "out.paraphrases").exists()
    assert sorted(path.name.rpartition("-")[0] for path in work.glob("[!.]*")) == [
        "links-de",
        "phrases-de",
        "text-de",
    ]
    assert built(bitext).reused == ("text-de", "links-de", "phrases-de")
    assert not work.exists()


def test_stages_are_made_again_where_their_input_changed(
    bitext: BitextFile, tmp_path: Path
) -> None:
    work = tmp_path / "work"
    assert built(bitext, work=work).reused == ()
    whole = ("text-de", "links-de", "phrases-de", "pivot")
    assert built(bitext, work=work).reused == whole
    rarer = ParaphraseRecipe(language="en", pivoting=Pivoting(least_share=0.4))
    assert built(bitext, rarer, work=work).reused == whole[:3]
    assert built(bitext, ParaphraseRecipe(language="en", longest=2), work=work).reused == whole[:2]
    Path(bitext.links).write_text(LINKS.replace("3-3", "3-3 0-0"))
    assert built(bitext, work=work).reused == whole[:1]
    Path(bitext.path).write_text(TEXT.replace("check", "hand"))
    assert built(bitext, work=work).reused == ()
    assert built(bitext, work=work.rename(tmp_path / "moved")).reused == whole


def test_a_file_that_is_there_stays(bitext: BitextFile, tmp_path: Path) -> None:
    output = tmp_path / "out.paraphrases"
    output.write_text("mine")
    with pytest.raises(UsageError, match="force"):
        build_paraphrase_table([bitext], str(output), RECIPE)
    assert output.read_text() == "mine"


@pytest.mark.parametrize("aligner", list(Aligner))
def test_words_are_aligned(tmp_path: Path, aligner: Aligner) -> None:
    pytest.importorskip("thot")
    words = {"a": "ein", "the": "das", "house": "haus", "book": "buch", "small": "kleines"}
    rng = np.random.default_rng(5)
    path = tmp_path / "text.tsv"
    lines = []
    for _ in range(200):
        english = rng.permutation(list(words))[: rng.integers(1, 5)].tolist()
        lines.append(f"{' '.join(english)}\t{' '.join(words[word] for word in english)}\n")
    path.write_text("".join(lines))
    plain = words_of("en", "none")
    packed = pack_bitext(BitextFile(str(path), "de"), plain, plain, most_words=9)
    lengths = packed.pivot.lengths, packed.target.lengths
    pivot, target, bounds = symmetrized_links(
        *learned_links(packed, aligner), lengths, Symmetrization.INTERSECT
    )
    assert bounds.size == 201
    if aligner is Aligner.FAST_ALIGN:
        again = learned_links(packed, aligner, jobs=2)
        assert np.array_equal(again[1][0], learned_links(packed, aligner)[1][0])
    assert (pivot == target).mean() > 0.95
    assert pivot.size > 0.95 * packed.target.values.size


def test_several_pivots(tmp_path: Path) -> None:
    files = []
    for pivot, foreign in (("de", "auto"), ("fr", "voiture")):
        text, links = tmp_path / f"{pivot}.tsv", tmp_path / f"{pivot}.links"
        text.write_text(f"car\t{foreign}\n{'auto' if pivot == 'de' else 'vehicle'}\t{foreign}\n")
        links.write_text("0-0\n0-0\n")
        files.append(BitextFile(str(text), pivot, links=str(links)))
    output = tmp_path / "out.paraphrases"
    build_paraphrase_table(files, str(output), RECIPE, engine=Engine(threads=1, memory="200MB"))
    table = opened(tmp_path)
    assert paraphrases(table) == {frozenset({"car", "auto"}), frozenset({"car", "vehicle"})}
    assert table.facts["pivots"] == ["de", "fr"]
    # 'car' goes half through German and half through French, and half of each leads on.
    phrases, shares, offsets = table.pairs
    car = [table.phrase(number) for number in range(table.phrase_count)].index("car")
    assert shares[offsets[car] : offsets[car + 1]].tolist() == [0.25, 0.25]
    assert [table.phrase(n) for n in phrases[offsets[car] : offsets[car + 1]].tolist()] == [
        "auto",
        "vehicle",
    ]


@pytest.mark.parametrize(
    ("source", "content"),
    [
        ("meteor", "0.5\nblown up\nbombing\n0.1\nblown up\nbombing\n0.25\nbombing\nblown up\n"),
        ("ppdb", "[X] ||| blown up ||| bombing ||| p(e|f)=0.693147 |||\n"),
        ("sets", "7\tBlown up\n8\tlonely\n7\tbombing\n"),
    ],
)
def test_paraphrases_that_others_made(tmp_path: Path, source: str, content: str) -> None:
    path, output = tmp_path / "theirs", tmp_path / "out.paraphrases"
    path.write_text(content)
    made, facts = convert_paraphrases(
        [str(path)], source, str(output), language="en", tokenizer="auto"
    )
    table = opened(tmp_path)
    assert paraphrases(table) == {frozenset({"blown up", "bombing"})}
    assert (facts["source"], facts["sets"]) == (source, 1)
    assert made.pair_probabilities.tolist()[:1] == (
        [] if source == "sets" else [pytest.approx(0.5)]
    )


def test_a_file_of_another_format_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "theirs"
    path.write_text("1\tonly one\n2\tanother\n")
    with pytest.raises(InputError, match="no two phrases"):
        convert_paraphrases(
            [str(path)], "sets", str(tmp_path / "x"), language="en", tokenizer="auto"
        )


def test_meteor_reads_what_is_exported(bitext: BitextFile, tmp_path: Path) -> None:
    made = built(bitext)
    path = tmp_path / "table.gz"
    export_to_meteor(made.table, str(path), language="en")
    assert b"0.5\nunder control\nin check\n" in gzip.decompress(path.read_bytes())
    meteor = load_paraphrases(str(path), "en", ResourceStore(tmp_path / "cache", offline=True))
    assert meteor.index.paraphrases.size == made.table.pair_phrases.size
    with pytest.raises(UsageError, match="force"):
        export_to_meteor(made.table, str(path), language="en")
