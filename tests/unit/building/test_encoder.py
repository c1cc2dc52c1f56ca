"""``tenbin build encoder``: vocabulary, packed text, batches, student, training, the folder."""

import errno
import json
import os
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

import torch
import transformers

import tenbin
from tenbin.annotation.encoders import settings
from tenbin.annotation.encoders.encoded import SubwordFlag
from tenbin.annotation.encoders.settings import Device
from tenbin.annotation.encoders.subwords import SubwordTokenizer
from tenbin.building.bert import model as bert_model
from tenbin.building.bert.model import Source, build_bert
from tenbin.building.bert.recipe import BertRecipe, Extent, LengthUnit
from tenbin.building.bert.training import Position
from tenbin.building.encoder import training
from tenbin.building.encoder.batches import BatchPlan, held_out_pairs, text_rows
from tenbin.building.encoder.examples import Role, read_examples, write_examples
from tenbin.building.encoder.losses import (
    contrast_loss,
    cosine_loss,
    masked_texts,
    matching_loss,
    mean_vectors,
)
from tenbin.building.encoder.model import BuiltEncoder, build_encoder
from tenbin.building.encoder.recipe import EncoderRecipe, FirstEmbeddings, LossWeights, WeightType
from tenbin.building.encoder.student import find_teacher, first_embeddings
from tenbin.building.encoder.texts import EncoderTexts, TranslatedText, paired_texts
from tenbin.building.encoder.vocabulary import WORD_START, learned_unigrams, sampled_lines
from tenbin.building.training_numbers import TrainingNumbers
from tenbin.core.errors import (
    InputError,
    LengthMismatch,
    MalformedLine,
    MissingExtra,
    OutputError,
    ScriptMismatch,
    UnreadableFile,
    UsageError,
)
from tenbin.resources.checkpoints import find_checkpoint

pytestmark = pytest.mark.usefixtures("_one_core")

ENGLISH = ["cat", "dog", "bird", "fish", "horse", "mouse", "sheep", "goat", "duck", "frog"]
GERMAN = ["Katze", "Hund", "Vogel", "Fisch", "Pferd", "Maus", "Schaf", "Ziege", "Ente", "Frosch"]
RUSSIAN = ["кошка", "собака", "птица", "рыба", "конь", "мышь", "овца", "коза", "утка", "жаба"]
SEES = ["sees", "hears", "likes", "follows"]
SIEHT = ["sieht", "hört", "mag", "verfolgt"]
VIDIT = ["видит", "слышит", "любит", "ловит"]
STEPS = LengthUnit.STEPS
TINY = EncoderRecipe(
    vocabulary=300,
    layers=(1, 2),
    length=16,
    batch=16,
    rate=5e-3,
    layer_rate=1e-3,
    held_out=20,
    extent=Extent(60, LengthUnit.STEPS),
    device=Device.CPU,
    numbers=TrainingNumbers.FLOAT32,  # other processors give the same
)


def sentences(count: int, seed: int) -> list[tuple[str, str, str]]:
    rng = random.Random(seed)  # noqa: S311 - no secret
    found = []
    for _ in range(count):
        one, verb, other = rng.randrange(10), rng.randrange(4), rng.randrange(10)
        found.append(
            (
                f"The {ENGLISH[one]} {SEES[verb]} a {ENGLISH[other]}.",
                f"{GERMAN[one]} {SIEHT[verb]} {GERMAN[other]}.",
                f"{RUSSIAN[one]} {VIDIT[verb]} {RUSSIAN[other]}.",
            )
        )
    return found


@pytest.fixture(scope="module")
def corpus(_one_core: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Translations into two languages, and a teacher of English."""
    folder = tmp_path_factory.mktemp("encoder")
    for name, count, seed, column in (("de", 300, 1, 1), ("ru", 200, 2, 2)):
        lines = [f"{row[0]}\t{row[column]}\n" for row in sentences(count, seed)]
        (folder / f"en-{name}.tsv").write_text("".join(lines), encoding="utf-8")
    english = "".join(f"{row[0]}\n" for row in sentences(400, 3))
    (folder / "text.en").write_text(english, encoding="utf-8")
    recipe = BertRecipe(
        vocabulary=60,
        layers=2,
        width=32,
        heads=2,
        length=16,
        batch=8,
        rate=5e-3,
        extent=Extent(60, LengthUnit.STEPS),
        device=Device.CPU,
    )
    build_bert(
        Source(texts=[str(folder / "text.en")], language="en"), str(folder / "teacher"), recipe
    )
    return folder


def texts_of(corpus: Path, *more: str) -> EncoderTexts:
    bitexts = paired_texts([str(corpus / "en-de.tsv"), str(corpus / "en-ru.tsv")], ["de", "ru"])
    return EncoderTexts(bitexts=bitexts, texts=more)


def build(corpus: Path, output: Path, recipe: EncoderRecipe = TINY, **more: Any) -> BuiltEncoder:
    named = replace(recipe, teacher=str(corpus / "teacher"))
    return build_encoder(texts_of(corpus), str(output), named, **more)


def weights(folder: Path) -> bytes:
    return (folder / "model.safetensors").read_bytes()


@pytest.fixture(scope="module")
def built(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, BuiltEncoder]:
    folder = tmp_path_factory.mktemp("model") / "tiny"
    losses: list[float] = []
    made = build(corpus, folder, report=lambda position, _done: losses.append(position.loss))
    assert losses[-1] < 0.7 * losses[0]
    return folder, made


def test_the_card_says_from_what_and_how(corpus: Path, built: tuple[Path, BuiltEncoder]) -> None:
    folder, made = built
    card = json.loads((folder / "training.json").read_text(encoding="utf-8"))
    assert card == json.loads(json.dumps(made.card))
    assert card["languages"] == ["en", "de", "ru"]
    assert card["pairs"] == {"de": 300, "ru": 200}
    assert card["bitexts"][1]["files"][0]["name"] == "en-ru.tsv"
    assert len(card["bitexts"][1]["files"][0]["sha256"]) == 64
    teacher = find_checkpoint(str(corpus / "teacher"), "en").identity
    assert card["teachers"] == [{"name": "teacher", "fingerprint": teacher.fingerprint}]
    assert (card["steps"], card["recipe"]["extent"], card["recipe"]["seed"]) == (60, "60 steps", 1)
    assert [point["step"] for point in card["curve"]] == list(range(3, 61, 3))
    assert not folder.with_name("tiny.work").exists()


def test_held_out_translations_come_closer(built: tuple[Path, BuiltEncoder]) -> None:
    first, last = built[1].card["curve"][0], built[1].card["curve"][-1]
    assert last["cosine"] < 0.5 * first["cosine"]
    assert last["contrast"] < first["contrast"]
    assert last["masked"] < first["masked"]
    for language in ("de", "ru"):
        before, after = first["held out"][language], last["held out"][language]
        assert after["found"] > before["found"]
        assert after["margin"] > before["margin"]


def test_translations_are_closer_than_other_segments(built: tuple[Path, BuiltEncoder]) -> None:
    metric = tenbin.load_metric(f'bertscore(model="{built[0]}", layer=2)', language="de")
    rows = sentences(40, 9)
    german = [row[1] for row in rows]
    near = metric.score(german, [row[0] for row in rows]).segments
    far = metric.score(german, [row[0] for row in rows[1:] + rows[:1]]).segments
    assert float(np.mean(near)) > float(np.mean(far))


def test_metrics_score_with_it(built: tuple[Path, BuiltEncoder]) -> None:
    for name in ("bertscore", "moverscore", "yisi1-context"):
        layer = ", layer=1" if name == "bertscore" else ""
        metric = tenbin.load_metric(f'{name}(model="{built[0]}"{layer})', language="ru")
        segments = metric.score(
            ["кошка видит рыба.", "кошка видит рыба."], ["кошка видит рыба.", "конь ловит утка."]
        ).segments
        assert segments[1] < segments[0]


def test_other_programs_open_the_folder(corpus: Path, built: tuple[Path, BuiltEncoder]) -> None:
    folder, made = built
    names = {path.name for path in folder.iterdir()}
    own = {"config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"}
    assert names == own | {"training.json"}
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    tokens = tokenizer.convert_ids_to_tokens(tokenizer("The cat sees a dog.")["input_ids"])
    assert tokens[:2] == ["[CLS]", f"{WORD_START}the"]
    assert tokens[-2:] == [".", "[SEP]"]
    model, report = transformers.AutoModel.from_pretrained(folder, output_loading_info=True)
    assert all("pooler" in name for name in report["missing_keys"])
    assert not report["unexpected_keys"]
    assert model.config.vocab_size >= made.card["pieces"] == len(tokenizer)
    teacher = transformers.AutoConfig.from_pretrained(corpus / "teacher")
    assert model.config.num_hidden_layers == teacher.num_hidden_layers
    assert model.dtype == torch.float32


def test_the_same_seed_gives_the_same_model(
    corpus: Path, built: tuple[Path, BuiltEncoder], tmp_path: Path
) -> None:
    again = build(corpus, tmp_path / "again", work=tmp_path / "work")
    assert weights(tmp_path / "again") == weights(built[0])
    without_time = [
        [{**point, "seconds": 0} for point in made.card["curve"]] for made in (again, built[1])
    ]
    assert without_time[0] == without_time[1]
    short = replace(TINY, seed=2, extent=Extent(2, LengthUnit.STEPS))
    other = build(corpus, tmp_path / "other", short, work=tmp_path / "work")
    assert other.reused == ("pieces", "rows")
    assert weights(tmp_path / "other") != weights(built[0])
    # Half of the bytes, and no training at all.
    halves = replace(TINY, weight_type=WeightType.FLOAT16)
    build(corpus, tmp_path / "halves", halves, work=tmp_path / "work")
    assert len(weights(tmp_path / "halves")) < 0.6 * len(weights(built[0]))
    metric = tenbin.load_metric(f'bertscore(model="{tmp_path / "halves"}", layer=2)', language="de")
    assert metric.score(["Katze."], ["Katze."]).score == pytest.approx(1, abs=1e-5)


def test_what_is_computed_with(
    corpus: Path, built: tuple[Path, BuiltEncoder], tmp_path: Path
) -> None:
    """Halves of numbers give nearly as good an encoder, and the same one again."""
    halves = replace(TINY, numbers=TrainingNumbers.BFLOAT16)
    made, again = (build(corpus, tmp_path / name, halves) for name in ("model", "again"))
    assert (built[1].card["numbers"], made.card["numbers"]) == ("float32", "bfloat16")
    assert weights(tmp_path / "model") == weights(tmp_path / "again") != weights(built[0])
    assert made.card["curve"][-1]["held out"] == again.card["curve"][-1]["held out"]
    for language, found in made.card["curve"][-1]["held out"].items():
        best = built[1].card["curve"][-1]["held out"][language]
        assert found["margin"] > 0.8 * best["margin"]


class Interrupted(Exception):
    pass


def test_an_interrupted_build_goes_on(
    corpus: Path, built: tuple[Path, BuiltEncoder], tmp_path: Path
) -> None:
    def stop(position: Position, _done: float) -> None:
        if position.step == 25:
            raise Interrupted

    with pytest.raises(Interrupted):
        build(corpus, tmp_path / "model", report=stop, seconds_between_states=0.0)
    assert not (tmp_path / "model").exists()
    steps: list[int] = []
    made = build(
        corpus, tmp_path / "model", report=lambda position, _done: steps.append(position.step)
    )
    assert steps == list(range(26, 61))
    assert made.reused == ("pieces", "rows", "training")
    assert weights(tmp_path / "model") == weights(built[0])
    found = [point["held out"] for point in made.card["curve"]]
    assert found == [point["held out"] for point in built[1].card["curve"]]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model"]


def test_every_loss_and_text_of_one_language(corpus: Path, tmp_path: Path) -> None:
    recipe = replace(
        TINY,
        teacher=str(corpus / "teacher"),
        second_teacher=str(corpus / "teacher"),
        weights=LossWeights(matching=1.0),
        embeddings=FirstEmbeddings.RANDOM,
        cased=True,
        dropout=0.1,
        extent=Extent(0.5, LengthUnit.EPOCHS),
    )
    mixed = texts_of(corpus, str(corpus / "text.en"))
    made = build_encoder(mixed, str(tmp_path / "all"), recipe, seconds_between_states=0.0)
    losses = {"loss", "cosine", "contrast", "matching", "second", "masked"}
    assert losses <= made.card["curve"][-1].keys()
    assert made.card["texts"][0]["name"] == "text.en"
    assert len(made.card["teachers"]) == 2
    # Without losses beside the cosine some weights are never trained, and a state is still whole.
    alone = replace(
        TINY, weights=LossWeights(contrast=0, masked=0), extent=Extent(3, LengthUnit.STEPS)
    )
    build(corpus, tmp_path / "alone", alone, work=tmp_path / "w", seconds_between_states=0.0)
    found = build(corpus, tmp_path / "again", alone, work=tmp_path / "w")
    assert found.card["curve"][-1].keys() == {"step", "seconds", "loss", "cosine", "held out"}
    assert weights(tmp_path / "alone") == weights(tmp_path / "again")


def test_a_training_by_the_clock_ends(corpus: Path, tmp_path: Path) -> None:
    shares: list[float] = []
    brief = replace(TINY, extent=Extent(0.002, LengthUnit.MINUTES))
    made = build(
        corpus, tmp_path / "model", brief, report=lambda _position, done: shares.append(done)
    )
    assert shares == sorted(shares)
    assert shares[-1] == 1
    assert made.card["curve"][-1]["step"] == made.card["steps"]


def test_the_vocabulary_of_several_scripts() -> None:
    lines = [text for row in sentences(200, 4) for text in row]
    lines += ["私は東京へ行く。", "彼は大阪へ行く。", "我们不知道。", "他们知道。"] * 20
    made = learned_unigrams(lines, 400, cased=False)
    assert made.to_str() == learned_unigrams(lines, 400, cased=False).to_str()
    assert made.get_vocab_size() <= 400
    tokens = made.encode("The cat (Katze) sees 私は東京へ.").tokens
    assert tokens[:3] == ["[CLS]", f"{WORD_START}the", f"{WORD_START}cat"]
    # A word begins after a bracket, but not in a script without spaces, nor inside brackets.
    assert tokens[3:6] == ["(", f"{WORD_START}katze", ")"]
    assert not any(token.startswith(WORD_START) for token in tokens[7:])
    words = made.encode("私は東京へ行く").word_ids
    assert len(set(words) - {None}) == 3
    cased = learned_unigrams(lines, 400, cased=True)
    assert f"{WORD_START}Katze" in cased.encode("Katze").tokens
    small = learned_unigrams(["a b"], 400, cased=False)
    assert small.get_vocab_size() < 20
    with pytest.raises(InputError, match="there is no word"):
        learned_unigrams([" ", ""], 400, cased=False)


def test_the_vocabulary_of_another_encoder(
    corpus: Path, built: tuple[Path, BuiltEncoder], tmp_path: Path
) -> None:
    for number, place in enumerate((built[0], built[0] / "tokenizer.json")):
        same = replace(TINY, tokenizer=str(place), vocabulary=999, extent=Extent(1, STEPS))
        folder = tmp_path / str(number)
        build(corpus, folder, same)
        own, other = (
            json.loads((one / "tokenizer.json").read_text()) for one in (folder, built[0])
        )
        assert own["model"] == other["model"]
    output = tmp_path / "model"
    with pytest.raises(UnreadableFile, match="the tokenizer cannot be opened"):
        build(corpus, output, replace(TINY, tokenizer=str(tmp_path)))
    other = json.loads((built[0] / "tokenizer.json").read_text())
    other["added_tokens"] = []
    other["model"]["vocab"] = other["model"]["vocab"][3:]
    (tmp_path / "other.json").write_text(json.dumps({**other, "post_processor": None}))
    with pytest.raises(UnreadableFile, match=r"its first tokens are .* expected .*PAD"):
        build(corpus, output, replace(TINY, tokenizer=str(tmp_path / "other.json")))
    assert not output.exists()


def test_subwords_that_continue_a_word(built: tuple[Path, BuiltEncoder]) -> None:
    cutter = SubwordTokenizer(find_checkpoint(str(built[0]), "de"))
    subwords = cutter.tokenize(["katzehund fisch"])[0]
    parts = cutter.texts(subwords.ids.tolist())
    going_on = (subwords.flags & SubwordFlag.CONTINUES).astype(bool).tolist()
    expected = [not part.startswith((WORD_START, "[")) for part in parts]
    assert going_on == expected
    assert True in expected


def test_lines_are_sampled_from_a_whole_file(corpus: Path) -> None:
    all_lines = list(sampled_lines(texts_of(corpus), 10**6))
    assert len(all_lines) == 1000
    some = list(sampled_lines(texts_of(corpus, str(corpus / "text.en")), 100))
    assert len(some) == 2 * 100 + 2 * 100 + 100
    assert set(some[:200]) <= set(all_lines)


def test_packed_text(corpus: Path, tmp_path: Path) -> None:
    lines = "The cat.\tKatze.\n \tHund.\nThe dog sees a very very very long dog.\tHund.\n"
    (tmp_path / "en-de.tsv").write_text(lines, encoding="utf-8")
    texts = EncoderTexts(bitexts=paired_texts([str(tmp_path / "en-de.tsv")], ["de"]))
    tokenizer = find_teacher(str(corpus / "teacher"), "en").tokenizer
    roles = (Role.TEACHER, Role.OWN, Role.OTHER)
    write_examples(tmp_path, texts, dict.fromkeys(roles, tokenizer), 8)
    found = read_examples(tmp_path)
    assert (len(found), found.languages, found.counts()) == (2, ("de",), {"de": 2})
    assert found.rows[Role.OWN].lengths.tolist() == [5, 8]
    assert found.rows[Role.OWN].ids.dtype == np.int32
    assert found.rows[Role.OWN].ids[[0, 4, 5, 12]].tolist() == [2, 3, 2, 3]
    place = f"{tmp_path / 'en-de.tsv'}, line 2"
    left_out = "1 of 3 lines without words on a side was left out"
    assert found.notes == (f"{left_out}, the first at {place}.",)


def test_batches_balance_languages_and_see_every_pair() -> None:
    language_of = np.repeat([0, 1], [1000, 40])
    held = held_out_pairs(language_of, 30, 1)
    assert np.bincount(language_of[held]).tolist() == [30, 4]
    assert held.tolist() == held_out_pairs(language_of, 30, 1).tolist()
    lengths = np.random.default_rng(0).integers(3, 60, size=1040)
    groups = tuple(np.setdiff1d(np.flatnonzero(language_of == n), held) for n in (0, 1))
    plain = BatchPlan(groups, lengths, 32, 1.0, 7)
    seen = np.concatenate([plain.at(step) for step in range(4 * plain.steps)])
    assert set(seen) == set(np.concatenate(groups))
    assert plain.epoch(0).shape == (plain.steps, 32)
    assert not np.array_equal(plain.epoch(0), plain.epoch(1))
    # Texts of a batch are about equally long.
    spreads = [np.ptp(lengths[plain.at(step)]) for step in range(plain.steps)]
    assert np.mean(spreads) < 6
    warm = BatchPlan(groups, lengths, 32, 5.0, 7)
    share = np.mean(language_of[warm.epoch(0).ravel()])
    assert share == pytest.approx(36**0.2 / (36**0.2 + 970**0.2), abs=0.03)
    few = BatchPlan((np.arange(3),), lengths, 32, 1.0, 7)
    assert (few.size, few.steps, sorted(few.at(5).tolist())) == (3, 1, [0, 1, 2])
    rows = text_rows(lengths, 10, 1, 4)
    assert len(rows) == 10
    assert rows.tolist() == text_rows(lengths, 10, 1, 4).tolist()


def test_losses_of_vectors() -> None:
    eye = torch.eye(4)
    assert float(cosine_loss(torch, eye, 3 * eye)) == pytest.approx(0)
    assert float(cosine_loss(torch, eye, -eye)) == pytest.approx(2)
    right = float(contrast_loss(torch, eye, eye))
    wrong = float(contrast_loss(torch, eye, eye.roll(1, dims=0)))
    assert right < 1e-6
    assert wrong > 15
    # The same sentence twice is no contrast: nothing could tell its two translations apart.
    twice = eye[[0, 0, 1, 2]]
    assert float(contrast_loss(torch, twice, twice)) < 1e-6
    mask = torch.tensor([[1, 1, 0]])
    states = torch.tensor([[[1.0, 0.0], [0.0, 1.0], [9.0, 9.0]]])
    assert mean_vectors(states, mask).tolist() == [[0.5, 0.5]]
    goals, all_there = states.flip(1), torch.tensor([[0, 1, 1]])
    assert float(matching_loss(torch, states, mask, goals, all_there)) == pytest.approx(0, abs=1e-6)
    one = torch.tensor([[0, 0, 1]])
    assert float(matching_loss(torch, states, mask, goals, one)) == pytest.approx(0.25, abs=1e-6)


def test_masked_subwords_are_never_special_tokens_or_padding() -> None:
    lengths = torch.tensor([40, 12, 3])
    ids = torch.zeros(3, 40, dtype=torch.int64)
    for row, length in enumerate(lengths.tolist()):
        ids[row, :length] = torch.arange(100, 100 + length)
        ids[row, 0], ids[row, length - 1] = 2, 3
    generator = torch.Generator().manual_seed(0)
    hidden = masked_texts(torch, ids, lengths, generator, 200)
    chosen = hidden.labels >= 0
    assert chosen.sum(dim=1).tolist() == [6, 2, 1]
    assert bool((hidden.labels[chosen] >= 100).all())
    changed = hidden.inputs != ids
    assert bool((hidden.inputs[changed] >= 4).all())
    assert changed.sum(dim=1).tolist() <= [6, 2, 1]
    again = masked_texts(torch, ids, lengths, torch.Generator().manual_seed(0), 200)
    assert torch.equal(again.inputs, hidden.inputs)


def test_embeddings_begin_with_those_of_the_teacher(corpus: Path) -> None:
    teacher = find_teacher(str(corpus / "teacher"), "en")
    known = teacher.model().get_input_embeddings().weight
    numbers = teacher.tokenizer.get_vocab()
    pieces = ["[CLS]", f"{WORD_START}The", "t", f"{WORD_START}catdog", "猫"]
    found = first_embeddings(torch, known, teacher.tokenizer, pieces)
    assert torch.equal(found[0], known[numbers["[CLS]"]])
    assert torch.equal(found[1], known[numbers["The"]])
    assert torch.equal(found[2], known[numbers["##t"]])
    ids = teacher.tokenizer.encode("catdog", add_special_tokens=False).ids
    assert len(ids) > 1
    assert torch.allclose(found[3], known[ids].mean(dim=0))
    assert bool(found[4].isfinite().all())


def test_wrong_teachers(corpus: Path, tmp_path: Path) -> None:
    output = str(tmp_path / "model")
    texts = texts_of(corpus)
    with pytest.raises(UsageError, match="unknown resource 'nothing'"):
        build_encoder(texts, output, replace(TINY, teacher="nothing"))
    own = replace(TINY, teacher=str(corpus / "teacher"))
    with pytest.raises(UsageError, match=r"layers=1, 7: the teacher 'teacher' has 2"):
        build_encoder(texts, output, replace(own, layers=(1, 7)))
    with pytest.raises(UsageError, match=r"length=99: the teacher 'teacher' reads at most 16"):
        build_encoder(texts, output, replace(own, length=99))
    other = tmp_path / "other"
    other.mkdir()
    for path in (corpus / "teacher").iterdir():
        (other / path.name).write_bytes(path.read_bytes())
    config = json.loads((other / "config.json").read_text())
    (other / "config.json").write_text(json.dumps({**config, "model_type": "mpnet"}))
    with pytest.raises(UsageError, match="of the type 'mpnet', expected 'bert'"):
        build_encoder(texts, output, replace(TINY, teacher=str(other)))
    (other / "config.json").write_text(json.dumps({**config, "hidden_size": 64}))
    with pytest.raises(UnreadableFile, match="the model cannot be opened"):
        build_encoder(texts, output, replace(TINY, teacher=str(other)))
    (other / "tokenizer.json").unlink()
    (other / "vocab.txt").write_text("a\n")
    with pytest.raises(UnreadableFile, match=r"no tokenizer\.json in it that can be opened"):
        build_encoder(texts, output, replace(TINY, teacher=str(other)))
    assert not Path(output).exists()


def one_bitext(folder: Path, content: str | bytes, **more: Any) -> EncoderTexts:
    path = folder / "text.tsv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    bitext = TranslatedText(path=str(path), **{"language": "de", **more})
    return EncoderTexts(bitexts=(bitext,))


def test_text_that_no_encoder_can_be_made_of(corpus: Path, tmp_path: Path) -> None:
    output, recipe = str(tmp_path / "model"), replace(TINY, teacher=str(corpus / "teacher"))

    def refused(texts: EncoderTexts, error: type[Exception], said: str) -> None:
        with pytest.raises(error, match=said):
            build_encoder(texts, output, recipe)

    refused(one_bitext(tmp_path, ""), UnreadableFile, "the file is empty")
    refused(
        one_bitext(tmp_path, "one\n"), MalformedLine, "line 1: 1 column, expected two languages"
    )
    refused(one_bitext(tmp_path, b"one\tzwei\n\xff\tb\n"), MalformedLine, r"line 2: byte 1")
    refused(one_bitext(tmp_path, "cat\t \n \tHund\n" * 9), InputError, "no line has words on both")
    (tmp_path / "short.de").write_text("eins\n")
    uneven = one_bitext(tmp_path, "one\ntwo\n", other=str(tmp_path / "short.de"))
    refused(uneven, LengthMismatch, r"text.tsv: 2, .*short.de: 1")
    japanese = one_bitext(tmp_path, "The cat.\tDie Katze.\n", language="ja")
    refused(japanese, ScriptMismatch, "the side of 'ja' is not in its script")
    turned = one_bitext(tmp_path, "кошка\tcat\n", language="ru")
    refused(turned, ScriptMismatch, "Expected the language of the teacher, 'en', first")
    refused(one_bitext(tmp_path, "a\tb\n", language="en"), UsageError, "both sides would be 'en'")
    refused(one_bitext(tmp_path, "a\tb\n", language="x1"), UsageError, "not a language tag")
    refused(EncoderTexts(bitexts=()), UsageError, "needs translated text")
    for pipe in ("-", "/dev/null", str(tmp_path)):
        files = (TranslatedText(path=pipe, language="de"),)
        refused(EncoderTexts(bitexts=files), UsageError, "Give files")
    absent = (TranslatedText(path=str(tmp_path / "none"), language="de"),)
    refused(EncoderTexts(bitexts=absent), UnreadableFile, "there is no such file")
    (tmp_path / "blank").write_text("\n\n")
    refused(texts_of(corpus, str(tmp_path / "blank")), UnreadableFile, "there is no word in it")
    assert not Path(output).exists()


def test_files_and_languages_of_bitexts() -> None:
    found = paired_texts(["a", "b"], ["de"], ["c", "d"], teacher_second=True)
    assert [one.files for one in found] == [("a", "c"), ("b", "d")]
    assert {one.language for one in found} == {"de"}
    with pytest.raises(UsageError, match="2 of `bitext`, 3 of `languages`"):
        paired_texts(["a", "b"], ["de", "fr", "ja"])
    with pytest.raises(UsageError, match="2 of `bitext`, 1 of `other`"):
        paired_texts(["a", "b"], ["de"], ["c"])


def test_settings_that_are_not_possible() -> None:
    for wrong, said in (
        ({"teacher": ""}, "the name of the teacher is empty"),
        ({"vocabulary": 10**30}, "give a number of at most 10,000,000"),
        ({"vocabulary": 31}, "vocabulary=31: give a number of at least 32"),
        ({"length": 7}, "length=7: give a number of at least 8"),
        ({"batch": 1}, "batch=1: give a number of at least 2"),
        ({"layers": ()}, "layers=none: give numbers of layers"),
        ({"layers": (0, 4)}, "layers=0, 4: give numbers of layers"),
        ({"layers": (4, 4)}, "each once"),
        ({"rate": 0.0}, "rate=0: give a number between 0 and 1"),
        ({"layer_rate": float("nan")}, "layer_rate=nan: give a number between 0 and 1"),
        ({"dropout": 1.0}, "dropout=1: give a number from 0 to below 1"),
        ({"temperature": 0.5}, "temperature=0.5: give a number from 1 on"),
        ({"temperature": float("inf")}, "temperature=inf: give a number from 1 on"),
        ({"seed": -1}, "seed=-1: give a number from 0"),
        ({"held_out": -1}, "held_out=-1: give a number of at least 0"),
    ):
        with pytest.raises(UsageError, match=said):
            EncoderRecipe(**wrong)
    with pytest.raises(UsageError, match="masked=-1: give a weight from 0 to 100"):
        LossWeights(masked=-1)
    with pytest.raises(UsageError, match="contrast=nan: give a weight from 0 to 100"):
        LossWeights(contrast=float("nan"))


def test_folders_that_cannot_be_made(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(UsageError, match="there is such a folder already"):
        build(corpus, tmp_path)
    with pytest.raises(OutputError, match="there is no folder"):
        build(corpus, tmp_path / "no" / "model")

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(bert_model, "_write_texts", full)
    short = replace(TINY, extent=Extent(1, LengthUnit.STEPS))
    with pytest.raises(OutputError, match="No space left on device"):
        build(corpus, tmp_path / "model", short)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model.work"]


def test_too_little_memory_is_said_so(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def too_large(*_: object) -> None:
        raise torch.OutOfMemoryError("CUDA out of memory")

    monkeypatch.setattr(training, "contrast_loss", too_large)
    with pytest.raises(UsageError, match="batch=16: the memory of the device is too small"):
        build(corpus, tmp_path / "model")


def test_without_torch(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "_MODULES", ("a_package_that_nobody_has",))
    with pytest.raises(MissingExtra, match=r"pip install 'tenbin\[neural\]'"):
        build(corpus, tmp_path / "model")
