"""The flow as the text of a Mermaid state diagram, for places that draw Mermaid themselves."""

import re
from collections.abc import Sequence

from engine.core.diagram.graph import Drawing, graph
from engine.core.diagram.labels import clean
from engine.core.diagram.palette import FINISHED, KINDS, LIGHT
from engine.core.diagram.phases import Phase, between
from engine.core.diagram.stubs import ARROW, ARROWS, STATE, STATES, counted
from engine.core.flow import PREVIOUS, Flow, Transition
from engine.core.sentences import action_names, any_state, condition, event_name, number, variant

PLAIN = Drawing()
_SPECIAL = re.compile(r"[^\w .,/+*'()=!?áàâãéêíóôõúüçÁÀÂÃÉÊÍÓÔÕÚÜÇ→…-]")


def mermaid(flow: Flow, look: Drawing = PLAIN) -> str:
    """A `stateDiagram-v2`; states are called s0, s1... and carry their names as labels, escaped as entities.

    Of the look it takes title, actions, counts, ids and language.
    """
    drawn, title, language = graph(flow), look.title, look.language
    if title and look.subtitle:
        title = f"{title} · {look.subtitle}"
    names = {state.name: f"s{number}" for number, state in enumerate(drawn.boxes)} | {PREVIOUS: "before"}
    lines = ["---", f'title: "{_quoted(title)}"', "---"] if title else []
    lines += ["stateDiagram-v2", "  direction TB"]
    lines += [f'  state "{_plain(_named(state.name, look))}" as {names[state.name]}' for state in drawn.boxes]
    if flow.initial in names:
        lines.append(f"  [*] --> {names[flow.initial]}")
    within = [t for state in drawn.boxes for t in drawn.inside.get(state.name, ())]
    between = [t for arrow in drawn.arrows for t in arrow.transitions]
    if any(t.to == PREVIOUS for t in (*within, *drawn.portal)):
        lines.append(f'  state "{_plain(PREVIOUS)}" as before')
    lines += [f"  {names[t.frm or '']} --> {names[t.to]}: {_label(flow, t, look)}" for t in within + between]
    if drawn.portal:
        lines.append(f'  state "{_plain(any_state(language))}" as anywhere')
        lines += [f"  anywhere --> {names[t.to]}: {_label(flow, t, look)}" for t in drawn.portal]
    lines += [f"  {names[state.name]} --> [*]" for state in drawn.boxes if state.look in FINISHED]
    for shown, kind in KINDS.items():
        members = [names[state.name] for state in drawn.boxes if state.look is shown]
        if members:
            paint = f"fill:{LIGHT[f'{kind}-bg']},stroke:{LIGHT[f'{kind}-bd']},color:{LIGHT[f'{kind}-fg']}"
            lines += [f"  classDef {kind} {paint}", f"  class {','.join(members)} {kind}"]
    return "\n".join(lines) + "\n"


def mermaid_overview(flow: Flow, every: Sequence[Phase], look: Drawing = PLAIN) -> str:
    """The phases of a large flow, each a state, with how many arrows lead from one to another."""
    title = f"{look.title} · {look.subtitle}" if look.title and look.subtitle else look.title
    lines = ["---", f'title: "{_quoted(title)}"', "---"] if title else []
    lines += ["stateDiagram-v2", "  direction TB"]
    for phase in every:
        people = sum((look.counts or {}).get(name, 0) for name in phase.states)
        told = f" ({number(people, look.language)})" if look.counts is not None else ""
        holds = counted(STATE, STATES, len(phase.states), look.language)
        lines.append(f'  state "{_plain(f"{phase.number} · {phase.name}, {holds}{told}")}" as p{phase.number}')
    for (start, end), count in between(flow, every).items():
        lines.append(f"  p{start} --> p{end}: {_plain(counted(ARROW, ARROWS, count, look.language))}")
    return "\n".join(lines) + "\n"


def _named(name: str, look: Drawing) -> str:
    return name if look.counts is None else f"{name} ({number(look.counts.get(name, 0), look.language)})"


def _label(flow: Flow, transition: Transition, look: Drawing) -> str:
    language = look.language
    said = event_name(flow, transition.on, flow.states.get(transition.frm or ""), language)
    asked, doing = condition(transition, language), action_names(flow, transition, language)
    if asked:
        said += f" [{asked}]"
    if drawn := variant(flow, transition):
        said += f" ({drawn})"
    if doing and look.actions:
        said += f" / {doing}"
    if look.ids:
        said = f"{transition.id} {said}"
    return _plain(said)


def _quoted(words: str) -> str:
    """For the front matter, which is YAML and knows no entities."""
    return clean(words).replace("\\", "/").replace('"', "'")


def _plain(words: str) -> str:
    """What Mermaid could read as syntax becomes its `#code;` entities."""
    return _SPECIAL.sub(lambda found: f"#{ord(found[0])};", clean(words))
