"""The live desk's cards, columns and chips as the templates show them: texts, classes and places, no request."""

from dataclasses import dataclass

from engine.core.diagram.icons import STATE_ICONS
from engine.core.diagram.palette import KINDS
from engine.core.flow import Flow, Look, Millis, StateKind
from engine.services.live import Board, Column
from engine.services.live_cards import Card
from engine.services.live_counts import NEEDS, SOON, Figures
from web.desk_words import asks, brief, called, media, needs, who
from web.i18n import gettext, ngettext
from web.words import initials, number

__all__ = [
    "COLUMNS", "DIAGRAM", "LIST", "VIEWS", "Chip", "ShownCard", "ShownColumn", "chips", "first_name", "shown_card", "shown_column",
    "totals_line",
]  # fmt: skip

COLUMNS, LIST, DIAGRAM = "columns", "list", "diagram"
VIEWS = (COLUMNS, LIST, DIAGRAM)
EXCERPT = 200
"""Characters of what was said last; a line shows fewer."""
MOST_TAGS = 3
"""Of one person on a card."""
ICONS = {
    "approval": "hand", "late": "clock", "failed": "alert", "review": "help", "person": "user", "ambiguous": "bolt", "robot": "bot", "held": "inbox", "pairs": "users",
    "strays": "card",
}  # fmt: skip
FAILED = (*NEEDS["failed"], *NEEDS["review"])
PAGES = {"pairs": "/matching", "strays": "/payments/unmatched"}
"""What has a page of its own instead of a filter."""


@dataclass(frozen=True, slots=True)
class Chip:
    """A small mark: its tone (a class), its icon and its words."""

    tone: str
    icon: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownCard:
    """A card. `place` is the column that it belongs into, `order` compares as text; `percent` is the ring's."""

    id: int
    place: str
    order: str
    name: str
    initials: str
    colour: int
    text: str
    since: str
    age: Millis
    left: Millis | None
    deadline: str
    deadline_tone: str
    percent: int
    chips: tuple[Chip, ...]
    tags: tuple[tuple[str, int], ...]
    more_tags: int
    tone: str
    state: str
    look: Look
    owner: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownColumn:
    """The head of a column. `note` is what presses, with its tone."""

    state: str
    kind: str
    icon: str
    final: bool
    people: str
    count: int
    today: str
    deadline: str
    note: str
    note_tone: str


@dataclass(frozen=True, slots=True)
class Need:
    """One of the counted filters above the board; `page` is where it leads when it is none."""

    name: str
    icon: str
    count: int
    words: str
    page: str = ""


def shown_card(
    card: Card, now: Millis, look: Look, *, phones: bool, listed: bool = False, wall: bool = False
) -> ShownCard:
    """A card in the current language. `phones`: whether whole numbers may be seen; on a `wall` a first name is all."""
    name = first_name(card.name) if wall else called(card.name, card.phone, whole=phones)
    return ShownCard(
        id=card.id,
        place=LIST if listed else card.state,
        order=".".join(f"{part:015d}" for part in card.order),
        name=name,
        initials=initials(card.name or ""),
        colour=card.id % 5,
        text="" if wall else _said(card),
        since=brief(now - card.entered_at),
        age=now - card.entered_at,
        left=None if card.late or card.deadline_at is None else card.deadline_at - now,
        deadline=_deadline(card, now),
        deadline_tone=_deadline_tone(card, now),
        percent=_percent(card, now),
        chips=tuple(_chips(card, now)),
        tags=() if wall else card.tags[:MOST_TAGS],
        more_tags=max(0, len(card.tags) - MOST_TAGS),
        tone="late"
        if card.late
        else "failc"
        if card.attention in FAILED
        else "askc"
        if card.attention or card.approval
        else "",
        state=card.state,
        look=look,
        owner="" if wall else card.owner,
    )


def shown_column(state: str, flow: Flow, figures: Figures) -> ShownColumn:
    """The head of a state's column; of a state that the live version does not have any more too."""
    known = flow.states.get(state)
    look = known.look if known is not None else Look.HUMAN
    ladder = known.deadline if known is not None else ()
    note, tone = "", ""
    if figures.late:
        note = ngettext("%(num)s late", "%(num)s late", figures.late) % {"num": number(figures.late)}
        tone = "ie m"
    elif figures.soon:
        words = ngettext("%(num)s ends within %(time)s", "%(num)s end within %(time)s", figures.soon)
        note, tone = words % {"num": number(figures.soon), "time": brief(SOON)}, "iw m"
    return ShownColumn(
        state=state,
        kind=KINDS[look],
        icon=STATE_ICONS[look],
        final=known is not None and known.kind in (StateKind.FINAL, StateKind.OPTOUT),
        people=number(figures.people),
        count=figures.people,
        today=number(figures.today),
        deadline=" · ".join(brief(step) for step in ladder[:3]) + ("…" if len(ladder) > 3 else ""),
        note=note,
        note_tone=tone,
    )


def chips(counts: dict[str, int]) -> tuple[Need, ...]:
    """The counted filters that have anybody, in the order of urgency."""
    return tuple(
        Need(name, ICONS[name], counts[name], needs(name, counts[name]), PAGES.get(name, ""))
        for name in ICONS
        if counts.get(name)
    )


def first_name(name: str | None) -> str:
    """What a person is called where anybody may look: the first name, never a number."""
    return ((name or "").split() or [gettext("Without a name")])[0]


def totals_line(total: int) -> str:
    """How many conversations are under way."""
    return ngettext("%(num)s conversation under way", "%(num)s conversations under way", total) % {"num": number(total)}


def first_state(board: Board) -> str:
    """The column that a narrow page opens: where somebody presses, else where anybody is, else the first."""
    open_ones = [column for column in board.columns if not column.final]
    pressing: list[Column] = [c for c in open_ones if any(card.attention or card.late for card in c.cards)]
    there = [c for c in open_ones if c.figures.people]
    found = pressing or there or open_ones
    return found[0].state if found else ""


def _said(card: Card) -> str:
    if card.last_text:
        return card.last_text[:EXCERPT]
    what = media(card.last_kind)
    return f"({what})" if what else gettext("(no message yet)")


def _deadline(card: Card, now: Millis) -> str:
    if card.late and card.deadline_at is not None:
        return gettext("late %(time)s") % {"time": brief(now - card.deadline_at)}
    if card.deadline_at is None or card.paused_until is not None:
        return ""
    return brief(card.deadline_at - now)


def _deadline_tone(card: Card, now: Millis) -> str:
    if card.late:
        return "ie"
    return "iw" if card.deadline_at is not None and card.deadline_at - now <= SOON else ""


def _percent(card: Card, now: Millis) -> int:
    if card.deadline_at is None:
        return 0
    whole = max(1, card.deadline_at - card.armed_at)
    return max(0, min(100, 100 * (now - card.armed_at) // whole))


def _chips(card: Card, now: Millis) -> list[Chip]:
    found = []
    if card.approval:
        found.append(Chip("hand", "hand", gettext("approve")))
    if card.attention:
        failed, person = card.attention in FAILED, card.attention in NEEDS["person"]
        icon = "alert" if failed else "user" if person else "bolt"
        found.append(Chip("err" if failed else "acc" if person else "hand", icon, asks(card.attention)))
    if card.held:
        words = ngettext("%(num)s held", "%(num)s held", card.held) % {"num": number(card.held)}
        found.append(Chip("hand", "inbox", words))
    if card.paused_until is not None:
        found.append(Chip("", "pause", who(card.paused_by)))
    if card.ladder > 1 and card.deadline_at is not None:
        step = min(card.rung + 1, card.ladder)
        found.append(Chip("", "clock", gettext("silence %(n)s of %(of)s") % {"n": step, "of": card.ladder}))
    if card.opted_out:
        found.append(Chip("", "ban", gettext("no messages")))
    elif card.windowed and card.window_closes_at <= now:
        found.append(Chip("", "lock", gettext("24 h closed")))
    if card.writing:
        found.append(Chip("", "message", gettext("writing")))
    return found
