"""P1: what is marked sensitive stays in its field, out of texts, prompts, calls, notes to the team and other fields."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from engine.core.action_texts import texts
from engine.core.actions import Action, Agent, Send
from engine.core.checks.findings import Finding, Fix, Where
from engine.core.checks.sentences import finding
from engine.core.flow import Flow, Text
from engine.core.guards.language import Expr
from engine.core.guards.syntax import Name, walk
from engine.core.templating import mentions, placeholders, without_gap


def check_privacy(flow: Flow) -> Iterator[Finding]:
    """A finding for each action that shows a sensitive field, and for each arrow that copies one to a plain field.

    What a condition reads is no leak: findings keep a veil over such values (`veiling`).
    """
    if not flow.hidden:
        return
    used = mentions(flow)
    for action in flow.actions.values():
        for name in sorted(used[action.id] & flow.hidden):
            arrows = tuple(sorted(t.id for t in flow.arrows.values() if action.id in t.do))
            yield finding(
                "P1", Where(None, None, arrows), fixes=tuple(_erased(action, name)), action=action.id, name=name
            )
    for arrow in flow.arrows.values():
        for change in arrow.set:
            for name in sorted(_read(change.value) & flow.hidden) if change.field not in flow.hidden else ():
                edit = {"op": "set_field", "id": change.field, "field": "sensitive", "value": True}
                where = Where(arrow.frm, arrow.on, (arrow.id,))
                fixes = (Fix("make_sensitive", edit),)
                yield finding("P1", where, fixes=fixes, variant="copy", name=name, target=change.field)


def _read(expression: Expr) -> set[str]:
    """The names whose values it reads; whether one is set says nothing of it."""
    return {node.name for node, _ in walk(expression.root) if isinstance(node, Name)}


def _erased(action: Action, name: str) -> Iterator[Fix]:
    """The text without the placeholder, where that is the only place that has it and words are left."""
    if isinstance(action, Agent):
        field, text = "prompt", Text((("", action.prompt),))
    elif isinstance(action, Send) and action.text is not None:
        field, text = "text", action.text
    else:
        return
    left = tuple((language, without_gap(words, name)) for language, words in text.versions)
    if not all(words for _, words in left):
        return
    value: str | Mapping[str, str] = dict(left) if len(left) > 1 or left[0][0] else left[0][1]
    told: Any = Text(left) if isinstance(action, Send) else value
    if not any(name in placeholders(words) for words in texts(replace(action, **{field: told}))):
        yield Fix("remove_placeholder", {"op": "set_action", "id": action.id, "field": field, "value": value})
