"""Where a search found its words, said in a word or two."""

from web.i18n import gettext

__all__ = ["where_words"]


def where_words(kind: str) -> str:
    """The place of a find, before the words themselves."""
    return {
        "name": gettext("Name"),
        "phone": gettext("Phone"),
        "in": gettext("The customer wrote"),
        "heard": gettext("The customer said"),
        "out": gettext("We wrote"),
    }[kind]
