"""W1 and W2: texts that the channel takes, and placeholders that exist."""

import re
from collections.abc import Iterator, Mapping

from engine.core.action_texts import texts, versions
from engine.core.checks.findings import Finding, Where
from engine.core.checks.sentences import finding
from engine.core.flow import Action, Agent, Flow, Send
from engine.core.guards.scope import CONTACT
from engine.core.templating import MEMORY

TEXT_LIMIT, BUTTON_LIMIT, BUTTON_TITLE_LIMIT, ROW_LIMIT = 4_096, 3, 20, 10
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
    for words in (*versions(action.text), *(w for part in action.parts for w in versions(part.text))):
        if len(words) > TEXT_LIMIT:
            yield finding("W1", Where(), action=action.id, length=len(words), limit=TEXT_LIMIT)
    if len(action.buttons) > BUTTON_LIMIT:
        yield finding(
            "W1", Where(), action=action.id, length=len(action.buttons), limit=BUTTON_LIMIT, variant="buttons"
        )
    for button in action.buttons:
        for title in versions(button.title):
            if len(title) > BUTTON_TITLE_LIMIT:
                size, limit = len(title), BUTTON_TITLE_LIMIT
                yield finding("W1", Where(), action=action.id, length=size, limit=limit, title=title, variant="button")
    if action.menu is not None and len(action.menu.rows) > ROW_LIMIT:
        yield finding("W1", Where(), action=action.id, length=len(action.menu.rows), limit=ROW_LIMIT, variant="rows")
