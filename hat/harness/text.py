"""One form for all text of a harness: UTF-8 without BOM, LF, NFC. What is hashed is what is stored and served."""

import unicodedata


def decode(data: bytes) -> str:
    """Bytes of a text file in normal form.

    Raises:
        UnicodeDecodeError: the bytes are not UTF-8.
    """
    return normal(data.decode("utf-8-sig"))


def normal(text: str) -> str:
    """Text with LF line ends and composed characters (NFC)."""
    return unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n"))


def block(text: str) -> str:
    """Normal text without blank lines around it: the form of bodies and descriptions."""
    return normal(text).strip()
