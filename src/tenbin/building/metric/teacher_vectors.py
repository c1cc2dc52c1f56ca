"""The vectors that the base model of a teacher gives the subwords of a student.

Both models must cut texts into the same subwords, which they may number in different ways: MiniLM
and MPNet share the vocabulary of BERT. Texts are read alone, with the special tokens of the teacher
around them, as BERTScore reads them.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from tenbin.annotation.encoders.layered_model import LayeredModel, loaded_model, position_limit
from tenbin.annotation.encoders.libraries import torch_module
from tenbin.annotation.encoders.own_layers import LayerRun, has_own_layers, layer_parts
from tenbin.annotation.encoders.settings import Device, NumberType, View
from tenbin.annotation.encoders.subwords import SubwordTokenizer
from tenbin.annotation.joint.pairs import PairTokenizer
from tenbin.core.arrays import IdArray, IntArray
from tenbin.core.counting import counted
from tenbin.core.errors import UsageError
from tenbin.resources.checkpoints import Checkpoint

Tensor = Any  # of torch, which is not imported here

_MULTIPLE = 8
_LEAST_ALIKE = 0.99
_NOWHERE = -1


def matched_subwords(
    student: PairTokenizer, teacher: PairTokenizer, texts: Sequence[str]
) -> IdArray | None:
    """Return the id of the teacher for each id of the student; None if they cut texts differently.

    Args:
        student: The tokenizer of the student.
        teacher: The tokenizer of the teacher.
        texts: Texts that are cut by both; 99 % of them must come out alike.
    """
    found = _by_name(student.tokenizer, teacher.tokenizer)
    alike = [
        np.array_equal(found[one], other)
        for one, other in zip(student.ids(texts), teacher.ids(texts), strict=True)
    ]
    if not alike or np.mean(alike) < _LEAST_ALIKE:
        return None
    # What only the student knows may come up in the other texts.
    return np.where(found == _NOWHERE, _unknown(teacher.tokenizer), found).astype(np.int32)


def _by_name(student: SubwordTokenizer, teacher: SubwordTokenizer) -> IdArray:
    known = {name: number for number, name in enumerate(teacher.texts(range(teacher.size)))}
    names = student.texts(range(student.size))
    found = np.array([known.get(name, _NOWHERE) for name in names], dtype=np.int32)
    found[student.is_unknown(np.arange(student.size, dtype=np.int32))] = _unknown(teacher)
    return found


def _unknown(tokenizer: SubwordTokenizer) -> int:
    numbers = np.flatnonzero(tokenizer.is_unknown(np.arange(tokenizer.size, dtype=np.int32)))
    return int(numbers[0]) if len(numbers) else tokenizer.mask


class ReadTexts(NamedTuple):
    """Texts as unit vectors.

    Attributes:
        units: The vectors, (texts, longest, size); those of padding mean nothing.
        lengths: Subwords and special tokens of each text.
    """

    units: Tensor
    lengths: IntArray


class TeacherVectors:
    """The base model of a teacher, as far as the layer that BERTScore compares.

    Attributes:
        torch: The library.
        device: What it runs on, as torch calls it.
        before: Number of special tokens before a text.
        after: Number of special tokens after it.
        size: The length of a vector.
    """

    def __init__(
        self,
        checkpoint: Checkpoint,
        layer: int,
        numbers: IdArray,
        device: Device,
        number_type: NumberType,
    ) -> None:
        """Open the model.

        Args:
            checkpoint: The base model of the teacher.
            layer: The layer whose vectors are read.
            numbers: Its id of each subword of the student.
            device: CPU or CUDA.
            number_type: What it computes with; on CUDA bfloat16 in any case.
        """
        self.torch = torch_module()
        self.device = str(device)
        self._numbers = numbers
        marked = SubwordTokenizer(checkpoint).tokenize(["a"])[0]
        self.before, self.after = marked.before, marked.after
        self._marks = marked.ids[: self.before], marked.ids[len(marked.ids) - self.after :]
        self._reader: _CudaReader | _CpuReader
        if device is Device.CUDA:
            self._reader = _CudaReader(self.torch, checkpoint, layer)
        else:
            model = LayeredModel(checkpoint, View((layer,)), device, number_type)
            self._reader = _CpuReader(self.torch, model)
        self.size = self._reader.read([marked.ids], len(marked.ids)).shape[-1]

    def of(self, texts: Sequence[IdArray]) -> ReadTexts:
        """Return the vectors of texts, which are read side by side.

        Args:
            texts: Ids of the student, without special tokens.

        Raises:
            UsageError: A text is too long for the model.
        """
        before, after = self._marks
        rows = [np.concatenate([before, self._numbers[text], after]) for text in texts]
        lengths = np.array([len(row) for row in rows], dtype=np.int64)
        longest = -(-int(lengths.max()) // _MULTIPLE) * _MULTIPLE
        most = self._reader.positions
        if most is not None:
            if int(lengths.max()) > most:
                room = most - self.before - self.after
                raise UsageError(
                    f"the base model of the teacher reads {counted(room, 'subword')} of a text, "
                    "and texts are cut to more. Give a smaller length."
                )
            longest = min(longest, most)
        states = self._reader.read(rows, longest)
        return ReadTexts(self.torch.nn.functional.normalize(states.float(), dim=-1), lengths)


class _CpuReader:
    """The model as metrics run it; no text is padded while it is read.

    Attributes:
        positions: Most subwords of a text, special tokens included; None for no limit.
    """

    def __init__(self, torch: Any, model: LayeredModel) -> None:  # noqa: ANN401 - not imported here
        self._torch, self._model = torch, model
        self.positions: int | None = model.room(None)

    def read(self, rows: Sequence[IdArray], longest: int) -> Tensor:
        """Return the states of texts, padded with zeros."""
        vectors = self._model.vectors(rows)
        found = np.zeros((len(rows), longest, vectors[0].shape[-1]), dtype=np.float32)
        for place, one in enumerate(vectors):
            found[place, : len(one)] = one
        return self._torch.from_numpy(found)


class _CudaReader:
    """The model in bfloat16 on a GPU, where its states stay.

    Attributes:
        positions: Most subwords of a text, special tokens included; None for no limit.
    """

    def __init__(self, torch: Any, checkpoint: Checkpoint, layer: int) -> None:  # noqa: ANN401 - not imported here
        self._torch, self._layer = torch, layer
        model = loaded_model(checkpoint)
        self.positions = position_limit(model)
        own = has_own_layers(model)
        if own:  # nothing reads the layers above
            model.encoder.layer = model.encoder.layer[:layer]
            model.pooler = None
        self._model = model.to(torch.bfloat16).to(str(Device.CUDA))
        self._run = LayerRun(torch, model, layer_parts(model, layer)) if own else None

    def read(self, rows: Sequence[IdArray], longest: int) -> Tensor:
        """Return the states of texts; those of padding mean nothing."""
        padding = getattr(self._model.config, "pad_token_id", None) or 0
        ids = np.full((len(rows), longest), padding, dtype=np.int64)
        mask = np.zeros((len(rows), longest), dtype=np.bool_)
        for place, row in enumerate(rows):
            ids[place, : len(row)] = row
            mask[place, : len(row)] = True
        with self._torch.no_grad():
            return self._states(*(self._torch.from_numpy(one).cuda() for one in (ids, mask)))

    def _states(self, ids: Tensor, mask: Tensor) -> Tensor:
        if self._run is None:
            output = self._model(ids, attention_mask=mask.long(), output_hidden_states=True)
            return output.hidden_states[self._layer]
        embedded = self._run.embeddings(self._torch.zeros_like(ids), input_ids=ids)
        bias = self._run.bias(embedded, mask)
        return self._run.states(embedded, bias, training=False)[-1]
