"""W1 and W2: texts that the channel takes, and placeholders that exist."""

import re
from collections.abc import Iterator, Mapping

from engine.core import limits
from engine.core.action_texts import texts, versions
from engine.core.checks.findings import Finding, Where
from engine.core.checks.sentences import finding
from engine.core.flow import Action, Agent, Flow, Send
from engine.core.guards.scope import CONTACT
from engine.core.splitting import shortened, units
from engine.core.templating import MEMORY

_PLACEHOLDER = re.compile(r"\{\{\s*(?P<name>[^{}|]*?)\s*(?P<filters>\|[^{}]*)?\}\}")


def check_messages(flow: Flow) -> Iterator[Finding]:
    """Findings on the words of every action, whether an arrow does it or not."""
    triggers = _triggers(flow)
    for action in flow.actions.values():
        if isinstance(action, Send):
            yield from _sizes(action)
        told: set[str] = set()
        for words in texts(action):
            for found in _PLACEHOLDER.finditer(words):
                name = found["name"]
                if name not in told:
                    told.add(name)
                    yield from _placeholder(
                        flow, action, name, triggers, has_default="default" in (found["filters"] or "")
                    )


def _placeholder(
    flow: Flow, action: Action, name: str, triggers: Mapping[str, frozenset[str]], *, has_default: bool
) -> Iterator[Finding]:
    if name in flow.context or name in CONTACT or name in MEMORY:
        return
    field = name.removeprefix("event.")
    carrying = {event.name for event in flow.events.values() if field in event.data} if field != name else set()
    asked = triggers.get(action.id, frozenset())
    without = sorted(asked - carrying)
    if carrying and (not without or (has_default and asked & carrying)):
        return
    arrows = tuple(sorted(t.id for t in flow.arrows.values() if action.id in t.do))
    if carrying:
        yield finding("W2", Where(None, without[0], arrows), action=action.id, name=name, variant="event")
    else:
        yield finding("W2", Where(None, None, arrows), action=action.id, name=name)


def _triggers(flow: Flow) -> Mapping[str, frozenset[str]]:
    """For each action the events that may start it, those that fall back to an arrow's event included."""
    found: dict[str, set[str]] = {}
    for arrow in flow.arrows.values():
        served = {name for name in flow.events if arrow.on in flow.fallbacks(name)} | {arrow.on}
        for name in arrow.do:
            found.setdefault(name, set()).update(served)
    for action in flow.actions.values():
        # What an agent falls back to is started by whatever started the agent.
        if isinstance(action, Agent) and action.fallback is not None:
            found.setdefault(action.fallback, set()).update(found.get(action.id, ()))
    return {name: frozenset(events) for name, events in found.items()}


def _sizes(action: Send) -> Iterator[Finding]:
    """W1 for each text that is longer, and each list that has more entries, than WhatsApp takes."""
    for variant, length, limit, words in sizes(action):
        if words:
            title = shortened(words, 40)
            yield finding("W1", Where(), action=action.id, length=length, limit=limit, title=title, variant=variant)
        else:
            yield finding("W1", Where(), action=action.id, length=length, limit=limit, variant=variant)


def sizes(action: Send) -> Iterator[tuple[str | None, int, int, str]]:
    """(variant of the sentence, length, limit, words) of what is longer, and (…, count, limit, "") of what is more."""
    for variant, said, limit in _texts(action):
        for words in said:
            if (length := units(words)) > limit:
                yield variant, length, limit, words
    rows = action.menu.rows if action.menu is not None else ()
    for variant, count, limit in (
        ("buttons", len(action.buttons), limits.BUTTONS),
        ("rows", len(rows), limits.ROWS),
    ):
        if count > limit:
            yield variant, count, limit, ""


def _texts(action: Send) -> Iterator[tuple[str | None, Iterator[str], int]]:
    """(variant of the sentence, texts, their limit) for each kind of text in a send."""
    bubbles = [action.text, *(part.text for part in action.parts)]
    shown = [text for text in bubbles if text is not None]
    has_choices = bool(action.buttons) or action.menu is not None
    for number, text in enumerate(shown, start=1):
        above = has_choices and number == len(shown)
        yield ("body", versions(text), limits.BODY) if above else (None, versions(text), limits.TEXT)
    for media in (action.media, *(part.media for part in action.parts)):
        if media is not None:
            yield "caption", versions(media.caption), limits.CAPTION
    for button in action.buttons:
        yield "button", versions(button.title), limits.BUTTON_TITLE
        yield "id", iter((button.id,)), limits.BUTTON_ID
    if action.menu is not None:
        yield "button", versions(action.menu.button), limits.BUTTON_TITLE
        for row in action.menu.rows:
            yield "row", versions(row.title), limits.ROW_TITLE
            yield "description", versions(row.description), limits.ROW_DESCRIPTION
            yield "id", iter((row.id,)), limits.ROW_ID
