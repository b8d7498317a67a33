"""What a search of the editor shows: things of the flow and where they are, and commands by their names in any language."""

from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import quote

from engine.core.diagram.icons import EVENT_ICONS, STATE_ICONS
from engine.core.diagram.palette import KINDS
from engine.core.flow import Flow, Transition
from engine.core.guards.language import to_text
from engine.core.search import Group, Hit, find, parts
from engine.core.sentences import source
from web import i18n
from web.i18n import gettext
from web.search_rows import MOST, Command, Found, Row, command, matching, places
from web.visitor import Visitor

__all__ = ["found"]


def found(flow: Flow, asked: str, visitor: Visitor) -> Found:
    """Everything that was asked for; commands alone for nothing."""
    base = f"/flows/{flow.slug}/draft"
    hits = find(flow, asked, i18n.current())
    headings = _headings()
    groups: list[tuple[str, tuple[Row, ...]]] = []
    more = 0
    for group, heading in headings.items():
        of = [hit for hit in hits if hit.group == group]
        more += max(0, len(of) - MOST)
        if of:
            groups.append((heading, tuple(_row(flow, base, hit, asked) for hit in of[:MOST])))
    first = next((hit.ident for hit in hits if hit.group == "state"), "")
    commands = tuple(matching(_commands(base, flow.slug, visitor, first), asked))
    if commands:
        groups.append((gettext("Commands"), commands))
    return Found(asked, tuple(groups), more)


def _headings() -> dict[Group, str]:
    return {
        "state": gettext("States"),
        "arrow": gettext("Arrows"),
        "event": gettext("Events"),
        "message": gettext("Messages"),
        "field": gettext("Data of the conversation"),
        "rule": gettext("Safety rules"),
    }


def _row(flow: Flow, base: str, hit: Hit, asked: str) -> Row:
    href = f"{base}?{_address(flow, hit)}"
    row = Row(_icon(flow, hit), parts(hit.title, asked), parts(hit.about[:120], asked), href)
    return replace(row, kind=KINDS[flow.states[hit.ident].look]) if hit.group == "state" else row


def _icon(flow: Flow, hit: Hit) -> str:
    if hit.group == "state":
        return STATE_ICONS[flow.states[hit.ident].look]
    if hit.group in ("arrow", "event"):
        return EVENT_ICONS[source(flow, flow.arrows[hit.ident].on if hit.group == "arrow" else hit.ident)]
    return {"message": "bot", "field": "tag"}.get(hit.group, "okc")


def _address(flow: Flow, hit: Hit) -> str:
    """What the page is to show: events, messages and fields lead to the first arrow that has to do with them."""
    if hit.group in ("state", "arrow"):
        return f"sel={'s' if hit.group == 'state' else 't'}:{quote(hit.ident)}"
    if hit.group == "rule":
        return f"view=rules&sel=r:{hit.ident}"
    arrow = next((t for t in flow.arrows.values() if _concerns(t, hit)), None)
    return f"sel=t:{quote(arrow.id)}" if arrow is not None else "view=table"


def _concerns(t: Transition, hit: Hit) -> bool:
    if hit.group == "event":
        return t.on == hit.ident
    if hit.group == "message":
        return hit.ident in t.do
    written = any(assignment.field == hit.ident for assignment in t.set)
    return written or (t.when is not None and hit.ident in to_text(t.when).split())


def _commands(base: str, slug: str, visitor: Visitor, state: str) -> Iterator[Command]:
    """What can be done by name; `state` is the first state that was found, from which an arrow may begin."""
    if visitor.may("edit"):
        yield command(lambda: gettext("New state"), "plus", f"{base}?sel=new:state", "S")
        start = f"&from={quote(state)}" if state else ""
        yield command(
            lambda: gettext("New transition from %(state)s") % {"state": state} if state else gettext("New transition"),
            "plus",
            f"{base}?sel=new:transition{start}",
            "T",
        )
        yield command(lambda: gettext("Undo"), "undo", press="z")
        yield command(lambda: gettext("Simulate"), "play", f"/flows/{slug}/simulator")
    if visitor.may("publish"):
        yield command(lambda: gettext("Publish"), "upload", f"/flows/{slug}/publish")
    yield command(lambda: gettext("Export the diagram"), "download", f"/flows/{slug}/export", "E")
    yield command(lambda: gettext("See the diagram"), "flow", f"{base}?view=diagram", "V")
    yield command(lambda: gettext("See the table"), "table", f"{base}?view=table", "V")
    yield command(lambda: gettext("See the rules"), "okc", f"{base}?view=rules", "V")
    yield command(lambda: gettext("See the versions"), "history", f"/flows/{slug}/versions")
    yield from places(visitor)
