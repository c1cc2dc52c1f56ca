"""`TranslationMetrics`: any metric of Tenbin as ``compute_metrics`` of a Trainer of transformers.

from tenbin.ecosystem.transformers import TranslationMetrics

Seq2SeqTrainer(..., compute_metrics=TranslationMetrics(tokenizer, "chrf", language="de"))
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tenbin.api.scoring import check_given_texts
from tenbin.core.counting import counted
from tenbin.core.errors import ShapeError
from tenbin.core.spec import spec_list
from tenbin.ecosystem.collected import corpus_scores, decode_texts, encode_texts, score_texts
from tenbin.metrics.recommended import language_metrics

_LOGITS = 3


class TranslationMetrics:
    """Decodes what a model generated, and scores it by metrics of Tenbin.

    Positions that the loss ignores (-100) are taken as padding, in predictions and labels alike.

    Args:
        tokenizer: The tokenizer of the model: anything with ``batch_decode`` and ``pad_token_id``.
        metrics: Specs such as ``"chrf"``, or a mapping from aliases to specs; None for
            those of `tenbin.language_metrics`.
        language: The target language.
        references: One text, or one list of texts, per row of the evaluation set; None for the
            decoded labels, which have been cut and normalized by the tokenizer.
        source: One source text per row, for metrics that read it; None for the decoded inputs, if
            the Trainer passes them (``include_for_metrics=["inputs"]``).
        cache: Whether encodings are read from the cache on disk and written there.
    """

    def __init__(
        self,
        tokenizer: Any,  # noqa: ANN401 - of any package
        metrics: str | Sequence[str] | Mapping[str, str] | None = None,
        *,
        language: str,
        references: Sequence[Any] | None = None,
        source: Sequence[str] | None = None,
        cache: bool = True,
    ) -> None:
        self._tokenizer = tokenizer
        self._metrics = (
            list(language_metrics(language).chosen) if metrics is None else spec_list(metrics)
        )
        # A bad name is refused here, not after the first hour of training.
        check_given_texts(self._metrics, references=True, source=True)
        self._language = language
        self._references = references
        self._source = source
        self._cache = cache
        self._batches: list[bytes] = []
        self._rows = 0

    def __call__(self, prediction: Any, compute_result: bool = True) -> dict[str, float]:  # noqa: ANN401, FBT001, FBT002 - the signature of transformers
        """Return the corpus score of each metric, by its alias or spec.

        Args:
            prediction: A `transformers.EvalPrediction`.
            compute_result: With ``batch_eval_metrics``, whether this is the last batch; scores come
                with it, and nothing before.
        """
        hypotheses = self._decoded(prediction.predictions)
        first, self._rows = self._rows, self._rows + len(hypotheses)
        rows = slice(first, self._rows)
        references, source = self._references, self._source
        self._batches.append(
            encode_texts(
                hypotheses,
                self._decoded(prediction.label_ids) if references is None else references[rows],
                self._decoded(getattr(prediction, "inputs", None))
                if source is None
                else source[rows],
            )
        )
        if not compute_result:
            return {}
        return self._scored()

    def reset(self) -> None:
        """Forget the batches of an evaluation that was broken off.

        With ``batch_eval_metrics`` nothing says where an evaluation begins.
        """
        self._batches, self._rows = [], 0

    def _scored(self) -> dict[str, float]:
        encoded, rows = b"".join(self._batches), self._rows
        self.reset()
        for name, given in (("references", self._references), ("source", self._source)):
            if given is not None and len(given) != rows:
                raise ShapeError(
                    f"{name} has {counted(len(given), 'text')}, and the evaluation set has "
                    f"{counted(rows, 'row')}. Give one for each row, in the order of the set."
                )
        table = score_texts(decode_texts(encoded), self._metrics, self._language, cache=self._cache)
        return corpus_scores(table)

    def _decoded(self, ids: Any) -> Any:  # noqa: ANN401
        """Return the texts of token ids, of any shape that a Trainer passes; None for None."""
        # Models that return more than logits return a tuple, with these first.
        numbers = ids[0] if isinstance(ids, tuple) else ids
        if isinstance(numbers, Mapping):
            numbers = numbers.get("input_ids")
        if numbers is None:
            return None
        array = np.asarray(numbers.cpu() if hasattr(numbers, "cpu") else numbers)
        if array.ndim == _LOGITS:
            array = array.argmax(axis=-1)
        padding = self._tokenizer.pad_token_id
        padded = np.where(array < 0, 0 if padding is None else padding, array)
        texts = self._tokenizer.batch_decode(padded, skip_special_tokens=True)
        return [text.strip() for text in texts]
