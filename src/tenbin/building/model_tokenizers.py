"""The tokenizers of local models, read from ``tokenizer.json`` alone: no code, no weights."""

from importlib import import_module
from importlib.metadata import version
from pathlib import Path

from tenbin.annotation.tokenizers import Tokenizer
from tenbin.core.errors import MissingExtra, UnreadableFile
from tenbin.resources.store.fingerprints import file_sha256

FILE = "tokenizer.json"
_PRINTED_DIGITS = 16


class ModelTokenizer:
    """The tokenizer of a model in a folder.

    Attributes:
        tokenizer: As Tenbin's tokenizers are; its name is that of the folder.
        specials: The tokens that stand around every text the model reads, such as ``[CLS]``.
    """

    def __init__(self, folder: Path) -> None:
        """Open the tokenizer.

        Raises:
            MissingExtra: The package ``tokenizers`` is not installed.
            UnreadableFile: The folder has no ``tokenizer.json``, or it is damaged.
        """
        try:
            package = import_module("tokenizers")
        except ImportError as error:
            raise MissingExtra("the tokenizer of a model", "neural") from error
        path = folder / FILE
        digest = file_sha256(path)
        try:
            opened = package.Tokenizer.from_file(str(path))
        except Exception as error:  # it raises nothing more precise
            advice = "Copy it again; only the file tokenizer.json of a model is read."
            raise UnreadableFile(str(path), f"not a tokenizer ({error})", advice) from error
        # Models read a limited number of tokens; a corpus is counted whole.
        opened.no_truncation()
        opened.no_padding()

        def tokenize(text: str) -> list[str]:
            # By number, as metrics look pieces up: some models call unknown ones by their letters.
            numbers = opened.encode(text, add_special_tokens=False).ids
            return [opened.id_to_token(number) for number in numbers]

        versions = (
            ("tokenizers", version("tokenizers")),
            (FILE, digest[:_PRINTED_DIGITS]),
        )
        name = folder.resolve().name
        self.tokenizer = Tokenizer(name, tokenize, cuts_unspaced=True, versions=versions)
        self.specials = tuple(dict.fromkeys(opened.encode("").tokens))
