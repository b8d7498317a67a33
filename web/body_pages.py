"""Kept bodies as the pages of settings show them: one line in the list, one page with everything that is in it."""

import json
from dataclasses import dataclass

from engine.core.flow import Millis
from engine.services.bodies import Body, Doors, Seen, door_of
from web.body_words import ShownFate, fate_words, kind_words, verdict_words
from web.i18n import gettext
from web.words import ago, moment

__all__ = ["ListedBody", "ShownBody", "listed_body", "looked_into"]

EXCERPT = 140


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedBody:
    """One line: when, by which door, why it is here, how it begins."""

    id: str
    when: str
    door: str
    why: ShownFate
    begins: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownBody:
    """One page. `again` says whether it can be processed again; `text` is the body, or the beginning of one."""

    id: str
    when: str
    door: str
    why: ShownFate
    verdict: str
    things: tuple[tuple[str, ShownFate], ...]
    whole: bool
    again: bool
    text: str


def listed_body(body: Body, known: Doors, now: Millis) -> ListedBody:
    """A line in the current language."""
    config = known.get(door_of(body))
    return ListedBody(
        id=body.id,
        when=ago(body.received_at, now),
        door=config.name if config is not None else gettext("removed meanwhile"),
        why=verdict_words(body.verdict, body.reason),
        begins=_text(body)[:EXCERPT],
    )


def looked_into(seen: Seen, *, phones: bool) -> ShownBody:
    """A page in the current language."""
    body = seen.body
    return ShownBody(
        id=body.id,
        when=moment(body.received_at),
        door=seen.door or gettext("removed meanwhile"),
        why=verdict_words(body.verdict, body.reason),
        verdict=body.verdict,
        things=tuple((kind_words(fate), fate_words(fate, (), phones=phones)) for fate in seen.fates),
        whole=body.whole,
        again=body.whole and seen.door is not None and body.verdict != "parsed",
        text=json.dumps(json.loads(body.body), ensure_ascii=False, indent=2) if body.whole else _text(body),
    )


def _text(body: Body) -> str:
    """The body as it came, of an unreadable one the excerpt that was kept."""
    if body.whole:
        return body.body
    if not body.body:
        return gettext("The content is not kept any more.")
    found = json.loads(body.body).get("excerpt")
    return found if isinstance(found, str) else body.body
