"""The readers under Atheris, which prefers inputs that reach code no other has reached.

Atheris (Google, Apache-2.0, libFuzzer inside) is not among the requirements of Tenbin; without it
the mutations of `tests.fuzz.mutations` are all there is. It starts from the valid file and the
seeds of a reader, and ends after a number of inputs:

    pip install atheris
    python -m tests.fuzz.guided idf -runs=100000
"""

import sys
import tempfile
from pathlib import Path

import atheris  # type: ignore[import-not-found,import-untyped,unused-ignore]

with atheris.instrument_imports(include=["tenbin"]):
    from tests.fuzz.readers import READERS, feed
    from tests.fuzz.valid_files import VALID_FILES

    from tenbin.core.errors import TenbinError

SEEDS = Path(__file__).with_name("seeds")


def main() -> None:
    """Fuzz one reader; any error but a refusal ends the run, and the input is written down."""
    if len(sys.argv) == 1 or sys.argv[1] not in READERS:
        raise SystemExit(f"name a reader: {', '.join(READERS)}")
    name = sys.argv.pop(1)
    with tempfile.TemporaryDirectory(prefix="tenbin-fuzz-") as made:
        corpus, folder = Path(made) / "corpus", Path(made) / "files"
        corpus.mkdir()
        folder.mkdir()
        (corpus / "valid").write_bytes(VALID_FILES[name].content)
        for seed in (SEEDS / name).glob("*"):
            (corpus / seed.name).write_bytes(seed.read_bytes())

        def attempt(content: bytes) -> None:
            try:
                feed(name, content, folder)
            except TenbinError as error:
                str(error).encode("utf-8")

        atheris.Setup([*sys.argv, "-rss_limit_mb=4096", "-timeout=300", str(corpus)], attempt)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
