"""Teachers, and the student that begins with the layers of one of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from tenbin.annotation.encoders.layered_model import loaded_model
from tenbin.annotation.encoders.libraries import quietly, torch_module, transformers_module
from tenbin.building.bert.recipe import SPECIAL_TOKENS
from tenbin.building.encoder.recipe import EncoderRecipe, FirstEmbeddings
from tenbin.building.encoder.vocabulary import WORD_START
from tenbin.core.counting import counted
from tenbin.core.errors import UnreadableFile, UsageError
from tenbin.resources.checkpoints import Checkpoint, find_checkpoint

_BERT = "bert"
_TOKENIZER = "tokenizer.json"
_CONTINUATION = "##"
# Matrix products are faster if sizes are multiples of this.
_VOCABULARY_MULTIPLE = 64
_NEW = ("embeddings.word_embeddings", "pooler")


@dataclass(frozen=True, slots=True, eq=False)
class Teacher:
    """An encoder whose vectors are learned.

    Attributes:
        checkpoint: Its files.
        tokenizer: Its tokenizer, of the library ``tokenizers``.
    """

    checkpoint: Checkpoint
    tokenizer: Any

    @property
    def pad(self) -> int:
        """The id of its padding."""
        return int(self.checkpoint.config.get("pad_token_id") or 0)

    @property
    def width(self) -> int:
        """Its hidden size."""
        return int(self.checkpoint.config["hidden_size"])

    @property
    def facts(self) -> dict[str, str]:
        """What the card says about it."""
        identity = self.checkpoint.identity
        return {"name": identity.name, "fingerprint": identity.fingerprint}

    def model(self) -> Any:  # noqa: ANN401 - of transformers
        """Load the model, without dropout.

        Raises:
            UnreadableFile: Its weights do not fit its configuration.
        """
        return loaded_model(self.checkpoint).requires_grad_(requires_grad=False)


def find_teacher(name: str, language: str) -> Teacher:
    """Return a teacher; its weights are not loaded yet.

    Raises:
        MissingResource: It is not installed; the message is the command that installs it.
        UnreadableFile: Its folder is incomplete, or has no ``tokenizer.json``.
    """
    checkpoint = find_checkpoint(name, language)
    path = checkpoint.folder / _TOKENIZER
    try:
        tokenizer = import_module("tokenizers").Tokenizer.from_file(str(path))
    # The library raises a bare Exception.
    except Exception as error:
        problem = "there is no tokenizer.json in it that can be opened"
        advice = "Expected a teacher with a fast tokenizer, such as minilm-en."
        raise UnreadableFile(str(checkpoint.folder), problem, advice) from error
    return Teacher(checkpoint, tokenizer)


def check_teacher(teacher: Teacher, recipe: EncoderRecipe) -> None:
    """Raise if a student cannot have the layers of a teacher.

    Raises:
        UsageError: It is not a BERT, or does not have the layers or positions that are asked for.
    """
    config, name = teacher.checkpoint.config, teacher.checkpoint.identity.name
    kind = config.get("model_type")
    if kind != _BERT:
        raise UsageError(
            f"the teacher {name!r} is of the type {kind!r}, expected 'bert': the student has its "
            "layers. Name it as `second_teacher`, which may be of any type."
        )
    count = teacher.checkpoint.layer_count
    if max(recipe.layers) > count:
        asked = ", ".join(map(str, recipe.layers))
        raise UsageError(f"layers={asked}: the teacher {name!r} has {count}, counted from 1.")
    positions = config.get("max_position_embeddings", 0)
    if recipe.length > positions:
        raise UsageError(
            f"length={recipe.length}: the teacher {name!r} reads at most "
            f"{counted(positions, 'subword')}."
        )


def new_student(
    teacher: Teacher,
    source: Any,  # noqa: ANN401 - of transformers
    tokenizer: Any,  # noqa: ANN401 - of tokenizers
    recipe: EncoderRecipe,
) -> Any:  # noqa: ANN401 - of transformers
    """Return a BERT with the layers of a teacher and embeddings of a new vocabulary.

    Args:
        teacher: The teacher.
        source: Its model.
        tokenizer: The tokenizer of the new vocabulary.
        recipe: The settings.
    """
    torch, transformers = torch_module(), transformers_module()
    torch.manual_seed(recipe.seed)
    size = tokenizer.get_vocab_size()
    config = transformers.BertConfig.from_dict(source.config.to_dict())
    config.vocab_size = -(-size // _VOCABULARY_MULTIPLE) * _VOCABULARY_MULTIPLE
    config.pad_token_id = SPECIAL_TOKENS.index("[PAD]")
    config.hidden_dropout_prob = config.attention_probs_dropout_prob = recipe.dropout
    config.dtype = torch.float32
    # Facts about the teacher's files that would be wrong here.
    config.architectures = None
    with quietly():
        student = transformers.BertForMaskedLM(config)
    weights = {
        name: weight
        for name, weight in source.state_dict().items()
        if not name.startswith(_NEW) and not name.endswith("position_ids")
    }
    absent, unexpected = student.bert.load_state_dict(weights, strict=False)
    if unexpected or any(not name.startswith(_NEW) for name in absent):
        problem = f"its layers are not those of a BERT: {[*unexpected, *absent][0]}"
        raise UnreadableFile(str(teacher.checkpoint.folder), problem, "Name another teacher.")
    if recipe.embeddings is FirstEmbeddings.TEACHER:
        table = student.bert.embeddings.word_embeddings.weight
        known = source.get_input_embeddings().weight
        pieces = [tokenizer.id_to_token(number) for number in range(size)]
        with torch.no_grad():
            table[:size] = first_embeddings(torch, known, teacher.tokenizer, pieces)
    return student.float()


def first_embeddings(
    torch: Any,  # noqa: ANN401 - not imported here
    known: Any,  # noqa: ANN401 - a tensor
    tokenizer: Any,  # noqa: ANN401 - of tokenizers
    pieces: Sequence[str],
) -> Any:  # noqa: ANN401 - a tensor
    """Return embeddings of new subwords: the mean of the teacher's embeddings of the same text.

    A subword that the teacher has as well begins with that one's embedding. One of which the
    teacher knows nothing begins with random numbers around the mean of all embeddings.

    Args:
        torch: The library.
        known: The teacher's embeddings, shape (its subwords, dimensions).
        tokenizer: The teacher's tokenizer.
        pieces: The new subwords.
    """
    vocabulary = tokenizer.get_vocab(with_added_tokens=True)
    unknown = {vocabulary.get("[UNK]"), vocabulary.get("<unk>")}
    mean, deviation = known.mean(dim=0), known.std(dim=0)
    found = mean + deviation * torch.randn(len(pieces), known.shape[1])
    tokenizer.no_truncation()
    tokenizer.no_padding()
    texts = [piece.removeprefix(WORD_START) for piece in pieces]
    cut = tokenizer.encode_batch(texts, add_special_tokens=False)
    for place, (piece, text, encoding) in enumerate(zip(pieces, texts, cut, strict=True)):
        same = vocabulary.get(piece if piece in SPECIAL_TOKENS else f"{_CONTINUATION}{text}")
        if same is not None and not piece.startswith(WORD_START):
            found[place] = known[same]
            continue
        ids = [number for number in encoding.ids if number not in unknown]
        if ids:
            found[place] = known[ids].mean(dim=0)
    return found
