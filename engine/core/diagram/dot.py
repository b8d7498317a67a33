"""The flow's picture as DOT text, and nothing else: same flow and look, same text.

The grammar: a state is a rounded table, staying transitions are rows inside it, one line per pair of states and family
(clock or event), a chip for a condition, a hand for an approval, a portal for what happens in any state.
"""

from engine.core.diagram.boxes import box, classes, portal
from engine.core.diagram.cells import SMALL, Ink, ink, line, text
from engine.core.diagram.graph import ANY, REMOVED, Arrow, Drawing, Graph, Mark, graph
from engine.core.diagram.labels import LONGEST_SENTENCE, key, shown
from engine.core.diagram.rows import cells, is_stressed, linked, mark_of, widest
from engine.core.diagram.stubs import stub
from engine.core.errors import DrawingFailed
from engine.core.flow import PREVIOUS, Flow, Look, Source, State, Transition
from engine.core.sentences import number, source, transition_sentence

MOST_STATES = 300
FAMILIES = {"msg": "edge", "pay": "pay", "clock": "clock"}
"""A line's family and the colour it has."""
FONT = "Arial"
"""The family whose widths Graphviz knows; browsers get others of the same measure."""


def dot(flow: Flow, look: Drawing) -> str:
    """The picture's DOT text. DrawingFailed("too_large") above 300 states."""
    if len(flow.states) > MOST_STATES:
        message = f"um diagrama mostra até {MOST_STATES} estados e este fluxo tem {len(flow.states)}"
        raise DrawingFailed("too_large", message)
    drawn, colour = graph(flow, look.marks), ink(look.theme, icons=look.icons)
    lines = [
        "digraph fluxo {",
        *defaults(look, colour),
        *(_state(drawn, state, look, colour) for state in drawn.boxes),
        *(_arrow(drawn, arrow, look, colour) for arrow in drawn.arrows),
        *_globals(drawn, look, colour),
        *_beside(drawn, look),
        "}",
    ]
    return "\n".join(lines) + "\n"


def defaults(look: Drawing, colour: Ink) -> list[str]:
    """What all boxes and lines share, and the title."""
    background = "transparent" if look.theme == "web" else colour["canvas"]
    lines = [
        (
            f"  graph [rankdir=TB, splines=spline, newrank=true, nslimit=1, nodesep={0.34 * look.spread:.2f}, "
            f'ranksep={0.42 * look.spread:.2f}, pad="{look.pad[0]:.3f},{look.pad[1]:.3f}", outputorder=edgesfirst, '
            f'fontname="{FONT}", fontsize=12, fontcolor="{colour["ink"]}", bgcolor="{background}"];'
        ),
        f'  node [shape=plain, fontname="{FONT}", fontsize=12, fontcolor="{colour["ink"]}"];',
        (
            f'  edge [fontname="{FONT}", fontsize=11, fontcolor="{colour["ink"]}", penwidth=1.4, arrowsize=0.75, '
            "arrowhead=normal, labelfloat=false];"
        ),
    ]
    if look.title:
        lines.append(
            '  label=<<TABLE BORDER="0" CELLBORDER="0" CELLPADDING="0" CELLSPACING="0"><TR><TD ALIGN="LEFT">'
            f'<FONT POINT-SIZE="18"><B>{shown(look.title)}</B></FONT></TD></TR>{_below_title(look, colour)}'
            '<TR><TD HEIGHT="10"></TD></TR></TABLE>>; '
            "labelloc=t; labeljust=l;"
        )
    return lines


def _below_title(look: Drawing, colour: Ink) -> str:
    if not look.subtitle:
        return ""
    said = f'<FONT POINT-SIZE="12" COLOR="{colour["muted"]}">{shown(look.subtitle)}</FONT>'
    return f'<TR><TD ALIGN="LEFT">{said}</TD></TR>'


def _state(drawn: Graph, state: State, look: Drawing, colour: Ink) -> str:
    name = key(state.name)
    if state.name in look.beyond.stubs:
        return f'  "{name}" [id="s-{name}", class="portal", label=<{stub(state, look, colour)}>];'
    label = box(drawn, state, look, colour)
    return f'  "{name}" [id="s-{name}", class="{classes(drawn, state, look)}", label=<{label}>];'


def _label(
    drawn: Graph, transitions: tuple[Transition, ...], look: Drawing, colour: Ink, went: int | None = None
) -> str:
    """The rows of a line, behind a narrow gap so that their background does not cut the line itself; last, how many
    conversations `went` along it.
    """
    rows = [cells(drawn.flow, t, look, colour) for t in transitions]
    wide, paper = widest(rows), f' BGCOLOR="{colour["canvas"]}"'
    body = "".join(
        f"<TR>{linked(drawn.flow, t, look, row, wide=wide, paper=paper)}</TR>"
        for t, row in zip(transitions, rows, strict=True)
    )
    if went is not None:
        said = text(number(went, look.language), "muted", colour, SMALL, bold=True)
        body += f'<TR><TD ALIGN="LEFT"{paper}>{line((said,), wide)}</TD></TR>'
    return (
        '<TABLE BORDER="0" CELLBORDER="0" CELLPADDING="0" CELLSPACING="0">'
        f'<TR><TD WIDTH="4" ROWSPAN="{len(rows) + 1 + (went is not None)}"></TD></TR>{body}</TABLE>'
    )


def _line(transitions: tuple[Transition, ...], look: Drawing, token: str, colour: Ink, penwidth: str) -> str:
    """Colour, thickness and start of a line: what differs, is wrong, selected or walked is stressed, a condition puts a
    diamond on it.
    """
    if mark := mark_of(transitions[0], look):
        token, penwidth = mark, "2.4"
    if any(t.id in look.problems for t in transitions):
        token, penwidth = "err", "2.4"
    if any(look.selected == f"t:{t.id}" or t.id in look.walked for t in transitions):
        token, penwidth = "accent", "2.8"
    asks = any(t.otherwise or t.when is not None or t.share is not None for t in transitions)
    tail = ", dir=both, arrowtail=odiamond" if asks else ""
    return f'color="{colour[token]}", penwidth={penwidth}{tail}'


def _marks(transitions: tuple[Transition, ...], look: Drawing) -> str:
    chosen = any(look.selected == f"t:{t.id}" for t in transitions)
    wrong = any(t.id in look.problems for t in transitions)
    walked = any(t.id in look.walked for t in transitions)
    mark = mark_of(transitions[0], look)
    said = {f" d-{mark}": mark is not None, " sel": chosen, " err": wrong, " way": walked}
    return "".join(name for name, holds in said.items() if holds)


def _style(transitions: tuple[Transition, ...], look: Drawing, usual: str) -> str:
    return "dotted" if mark_of(transitions[0], look) == REMOVED else usual


def _names(drawn: Graph, transitions: tuple[Transition, ...], look: Drawing) -> str:
    """Id, reference and sentence of a line; the reference leads to the transition that matters most now."""
    first = next((t for t in transitions if is_stressed(t, look)), transitions[0])
    said = shown(transition_sentence(drawn.flow, first, look.language), LONGEST_SENTENCE)
    ids = "-".join(key(t.id) for t in transitions)
    return f'id="a-{ids}", edgeURL="#t:{key(first.id)}", edgetooltip="{said}"'


def _arrow(drawn: Graph, arrow: Arrow, look: Drawing, colour: Ink) -> str:
    pays = all(source(drawn.flow, t.on) is Source.PAYMENT for t in arrow.transitions)
    family = "clock" if arrow.clock else "pay" if pays else "msg"
    group = arrow.transitions
    went = look.traffic.get((arrow.start, arrow.end, arrow.clock), 0) if look.traffic is not None else None
    return (
        f'  "{key(arrow.start)}" -> "{key(arrow.end)}" [{_names(drawn, group, look)}, '
        f'class="ar e-{family}{_marks(group, look)}", '
        f"style={_style(group, look, 'dashed' if arrow.clock else 'solid')}, "
        f"{_line(group, look, FAMILIES[family], colour, _thick(went, look))}, "
        f"{_pull(drawn, arrow, look)}, label=<{_label(drawn, group, look, colour, went)}>];"
    )


def _thick(went: int | None, look: Drawing) -> str:
    """A line as thick as its share of the busiest one, where traffic is shown."""
    if went is None:
        return "1.4"
    most = max((look.traffic or {}).values(), default=0)
    return f"{1.2 + 3.8 * min(1.0, went / max(1, most)):.1f}"


def _beside(drawn: Graph, look: Drawing) -> list[str]:
    if look.recovery != "beside":
        return []
    return [f'  {{rank=same; "{key(one)}"; "{key(other)}"}}' for one, other in drawn.level]


def _pull(drawn: Graph, arrow: Arrow, look: Drawing) -> str:
    """How strongly the line shapes the layout: the road of the sale does, ways back and into recovery do not."""
    if drawn.flow.states[arrow.end].look is Look.RECOVERY:
        if look.recovery == "last":
            return "weight=0"
        leads = look.recovery == "below" and (arrow.start, arrow.end) in drawn.level
        return "weight=2" if leads else "constraint=false, weight=2"
    if drawn.goes_back(arrow):
        return "constraint=false, weight=1" if look.recovery == "beside" else "weight=0"
    return "weight=1" if arrow.clock else "weight=8"


def _globals(drawn: Graph, look: Drawing, colour: Ink) -> list[str]:
    """The portal, its targets in one dashed frame, and the thick lines between them (R4)."""
    if not drawn.portal:
        return []
    targets = dict.fromkeys(t.to for t in drawn.portal)
    lines = [
        (
            f'  subgraph cluster_g {{ label=""; style="rounded,dashed"; color="{colour["hair"]}"; penwidth=1; margin=10; '
            'class="globals";'
        ),
        f'    "{ANY}" [id="s-any", class="portal", label=<{portal(ANY, look, colour)}>];',
    ]
    for name in targets:
        if name == PREVIOUS:
            lines.append(
                f'    "{PREVIOUS}" [id="s-previous", class="portal", label=<{portal(PREVIOUS, look, colour)}>];'
            )
        else:
            lines.append(f'    "{key(name)}";')
    lines.append("  }")
    groups: dict[tuple[str, Mark | None], list[Transition]] = {}
    for t in drawn.portal:
        groups.setdefault((t.to, mark_of(t, look)), []).append(t)
    for name, mark in sorted(groups, key=lambda each: (list(targets).index(each[0]), each[1] or "")):
        group = tuple(groups[name, mark])
        end = name if name == PREVIOUS else key(name)
        lines.append(
            f'  "{ANY}" -> "{end}" [{_names(drawn, group, look)}, class="ar e-global{_marks(group, look)}", style={_style(group, look, "bold")}, '
            f"{_line(group, look, 'global', colour, '2.2')}, label=<{_label(drawn, group, look, colour)}>];"
        )
    return lines
