"""Opens word vectors in any known format, which is detected from the content."""

from pathlib import Path

from tenbin.core.counting import counted
from tenbin.core.errors import UnreadableFile
from tenbin.formats.compression import SIGNATURE_BYTES, compression_of, opened_bytes
from tenbin.formats.files import regular_file
from tenbin.formats.tensor_file import is_tensor_file
from tenbin.formats.vectors.arrays import NPY_MAGIC, read_array_pair, read_tensor_pair, word_file
from tenbin.formats.vectors.fasttext import FASTTEXT_MAGIC, read_fasttext_binary
from tenbin.formats.vectors.navec import read_navec
from tenbin.formats.vectors.spacy import KEYS_FILE, ROWS_FILE, find_spacy_files, read_spacy_vectors
from tenbin.formats.vectors.stream import VectorStream
from tenbin.formats.vectors.text import read_vector_text, text_shape
from tenbin.formats.vectors.wink import read_wink_vectors, wink_shape
from tenbin.formats.vectors.word2vec import read_word2vec_binary, word2vec_shape

FORMATS = (
    "word2vec (text or binary), GloVe, fastText (.vec or .bin), spaCy (a folder with 'vectors' and "
    "'key2row', a wheel or a tar), navec (.tar), wink (.json), .npy or .safetensors and .words.txt"
)
_START_BYTES = 2**20
MOST_DIMENSIONS = 100_000
"""More are no vectors of words, but a damaged header."""
_ZIP = b"PK\x03\x04"
_TAR, _TAR_PLACE = b"ustar", 257


def open_vectors(path: Path) -> VectorStream:
    """Open word vectors for reading.

    Raises:
        UnreadableFile: The file cannot be read, is empty, or is in none of the formats.
    """
    stream = _opened(path)
    if not 0 < stream.dimensions <= MOST_DIMENSIONS:
        problem = f"vectors of {counted(stream.dimensions, 'dimension')}"
        raise UnreadableFile(str(path), problem, f"Expected 1 to {MOST_DIMENSIONS:,}.")
    return stream


def _opened(path: Path) -> VectorStream:
    if path.is_dir():
        return _spacy(path)
    start, compressed = _start(path)
    if start.startswith(_ZIP):
        return _spacy(path)
    if not start:
        raise UnreadableFile(str(path), "the file is empty", f"Expected {FORMATS}.")
    stream = _mapped(path, start, compressed=compressed) or _sequential(path, start)
    if stream is None:
        problem = "this is not a file of word vectors in a known format"
        raise UnreadableFile(str(path), problem, f"Expected {FORMATS}.")
    return stream


def files_of(path: Path) -> list[Path]:
    """Return the files that word vectors are read from: one, or all of a folder or pair."""
    if path.is_dir():
        files = find_spacy_files(path)
        return [] if files is None else files.paths()
    beside = path.with_name(KEYS_FILE)
    if path.name in {KEYS_FILE, ROWS_FILE} and beside.is_file():
        return files_of(path.parent)
    words = word_file(path)
    pair = words is not None and path.suffix in {".npy", ".safetensors"}
    return [path, words] if pair and words is not None else [path]


def _start(path: Path) -> tuple[bytes, bool]:
    """Return the first bytes of a file, decompressed, and whether it is compressed."""
    try:
        with regular_file(path).open("rb") as stream:
            signature = stream.read(SIGNATURE_BYTES)
    except OSError:
        signature = b""  # opened again below, with a more precise error
    if signature.startswith(_ZIP):
        return signature, False
    with opened_bytes(path) as stream:
        return stream.read(_START_BYTES), compression_of(signature) is not None


def _spacy(path: Path) -> VectorStream:
    files = find_spacy_files(path)
    if files is None:
        problem = f"it has no file {KEYS_FILE!r} of spaCy"
        advice = "Unpack it and name the vector file." if path.is_file() else ""
        raise UnreadableFile(str(path), problem, f"{advice} Expected {FORMATS}.".lstrip())
    return read_spacy_vectors(files)


def _mapped(path: Path, start: bytes, *, compressed: bool) -> VectorStream | None:
    """Open a format that is not read from beginning to end."""
    if start.startswith(NPY_MAGIC):
        of_spacy = path.name == ROWS_FILE and path.with_name(KEYS_FILE).is_file()
        reader = _read_beside_keys if of_spacy else read_array_pair
    elif start.startswith(FASTTEXT_MAGIC):
        reader = read_fasttext_binary
    elif is_tensor_file(start):
        reader = read_tensor_pair
    elif start[_TAR_PLACE : _TAR_PLACE + len(_TAR)] == _TAR:
        reader = read_navec if find_spacy_files(path) is None else _spacy
    elif path.name == KEYS_FILE:
        reader = _read_beside_keys
    else:
        return None
    if compressed:
        problem = "vectors of this format cannot be read compressed"
        raise UnreadableFile(str(path), problem, "Decompress the file.")
    return reader(path)


def _read_beside_keys(path: Path) -> VectorStream:
    return _spacy(path.parent)


def _sequential(path: Path, start: bytes) -> VectorStream | None:
    """Open a format that is read from beginning to end, compressed or not."""
    wink = wink_shape(start)
    if wink is not None:
        return read_wink_vectors(path, *wink)
    text = text_shape(start)
    if text is not None:
        return read_vector_text(path, text)
    binary = word2vec_shape(start)
    return None if binary is None else read_word2vec_binary(path, *binary)
