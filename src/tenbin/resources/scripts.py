"""Scripts of the world's larger languages: how to recognize them, and whether they use spaces."""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """A writing system.

    Attributes:
        code: ISO 15924 code.
        pattern: Body of a character class that matches its letters.
        run_limit: For scripts without spaces, the mean length of a run of letters from which on a
            text counts as not segmented into words; 0 for scripts with spaces.
        language: The language to suggest for a text in this script.
    """

    code: str
    pattern: str
    run_limit: int
    language: str

    @property
    def spaced(self) -> bool:
        """Whether words are separated by spaces."""
        return self.run_limit == 0


@cache
def load_scripts() -> dict[str, Script]:
    """Return all known scripts by their code."""
    table = files("tenbin.resources").joinpath("bundled", "scripts.tsv").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in table.splitlines()[1:]]
    return {
        code: Script(code=code, pattern=pattern, run_limit=int(limit), language=language)
        for code, pattern, limit, language in rows
    }
