"""What the search of every page shows: flows, conversations, and places and commands by their names (R70)."""

from collections.abc import Iterator, Sequence
from urllib.parse import quote

from engine.core.folding import fold
from engine.core.search import parts
from engine.runtime import Runtime
from engine.services import edit, find_talks
from engine.services.find_talks import Result
from engine.store.flows import Draft
from web.desk_words import called
from web.found_words import where_words
from web.i18n import gettext
from web.permissions import Permission
from web.search_rows import MOST, Command, Found, Row, command, matching, places
from web.settings_places import Place, settings_places
from web.visitor import Visitor

__all__ = ["everywhere"]


async def everywhere(runtime: Runtime, asked: str, visitor: Visitor) -> Found:
    """Everything that was asked for; places and commands alone for nothing.

    Who may not see telephone numbers finds people as on the page of conversations: by the whole number alone.
    """
    flows = _flows(await edit.drafts(runtime), asked) if fold(asked).split() else []
    phones = visitor.may(Permission.PHONES)
    talks = await find_talks.find(runtime, asked, phones=phones)
    commands = list(matching(_commands(visitor), asked))
    groups = (
        (gettext("Flows"), tuple(_flow(one, asked) for one in flows[:MOST])),
        (gettext("Conversations"), tuple(_talk(one, phones=phones) for one in talks[:MOST])),
        (gettext("Commands"), tuple(commands)),
    )
    more = max(0, len(flows) - MOST) + max(0, len(talks) - MOST)
    return Found(asked, tuple((heading, rows) for heading, rows in groups if rows), more)


def _flows(drafts: Sequence[Draft], asked: str) -> list[Draft]:
    wanted = fold(asked).split()
    return [one for one in drafts if all(word in fold(f"{one.title} {one.slug}") for word in wanted)]


def _flow(one: Draft, asked: str) -> Row:
    state = gettext("archived") if one.archived_at is not None else gettext("not live") if one.live is None else ""
    about = state or gettext("v%(n)s live") % {"n": one.live}
    return Row("flow", parts(one.title, asked), ((about, False),), f"/flows/{quote(one.slug)}/draft")


def _talk(one: Result, *, phones: bool) -> Row:
    name = called(one.name, one.phone, whole=phones)
    where = one.wheres[0] if one.wheres else None
    pieces = tuple((piece.text, piece.found) for piece in where.pieces) if where is not None else ()
    if where is not None and where.kind == "name":
        return Row("message", pieces, ((one.state, False),), f"/conversations/{one.id}")
    said = ((f"{where_words(where.kind)}: ", False), *pieces) if where is not None and pieces else ((one.state, False),)
    return Row("message", ((name, False),), said, f"/conversations/{one.id}")


def _commands(visitor: Visitor) -> Iterator[Command]:
    if visitor.may("edit"):
        yield command(lambda: gettext("New flow"), "plus", "/flows/new")
    yield from places(visitor)
    yield command(lambda: gettext("Search in conversations"), "search", "/conversations")
    for place in settings_places(visitor):
        yield _settings(place)
    yield command(lambda: gettext("Your profile"), "user", "/profile")
    if visitor.may("converse"):
        yield command(lambda: gettext("Stop all sending"), "ban", "/emergency")


def _settings(place: Place) -> Command:
    return command(lambda: f"{gettext('Settings')}: {place.name()}", place.icon, place.href)
