"""A message as the customer sees it: the pieces that leave, filled with examples, in WhatsApp's looks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from markupsafe import Markup

from engine.core.checks.messages import sizes
from engine.core.flow import Flow, Send, Value
from engine.core.platform_templates import Template, button_titles, filled, part, words
from engine.core.sample_values import sample_values
from engine.core.templating import render
from engine.services.letters import letters
from web import i18n
from web.desk_words import media
from web.i18n import gettext
from web.rich_text import rich

__all__ = ["Known", "Preview", "preview"]

Known: TypeAlias = Mapping[tuple[str, str], Template]
"""The platform's templates by name and language."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bubble:
    """One bubble. `file` is (kind, address); `rows` are those of the list that `opens` opens."""

    said: Markup
    file: tuple[str, str] | None = None
    head: str = ""
    footer: str = ""
    buttons: tuple[str, ...] = ()
    opens: str = ""
    rows: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """Everything that leaves, in order. `template` is what goes in its place outside 24 h, None while nobody knows it.

    `over` says what is longer than WhatsApp takes and cannot be changed in a field here.
    """

    bubbles: tuple[Bubble, ...]
    template_name: str = ""
    template: Bubble | None = None
    over: tuple[str, ...] = ()


def preview(flow: Flow, send: Send, known: Known) -> Preview:
    """What leaves for an example of a customer: the same pieces that the engine sends."""
    values = sample_values(flow)
    made = [payload for _, _, payload in letters(flow, send, values, i18n.current())]
    template = send.template
    there = known.get((template.name, template.language)) if template is not None else None
    return Preview(
        bubbles=tuple(_bubble(payload) for payload in made if payload.get("text") or payload.get("media")),
        template_name=template.name if template is not None else "",
        template=_template(there, *_given(flow, send, values)) if there is not None else None,
        over=tuple(_over(send)),
    )


def _bubble(payload: Mapping[str, object]) -> Bubble:
    file, menu = _table(payload.get("media")), _table(payload.get("menu"))
    said = str(file.get("caption") or payload.get("text") or "")
    rows = [_table(row) for row in _rows(menu.get("rows"))]
    return Bubble(
        said=rich(said),
        file=(media(str(file["kind"])), str(file["url"])) if file else None,
        buttons=tuple(str(_table(button).get("title")) for button in _rows(payload.get("buttons"))),
        opens=str(menu.get("title", "")),
        rows=tuple((str(row.get("title")), str(row.get("description") or "")) for row in rows),
    )


def _given(flow: Flow, send: Send, values: Mapping[str, Value]) -> tuple[list[str], list[str]]:
    """What is put into the body and into the head of its template."""
    template = send.template
    if template is None:
        return [], []
    head = [template.header] if isinstance(template.header, str) else []
    return [render(flow, text, values) for text in template.params], [render(flow, text, values) for text in head]


def _template(there: Template, params: Sequence[str], heads: Sequence[str]) -> Bubble:
    """A template of the platform with its head and footer, the values in their places."""
    head = part(there, "HEADER")
    kind = str(head.get("format", "")).lower()
    return Bubble(
        said=rich(filled(words(there), params)),
        file=(media(kind), "") if kind in ("image", "video", "document") else None,
        head=filled(words(there, "HEADER"), heads),
        footer=words(there, "FOOTER"),
        buttons=button_titles(there),
    )


def _over(send: Send) -> list[str]:
    """What is too long or too many, but for the fields of the panel, which count for themselves."""
    named = {
        "buttons": gettext("%(length)s buttons: WhatsApp shows at most %(limit)s."),
        "rows": gettext("%(length)s options: a list has at most %(limit)s."),
    }
    return [
        named[variant] % {"length": length, "limit": limit}
        for variant, length, limit, _ in sizes(send)
        if variant in named
    ]


def _table(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}


def _rows(value: object) -> Sequence[object]:
    return value if isinstance(value, list | tuple) else ()
