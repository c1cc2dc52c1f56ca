"""A small valid file of every format that Tenbin reads, as parts and a way to put them together.

Parts are damaged before they are packed, so that damage gets past checksums and compression; whole
files are damaged too.
"""

import bz2
import gzip
import hashlib
import io
import json
import lzma
import struct
import tarfile
from typing import Any

import numpy as np
import numpy.typing as npt
from tests.fuzz.packing import Parts, ValidFile, joined, packed_zip, text_file
from tests.fuzz.text_files import TEXT_FILES

Array = npt.NDArray[Any]

_WORDS = ("the", "cat", "猫", "новый")
_VECTORS = np.arange(12, dtype="<f4").reshape(4, 3) + 1


def _tar(parts: Parts) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, content in parts.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return stream.getvalue()


def _debian(parts: Parts) -> bytes:
    packed = gzip.compress(_tar(parts), mtime=0)
    found = b"!<arch>\n"
    for name, content in (("debian-binary", b"2.0\n"), ("data.tar.gz", packed)):
        header = f"{name:<16}{0:<12}{0:<6}{0:<6}{'100644':<8}{len(content):<10}`\n".encode()
        found += header + content + b"\n" * (len(content) % 2)
    return found


def _with_hash(parts: Parts) -> bytes:
    body = parts["body"]
    return parts["header"].replace(b"HASH", hashlib.sha256(body).hexdigest().encode()) + body


def _with_own_hash(parts: Parts) -> bytes:
    """Return JSON with the hash that its other fields should have, so that these are looked at."""
    text = joined(parts)
    try:
        content = json.loads(text)
        covered = {key: value for key, value in content.items() if key != "sha256"}
        plain = json.dumps(covered, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        content["sha256"] = hashlib.sha256(plain.encode()).hexdigest()
        return json.dumps(content, ensure_ascii=False).encode()
    except (ValueError, AttributeError, RecursionError):
        return text


def _tensors(parts: Parts) -> bytes:
    header = parts["header"]
    return len(header).to_bytes(8, "little") + header + parts["numbers"]


def _npy(array: Array) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


def _npz(parts: Parts) -> bytes:
    return packed_zip({f"{name}.npy": content for name, content in parts.items()})


def _tensor_header(shape: list[int], metadata: dict[str, str]) -> bytes:
    size = 4 * int(np.prod(shape))
    entry = {"dtype": "F32", "shape": shape, "data_offsets": [0, size]}
    return json.dumps({"__metadata__": metadata, "vectors": entry}).encode()


def _weights() -> bytes:
    return _tensors({"header": _tensor_header([4, 3], {}), "numbers": _VECTORS.tobytes()})


def _fasttext() -> bytes:
    settings = struct.pack("<2i12id", 793712314, 12, 3, 5, 5, 1, 5, 1, 2, 2, 5, 2, 3, 100, 1e-4)
    words = b"".join(word.encode() + b"\0" + struct.pack("<qb", 3, 0) for word in _WORDS)
    dictionary = struct.pack("<3i2q", 4, 4, 0, 100, -1) + words
    matrix = np.arange(27, dtype="<f4").tobytes()
    return settings + dictionary + struct.pack("<?2q", False, 9, 3) + matrix + b"output"  # noqa: FBT003


def _navec() -> dict[str, bytes]:
    counts = np.array([4, 9, 5, 3, 0], dtype="<u4").tobytes()
    shape = np.array([4, 4, 2, 3], dtype="<u4").tobytes()
    codes = np.arange(12, dtype="<f4").tobytes()
    return {
        "meta.json": b'{"id": "news", "protocol": 1}',
        "vocab.bin": gzip.compress(counts + "\n".join(_WORDS).encode(), mtime=0),
        "pq.bin": shape + bytes([0, 1, 1, 1, 2, 0, 1, 2]) + codes,
    }


def _spacy() -> dict[str, bytes]:
    keys = b"".join(
        b"\xcf" + key.to_bytes(8, "big") + bytes([row]) for row, key in enumerate((2**63, 9**19))
    )
    return {
        "vocab/vectors": _npy(_VECTORS),
        "vocab/key2row": b"\x82" + keys,
        "vocab/strings.json": json.dumps(list(_WORDS), ensure_ascii=False).encode(),
        "vocab/vectors.cfg": b'{"mode": "default"}',
    }


def _wink() -> str:
    vectors = {word: [*row, 1.5, 2] for word, row in zip(_WORDS, _VECTORS.tolist(), strict=True)}
    return json.dumps({"dimensions": 3, "size": 4, "words": list(_WORDS), "vectors": vectors})


def _word2vec() -> bytes:
    rows = zip(_WORDS, _VECTORS, strict=True)
    return b"4 3\n" + b"".join(word.encode() + b" " + row.tobytes() + b"\n" for word, row in rows)


def _lexicon() -> dict[str, bytes]:
    return {
        "words": _npy(np.frombuffer(b"car\nchat\nvoiture", dtype=np.uint8)),
        "counts": _npy(np.array([1, 2, 1], dtype=np.int32)),
        "sets": _npy(np.array([0, 0, 1, 1], dtype=np.int32)),
        "notes": _npy(np.frombuffer(b"", dtype=np.uint8)),
    }


_SEGMENTS = "The cat sat on the mat .\n猫が座った。\n\nA second line\tof two\r\nCafé 10 000\n"
_VEC = "4 3\n" + "".join(
    f"{word} {' '.join(map(str, row))}\n"
    for word, row in zip(_WORDS, _VECTORS.tolist(), strict=True)
)
_SCORES = "".join(f"{system}\t{value}\n" for system in "AB" for value in ("0.5", "None", "-1"))
_TABLE = (("system", "segment", "score", "note"), ("A", "1", "0.5", "x"), ("B", "1", "-2e3", "y"))
_TURTLE = """@prefix dbnary: <http://kaiko.getalp.org/dbnary#> .
@prefix fra: <http://kaiko.getalp.org/dbnary/fra/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
fra:voiture__nom__1 rdfs:label "voiture"@fr .
fra:voiture__nom__1 dbnary:synonym fra:automobile , fra:auto .
fra:chat dbnary:synonym [ rdfs:label "matou" ] .
"""
_MANIFEST = """[toy]
kind = "vectors"
version = "1.0"
language = "en"
licence = "CC0-1.0"
description = "Toy vectors."
sha256 = "HASH"
size = 10
providers = [
  {type = "wheel", distribution = "toy", version = "1.0", member = "toy/a.bin"},
  {type = "url", url = "https://example.org/a.tar", members = ["a/b", "a/c"], archive_size = 5},
]
""".replace("HASH", "0" * 64)
_WORDNET = (
    "  1 This software and database is provided\n"
    "cat n 2 1 @ 2 1 02121620 02127808\nmat n 1 1 @ 1 0 03727837\n"
)
_PPDB = (
    "[NP] ||| the cat ||| a cat ||| p(e|f)=2.3 p(f|e)=1.5 ||| 0-0 1-1 ||| Equivalence\n"
    "[NP] ||| [NP,1] cat ||| the [NP,1] ||| p(e|f)=0.5 ||| 0-1 ||| Entailment\n"
    "[X] ||| dog ||| hound ||| PPDB2.0Score=3 ||| 0-0 ||| OtherRelated\n"
)
_IDF_HEADER = (
    b'{"format": "tenbin-idf-1", "documents": 229, "tokens": 3, "sha256": "HASH", '
    b'"tokenizer": "13a", "language": "en", "lowercase": false}\n'
)

_OF_MEMBERS = (
    b'{"format": "tenbin-combination-1", "kind": "KIND", "members": [{"spec": "chrf", "better": '
    b'"higher"}, {"spec": "eed", "better": "lower"}], "languages": {"en": [{"signature": '
    b'"chrf|nc:6", "mean": 50.5, "sd": 10, "worst": 0, "best": 100}, {"signature": "eed|alpha:2", '
    b'"mean": 0.3, "sd": 0.1, "worst": 1, "best": 0}]}, "card": {}, '
)
_TREES = (
    b'"boosting": {"baseline": 0.5, "trees": [{"feature": [0, -1, -1], "threshold": [0.5, 0, 0], '
    b'"left": [1, 1, 2], "right": [2, 1, 2], "value": [0, -1, 1]}]}}'
)
_CURVES = (
    '{"format": "tenbin-curves-1", "tenbin": "0.1.0", "source": "WMT", "resamples": 9, "seed": 1, '
    '"curves": [\n{"metric": "chrf", "target": "any", "slope": 0.8, "ceiling": 0.96, "pairs": 120, '
    '"agreement": 0.8, "largest": 4.5, "places": ["wmt20 en-de", "wmt21 de-en"], '
    '"settings": ["0123456789ab"], "data": "ba9876543210", '
    '"band": [[0, 0.5, 0.5], [1.5, 0.7, 0.8], [4.5, 0.9, 1.0]]}\n]}\n'
)

_SCORES_JSON = """{
 "tenbin": "0.1.0", "language": "en", "segment_count": 2,
 "results": [
  {"system": "one", "metric": "wer", "score": 50.5, "signature": "wer|lang:en|version:tenbin=0.1.0",
   "ci": [40, 60.5], "segments": [0.0, null]},
  {"system": "two", "metric": "wer", "score": null, "signature": "wer|lang:en|version:tenbin=0.1.0",
   "ci": [null, null], "segments": [100.0, 1e2]}],
 TEST"notes": ["a note"],
 "texts": {"source": null, "references": [["a cat 5"], ["the dog", "a dog"]],
  "systems": {"one": ["a cat 6", ""], "two": ["The <b>", "dog"]}, "documents": ["d", "e"]}
}"""
_TEST_JSON = """"test": {"name": "ar", "rounds": 10, "seed": 1, "unit": "segments",
  "baseline": "one"},
 "pairs": [{"metric": "wer", "system_a": "one", "system_b": "two", "difference": null,
  "p_value": 0.5, "p_value_holm": 1.0, "people": null}],
 "ranks": {"wer": {"one": 1, "two": 2}},
 "curves": [{"metric": "wer", "source": "WMT", "slope": 0.1, "ceiling": 0.9, "pairs": 9,
  "places": ["wmt20 en-de"], "largest": 9.5, "data": "00ff"}],
 """

VALID_FILES: dict[str, ValidFile] = {
    **TEXT_FILES,
    "lines": text_file("text.txt", _SEGMENTS),
    "lines-gz": ValidFile(
        "text.gz", {"": _SEGMENTS.encode()}, lambda p: gzip.compress(joined(p), mtime=0)
    ),
    "lines-xz": ValidFile("text.xz", {"": _SEGMENTS.encode()}, lambda p: lzma.compress(joined(p))),
    "lines-bz2": ValidFile("text.bz2", {"": _SEGMENTS.encode()}, lambda p: bz2.compress(joined(p))),
    "documents": text_file("de-en.docs", "news\tdoc1\nnews\tdoc1\nspeech doc2\n"),
    "columns": text_file("bitext.tsv", "a cat\tun chat\nthe mat\tle tapis\n"),
    "curves": text_file("curves.json", _CURVES),
    "score-json": text_file("scores.json", _SCORES_JSON.replace("TEST", "")),
    "comparison-json": text_file("compared.json", _SCORES_JSON.replace("TEST", _TEST_JSON)),
    "links": text_file("links.txt", "0-0 1-2 2-1\n\n0-0\n"),
    "scores": text_file("de-en.mqm.seg.score", _SCORES),
    "scores-of-systems": text_file("de-en.mqm.sys.score", "A\t0.5\nB\t-1e3\nC\tNone\n"),
    "score-tsv": text_file("mine.tsv", "".join("\t".join(row) + "\n" for row in _TABLE)),
    "score-csv": text_file(
        "mine.csv", "".join(",".join(row) + "\n" for row in _TABLE) + 'A,2,1,"z"\n'
    ),
    "score-jsonl": text_file(
        "mine.jsonl",
        '{"system": "A", "segment": 1, "score": 0.5}\n'
        '{"system": "B", "segment": 1, "score": null}\n',
    ),
    "human-pairs": text_file("de-en.rr.tsv", "seg\tbetter\tworse\n1\tA\tB\n1\tB\tC\n7\tA\tC\n"),
    "pair-agreement": text_file(
        "a.tsv", "seg\tbetter\tworse\tBLEU\tchrF\n1\tA\tB\t1\t0\n2\tB\tC\t0\t0\n"
    ),
    "idf": ValidFile(
        "a.idf",
        {"header": _IDF_HEADER, "body": "229\tの\n3\ta\\tb\n1\t齊藤\n".encode()},
        _with_hash,
    ),
    "combination": ValidFile(
        "a.json",
        {
            "members": _OF_MEMBERS.replace(b"KIND", b"ridge"),
            "learned": b'"ridge": {"intercept": 0.1, "weights": [0.3, 0]}}',
        },
        _with_own_hash,
    ),
    "combination-trees": ValidFile(
        "a.json",
        {"members": _OF_MEMBERS.replace(b"KIND", b"boosting"), "learned": _TREES},
        _with_own_hash,
    ),
    "frequencies": text_file("counts.tsv", "the\t100\ncat\t2.5\n猫\t1e-3\n"),
    "function-words": text_file("words.txt", "the\na\n,\n"),
    "paraphrases-meteor": text_file("p.txt", "0.5\nthe cat\na cat\n1e-05\nbig\nvery large\n"),
    "paraphrases-index": text_file("p.txt", "0.5\nthe cat\na cat\n1e-05\nbig\nvery large\n"),
    "paraphrases-ppdb": text_file("p.ppdb", _PPDB),
    "paraphrases-sets": text_file("p.tsv", "1\tthe cat\n1\ta cat\n2\tbig\n2\tlarge\n"),
    "synsets": text_file("en.synsets", "cat\n1 2\nfeline_animal\n2\n"),
    "synonyms": text_file("en.tsv", "# mine\ncar\tauto\tautomobile\nbig\tlarge\n"),
    "mythes": text_file(
        "th.dat", "UTF-8\ncar|2\n(noun)|auto|wagon (similar term)\n-|rail car\nbig|1\n|large\n"
    ),
    "turtle": text_file("fr.ttl", _TURTLE),
    "wordnet-index": text_file("index.noun", _WORDNET),
    "wordnet-exceptions": text_file("noun.exc", "mice mouse\nwomen woman\n"),
    "lexicon-table": ValidFile("lexicon.npz", _lexicon(), _npz),
    "manifest": text_file("manifest.toml", _MANIFEST),
    "vectors-vec": text_file("a.vec", _VEC),
    "vectors-glove": text_file("a.txt", _VEC.partition("\n")[2]),
    "vectors-gz": ValidFile(
        "a.gz", {"": _VEC.encode()}, lambda p: gzip.compress(joined(p), mtime=0)
    ),
    "vectors-word2vec": ValidFile("a.bin", {"": _word2vec()}),
    "vectors-fasttext": ValidFile("b.bin", {"": _fasttext()}),
    "vectors-wink": text_file("a.json", _wink()),
    "vectors-npy": ValidFile(
        "a.npy", {"": _npy(_VECTORS)}, beside={"a.vocab": "\n".join(_WORDS).encode()}
    ),
    "vectors-safetensors": ValidFile(
        "a.safetensors",
        {"header": _tensor_header([4, 3], {}), "numbers": _VECTORS.tobytes()},
        _tensors,
        {"a.vocab": "\n".join(_WORDS).encode()},
    ),
    "vectors-navec": ValidFile("navec.tar", _navec(), _tar),
    "vectors-spacy-tar": ValidFile("spacy.tar", _spacy(), _tar),
    "vectors-spacy-wheel": ValidFile("spacy.whl", _spacy(), packed_zip),
    "tensors": ValidFile(
        "t.safetensors",
        {"header": _tensor_header([4, 3], {"format": "pt"}), "numbers": _VECTORS.tobytes()},
        _tensors,
    ),
    "checkpoint-config": ValidFile(
        "config.json",
        {"": b'{"model_type": "bert", "num_hidden_layers": 2, "hidden_size": 3}'},
        beside={"tokenizer.json": b"{}", "model.safetensors": _weights()},
    ),
    "checkpoint-index": ValidFile(
        "model.safetensors.index.json",
        {"": b'{"metadata": {}, "weight_map": {"vectors": "model-1.safetensors"}}'},
        beside={
            "config.json": b'{"num_hidden_layers": 2}',
            "tokenizer.json": b"{}",
            "model-1.safetensors": _weights(),
        },
    ),
    "archive-zip": ValidFile("a.whl", {"data/a.txt": b"hello\n", "b.txt": b"other"}, packed_zip),
    "archive-tar": ValidFile("a.tar", {"./data/a.txt": b"hello\n", "b.txt": b"other"}, _tar),
    "archive-tgz": ValidFile(
        "a.tgz", {"data/a.txt": b"hello\n"}, lambda p: gzip.compress(_tar(p), mtime=0)
    ),
    "archive-deb": ValidFile("a.deb", {"./data/a.txt": b"hello\n"}, _debian),
}
