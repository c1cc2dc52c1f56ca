"""What each subword of a text weighs: rare ones more than frequent ones."""

import numpy as np

from tenbin.annotation.encoders.encoded import BoolArray, EncodedTexts, SubwordFlag
from tenbin.annotation.encoders.loading import EncoderChoice, is_static, load_encoder
from tenbin.core.arrays import FloatArray, IntArray
from tenbin.metrics.representations.collected_texts import segment_frequencies
from tenbin.resources import frequencies
from tenbin.resources.file_cache import cached_by_file
from tenbin.resources.frequencies import WORDFREQ, TokenFrequencies, load_token_frequencies


@cached_by_file("name")
def load_frequencies(*, name: str, choice: EncoderChoice) -> TokenFrequencies:
    """Return a dictionary of document frequencies for the subwords of an encoder."""
    if name != WORDFREQ or is_static(choice.model):
        return load_token_frequencies(name, choice.language)
    # One after the other the words of the list would take half a minute to cut.
    words = list(frequencies.load_frequencies(WORDFREQ, choice.language).by_word)
    cut = dict(zip(words, load_encoder(choice).tokenize(words), strict=True))
    return load_token_frequencies(name, choice.language, subwords=cut.__getitem__)


def collection_idfs(texts: EncodedTexts, strings: IntArray) -> FloatArray:
    """Return ln((M + 1) / (df + 1)) of each subword of the vocabulary, over some texts."""
    counts = segment_frequencies(texts.subword_rows, strings, len(texts.vocabulary))
    return np.log((len(strings) + 1) / (counts + 1))


def place_weights(
    texts: EncodedTexts, idfs: FloatArray | None, *, special_tokens_weigh: bool = False
) -> FloatArray:
    """Return the weight of each subword of all rows, one row after the other.

    Where all subwords of a row weigh nothing, as in a collection of one text, all weigh the same.

    Args:
        texts: The texts.
        idfs: Weight of each subword of the vocabulary; None for 1.
        special_tokens_weigh: Whether special tokens of the model ([CLS], [SEP]) weigh anything.
    """
    values = texts.rows.values
    plain = np.ones(len(values))
    if not special_tokens_weigh:
        plain[texts.having(SubwordFlag.SPECIAL)[values]] = 0
    if idfs is None:
        return plain
    weights = idfs[texts.subwords[values]] * plain
    row_of = np.repeat(np.arange(len(texts.rows)), texts.rows.lengths)
    totals = np.bincount(row_of, weights, minlength=len(texts.rows))
    return np.where(totals[row_of] > 0, weights, plain)


def filled(texts: EncodedTexts) -> BoolArray:
    """Return which rows have a subword that stands for text."""
    inside = ~texts.having(SubwordFlag.SPECIAL)[texts.rows.values]
    ends = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(inside)])
    return np.diff(ends[texts.rows.offsets]) > 0
