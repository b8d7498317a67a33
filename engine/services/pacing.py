"""How fast a number may speak: to one person, and in all, so that the platform never has to refuse.

The line of a number is in the database, so all workers stand in the same one; a letter that has to wait takes its
place there and is sent at its moment, so nobody is overtaken for ever.
"""

from engine.adapters.channels.protocol import ChannelConfig
from engine.adapters.reading import number
from engine.core.flow import MINUTE, SECOND, Millis
from engine.store import pace, sent
from engine.store.connection import Tx
from engine.store.outbox import Row

TO_ONE_PERSON = 10
"""Messages a minute: one every 6 seconds, and several at once when it was quiet before."""
A_SECOND = 80
A_SECOND_COEXISTING = 20
"""Messages of one number, in and out together; fewer where the number is used in the phone app too."""
AT_ONCE = SECOND // 10
"""How much of the line may be used up at once after a rest."""
PLACED, PLACED_AGAIN = "paced", "paced_again"
"""The reasons of a letter that has its place in the line: its first one, and the one it got after it missed that."""
MISSED = SECOND
"""A letter that is so late for its place would leave together with many others, so it gets another, once."""


def limit(config: ChannelConfig) -> int:
    """Messages a second, in and out."""
    coexisting = config.settings.get("coexistence", "").lower() in ("true", "yes", "1")
    usual = A_SECOND_COEXISTING if coexisting else A_SECOND
    return max(number(config.settings.get("throughput")) or usual, 2)


def person_free_at(tx: Tx, config: ChannelConfig, row: Row, now: Millis) -> Millis:
    """When the person may be written to again; now, or earlier, when that is so."""
    latest = sent.to_person(tx, config.id, row.contact_id, now - MINUTE, TO_ONE_PERSON)
    return latest[-1] + MINUTE if len(latest) == TO_ONE_PERSON else now


def has_place(row: Row, now: Millis) -> bool:
    """Whether it is the letter's turn."""
    return row.reason == PLACED_AGAIN or (row.reason == PLACED and now - row.due_at <= MISSED)


def place(tx: Tx, config: ChannelConfig, row: Row, now: Millis) -> Millis | None:
    """The moment at which the letter may leave; None when that cannot be said just now.

    What came in during the last second counts, but a quarter of the limit is always there for answers.
    """
    if has_place(row, now):
        return now
    most = limit(config)
    arrived = pace.arrived_lately(tx, config.id, now - SECOND, most)
    ours = max(most - arrived, most // 4, 2)
    step = -(-(SECOND + AT_ONCE) // (ours - 1))  # rounded up: within any second no more than `ours` leave
    return pace.place(tx, config.id, now - AT_ONCE, step)


def too_fast(tx: Tx, channel_id: int, now: Millis) -> None:
    """The platform said that it was too much: the line stands still for a second."""
    pace.slow_down(tx, channel_id, now + SECOND)
