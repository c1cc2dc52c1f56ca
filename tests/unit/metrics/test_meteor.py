"""METEOR's parameters, presets and languages, and what it says when something is missing."""

from pathlib import Path
from types import SimpleNamespace

import pytest

import tenbin
from tenbin.core.errors import InvalidParameter, MissingResource, TenbinError, UsageError
from tenbin.metrics.meteor import defaults
from tenbin.metrics.meteor.metric import Meteor
from tenbin.metrics.meteor.parameters import Stage
from tenbin.metrics.registry import ALIASES, load
from tenbin.resources.store.lookup import State
from tenbin.resources.store.store import ResourceStore

PRESETS = [name for name, meaning in ALIASES.items() if meaning.name == "meteor"]
NO_TABLE = 'paraphrases="none"'
TABLE = "meteor-paraphrases-en"


def score(spec: str, language: str, hypothesis: str, reference: str) -> float:
    return tenbin.load_metric(spec, language=language).score([hypothesis], [reference]).score


def bound(spec: str, language: str) -> Meteor:
    metric = load(spec).bind(language)
    assert isinstance(metric, Meteor)
    return metric


@pytest.fixture
def vectors(tmp_path: Path) -> Path:
    path = tmp_path / "vectors.txt"
    path.write_text("big 1 0\nlarge 0.9 0.1\nblue 0 1\nhouse 1 -1\n", encoding="utf-8")
    return path


@pytest.fixture
def lexicon(tmp_path: Path) -> Path:
    path = tmp_path / "lexicon.tsv"
    path.write_text("huge\tlarge\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("parameters", "fact"),
    [
        ("stages=()", "at least one"),
        ('stages=("exact", "exact")', "distinct"),
        ('stages=("guess",)', "stages"),
        ('stages=("exact",), weights=(1, 0.5)', "one weight per stage"),
        ("weights=(2,)", "from 0 to 1"),
        ("alpha=1.5", "from 0 to 1"),
        ("delta=-1", "from 0 to 1"),
        ("beta=-1", "from 0 to 100"),
        ("gamma=-0.1", "from 0 to 100"),
        ("threshold=2", "from 0 to 1"),
        ("beam=0", "from 1 to 1000"),
        ("task=fluency", "task"),
        ("compat=1.6", "compat"),
        ("vector_key=pos", "vector_key"),
    ],
)
def test_wrong_parameters(parameters: str, fact: str) -> None:
    with pytest.raises(InvalidParameter, match=fact):
        load(f"meteor({parameters})")


@pytest.mark.parametrize(
    ("spec", "language", "fact"),
    [
        ('meteor(stages=("stem",))', "uk", "no stemmer for 'uk'"),
        ('meteor(stages=("exact", "synonym"))', "de", "lexicon="),
        ('meteor(stages=("exact", "paraphrase"))', "is", "paraphrases="),
        ('meteor(stages=("exact", "vector"))', "en", "vectors="),
        ("meteor(task=adq)", "fr", "no parameters for task adq"),
        ('meteor(language="xx-nothing")', "en", "xx-nothing"),
    ],
)
def test_a_stage_that_was_asked_for_and_is_missing_is_an_error(
    spec: str, language: str, fact: str
) -> None:
    with pytest.raises(UsageError, match=fact):
        load(spec).bind(language)


NEEDY = [name for name in PRESETS if load(name).needs.parameters]


@pytest.mark.parametrize("preset", NEEDY)
def test_a_preset_names_the_parameter_that_it_needs(preset: str) -> None:
    metric = load(preset)
    for parameter in metric.needs.parameters:
        assert parameter in {"lexicon", "vectors"}
    with pytest.raises(UsageError, match=f'{min(metric.needs.parameters)}="FILE"'):
        metric.bind("en")


def test_presets_that_need_nothing_have_the_vectors_of_the_language() -> None:
    assert sorted(set(PRESETS) - set(NEEDY)) == ["meteor+vector", "meteor-vector"]
    for preset in ("meteor+vector", "meteor-vector"):
        assert bound(preset, "en").vectors == "glove-en-small"
        with pytest.raises(UsageError, match="no default word vectors for the language 'is'"):
            load(preset).bind("is")


def test_a_table_has_its_own_threshold_and_a_file_that_of_the_paper(vectors: Path) -> None:
    for preset in ("meteor+vector", "meteor-vector"):
        assert bound(preset, "en").threshold == 0.95
        assert bound(f'{preset}(vectors="{vectors}")', "en").threshold == 0.80
        assert bound(f"{preset}(threshold=0.7)", "en").threshold == 0.70
        for table in ("glove-en-small", "vectors-en"):
            named = load(f'{preset}-paper(vectors="{table}")').bind("en")
            assert (named.threshold, named.vectors) == (0.80, table)  # type: ignore[attr-defined]
    # METEOR has no vectors; the threshold is there and means nothing.
    assert bound("meteor", "en").threshold == 0.80


def test_presets_with_their_files(vectors: Path, lexicon: Path) -> None:
    given = {"lexicon": f'lexicon="{lexicon}"', "vectors": f'vectors="{vectors}"'}
    found = {}
    for preset in PRESETS:
        files = [given[name] for name in sorted(load(preset).needs.parameters)]
        metric = bound(f"{preset}({', '.join([*files, NO_TABLE])})", "en")
        found[preset] = (metric.stages, metric.weights)
        assert metric.needs.parameters == frozenset()
    every = (("exact", "stem", "synonym", "vector"), (1.0, 0.4, 0.8, 0.8))
    assert found == {
        "meteor+vector": every,
        "meteor+vector-paper": every,
        "meteor-dbnary": (("exact", "stem", "synonym"), (1.0, 0.6, 0.8)),
        "meteor-dbnary+vector": every,
        "meteor-dbnary+vector-paper": every,
        "meteor-vector": (("exact", "vector"), (1.0, 0.8)),
        "meteor-vector-paper": (("exact", "vector"), (1.0, 0.8)),
    }


class EverythingInstalled:
    """Stands in for a store that has METEOR's English table, whatever this machine has."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def entries(self) -> list[SimpleNamespace]:
        return [SimpleNamespace(name=TABLE)]

    def path(self, name: str) -> Path:
        self.asked.append(name)
        return Path(name)

    def state(self, name: str) -> tuple[State, Path]:
        return State.INSTALLED, Path(name)


@pytest.fixture
def everything(monkeypatch: pytest.MonkeyPatch) -> EverythingInstalled:
    store = EverythingInstalled()
    monkeypatch.setattr(defaults, "default_store", lambda: store)
    return store


@pytest.mark.usefixtures("everything")
@pytest.mark.parametrize("parameters", ["", "task=universal", "task=adq"])
def test_an_installed_table_changes_no_default(parameters: str) -> None:
    named = f"{parameters}{', ' if parameters else ''}{NO_TABLE}"
    found, expected = bound(f"meteor({parameters})", "en"), bound(f"meteor({named})", "en")
    assert found.signature() == expected.signature()
    assert Stage.PARAPHRASE not in (found.stages or ())


def test_an_installed_table_changes_no_preset(
    vectors: Path, lexicon: Path, everything: EverythingInstalled
) -> None:
    given = {"lexicon": f'lexicon="{lexicon}"', "vectors": f'vectors="{vectors}"'}
    for preset in PRESETS:
        files = [given[name] for name in sorted(load(preset).needs.parameters)]
        found, expected = (
            bound(f"{preset}({', '.join(texts)})", "en") for texts in (files, [*files, NO_TABLE])
        )
        assert found.signature() == expected.signature()
    assert everything.asked == []


def test_a_stage_that_is_named_takes_the_table_of_the_language(
    everything: EverythingInstalled,
) -> None:
    metric = bound('meteor(stages=("exact", "paraphrase"))', "en")
    assert metric.paraphrases == TABLE
    assert everything.asked == [TABLE]


def test_a_stage_that_is_named_and_not_installed_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(defaults, "default_store", lambda: ResourceStore(tmp_path))
    if ResourceStore(tmp_path).state(TABLE)[0] is not State.MISSING:
        pytest.skip(f"a package that is installed has {TABLE}")
    with pytest.raises(MissingResource, match=f"tenbin resources install {TABLE}"):
        load('meteor(stages=("exact", "paraphrase"))').bind("en")


@pytest.mark.usefixtures("everything")
def test_an_installed_table_that_is_not_used_is_a_note_with_the_spec(vectors: Path) -> None:
    def notes(spec: str, language: str = "en") -> list[str]:
        table = tenbin.score(["a cat"], ["the cat"], metrics=[spec], language=language)
        return [note for note in table.notes if TABLE in note]

    tail = f"{TABLE} is installed and not used; to use it write"
    assert notes("meteor") == [f'meteor: {tail} meteor(paraphrases="{TABLE}")']
    preset = f'meteor-vector(vectors="{vectors}"'
    assert notes(f"{preset})") == [f'{preset}): {tail} {preset}, paraphrases="{TABLE}")']
    for silent in (f"meteor({NO_TABLE})", 'meteor(stages=("exact",))', "bleu"):
        assert notes(silent) == []


def test_weights_of_a_preset_stay_with_their_stages(vectors: Path, tmp_path: Path) -> None:
    table = tmp_path / "table.txt"
    table.write_text("0.5\nà côté de\nprès de\n", encoding="utf-8")
    metric = bound(f'meteor+vector(vectors="{vectors}", paraphrases="{table}")', "fr")
    assert metric.stages == ("exact", "stem", "paraphrase", "vector")
    assert metric.weights == (1.0, 0.4, 0.6, 0.8)


def test_dbnary_weights_by_language(lexicon: Path) -> None:
    spec = f'meteor-dbnary(lexicon="{lexicon}")'
    assert bound(spec, "fr").weights == (1.0, 0.2, 0.8)
    assert bound(spec, "es").weights == (1.0, 0.8, 0.8)
    assert bound(spec, "ru").weights == (1.0, 0.5, 0.8)


def test_vectors_and_lexicons_match_what_they_know(vectors: Path, lexicon: Path) -> None:
    pair = ("a large blue house", "a big blue house")
    plain = 'meteor(stages=("exact",))'
    by_vector = f'meteor-vector(vectors="{vectors}", {NO_TABLE})'
    assert score(plain, "en", *pair) < score(by_vector, "en", *pair) < 1
    other = ("a large blue house", "a huge blue house")
    by_lexicon = f'meteor-dbnary(lexicon="{lexicon}", {NO_TABLE})'
    assert score(plain, "en", *other) == score(by_vector, "en", *other)
    assert score(plain, "en", *other) < score(by_lexicon, "en", *other)


@pytest.mark.parametrize(
    ("parameter", "stage", "name", "contents"),
    [
        ("lexicon", "synonym", "words.tsv", ("huge\tlarge\n", "huge\tbig\n")),
        ("vectors", "vector", "words.vec", ("big 1 0\n", "big 0 1\n")),
        ("paraphrases", "paraphrase", "table", ("0.5\na b\nc\n", "0.5\na b\nd\n")),
        ("function_words", "stem", "words.txt", ("the\n", "the\na\n")),
    ],
)
def test_data_that_a_parameter_names_is_in_the_signature(
    tmp_path: Path, parameter: str, stage: str, name: str, contents: tuple[str, str]
) -> None:
    """The contracts cannot make up data files, so each such parameter is tried here."""
    resources = []
    for number, content in enumerate(contents):
        path = tmp_path / str(number) / name
        path.parent.mkdir()
        path.write_text(content, encoding="utf-8")
        spec = f'meteor(stages=("exact", "{stage}"), {parameter}="{path}")'
        resources.append(tenbin.load_metric(spec, language="en").signature.resources)
    assert resources[0] != resources[1]


def test_vectors_by_lemma(vectors: Path) -> None:
    pair = ("two large houses", "two large house")
    stages = f'stages=("exact", "vector"), vectors="{vectors}"'
    by_surface = score(f"meteor({stages})", "en", *pair)
    by_lemma = score(f"meteor({stages}, vector_key=lemma)", "en", *pair)
    assert by_surface < by_lemma
    signature = str(
        tenbin.load_metric(f"meteor({stages}, vector_key=lemma)", language="en").signature
    )
    assert "version:simplemma=" in signature


def test_similarity_may_be_the_cosine_itself(vectors: Path) -> None:
    pair = ("blue", "house")  # at an angle of 135 degrees
    stages = f'stages=("exact", "vector"), vectors="{vectors}", threshold=0.1'
    assert score(f"meteor({stages})", "en", *pair) > 0
    assert score(f"meteor({stages}, similarity=cosine)", "en", *pair) == 0


@pytest.mark.parametrize(
    ("language", "stages"),
    [
        ("en", ("exact", "stem", "synonym")),
        ("de", ("exact", "stem")),
        ("cs", ("exact",)),
        ("pt", ("exact", "stem")),
        ("uk", ("exact",)),
        ("is", ("exact",)),
        ("zh", ("exact",)),
        ("ja", ("exact", "stem", "synonym")),
    ],
)
def test_each_language_runs_with_what_it_has(language: str, stages: tuple[Stage, ...]) -> None:
    spec = f"meteor({NO_TABLE})"
    assert bound(spec, language).stages == stages
    signature = tenbin.load_metric(spec, language=language).signature
    assert dict(signature.fields)["stages"] == ",".join(stages)
    # Equal texts are best in every language.
    assert score(spec, language, "abc 美しい їжак", "abc 美しい їжак") == 1


def test_universal_is_exact_and_paraphrases(tmp_path: Path, lexicon: Path, vectors: Path) -> None:
    table = tmp_path / "table.txt"
    table.write_text("0.5\nbig\nrather large\n", encoding="utf-8")
    for language in ("en", "de", "sw"):  # with synonyms and stems, with stems, with nothing
        found = bound(f'meteor(task=universal, paraphrases="{table}")', language)
        assert found.stages == (Stage.EXACT, Stage.PARAPHRASE)
        assert found.weights == (1.0, 0.6)
        assert (found.alpha, found.beta, found.gamma, found.delta) == (0.7, 1.4, 0.3, 0.7)
        assert found.lexicon == "none"
        alone = bound(f"meteor(task=universal, {NO_TABLE})", language)
        assert alone.stages == (Stage.EXACT,)
    named = bound(f'meteor(task=universal, {NO_TABLE}, lexicon="{lexicon}")', "en")
    assert named.stages == (Stage.EXACT, Stage.SYNONYM)
    near = bound(f'meteor(task=universal, {NO_TABLE}, vectors="{vectors}")', "en")
    assert near.stages == (Stage.EXACT, Stage.VECTOR)
    asked = bound('meteor(task=universal, stages=("exact", "stem", "synonym"))', "en")
    assert (asked.stages, asked.lexicon) == (tuple(Stage)[:3], "wordnet")


def test_japanese_inflection_and_synonyms() -> None:
    exact = 'meteor(stages=("exact",))'
    stem = 'meteor(stages=("exact", "stem"))'
    # 食べた and 食べる have one dictionary form.
    pair = ("彼はリンゴを食べる", "彼はリンゴを食べた")
    assert score(exact, "ja", *pair) < score(stem, "ja", *pair)
    # 美しい and 綺麗 are in one group of synonyms, and not of one form.
    pair = ("美しい花", "綺麗な花")
    assert score(stem, "ja", *pair) < score("meteor", "ja", *pair)


def test_japanese_signature_names_dictionary_and_synonyms() -> None:
    signature = str(tenbin.load_metric("meteor", language="ja").signature)
    assert "version:sudachipy=" in signature
    assert "stages:exact,stem,synonym" in signature


def test_chinese_runs_on_characters() -> None:
    assert bound("meteor", "zh").tokenizer == "zh"
    assert 0 < score("meteor", "zh", "我喜欢猫", "我喜欢狗") < 1


def test_files_in_a_wrong_encoding_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "lexicon.tsv"
    path.write_bytes("schön\thübsch\n".encode("latin-1"))
    with pytest.raises(TenbinError, match="UTF-8"):
        score(f'meteor-dbnary(lexicon="{path}")', "de", "schön", "hübsch")


def test_a_bound_metric_keeps_its_language() -> None:
    assert bound("meteor", "fr").bind("de").language == "fr"
    assert bound('meteor(language="fr")', "de").stages == ("exact", "stem")


def test_a_signature_has_names_and_hashes_of_files_and_no_folders(
    tmp_path: Path, vectors: Path, lexicon: Path
) -> None:
    table = tmp_path / "own.paraphrases.txt"
    table.write_text("0.5\nvery big\nhuge\n", encoding="utf-8")
    spec = f'meteor(paraphrases="{table}", lexicon="{lexicon}", vectors="{vectors}", stages={{}})'
    stages = ("exact", "synonym", "paraphrase", "vector")
    signature = bound(spec.format(stages), "en").signature()
    assert str(tmp_path) not in str(signature)
    for parameter, file in (("paraphrases", table), ("lexicon", lexicon), ("vectors", vectors)):
        assert signature.get(parameter) == file.name
        assert file.name in dict(signature.resources)
