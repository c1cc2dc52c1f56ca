"""Students of one GPU: models and labels are what slow loops and tenbin itself make of them."""

from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("benchmarks.students.plan", reason="not run from the repository")

import torch
from benchmarks.students.arrays import sent
from benchmarks.students.comparison import TextVectors, compared
from benchmarks.students.first_stage import batches, lesson_of
from benchmarks.students.losses import LOSSES, centered, student_loss
from benchmarks.students.plain_text import VERSIONS, PlainText
from benchmarks.students.plan import Fold
from benchmarks.students.round_trips import TRIPS, RoundTrips
from benchmarks.students.rows import PaddedTexts, joined, rows_of
from benchmarks.students.second_stage import FoldLabels, StepDraw
from benchmarks.students.second_stage import lesson_of as second_lesson
from benchmarks.students.segments import LONGEST
from benchmarks.students.student import Student, plain, restored, rounded, stored
from benchmarks.students.student import first_numbers as first_student
from benchmarks.students.teacher import Teacher
from benchmarks.students.teacher import first_numbers as first_teacher
from benchmarks.students.teaching import Draw, Reading, RecordedDraws, accumulate
from benchmarks.students.texts import FlatTexts
from benchmarks.students.variants import VariantMaker
from benchmarks.students.vocabulary import Vocabulary
from tests.unit.benchmarks.tiny_students import (
    NAMES,
    STUDENT,
    TAUGHT_SIZE,
    TEACHER,
    WORDS,
    encoder,
    random_texts,
    toy_draws,
    toy_plan,
)
from torch.nn import functional

from tenbin.annotation.joint.pairs import PairTokenizer
from tenbin.resources.checkpoints import Checkpoint

pytestmark = pytest.mark.usefixtures("_one_core")


def some_reading() -> Reading:
    """Return texts as a teacher reads them; its ids are the student's turned round."""
    table = torch.arange(WORDS).flip(0).clamp_min(4)
    return Reading(FlatTexts(*random_texts(40)), table, TEACHER)


# --- rows and encoders


def test_padding_changes_no_state() -> None:
    for facts in (STUDENT, TEACHER):
        model = encoder(facts)
        texts = FlatTexts(*random_texts(6))
        short, long = np.array([0]), np.arange(6)
        alone = rows_of(texts, short, short + 1, facts)
        among = rows_of(texts, long, long[::-1].copy(), facts)
        width = int(alone.mask.sum())
        sides = [PaddedTexts(*texts.padded(sent(one), 20)) for one in (short, short + 1)]
        wide = joined(sides[0], sides[1], 48, facts)
        for other in (alone, wide):
            exact = other.ids[:, :width], other.mask[:, :width], other.second[:, :width].long()
            types = facts is STUDENT
            found = model.states(other.ids, other.mask, other.second.long() if types else None)
            expected = model.states(exact[0], exact[1], exact[2] if types else None)
            for one, wanted in zip(found, expected, strict=True):
                torch.testing.assert_close(one[:, :width], wanted, atol=1e-5, rtol=1e-4)
        assert among.ids.shape[1] % 8 == 0


def test_subwords_around_matter() -> None:
    model = encoder(TEACHER)
    ids = torch.arange(4, 12)[None]
    mask = torch.ones_like(ids, dtype=torch.bool)
    one, turned = (model.states(some, mask)[-1] for some in (ids, ids.flip(1)))
    assert (one - turned.flip(1)).abs().max() > 0.01  # positions and distances are read


def test_rows_are_those_of_the_tokenizer(minilm: Checkpoint) -> None:
    from benchmarks.students.base_models import encoder_facts  # noqa: PLC0415 - opens transformers

    tokenizer = PairTokenizer(minilm)
    facts = encoder_facts(tokenizer)
    ids = tokenizer.ids(["A guest arrived tonight.", "Visitors came.", "Rain!"])
    texts = FlatTexts(np.concatenate(ids), np.array([len(one) for one in ids]))
    one, other = np.array([0, 1, 2]), np.array([1, 2, 0])
    rows = rows_of(texts, one, other, facts)
    for place, (a, b) in enumerate(zip(one, other, strict=True)):
        wanted = tokenizer.row(ids[a], ids[b])
        inside = rows.mask[place]
        assert rows.ids[place][inside].tolist() == wanted.ids.tolist()
        assert int(rows.first[place].sum()) == wanted.first
        assert not rows.ids[place][~inside].any()
        assert rows.ids[place][rows.in_second[place]].tolist() == ids[b].tolist()


# --- teachers


def some_draw(lengths: Any) -> Draw:
    """Return judged translations and pairs."""
    rng = np.random.default_rng(3)
    singles, pairs = 7, 5
    ref = rng.integers(len(lengths), size=singles + pairs)
    return Draw(
        references=np.concatenate([ref, ref[singles:]]),
        hypotheses=rng.integers(len(lengths), size=singles + 2 * pairs),
        labels=rng.standard_normal(singles).astype(np.float32),
        margins=np.array([0, 0, 0, 1, 0.5], dtype=np.float32),
        weights=np.array([1 / 3, 1 / 3, 1 / 3, 0.15, 0.15], dtype=np.float32),
    )


def test_gradients_of_a_teacher_are_those_of_one_backward_pass() -> None:
    reading = some_reading()
    model = encoder(TEACHER)
    draw = some_draw(reading.texts.lengths)
    rng = np.random.default_rng(1)
    numbers = {
        name: one + 0.1 * rng.standard_normal(one.shape).astype(np.float32)
        for name, one in first_teacher(model, 1).items()
    }
    teacher, plain_one = (Teacher(model, numbers, trained=True) for _ in range(2))
    loss = accumulate(teacher, draw, reading, dropout=0.0, parts=3)
    rows = rows_of(reading.texts, draw.references, draw.hypotheses, TEACHER, reading.table)
    raw = plain_one.raw(rows, plain_one.lora())
    better, worse = raw[7:12], raw[12:]
    expected = (
        functional.huber_loss(raw[:7], sent(draw.labels))
        + (functional.softplus(sent(draw.margins) - (better - worse)) * sent(draw.weights)).sum()
    )
    expected.backward()
    torch.testing.assert_close(loss, expected.detach())
    for name, one in teacher.numbers.items():
        assert one.grad.abs().max() > 0, name
        torch.testing.assert_close(one.grad, plain_one.numbers[name].grad, atol=1e-6, rtol=1e-4)


def test_a_merged_teacher_judges_as_a_trained_one() -> None:
    reading, model = some_reading(), encoder(TEACHER)
    draw = some_draw(reading.texts.lengths)
    rng = np.random.default_rng(1)
    numbers = {
        n: one + 0.1 * rng.standard_normal(one.shape) for n, one in first_teacher(model, 1).items()
    }
    rows = rows_of(reading.texts, draw.references, draw.hypotheses, TEACHER, reading.table)
    trained = Teacher(model, numbers, trained=True)
    raw = trained.raw(rows, trained.lora())
    torch.testing.assert_close(
        raw.detach(), Teacher(model, numbers).raw(rows), atol=1e-5, rtol=1e-4
    )


def test_missing_damage_is_left_out_of_a_step() -> None:
    arrays = toy_draws("wmt14", 40)
    arrays["wmt14/damaged_margin"][0, 1:] = -99
    draws = RecordedDraws(arrays, "wmt14", 100)
    draw = draws.draw(0)
    assert len(draw.margins) == 3 + 1
    assert draw.weights.tolist() == pytest.approx([1 / 3] * 3 + [0.3])
    assert draw.references[-4:].tolist() == draw.references[-8:-4].tolist()
    assert draws.draw(len(draws)).labels.tolist() == draw.labels.tolist()  # begins again
    few = RecordedDraws(arrays, "wmt14", 2).draw(1)
    assert (len(few.labels), len(few.margins)) == (2, 2 + 2)
    assert few.labels.tolist() == draws.draw(1).labels.tolist()[:2]


# --- comparison


def test_bertscore_and_similarities_are_those_of_a_loop() -> None:
    reading, model = some_reading(), encoder(TEACHER)
    vectors = TextVectors(model, reading.table, layer=1)
    one, other = torch.arange(8), torch.arange(8, 16)
    sides = [PaddedTexts(*reading.texts.padded(numbers, 14)) for numbers in (one, other)]
    read = [vectors.of(side) for side in sides]
    found = compared(*read)
    for pair in range(8):
        units = []
        for side in sides:
            length = int(side.lengths[pair])
            ids = [TEACHER.before, *reading.table[side.ids[pair, :length]].tolist(), TEACHER.after]
            mask = torch.ones((1, len(ids)), dtype=torch.bool)
            state = model.states(torch.tensor([ids]), mask, layers=1)[-1][0]
            units.append([row / row.norm() for row in state])
        first, second = units
        alike = [[float(a @ b) for b in second] for a in first]
        whole = [max(row) for row in alike], [max(column) for column in zip(*alike, strict=True)]
        inner = [row[1:-1] for row in alike[1:-1]]
        recall = np.mean([max(row) for row in inner])
        precision = np.mean([max(column) for column in zip(*inner, strict=True)])
        wanted = 2 * recall * precision / (recall + precision)
        assert float(found.scores[pair]) == pytest.approx(wanted, abs=1e-5)
        for got, expected in zip((found.first, found.second), whole, strict=True):
            assert got[pair, 1 : len(expected) - 1].tolist() == pytest.approx(
                expected[1:-1], abs=1e-5
            )


# --- plain text


def some_plain(seed: int = 5) -> PlainText:
    """Return plain text of two files."""
    flat, lengths = random_texts(50, seed=9, most=30)
    arrays = {"flat": flat, "lengths": lengths, "counts": np.array([40, 10])}
    return PlainText(arrays, Vocabulary(NAMES, encoder(STUDENT).words), seed)


def test_variants_fit_and_differ_and_depend_on_the_seed() -> None:
    vocabulary = Vocabulary(NAMES, encoder(STUDENT).words)
    texts = some_plain().segments(300)
    others = texts.chosen(torch.arange(300).flip(0))

    def made(seed: int) -> PaddedTexts:
        torch.manual_seed(seed * 7)  # what is drawn elsewhere changes nothing
        torch.rand(seed)
        generator = torch.Generator()
        generator.manual_seed(1 if seed < 9 else seed)
        return VariantMaker(vocabulary, generator).variants(texts, others)

    found, again, another = made(1), made(2), made(9)
    assert found.ids.shape == texts.ids.shape
    assert torch.equal(found.ids, again.ids)
    assert not torch.equal(found.ids, another.ids)
    assert int(found.lengths.min()) >= 1
    assert int(found.lengths.max()) <= LONGEST
    outside = torch.arange(LONGEST)[None] >= found.lengths[:, None]
    assert not found.ids[outside].any()
    assert bool((found.ids[~outside] > 0).all())
    changed = (found.ids != texts.ids).any(1).float().mean()
    assert 0.8 < float(changed) < 1
    kept = ((found.ids == texts.ids) & ~outside).sum() / (~outside).sum()
    assert float(kept) > 0.1  # of places; what was added or dropped moves the rest


def test_a_text_of_one_word_does_not_become_empty() -> None:
    vocabulary = Vocabulary(NAMES, encoder(STUDENT).words)
    texts = PaddedTexts(torch.full((2_000, 1), 20), torch.ones(2_000, dtype=torch.long))
    generator = torch.Generator()
    generator.manual_seed(1)
    found = VariantMaker(vocabulary, generator).variants(texts, texts)
    assert bool((found.lengths == 1).all())
    assert bool((found.ids > 0).all())


def test_words_are_replaced_by_words_and_numbers_by_numbers() -> None:
    vocabulary = Vocabulary(NAMES, encoder(STUDENT).words)
    for name, near in zip(NAMES, vocabulary.neighbors.tolist(), strict=True):
        others = {NAMES[one] for one in near}
        if name.isdigit():
            assert all(one.isdigit() for one in others)
        elif name.isalpha():
            assert name not in others
            assert all(one.isalpha() for one in others)
        else:
            assert others == {name}


def test_segments_are_of_one_file_and_pairs_of_one_segment() -> None:
    flat, lengths = np.repeat([10, 20], 300), np.full(100, 6)
    arrays = {"flat": flat, "lengths": lengths, "counts": np.array([50, 50])}
    source = PlainText(arrays, Vocabulary(NAMES, encoder(STUDENT).words), 5)
    segments = source.segments(200)
    for row, length in zip(segments.ids, segments.lengths.tolist(), strict=True):
        assert len(set(row[:length].tolist())) == 1
        assert length in (6, 12, 18, 24, 30)
    assert set(segments.ids[:, 0].tolist()) == {10, 20}
    pairs = source.pairs(20)
    first, second = (one.reshape(-1, VERSIONS) for one in (pairs.first, pairs.second))
    assert torch.equal(first // VERSIONS, second // VERSIONS)
    assert torch.equal(first[:, 0] // VERSIONS, torch.arange(20))
    assert bool((first != second).all())


def test_round_trips_are_of_the_same_sentences_by_one_route() -> None:
    # Sentence number n is n times the subword 30 + n, and route number r adds r subwords 10 + r.
    rows = [[[30 + n] * (n + 1) + [10 + r] * r for r in range(5)] for n in range(20)]
    texts = [text for row in rows for text in row]
    arrays = {
        f"{TRIPS}flat": np.concatenate(texts),
        f"{TRIPS}lengths": np.array([len(text) for text in texts]),
        f"{TRIPS}routes": np.array(4),
    }
    found = RoundTrips(arrays, np.random.default_rng(3)).segments(100)
    for number in range(100):
        segment = found.texts.ids[number, : found.texts.lengths[number]].tolist()
        sentences = sorted(set(segment))
        assert sentences == list(range(sentences[0], sentences[-1] + 1))
        assert segment == [one for one in sentences for _ in range(one - 29)]
        routes = set()
        for version in found.versions:
            ids = version.ids[number, : version.lengths[number]].tolist()
            assert [one for one in ids if one >= 30] == segment
            (route,) = {one for one in ids if one < 30}
            assert ids.count(route) == (route - 10) * len(sentences)
            routes.add(route)
        assert len(routes) == 3


def test_half_of_the_segments_are_of_round_trips() -> None:
    flat = np.concatenate([np.full(300, 10), np.full(300, 20)])
    arrays = {"flat": flat[:300], "lengths": np.full(50, 6), "counts": np.array([50])}
    arrays |= {f"{TRIPS}flat": flat[300:], f"{TRIPS}lengths": np.full(60, 5)}
    arrays |= {f"{TRIPS}routes": np.array(3)}
    source = PlainText(arrays, Vocabulary(NAMES, encoder(STUDENT).words), 5)
    pairs = source.pairs(20)
    assert pairs.texts.ids[::VERSIONS, 0].tolist() == [10] * 10 + [20] * 10
    assert pairs.texts.ids[41::VERSIONS, 0].tolist() == [20] * 10
    assert torch.equal(pairs.first[:: len(pairs.first) // 20] // VERSIONS, torch.arange(20))


def test_labels_of_plain_text_stand_at_their_subwords() -> None:
    student, teacher = encoder(STUDENT), encoder(TEACHER)
    table = torch.arange(WORDS).flip(0).clamp_min(4)
    vectors = TextVectors(teacher, table, 1)
    pairs = some_plain().pairs(12)
    batch = next(batches(pairs, 4_000, STUDENT, np.random.default_rng(0)))
    read = vectors.of(batch.texts)
    mean = torch.zeros(TAUGHT_SIZE)
    lesson = lesson_of(batch, read, mean, STUDENT)
    worth = compared(read.chosen(batch.first), read.chosen(batch.second))
    assert lesson.vectors is not None
    for row in range(len(lesson.labels)):
        sides = (
            (batch.first[row], lesson.rows.in_first[row], worth.first[row]),
            (
                batch.second[row],
                lesson.rows.in_second[row],
                worth.second[row],
            ),
        )
        for text, inside, similar in sides:
            length = int(batch.texts.lengths[text])
            assert torch.equal(lesson.similar[row][inside], similar[1 : length + 1])
            assert torch.equal(lesson.vectors.units[row][inside], read.units[text, 1 : length + 1])
            assert torch.equal(lesson.rows.ids[row][inside], batch.texts.ids[text, :length])
    student_one = Student(student, first_student(student, TAUGHT_SIZE))
    loss, parts = student_loss(student_one, lesson)
    weights = torch.tensor([one.weight for one in LOSSES])
    torch.testing.assert_close(loss.detach(), (weights * parts).sum())
    assert bool((parts > 0).all())


# --- students


def test_a_student_is_stored_and_rounded() -> None:
    model = encoder(STUDENT)
    student = Student(model, first_student(model, TAUGHT_SIZE))
    again = restored(stored(student))
    for name, one in student.numbers.items():
        kind = torch.bfloat16 if name[0].isdigit() else torch.float16
        wanted = one.detach() if one.ndim == 1 else one.detach().to(kind)
        assert torch.equal(again[name], wanted), name
    small = plain(rounded(student))
    assert not [name for name in small if name.startswith("lessons")]
    weight = student.numbers["0.inner.weight"].detach().numpy()
    unit = np.abs(weight).max(1, keepdims=True) / 127
    assert (np.abs(small["0.inner.weight"] - weight) <= unit / 2 * 1.001).all()


def test_differences_within_a_group() -> None:
    found = centered(torch.tensor([1.0, 3.0, 10.0]), torch.tensor([0, 0, 1]), 2)
    assert found.tolist() == [-1, 1, 0]


def test_second_stage_reads_labels_at_their_subwords() -> None:
    flat, lengths = random_texts(10, seed=2)
    ref, hyp = np.array([0, 0, 4]), np.array([1, 2, 5])
    counts = lengths[ref] + lengths[hyp]
    labels = {
        "flat": flat,
        "lengths": lengths,
        "reference": ref,
        "hypothesis": hyp,
        "year": np.array([0, 1, 0]),
        "kind": np.zeros(3, np.int64),
        "similar": np.arange(counts.sum()).astype(np.float16),
        "bertscore": np.array([0.5, 0.6, 0.7], np.float32),
        "learned/all": np.array([0.9, np.nan, 0.7], np.float32),
    }
    plan = toy_plan()
    fold = FoldLabels.of(labels, plan, Fold("wmt21", ("wmt21",)))
    assert fold.used.tolist() == [0, 2]
    assert fold.held.tolist() == [1]
    score = 0.45 * 0.9 + 0.55 * 0.5
    assert fold.labels[0] == pytest.approx(np.log(score / (1 - score)))
    lesson = second_lesson(StepDraw(np.array([2, 0]), np.array([0, 1]), 2), fold, STUDENT)
    ends = np.cumsum(counts)
    for row, pair in enumerate((2, 0)):
        found = lesson.similar[row][lesson.rows.subwords[row]].tolist()
        assert found == list(range(ends[pair] - counts[pair], ends[pair]))
