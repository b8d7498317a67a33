"""What one desk page looks at, as its address says it: the flow, the view, the filters; and addresses that change one."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from engine.services.live import NEEDS, narrowed
from engine.store.board import Filter
from web.live_words import COLUMNS, LIST

__all__ = ["Seat", "seat"]

LONGEST = 100
"""Characters of a search."""
NEED_NAMES = ("late", *NEEDS, "held")


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """One page before the desk. `phones`: whether whole numbers may be seen, and so be searched for; `pairs`: whether
    whoever looks may connect a number again.
    """

    flow: str
    view: str = COLUMNS
    words: str = ""
    need: str = ""
    state: str = ""
    language: str
    phones: bool
    pairs: bool = False

    @property
    def chosen(self) -> Filter:
        """The filter for the store."""
        return narrowed(self.words, self.need, by_phone=self.phones)

    @property
    def filtered(self) -> bool:
        """Whether cards may be missing because of a filter."""
        return bool(self.words or self.need)

    @property
    def listed(self) -> bool:
        """Whether it is the table."""
        return self.view == LIST

    def link(self, path: str = "/live", **changes: str) -> str:
        """The address of the same page with something of it changed, by the names of the address."""
        view = LIST if self.listed else ""
        query = {"flow": self.flow, "q": self.words, "need": self.need, "state": self.state, "view": view, **changes}
        return f"{path}?{urlencode({name: value for name, value in query.items() if value})}"

    def belongs(self, flow: str, state: str, *, final: bool) -> bool:
        """Whether a conversation of this flow in this state has a place on the page, filters aside."""
        if flow != self.flow:
            return False
        return state == self.state if self.state and self.listed else not final


def seat(query: Mapping[str, str], flow: str, language: str, *, phones: bool, pairs: bool = False) -> Seat:
    """From an address; what is not understood is as if it were not there."""
    need = query.get("need", "")
    return Seat(
        flow=flow,
        view=LIST if query.get("view") == LIST else COLUMNS,
        words=query.get("q", "").strip()[:LONGEST],
        need=need if need in NEED_NAMES else "",
        state=query.get("state", "")[:LONGEST],
        language=language,
        phones=phones,
        pairs=pairs,
    )
