"""The `entry` section: the campaign words and adverts that lead a message to this flow (R71)."""

from engine.core.document_reader import Place
from engine.core.flow import Entry
from engine.core.folding import words
from engine.core.optout import recognise

MOST = 100
LONGEST = 200


def read_entry(place: Place) -> Entry:
    """`{words: [mentoria, quero a mentoria], ads: ["120210000000000001"]}`. A word is compared folded, as whole words;
    one that says nothing, is there twice or asks to stop is a mistake.
    """
    keys = place.table(("words", "ads"))
    return Entry(
        words=_distinct(keys["words"], folded=True) if "words" in keys else (),
        ads=frozenset(_distinct(keys["ads"], folded=False)) if "ads" in keys else frozenset(),
    )


def _distinct(place: Place, *, folded: bool) -> tuple[str, ...]:
    found: dict[object, str] = {}
    for entry in place.items(limit=MOST):
        written = entry.string(limit=LONGEST)
        if written is None:
            continue
        compared: object = words(written) if folded else written
        if not compared:
            entry.wrong("entry_unreadable", value=written)
        elif folded and recognise(written, ()) is not None:
            entry.wrong("entry_stops", value=written)
        elif compared in found:
            entry.wrong("duplicate", value=written)
        else:
            found[compared] = written.strip()
    return tuple(found.values())
