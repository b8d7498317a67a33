"""What a desk is narrowed to, as SQL over a conversation `c` and its contact `p`."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.core.canonical import canonical
from engine.store.findable import containing

__all__ = ["ASKED", "LATE", "Filter", "filtered", "like"]

ASKED = "c.id IN (SELECT a.conversation_id FROM approval a WHERE a.status = 'pending')"
"""Something waits for a person's approval."""
LATE = "c.deadline_at <= :late AND c.due_at IS NULL AND p.paused_until IS NULL"
"""The silence is over and nothing came of it: while a message is unread or a person holds the chat it stands still."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """`words` are looked for in what a person is called and in what was said; `phones` are digits that a number of
    theirs shall have. `attention` are reasons, any of which will do; `channel` 0 is that of conversations without one,
    `owner` the account of a colleague, 0 for what is nobody's.
    """

    words: str = ""
    phones: tuple[str, ...] = ()
    attention: tuple[str, ...] = ()
    late: bool = False
    held: bool = False
    approval: bool = False
    channel: int | None = None
    tag: str = ""
    owner: int | None = None


def filtered(chosen: Filter) -> tuple[str, Mapping[str, object]]:
    """What follows other conditions, and its values; `:late` is the caller's to give."""
    where = ""
    params: dict[str, object] = {}
    if chosen.words.strip():
        inside, params = _worded(chosen)
        where += f" AND ({inside})"
    if chosen.late:
        where += f" AND {LATE}"
    if chosen.held:
        where += " AND EXISTS (SELECT 1 FROM outbox o WHERE o.conversation_id = c.id AND o.status = 'held')"
    if chosen.approval:
        where += f" AND {ASKED}"
    if chosen.attention:
        where += " AND c.attention IN :attention"
        params["attention"] = list(chosen.attention)
    if chosen.channel is not None:
        where += " AND c.channel_id = :channel"
        params["channel"] = chosen.channel
    if chosen.owner:
        where += " AND c.id IN (SELECT a.conversation_id FROM assignments a WHERE a.user_id = :owner)"
        params["owner"] = chosen.owner
    elif chosen.owner == 0:
        where += """ AND c.id NOT IN (SELECT a.conversation_id FROM assignments a JOIN account u ON u.id = a.user_id
          WHERE u.disabled_at IS NULL)"""
    if chosen.tag:
        # A list of texts in canonical JSON: inside a text a quotation mark never follows a bracket or a comma. LIKE
        # would not tell capitals apart on one of the databases.
        where += " AND (REPLACE(p.tags, :first, '') <> p.tags OR REPLACE(p.tags, :further, '') <> p.tags)"
        params |= {"first": f"[{canonical(chosen.tag)}", "further": f",{canonical(chosen.tag)}"}
    return where, params


def like(words: str) -> dict[str, str]:
    """What LIKE … ESCAPE '!' is given: `words` in lower case, and `capital` for names, whose accents LOWER may not know."""
    plain = words.strip().lower().replace("!", "!!").replace("%", "!%").replace("_", "!_")
    return {"words": f"%{plain}%", "capital": f"%{plain.title()}%"}


def _worded(chosen: Filter) -> tuple[str, dict[str, object]]:
    """The texts are read once, whatever the number of conversations."""
    where, words = containing(chosen.words)
    params: dict[str, object] = {**words}
    found = f"""c.id IN (SELECT f.conversation_id FROM findable f WHERE f.conversation_id IS NOT NULL AND {where})
        OR c.contact_id IN (SELECT f.contact_id FROM findable f WHERE f.kind = 'name' AND {where})"""
    for number, digits in enumerate(chosen.phones):
        found += f"""
        OR c.contact_id IN (SELECT i.contact_id FROM identity i WHERE i.kind = 'phone' AND i.value LIKE :digits{number})"""
        params[f"digits{number}"] = digits
    return found, params
