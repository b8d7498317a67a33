"""What a search shows, wherever it looks: rows under headings, and commands by their names in any language."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from engine.core.folding import words
from engine.core.search import parts
from web import i18n
from web.i18n import gettext
from web.visitor import Visitor

__all__ = ["MOST", "Command", "Found", "Row", "command", "matching", "places"]

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


@dataclass(frozen=True, slots=True)
class Command:
    """A row, and the words by which it is found in every language."""

    row: Row
    said: tuple[str, ...]


def matching(commands: Iterator[Command], asked: str) -> Iterator[Row]:
    wanted = words(asked)
    for command in commands:
        if all(any(word in said for said in command.said) for word in wanted):
            title = "".join(piece for piece, _ in command.row.title)
            yield replace(command.row, title=parts(title, asked))


def places(visitor: Visitor) -> Iterator[Command]:
    """The rooms of the product that everybody has, with their keys."""
    yield command(lambda: gettext("Go to the live desk"), "live", "/live", "G L")
    if visitor.may("approve"):
        yield command(lambda: gettext("Go to what waits for approval"), "hand", "/approvals")
    yield command(lambda: gettext("Go to the flows"), "flow", "/flows", "G F")
    yield command(lambda: gettext("Go to the analysis"), "chart", "/analytics", "G A")
    yield command(lambda: gettext("Go to the settings"), "gear", "/settings", "G S")
    yield command(lambda: gettext("List of shortcuts"), "help", "/shortcuts", "?")


def command(name: Callable[[], str], icon: str, href: str = "", key: str = "", press: str = "") -> Command:
    said = []
    for language in i18n.LANGUAGES:
        with i18n.speaking(language):
            said.append(" ".join(words(name())))
    return Command(Row(icon, ((name(), False),), href=href, key=key, press=press), (" ".join(said),))
