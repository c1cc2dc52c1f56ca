"""Collects English sentences for students: python -m benchmarks.prose -o FOLDER.

Writes `packages.txt`, `bitext.txt` (one sentence per line, none twice) and `sources.tsv`. Packages
are fetched with npm and apt-get; bitexts are read where they lie. With `--pairs` both sides of the
bitexts are written, one file for each language pair, and nothing else. With `--round-trips` so many
sentences of each file are translated and back by Apertium besides (`round-trips.tsv`), and with
`--translations` so many Spanish and French sentences of the bitexts are translated into English,
and German words stand in so many English ones (`translations.tsv`).
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

from benchmarks.prose.bitext import english_sides, write_pairs
from benchmarks.prose.distinct import distinct
from benchmarks.prose.packages import PACKAGES, Prose, unpacked
from benchmarks.prose.round_trips import write_round_trips
from benchmarks.prose.sentences import sentences
from benchmarks.prose.translations import write_translations

_BITEXTS = Path(__file__).resolve().parents[3] / "shared" / "corpora" / "bitext"


def main() -> None:
    """Fetch, read, write."""
    options = _parse()
    if options.pairs and not options.bitexts.is_dir():
        raise SystemExit(f"{options.bitexts}: no such folder; name that of the bitexts (--bitexts)")
    if options.pairs:
        for pair, count in write_pairs(options.bitexts, options.output).items():
            print(f"{pair}\t{count}", flush=True)
        return
    options.output.mkdir(parents=True, exist_ok=True)
    known: set[str] = set()
    counts = []
    with (options.output / "packages.txt").open("w", encoding="utf-8") as file:
        for package in PACKAGES:
            own = list(distinct(_of_package(package, options.output), known))
            if 0 < package.most < len(own):  # from all over the package
                own = [own[number * len(own) // package.most] for number in range(package.most)]
            file.writelines(f"{one}\n" for one in own)
            counts.append((package.name, package.version, package.licence, str(len(own))))
            print("\t".join(counts[-1]), flush=True)
    if options.bitexts.is_dir():
        own = list(distinct(english_sides(options.bitexts), known))
        (options.output / "bitext.txt").write_text("".join(f"{one}\n" for one in own), "utf-8")
        counts.append(("bitexts", "", "CC BY 2.0 FR, MPL-2.0", str(len(own))))
        print("\t".join(counts[-1]), flush=True)
    if options.round_trips:
        files = [one for one in _files(options.output) if one.is_file()]
        made = write_round_trips(files, options.round_trips, options.output / "round-trips.tsv")
        counts.append(("round trips", "", "as the sentences", str(made)))
    if options.translations and options.bitexts.is_dir():
        output = options.output / "translations.tsv"
        made = write_translations(options.bitexts, options.translations, output)
        counts.append(("translations", "", "as the bitexts", str(made)))
    rows = [("source", "version", "licence", "sentences"), *counts]
    (options.output / "sources.tsv").write_text("".join("\t".join(row) + "\n" for row in rows))


def _files(folder: Path) -> tuple[Path, Path]:
    return folder / "packages.txt", folder / "bitext.txt"


def _of_package(package: Prose, folder: Path) -> Iterator[str]:
    for paragraph in package.read(unpacked(package, folder / "packages")):
        yield from sentences(paragraph)


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.prose",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="DIR")
    parser.add_argument("--bitexts", type=Path, default=_BITEXTS, metavar="DIR")
    parser.add_argument("--pairs", action="store_true", help="for 'tenbin build encoder'")
    parser.add_argument(
        "--round-trips", type=int, default=0, metavar="N", help="sentences of each file; slow"
    )
    parser.add_argument(
        "--translations", type=int, default=0, metavar="N", help="of each bitext; slow"
    )
    return parser.parse_args()


if __name__ == "__main__":
    main()
