"""What people type as the document has it: a name made of their words, a text in their language beside the others."""

import re
import unicodedata
from collections.abc import Mapping

from engine.core.document_reader import LONGEST_NAME
from engine.core.errors import Refused
from web import i18n

__all__ = ["name_of_words", "spoken"]


def name_of_words(words: str) -> str:
    """`Dar boas-vindas` is `dar_boas_vindas`. Raises Refused("word_missing") where no letter is left."""
    plain = unicodedata.normalize("NFKD", words.strip().lower()).encode("ascii", "ignore").decode()
    name = re.sub(r"[^a-z0-9]+", "_", plain).strip("_")[:LONGEST_NAME].rstrip("_")
    if not name:
        raise Refused("word_missing")
    return name if name[0].isalpha() else f"n_{name}"


def spoken(text: str, before: object) -> object:
    """A text in the reader's language; what other languages say stays."""
    if not isinstance(before, Mapping):
        return text or None
    others = {str(tag): words for tag, words in before.items() if str(tag).split("-")[0] != _tongue()}
    tag = next((str(tag) for tag in before if str(tag).split("-")[0] == _tongue()), i18n.current())
    return {**others, tag: text} if text else (others or None)


def _tongue() -> str:
    return i18n.current().split("-")[0]
