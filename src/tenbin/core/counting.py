"""Numbers of things, as a person writes them: 1 segment, 2,000 segments."""

_IRREGULAR = {"process": "processes", "match": "matches", "entry": "entries", "is": "are"}
_IRREGULAR |= {"was": "were", "has": "have", "ends": "end", "holds": "hold", "comes": "come"}
_IRREGULAR |= {"begins": "begin"}


def counted(count: int, noun: str) -> str:
    """Return a number and the noun it counts; of several words the last one is the noun.

    >>> counted(1, "segment"), counted(2_000, "bootstrap sample"), counted(0, "worker process")
    ('1 segment', '2,000 bootstrap samples', '0 worker processes')
    """
    return f"{count:,} {agreeing(count, noun)}"


def agreeing(count: int, word: str) -> str:
    """Return a noun or verb in the form that a number asks for.

    >>> agreeing(1, "is"), agreeing(2, "is"), agreeing(3, "line")
    ('is', 'are', 'lines')
    """
    if count == 1:
        return word
    *before, last = word.split(" ")
    return " ".join([*before, _IRREGULAR.get(last, f"{last}s")])
