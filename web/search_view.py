"""What a search of the editor shows: things of the flow and where they are, and commands by their names in any language."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from urllib.parse import quote

from engine.core.diagram.icons import EVENT_ICONS, STATE_ICONS
from engine.core.diagram.palette import KINDS
from engine.core.flow import Flow, Transition
from engine.core.folding import words
from engine.core.guards.language import to_text
from engine.core.search import Group, Hit, find, parts
from engine.core.sentences import source
from web import i18n
from web.i18n import gettext
from web.visitor import Visitor

__all__ = ["Found", "Row", "found"]

MOST = 6
"""Results of one kind; more words find fewer."""


@dataclass(frozen=True, slots=True)
class Row:
    """One result: its words in pieces (what was asked for is marked), where it leads, and for a command the key that does
    the same. `press` is the key of a button of the page, where the command has no address.
    """

    icon: str
    title: tuple[tuple[str, bool], ...]
    about: tuple[tuple[str, bool], ...] = ()
    href: str = ""
    key: str = ""
    kind: str = ""
    press: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """The results under their headings; `more` counts what was left out."""

    asked: str
    groups: tuple[tuple[str, tuple[Row, ...]], ...]
    more: int

    @property
    def count(self) -> int:
        """How many results are shown."""
        return sum(len(rows) for _, rows in self.groups)


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
    commands = tuple(_matching(_commands(base, flow.slug, visitor, first), asked))
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


@dataclass(frozen=True, slots=True)
class _Command:
    """A row, and the words by which it is found in every language."""

    row: Row
    said: tuple[str, ...]


def _matching(commands: Iterator[_Command], asked: str) -> Iterator[Row]:
    wanted = words(asked)
    for command in commands:
        if all(any(word in said for said in command.said) for word in wanted):
            title = "".join(piece for piece, _ in command.row.title)
            yield replace(command.row, title=parts(title, asked))


def _commands(base: str, slug: str, visitor: Visitor, state: str) -> Iterator[_Command]:
    """What can be done by name; `state` is the first state that was found, from which an arrow may begin."""
    if visitor.may("edit"):
        yield _command(lambda: gettext("New state"), "plus", f"{base}?sel=new:state", "S")
        start = f"&from={quote(state)}" if state else ""
        yield _command(
            lambda: gettext("New transition from %(state)s") % {"state": state} if state else gettext("New transition"),
            "plus",
            f"{base}?sel=new:transition{start}",
            "T",
        )
        yield _command(lambda: gettext("Undo"), "undo", press="z")
        yield _command(lambda: gettext("Simulate"), "play", f"/flows/{slug}/simulator")
    if visitor.may("publish"):
        yield _command(lambda: gettext("Publish"), "upload", f"/flows/{slug}/publish")
    yield _command(lambda: gettext("Export the diagram"), "download", f"/flows/{slug}/export", "E")
    yield _command(lambda: gettext("See the diagram"), "flow", f"{base}?view=diagram", "V")
    yield _command(lambda: gettext("See the table"), "table", f"{base}?view=table", "V")
    yield _command(lambda: gettext("See the rules"), "okc", f"{base}?view=rules", "V")
    yield _command(lambda: gettext("See the versions"), "history", f"/flows/{slug}/versions")
    yield _command(lambda: gettext("Go to the live desk"), "live", "/live", "G L")
    yield _command(lambda: gettext("Go to the flows"), "flow", "/flows", "G F")
    yield _command(lambda: gettext("Go to the settings"), "gear", "/settings", "G S")
    yield _command(lambda: gettext("List of shortcuts"), "help", "/shortcuts", "?")


def _command(name: Callable[[], str], icon: str, href: str = "", key: str = "", press: str = "") -> _Command:
    said = []
    for language in i18n.LANGUAGES:
        with i18n.speaking(language):
            said.append(" ".join(words(name())))
    return _Command(Row(icon, ((name(), False),), href=href, key=key, press=press), (" ".join(said),))
