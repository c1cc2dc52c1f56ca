"""What libraries raise for files that are damaged, or were made to look like others."""

import struct
import tarfile
import tokenize
import zipfile
import zlib
from lzma import LZMAError

ARCHIVE_ERRORS = (
    zipfile.BadZipFile,
    tarfile.TarError,
    EOFError,
    zlib.error,
    LZMAError,
    struct.error,
    # A member that is not there, a name that is not UTF-8, a negative position.
    KeyError,
    ValueError,
    OverflowError,
    # A method of compression, or an encryption, that Python does not have.
    NotImplementedError,
    RuntimeError,  # also RecursionError: a link that leads to itself
)
"""While a zip or tar is listed or read; an `OSError` without errno, or with EINVAL, as well."""

ARRAY_ERRORS = (
    ValueError,
    TypeError,
    KeyError,
    IndexError,
    AttributeError,
    OverflowError,
    EOFError,
    # The header is a Python literal, which numpy parses; its shape may be of any size.
    SyntaxError,
    tokenize.TokenError,
    MemoryError,
    RecursionError,
)
"""While the header of an array of numpy is read, or the array itself."""
