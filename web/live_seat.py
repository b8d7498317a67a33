"""What one desk page looks at, as its address says it: the flow, the view, the filters; and addresses that change one."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import parse_qs, urlencode

from engine.core.phone_search import sought
from engine.services.live import MOST_PER_COLUMN, PER_COLUMN
from engine.services.live_counts import NEEDS
from engine.store.board_filter import Filter
from web.forms import whole
from web.live_words import COLUMNS, DIAGRAM, LIST, VIEWS

__all__ = ["Seat", "query_of", "seat"]

LONGEST = 100
"""Characters of a search."""
NEED_NAMES = ("approval", "late", *NEEDS, "held")
NARROWING = ("need", "channel", "tag", "owner", "q", "state")
"""What leaves people out, by the names of the address."""
MINE, NOBODY = "me", "none"
"""Whose conversations: those of whoever looks, whoever that is, and those of nobody; else the number of an account."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """One page before the desk. `phones`: whether whole numbers may be seen, and so be searched for in part; `pairs`:
    whether whoever looks may connect a number again; `key`: the page is a wall screen, which shows no person's words
    and leads nowhere. `me` is the account of whoever looks. `most` cards stand in a column; `phase` is the part of a large drawing.
    """

    flow: str
    view: str = COLUMNS
    words: str = ""
    need: str = ""
    channel: int | None = None
    tag: str = ""
    owner: str = ""
    state: str = ""
    most: int = PER_COLUMN
    phase: int = 0
    language: str
    phones: bool
    pairs: bool = False
    key: str = ""
    me: int = field(default=0, compare=False)
    """Not compared: what pages have in common is made once, whoever looks. Whose conversations are meant is in `chosen`."""

    @property
    def chosen(self) -> Filter:
        """The filter for the store."""
        return Filter(
            words=self.words,
            phones=sought(self.words, whole=not self.phones),
            attention=NEEDS.get(self.need, ()),
            late=self.need == "late",
            held=self.need == "held",
            approval=self.need == "approval",
            channel=self.channel,
            tag=self.tag,
            owner=self.account,
        )

    @property
    def account(self) -> int | None:
        """Whose conversations are wanted: an account, 0 for nobody's, None for everybody's."""
        return {"": None, MINE: self.me, NOBODY: 0}.get(self.owner, whole(self.owner))

    @property
    def filtered(self) -> bool:
        """Whether cards may be missing because of a filter."""
        return bool(self.words or self.need or self.tag or self.owner or self.channel is not None)

    @property
    def listed(self) -> bool:
        """Whether it is the table."""
        return self.view == LIST

    @property
    def drawn(self) -> bool:
        """Whether it is the drawing, which shows nobody in particular."""
        return self.view == DIAGRAM

    @property
    def wall(self) -> bool:
        """Whether it is a wall screen."""
        return bool(self.key)

    @property
    def cards(self) -> int:
        """How many cards of a state are wanted."""
        return 0 if self.drawn else self.most

    @property
    def look(self) -> tuple[object, ...]:
        """What a card looks like here, whoever's it is: pages with the same look share its text."""
        return self.language, self.phones, self.listed, self.wall

    @property
    def query(self) -> dict[str, str]:
        """The page by the names of the address, without what is usual."""
        values = {
            "flow": self.flow,
            "view": self.view if self.view != COLUMNS else "",
            "need": self.need,
            "channel": "" if self.channel is None else str(self.channel),
            "tag": self.tag,
            "owner": self.owner,
            "q": self.words,
            "state": self.state,
            "most": str(self.most) if self.most != PER_COLUMN else "",
            "phase": str(self.phase) if self.phase else "",
            "key": self.key,
        }
        return {name: value for name, value in values.items() if value}

    def link(self, path: str = "/live", **changes: str) -> str:
        """The address of the same page with something of it changed, by the names of the address."""
        query = {**self.query, **changes}
        return f"{path}?{urlencode({name: value for name, value in query.items() if value})}"

    @property
    def cleared(self) -> str:
        """The address of the same page without filters."""
        return self.link(**dict.fromkeys((*NARROWING, "most"), ""))

    @property
    def here(self) -> str:
        """The query of this page as a filter is kept, to know it again."""
        return urlencode(replace(self, most=PER_COLUMN, phase=0).query)

    @property
    def further(self) -> str:
        """The address of the same page with more cards; "" when there cannot be more."""
        return self.link(most=str(min(2 * self.most, MOST_PER_COLUMN))) if self.most < MOST_PER_COLUMN else ""

    def belongs(self, flow: str, state: str, *, final: bool) -> bool:
        """Whether a conversation of this flow in this state has a place on the page, filters aside."""
        if flow != self.flow or self.drawn:
            return False
        return state == self.state if self.state and self.listed else not final


def seat(
    query: Mapping[str, str], flow: str, language: str, *, phones: bool, pairs: bool = False, key: str = "", me: int = 0
) -> Seat:
    """From an address; what is not understood is as if it were not there. A wall screen has its view alone."""
    if key:
        return Seat(flow=flow, language=language, phones=False, key=key)
    need, view = query.get("need", ""), query.get("view", "")
    owner = query.get("owner", "")
    most, channel, phase = (whole(query.get(name, "")) for name in ("most", "channel", "phase"))
    return Seat(
        flow=flow,
        view=view if view in VIEWS else COLUMNS,
        words=query.get("q", "").replace("\0", "").strip()[:LONGEST],
        need=need if need in NEED_NAMES else "",
        channel=channel if channel is not None and channel < 2**53 else None,
        tag=query.get("tag", "").replace("\0", "")[:LONGEST],
        owner=owner if owner in (MINE, NOBODY) or 0 < (whole(owner) or 0) < 2**53 else "",
        state=query.get("state", "").replace("\0", "")[:LONGEST],
        most=max(PER_COLUMN, min(most or 0, MOST_PER_COLUMN)),
        phase=min(phase or 0, 10_000),
        language=language,
        phones=phones,
        pairs=pairs,
        me=me,
    )


def query_of(text: str) -> str:
    """The query of a desk's address as it is kept under a name: only what a desk understands, without a place in it."""
    given = {name: values[-1] for name, values in parse_qs(text.lstrip("?")).items()}
    found = seat(given, given.get("flow", "")[:LONGEST], "", phones=True)
    return found.here
