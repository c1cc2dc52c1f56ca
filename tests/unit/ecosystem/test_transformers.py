"""Tenbin's metrics as ``compute_metrics`` of a real Seq2SeqTrainer."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tenbin
from tenbin.core.errors import ShapeError, UnknownMetric, UsageError
from tenbin.ecosystem.transformers import TranslationMetrics

pytestmark = pytest.mark.filterwarnings("ignore")

WORDS = ["<pad>", "</s>", "<unk>", "the", "cat", "sat", "dog", "runs"]
PAD, END, _, THE, CAT, SAT, DOG, RUNS = range(len(WORDS))


class WordTokenizer:
    """The part of a tokenizer that is needed, and nothing else."""

    pad_token_id: int | None = PAD

    def batch_decode(self, rows: Any, *, skip_special_tokens: bool) -> list[str]:
        assert skip_special_tokens
        assert (rows >= 0).all()
        return [" ".join(WORDS[word] for word in row if word > 2) + " " for row in rows]


@dataclass
class Prediction:
    """An EvalPrediction, as far as it is read."""

    predictions: Any
    label_ids: Any
    inputs: Any = None


HYPOTHESES = np.array([[THE, CAT, END], [DOG, END, -100]])
LABELS = np.array([[THE, CAT, SAT, END], [THE, DOG, END, -100]])


def corpus(references: list[Any], metric: str = "chrf") -> float:
    table = tenbin.score(["the cat", "dog"], references, metrics=[metric], language="en")
    return table["hypotheses", metric]


def test_padding_is_not_text() -> None:
    scored = TranslationMetrics(WordTokenizer(), ["chrf", "edits=ter"], language="en")
    texts = ["the cat sat", "the dog"]
    found = scored(Prediction(HYPOTHESES, LABELS))
    assert found == {"chrf": corpus(texts), "edits": corpus(texts, "ter")}


def test_logits_and_tuples_are_taken() -> None:
    logits = np.eye(len(WORDS))[np.where(HYPOTHESES < 0, PAD, HYPOTHESES)]
    scored = TranslationMetrics(WordTokenizer(), "chrf", language="en")
    found = scored(Prediction((logits, np.zeros(3)), LABELS))
    assert found == {"chrf": corpus(["the cat sat", "the dog"])}


def test_a_tokenizer_without_padding() -> None:
    tokenizer = WordTokenizer()
    tokenizer.pad_token_id = None
    found = TranslationMetrics(tokenizer, "chrf", language="en")(Prediction(HYPOTHESES, LABELS))
    assert found == {"chrf": corpus(["the cat sat", "the dog"])}


def test_references_of_the_files_go_before_decoded_labels() -> None:
    raw = [["The cat sat.", "the cat"], ["the dog!"]]
    scored = TranslationMetrics(WordTokenizer(), "chrf", language="en", references=raw)
    assert scored(Prediction(HYPOTHESES, None)) == {"chrf": corpus(raw)}
    # A second evaluation begins anew.
    assert scored(Prediction(HYPOTHESES, None)) == {"chrf": corpus(raw)}
    with pytest.raises(ShapeError, match="references has 2 texts, and the evaluation set has 1"):
        scored(Prediction(HYPOTHESES[:1], None))


def test_batches_are_one_corpus() -> None:
    raw = ["The cat sat.", "the dog!"]
    scored = TranslationMetrics(WordTokenizer(), "chrf", language="en", references=raw)
    assert scored(Prediction(HYPOTHESES[:1], LABELS[:1]), compute_result=False) == {}
    assert scored(Prediction(HYPOTHESES[1:], LABELS[1:]), compute_result=True) == {
        "chrf": corpus(raw)
    }


def test_an_evaluation_that_was_broken_off_can_be_forgotten() -> None:
    scored = TranslationMetrics(WordTokenizer(), "chrf", language="en")
    scored(Prediction(HYPOTHESES[:1], LABELS[:1]), compute_result=False)
    scored.reset()
    assert scored(Prediction(HYPOTHESES, LABELS)) == {"chrf": corpus(["the cat sat", "the dog"])}


def test_without_references_a_metric_that_reads_them_says_so() -> None:
    scored = TranslationMetrics(WordTokenizer(), "chrf", language="en")
    with pytest.raises(UsageError, match="chrf"):
        scored(Prediction(HYPOTHESES, None))


def test_a_bad_name_is_refused_before_training() -> None:
    with pytest.raises(UnknownMetric):
        TranslationMetrics(WordTokenizer(), "nonsense", language="en")


@pytest.mark.slow
@pytest.mark.parametrize("in_batches", [False, True])
def test_a_trainer_evaluates_by_it(tmp_path: Path, *, in_batches: bool) -> None:
    transformers = pytest.importorskip("transformers", reason="the extra 'neural' is not installed")
    pytest.importorskip("accelerate", reason="a Trainer needs accelerate")
    tokenizers = pytest.importorskip("tokenizers")
    words = {word: number for number, word in enumerate(WORDS)}
    plain = tokenizers.Tokenizer(tokenizers.models.WordLevel(words, unk_token=WORDS[2]))
    plain.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=plain, pad_token=WORDS[0], eos_token=WORDS[1], unk_token=WORDS[2]
    )
    transformers.set_seed(1)
    model = transformers.T5ForConditionalGeneration(
        transformers.T5Config(
            vocab_size=len(WORDS),
            d_model=8,
            d_kv=4,
            d_ff=8,
            num_layers=1,
            num_heads=2,
            decoder_start_token_id=PAD,
            pad_token_id=PAD,
            eos_token_id=END,
        )
    )
    texts = ["the cat sat", "the dog", "cat runs"]
    rows = [
        {"input_ids": tokenizer(text).input_ids, "labels": [*tokenizer(text).input_ids, END]}
        for text in texts
    ]
    seen: list[Any] = []

    class Watched(TranslationMetrics):
        def __call__(self, prediction: Any, compute_result: bool = True) -> dict[str, float]:  # noqa: FBT001, FBT002
            seen.append(prediction)
            return super().__call__(prediction, compute_result)

    trainer = transformers.Seq2SeqTrainer(
        model=model,
        args=transformers.Seq2SeqTrainingArguments(
            output_dir=str(tmp_path),
            predict_with_generate=True,
            generation_max_length=6,
            per_device_eval_batch_size=2,
            batch_eval_metrics=in_batches,
            include_for_metrics=["inputs"],
            report_to=[],
            use_cpu=True,
            disable_tqdm=True,
        ),
        eval_dataset=rows,
        processing_class=tokenizer,
        data_collator=transformers.DataCollatorForSeq2Seq(tokenizer, model),
        compute_metrics=Watched(tokenizer, ["chrf", "ter"], language="en"),
    )
    found = trainer.evaluate()
    assert len(seen) == (2 if in_batches else 1)
    hypotheses = [
        text.strip()
        for one in seen
        for text in tokenizer.batch_decode(
            np.where(np.asarray(one.predictions) < 0, PAD, one.predictions),
            skip_special_tokens=True,
        )
    ]
    table = tenbin.score(hypotheses, texts, metrics=["chrf", "ter"], language="en")
    assert found["eval_chrf"] == table["hypotheses", "chrf"]
    assert found["eval_ter"] == table["hypotheses", "ter"]
