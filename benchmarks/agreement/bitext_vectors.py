"""Word vectors trained as in Servan et al. (2016): CBOW of 50 dimensions, on English of bitext.

They take about a minute, once: the file is cached.
"""

import lzma
import tempfile
from pathlib import Path

from platformdirs import user_cache_path

from tenbin.api.building import build_vectors
from tenbin.building.corpus import no_progress

NAME = "bitext-en-50.bin"


def trained_file() -> Path:
    """Return where the vectors are cached."""
    return user_cache_path("tenbin") / "benchmarks" / NAME


def bitext_vectors(shared: Path) -> Path | None:
    """Return the vectors, trained on the English side of all bitext; None if there is none.

    Args:
        shared: Folder with corpora/bitext/en-XX.tsv.xz, English in the first column.
    """
    corpora = sorted((shared / "corpora" / "bitext").glob("en-*.tsv.xz"))
    if not corpora:
        return None
    path = trained_file()
    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as folder:
            text = Path(folder) / "en.txt"
            text.write_text("\n".join(_distinct(corpora)) + "\n", encoding="utf-8")
            _train(text, path)
    return path


def _distinct(corpora: list[Path]) -> dict[str, None]:
    found: dict[str, None] = {}
    for path in corpora:
        with lzma.open(path, "rt", encoding="utf-8", newline="\n") as lines:
            found |= dict.fromkeys(line.rstrip("\n").partition("\t")[0] for line in lines)
    return found


def _train(text: Path, output: Path) -> None:
    """Train with the defaults of ``tenbin build vectors --dimensions 50 --lowercase``."""
    build_vectors(
        [str(text)],
        "en",
        str(output),
        tokenizer="auto",
        lowercase=True,
        lemmas=False,
        method="cbow",
        dimensions=50,
        window=5,
        min_count=5,
        epochs=5,
        negative=5,
        seed=1,
        phase=no_progress,
    )
