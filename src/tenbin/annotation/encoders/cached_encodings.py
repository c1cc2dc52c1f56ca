"""Encodings of texts: from memory, from the cache on disk, else made anew."""

from collections.abc import Callable

from tenbin.annotation.encoders.cache import EncodingCache, default_encoding_cache
from tenbin.annotation.encoders.encoded import Encoding
from tenbin.core.caching import is_caching
from tenbin.core.progress import counted_by, step

Made = tuple[list[Encoding], dict[int, str]]
"""Encodings of some texts, and the subwords in them by id."""

_TEXTS_AT_ONCE = 4_000
_MUCH = 256 * 2**20  # bytes


class CachedEncodings:
    """The encodings of one encoder.

    Attributes:
        words: The subwords met so far, by id.
    """

    def __init__(self, key: Callable[[], str], make: Callable[[list[str]], Made]) -> None:
        """Say what encodes texts.

        Args:
            key: Returns all that can change the encodings of a text.
            make: Encodes distinct texts.
        """
        self._key = key
        self._make = make
        self._recent: dict[str, Encoding] = {}
        self._recent_from_cache = False
        self.words: dict[int, str] = {}

    def of(self, texts: list[str]) -> list[Encoding]:
        """Return the encodings of distinct texts."""
        cache = default_encoding_cache(self._key()) if is_caching() else None
        if cache is None and self._recent_from_cache:
            self._recent = {}
        found = {text: self._recent[text] for text in texts if text in self._recent}
        if cache is not None:
            wanted = [text for text in texts if text not in found]
            cached, words = cache.find(wanted)
            found |= {wanted[place]: one for place, one in cached.items()}
            self.words |= words
        missing = [text for text in texts if text not in found]
        with step("encoding texts", len(missing)) as advance, counted_by(advance):
            self._add(found, missing, cache)
        # The checks before a run encode a sample of the texts.
        small = sum(one.vectors.nbytes for one in found.values()) <= _MUCH
        self._recent = found if small else {}
        self._recent_from_cache = cache is not None
        return [found[text] for text in texts]

    def _add(
        self, found: dict[str, Encoding], missing: list[str], cache: EncodingCache | None
    ) -> None:
        """Make encodings in parts, so that finished texts are cached even if a later part fails."""
        for start in range(0, len(missing), _TEXTS_AT_ONCE):
            some = missing[start : start + _TEXTS_AT_ONCE]
            made, words = self._make(some)
            found |= dict(zip(some, made, strict=True))
            if cache is not None:
                cache.store(some, made, words)
                if sum(one.vectors.nbytes for one in made) > _MUCH:
                    # Memory-mapped from the cache they take no memory until they are needed.
                    found |= {some[place]: one for place, one in cache.find(some)[0].items()}
            self.words |= words
