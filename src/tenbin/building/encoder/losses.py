"""What a student learns: the vectors of its teachers, and masked subwords.

The mean vectors of a text in any language are drawn to those of the teacher for the text in the
teacher's language (Reimers and Gurevych, 2020, "Making Monolingual Sentence Embeddings
Multilingual"), by their cosine and by contrast with the other texts of the batch (van den Oord et
al., 2018, InfoNCE).
"""

from typing import Any

from tenbin.building.bert.examples import Masked
from tenbin.building.bert.recipe import SPECIAL_TOKENS

# Gao et al. (2021), SimCSE.
_TEMPERATURE = 0.05
# Two texts whose vectors are as close as this are the same text, and no contrast.
_SAME = 0.999
# Devlin et al. (2019), 3.1.
_SHARE = 0.15
_MASKED, _REPLACED = 0.8, 0.1
_MASK = SPECIAL_TOKENS.index("[MASK]")
_IGNORED = -100  # of torch


def mean_vectors(states: Any, mask: Any) -> Any:  # noqa: ANN401 - tensors
    """Return the mean vector of each text, special tokens included.

    Args:
        states: Vectors of subwords, shape (texts, length, dimensions).
        mask: 1 where there is a subword, shape (texts, length).
    """
    # Sums of many small numbers in 16 bits would lose most of their digits.
    kept = mask.unsqueeze(-1).float()
    return (states.float() * kept).sum(dim=1) / kept.sum(dim=1)


def cosine_loss(torch: Any, vectors: Any, targets: Any) -> Any:  # noqa: ANN401 - tensors
    """Return 1 - the mean cosine of vectors and their targets."""
    return 1 - torch.nn.functional.cosine_similarity(vectors, targets, dim=-1).mean()


def contrast_loss(torch: Any, vectors: Any, targets: Any) -> Any:  # noqa: ANN401 - tensors
    """Return the cross entropy of finding the target of each vector among all targets.

    Targets of the same text, such as a sentence that was translated twice, are no contrast.

    Args:
        torch: The library.
        vectors: Shape (texts, dimensions).
        targets: The same.
    """
    functional = torch.nn.functional
    goals = functional.normalize(targets, dim=-1)
    cosines = functional.normalize(vectors, dim=-1) @ goals.T
    same = (goals @ goals.T > _SAME) & ~torch.eye(len(goals), dtype=torch.bool, device=goals.device)
    right = torch.arange(len(goals), device=goals.device)
    return functional.cross_entropy((cosines / _TEMPERATURE).masked_fill(same, -1e4), right)


def matching_loss(torch: Any, states: Any, mask: Any, goals: Any, goal_mask: Any) -> Any:  # noqa: ANN401
    """Return 1 - the mean of precision and recall of BERTScore between student and teacher.

    Each subword of the student is drawn to its nearest one of the teacher in the translation, and
    the other way round; no word alignment is needed.

    Args:
        torch: The library.
        states: Vectors of the student, shape (texts, length, dimensions).
        mask: 1 where there is a subword, shape (texts, length).
        goals: Vectors of the teacher, shape (texts, its length, dimensions).
        goal_mask: 1 where there is a subword, shape (texts, its length).
    """
    functional = torch.nn.functional
    own, wanted = (functional.normalize(one.float(), dim=-1) for one in (states, goals))
    cosines = own @ wanted.transpose(1, 2)
    there = mask.bool().unsqueeze(2) & goal_mask.bool().unsqueeze(1)
    cosines = cosines.masked_fill(~there, -1.0)
    precision = mean_vectors(cosines.amax(dim=2).unsqueeze(-1), mask)
    recall = mean_vectors(cosines.amax(dim=1).unsqueeze(-1), goal_mask)
    return 1 - (precision.mean() + recall.mean()) / 2


def masked_texts(torch: Any, ids: Any, lengths: Any, generator: Any, vocabulary: int) -> Masked:  # noqa: ANN401
    """Mask subwords of texts, 15 % of each; positions beyond that have the label -100.

    Args:
        torch: The library.
        ids: Ids of subwords with padding, shape (texts, length).
        lengths: Subwords of each text, special tokens at both ends included.
        generator: Random generator on the device of the ids.
        vocabulary: Size of the vocabulary.
    """
    count, length = ids.shape
    device = ids.device
    inner = torch.arange(length, device=device).unsqueeze(0)
    special = (inner == 0) | (inner >= lengths.unsqueeze(1) - 1)
    most = max(round(_SHARE * (length - 2)), 1)
    order = torch.rand(count, length, generator=generator, device=device)
    places = order.masked_fill(special, -1.0).topk(most, dim=1).indices
    wanted = (_SHARE * (lengths - 2)).round().clamp_min(1).unsqueeze(1)
    chosen = torch.arange(most, device=device).unsqueeze(0) < wanted
    originals = ids.gather(1, places)
    chance = torch.rand(count, most, generator=generator, device=device)
    others = torch.randint(
        len(SPECIAL_TOKENS), vocabulary, (count, most), generator=generator, device=device
    ).to(ids.dtype)
    shown = torch.where(chance < _MASKED + _REPLACED, others, originals)
    shown = shown.masked_fill(chance < _MASKED, _MASK)
    shown = torch.where(chosen, shown, originals)
    labels = originals.masked_fill(~chosen, _IGNORED)
    return Masked(ids.scatter(1, places, shown), places, labels)
