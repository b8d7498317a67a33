"""Drawing the parts of the live desk: the whole page and, for the stream, one card, the counts, the filters, the drawing."""

from dataclasses import dataclass

from engine.core.flow import Flow, Look, Millis
from engine.services.live import Board, in_order
from engine.services.live_cards import Card
from engine.services.live_counts import Figures
from engine.services.live_news import Totals
from web import i18n
from web.link_words import ShownTrouble, troubles
from web.live_drawing import Drawn, drawing
from web.live_seat import Seat
from web.live_words import Need, ShownCard, ShownColumn, chips, first_state, shown_card, shown_column, totals_line
from web.pages import environment
from web.words import number

__all__ = ["Desk", "desk", "draw_attention", "draw_card", "draw_counts", "draw_drawing", "people_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """What the templates of live/ read."""

    seat: Seat
    title: str
    number: int
    columns: tuple[tuple[ShownColumn, tuple[ShownCard, ...], str], ...]
    cards: tuple[ShownCard, ...]
    needs: tuple[Need, ...]
    down: tuple[ShownTrouble, ...]
    total: int
    total_line: str
    open_state: str
    marks: str
    drawn: Drawn | None

    @property
    def more(self) -> bool:
        """Whether a state has more people than are shown."""
        return any(more for _, _, more in self.columns)


async def desk(board: Board, seat: Seat) -> Desk:
    """A board in the current language."""
    shown = []
    for column in board.columns:
        cards = tuple(
            shown_card(card, board.now, column.look, phones=seat.phones, listed=seat.listed, wall=seat.wall)
            for card in column.cards
        )
        head = shown_column(column.state, board.flow, column.figures)
        more = column.fitting - len(cards)
        shown.append((head, cards, number(more) if more > 0 else ""))
    every = sorted((card for _, cards, _ in shown for card in cards), key=lambda card: card.order)
    states = {head.state for head, _, _ in shown}
    people = {column.state: column.figures.people for column in board.columns if column.figures.people}
    return Desk(
        seat=seat,
        title=board.flow.title.within(i18n.current()),
        number=board.number,
        columns=tuple(shown),
        cards=tuple(every),
        needs=chips(dict(board.needs)),
        down=troubles(board.down),
        total=board.total,
        total_line=totals_line(board.total),
        open_state=seat.state if seat.state in states else first_state(board),
        marks=str(board.marks),
        drawn=await drawing(seat, board.flow, people) if seat.drawn else None,
    )


def draw_card(seat: Seat, flow: Flow, card: Card, now: Millis) -> str:
    """One card, or row of the table, for whoever looks as `seat` does."""
    state = flow.states.get(card.state)
    look = state.look if state is not None else Look.HUMAN
    with i18n.speaking(seat.language):
        shown = shown_card(card, now, look, phones=seat.phones, listed=seat.listed, wall=seat.wall)
        template = "live/_row.html" if seat.listed else "live/_wall_card.html" if seat.wall else "live/_card.html"
        return _drawn(template, card=shown)


def draw_counts(seat: Seat, flow: Flow, found: Totals) -> str:
    """The heads of all columns."""
    with i18n.speaking(seat.language):
        names = in_order(flow, found.figures)
        heads = [shown_column(name, flow, found.figures.get(name, Figures())) for name in names]
        return _drawn("live/_counts.html", heads=heads)


def draw_attention(seat: Seat, flow: Flow, found: Totals) -> str:
    """The numbers that cannot send, and the counted filters."""
    with i18n.speaking(seat.language):
        total = sum(f.people for name, f in found.figures.items() if not shown_column(name, flow, f).final)
        needs, line = chips(dict(found.needs)), totals_line(total)
        down = _drawn("live/_down.html", seat=seat, down=troubles(found.down))
        return down + _drawn("live/_attention.html", seat=seat, needs=needs, total_line=line)


async def draw_drawing(seat: Seat, flow: Flow, found: Totals) -> str:
    """The drawing with its counts."""
    shown = await drawing(seat, flow, people_of(found))
    with i18n.speaking(seat.language):
        return _drawn("live/_diagram.html", seat=seat, drawn=shown)


def people_of(found: Totals) -> dict[str, int]:
    """How many stand in each state."""
    return {name: figures.people for name, figures in found.figures.items() if figures.people}


def _drawn(template: str, **values: object) -> str:
    return environment().get_template(template).render(language=i18n.current(), **values)
