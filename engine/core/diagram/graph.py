"""What a flow's picture consists of, before any syntax: boxes in order, rows inside them, arrows between them.

The flow document's order means nothing, so the order here comes from the structure alone: the same flow gives the same
picture, however it was written down.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from engine.core.diagram.palette import Theme
from engine.core.flow import PREVIOUS, Flow, Look, Source, State, Transition
from engine.core.sentences import source

Recovery: TypeAlias = Literal["beside", "below", "last"]
Mark: TypeAlias = Literal["add", "del", "chg"]
ADDED: Mark = "add"
REMOVED: Mark = "del"
CHANGED: Mark = "chg"
"""How a state or a transition differs from an older version; also the name of its colour."""
ANY = "@any"
"""Where global arrows leave from (R4); no state can be called that."""
MOST_LINES = 12
"""Lines that one box can take. Of more only the last is drawn; the others are rows of the boxes where they begin."""
PLACE = {Look.WON: 1, Look.RECOVERY: 2, Look.LOST: 3, Look.OUT: 4}
"""The road of the sale comes first, then where it ends, then the ways back and out."""


@dataclass(frozen=True, slots=True)
class Beyond:
    """What lies outside the phase that is drawn: `stubs` are states of other phases with the number of theirs, `incoming`
    how many arrows come from a phase to a state.
    """

    stubs: Mapping[str, int] = field(default_factory=dict)
    incoming: Mapping[tuple[int, str], int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """How to draw: theme, what to stress and what to leave out.

    `counts` is conversations by state; `selected` is "s:STATE" or "t:transition"; `problems` holds state and transition
    ids; `current` is where a conversation stands, `walked` the transitions that it took. `marks` tells by `s:STATE` and
    `t:transition` what differs from another version. `quiet` greys on the page what is neither selected, wrong, walked nor
    different. `notes` marks what the team wrote a note on, and says the note in its tooltip: for the team's own pages.

    `subtitle` stands below the title; `legend` says in a file what colours and lines mean; `ids` puts the id of each
    transition before it.

    `traffic` is how many conversations went along a line, by its start, its end and whether it is the clock's; `beyond` is
    what lies outside the phase that is drawn.

    `ratio` ("16x9") is reached by `pad`, the margins at the sides and above in inches, for a layout is never stretched;
    `spread` widens the gaps between boxes; `recovery` puts recovery states beside or below the state that sends them
    most, or below all that do; `icons` leaves their places empty. All but `ratio` are for who tries layouts and writes files.
    """

    theme: Theme = "web"
    counts: Mapping[str, int] | None = None
    selected: str | None = None
    problems: frozenset[str] = frozenset()
    current: str | None = None
    walked: frozenset[str] = frozenset()
    actions: bool = True
    icons: bool = True
    quiet: bool = False
    notes: bool = False
    marks: Mapping[str, Mark] = field(default_factory=dict)
    traffic: Mapping[tuple[str, str, bool], int] | None = None
    beyond: Beyond = field(default_factory=Beyond)
    language: str = "pt-BR"
    title: str | None = None
    subtitle: str | None = None
    legend: bool = False
    ids: bool = False
    ratio: str | None = None
    spread: float = 1.0
    recovery: Recovery = "beside"
    pad: tuple[float, float] = (0.25, 0.25)


@dataclass(frozen=True, slots=True)
class Arrow:
    """One line: every transition of one family (clock or event) between two boxes that differs in the same way."""

    start: str
    end: str
    clock: bool
    transitions: tuple[Transition, ...]
    mark: Mark | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Graph:
    """The picture: `boxes` in drawing order, `inside` the rows of each box, `level` the pairs drawn side by side,
    `gathered` how many arrows of a box are drawn as rows of the boxes where they begin.
    """

    flow: Flow
    boxes: tuple[State, ...]
    inside: Mapping[str, tuple[Transition, ...]]
    arrows: tuple[Arrow, ...]
    portal: tuple[Transition, ...]
    level: tuple[tuple[str, str], ...]
    gathered: Mapping[str, int]
    place: Mapping[str, int] = field(default_factory=dict)

    def goes_back(self, arrow: Arrow) -> bool:
        """Whether the arrow points to a box that comes earlier."""
        return self.place[arrow.end] < self.place[arrow.start]


def natural(name: str) -> tuple[tuple[int, int, str], ...]:
    """A sort key by which t2 comes before t10."""
    return tuple(
        (0, int(piece), "") if piece.isascii() and piece.isdigit() else (1, 0, piece)
        for piece in re.split(r"([0-9]+)", name)
        if piece
    )


def graph(flow: Flow, marks: Mapping[str, Mark] | None = None) -> Graph:
    """The flow's picture. Arrows to states that do not exist are left out."""
    differs = marks or {}
    boxes = _ordered(flow)
    place = {state.name: number for number, state in enumerate(boxes)}
    inside: dict[str, list[Transition]] = {}
    between: dict[tuple[str, str, bool, Mark | None], list[Transition]] = {}
    for transition in sorted(flow.transitions, key=lambda t: natural(t.id)):
        start, end = transition.frm, transition.to
        if start is None or start not in place:
            continue
        if end in {start, PREVIOUS}:
            inside.setdefault(start, []).append(transition)
        elif end in place:
            between.setdefault((start, end, is_clock(flow, transition), differs.get(f"t:{transition.id}")), []).append(
                transition
            )
    arrows = [Arrow(start, end, clock, tuple(group), mark) for (start, end, clock, mark), group in between.items()]
    arrows.sort(key=lambda a: (place[a.start], place[a.end], a.clock, a.mark or ""))
    lines = [arrow for arrow in arrows if not _is_one_too_many(arrow, arrows)]
    gathered: dict[str, int] = {}
    for arrow in arrows:
        if arrow not in lines:
            inside.setdefault(arrow.start, []).extend(arrow.transitions)
            gathered[arrow.end] = gathered.get(arrow.end, 0) + len(arrow.transitions)
    return Graph(
        flow=flow,
        boxes=boxes,
        inside={name: tuple(rows) for name, rows in inside.items()},
        arrows=tuple(lines),
        gathered=gathered,
        portal=tuple(
            sorted((t for t in flow.globals if t.to in place or t.to == PREVIOUS), key=lambda t: natural(t.id))
        ),
        level=tuple(_level(boxes, arrows)),
        place=place,
    )


def _is_one_too_many(arrow: Arrow, arrows: Sequence[Arrow]) -> bool:
    """Whether so many lines lead to where this one leads that only the last of them is drawn as one."""
    beside = [other for other in arrows if other.end == arrow.end]
    return len(beside) > MOST_LINES and arrow != beside[-1]


def is_clock(flow: Flow, transition: Transition) -> bool:
    """Whether the clock takes the transition."""
    return source(flow, transition.on) is Source.CLOCK


def _ordered(flow: Flow) -> tuple[State, ...]:
    """The states along the road: as far as arrows allow, each after those that lead to it, the clock's arrows apart."""
    road: dict[str, set[str]] = {}
    for t in flow.transitions:
        start = flow.states.get(t.frm or "")
        if start is not None and start.look not in PLACE and t.to in flow.states and not is_clock(flow, t):
            road.setdefault(start.name, set()).add(t.to)
    seen: set[str] = set()
    found = _afterwards(flow.initial, road, seen) if flow.initial in flow.states else []
    rest: list[str] = []
    for root in sorted(flow.states, key=natural):
        if root not in seen:
            rest[:0] = _afterwards(root, road, seen)
    return tuple(sorted((flow.states[name] for name in found + rest), key=lambda s: PLACE.get(s.look, 0)))


def _afterwards(root: str, road: Mapping[str, Iterable[str]], seen: set[str]) -> list[str]:
    """Everything that `root` leads to, in reverse order of leaving a depth-first walk."""
    left: list[str] = []
    seen.add(root)
    stack = [(root, iter(sorted(road.get(root, ()), key=natural, reverse=True)))]
    while stack:
        name, following = stack[-1]
        step = next((n for n in following if n not in seen), None)
        if step is None:
            left.append(name)
            stack.pop()
        else:
            seen.add(step)
            stack.append((step, iter(sorted(road.get(step, ()), key=natural, reverse=True))))
    return left[::-1]


def _level(boxes: Sequence[State], arrows: Iterable[Arrow]) -> Iterable[tuple[str, str]]:
    """Each recovery state beside the earlier state that sends it most transitions, the later one of two equals."""
    place = {state.name: number for number, state in enumerate(boxes)}
    sent: dict[tuple[str, str], int] = {}
    for arrow in arrows:
        sent[arrow.start, arrow.end] = sent.get((arrow.start, arrow.end), 0) + len(arrow.transitions)
    for state in boxes:
        if state.look is Look.RECOVERY:
            senders = [
                (count, place[start]) for (start, end), count in sent.items()
                if end == state.name and place[start] < place[end]
            ]  # fmt: skip
            if senders:
                yield boxes[max(senders)[1]].name, state.name
