"""Splits text into the subwords of a unigram model, the most probable ones (Kudo 2018)."""

from collections.abc import Mapping, Sequence

SPACE = "▁"
"""How a space is written inside subwords."""

_UNKNOWN_PENALTY = 10.0


class UnigramTokenizer:
    """Normalizes a text and splits it, as the library sentencepiece does.

    Unlike there, each of several unknown characters in a row is an unknown subword of its own.
    """

    def __init__(
        self,
        pieces: Sequence[str],
        scores: Sequence[float],
        rules: Mapping[str, str],
        *,
        unknown: int,
    ) -> None:
        """Prepare a vocabulary.

        Args:
            pieces: The subwords by id; empty ones are never found in a text.
            scores: The logarithm of the probability of each.
            rules: What strings are replaced by; the longest one counts.
            unknown: The id of a character that no subword has.
        """
        self._scores = scores
        self._rules = rules
        self._unknown = unknown
        self._unknown_score = min(scores) - _UNKNOWN_PENALTY
        # The beginnings of subwords: their id, or -1 where only a longer one is a subword.
        self._ids: dict[str, int] = {}
        for number, piece in enumerate(pieces):
            for end in range(1, len(piece)):
                self._ids.setdefault(piece[:end], -1)
            if piece:
                self._ids[piece] = number
        self._longest: dict[str, int] = {}
        for string in rules:
            self._longest[string[0]] = max(len(string), self._longest.get(string[0], 0))

    def normalized(self, text: str) -> str:
        """Return a text with rules applied and one visible sign for all white space in a row."""
        parts = []
        place, end = 0, len(text)
        while place < end:
            character = text[place]
            size = self._longest.get(character, 0)
            while size and text[place : place + size] not in self._rules:
                size -= 1
            parts.append(self._rules[text[place : place + size]] if size else character)
            place += size or 1
        words = [word for word in "".join(parts).split(" ") if word]
        return "".join(SPACE + word for word in words)

    def split(self, text: str) -> list[int]:
        """Return the ids of the subwords of a text; none if there is nothing in it."""
        written = self.normalized(text)
        size = len(written)
        best = [0.0] + [float("-inf")] * size
        starts, numbers = [0] * (size + 1), [self._unknown] * (size + 1)
        ids, scores = self._ids, self._scores
        for start in range(size):
            known = False
            for end in range(start + 1, size + 1):
                number = ids.get(written[start:end])
                if number is None:
                    break
                if number < 0:
                    continue
                known = known or end == start + 1
                score = best[start] + scores[number]
                if score > best[end]:
                    best[end], starts[end], numbers[end] = score, start, number
            score = best[start] + self._unknown_score
            if not known and score > best[start + 1]:
                best[start + 1], starts[start + 1] = score, start
                numbers[start + 1] = self._unknown
        found = []
        place = size
        while place > 0:
            found.append(numbers[place])
            place = starts[place]
        return found[::-1]
