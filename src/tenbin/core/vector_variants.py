"""What word vectors are learned from, for those who train them and those who compare them."""

from enum import StrEnum


class VectorVariant(StrEnum):
    """What vectors are learned from: the configurations of Servan et al. (2016), section 4.2.

    MONO and MONO_LEMMA: a text in one language. BI and BI_LEMMA: a bitext, both languages in one
    space (Luong et al. 2015). PSEUDO_POS and PSEUDO_LEMMA: a text whose other side are the tags
    or lemmas of its own words. Those that end in -lemma have vectors of lemmas, except for
    PSEUDO_LEMMA, whose vectors are of words.
    """

    MONO = "mono"
    BI = "bi"
    PSEUDO_POS = "pseudo-pos"
    PSEUDO_LEMMA = "pseudo-lemma"
    MONO_LEMMA = "mono-lemma"
    BI_LEMMA = "bi-lemma"

    @property
    def is_bilingual(self) -> bool:
        """Whether there is a text in another language."""
        return self in {VectorVariant.BI, VectorVariant.BI_LEMMA}

    @property
    def by_lemma(self) -> bool:
        """Whether the vectors are of lemmas."""
        return self in {VectorVariant.MONO_LEMMA, VectorVariant.BI_LEMMA}
