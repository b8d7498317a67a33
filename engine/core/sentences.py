"""States, events and transitions said as sentences: in the panel, on the arrow, for the screen reader, in the audit.

Languages are tags; whatever starts with `en` is English, the rest pt-BR.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.core.durations import human
from engine.core.flow import (
    APPROVED,
    EXHAUSTED,
    PREVIOUS,
    REJECTED,
    TIMEOUT,
    Flow,
    Look,
    Source,
    State,
    StateKind,
    Text,
    Transition,
)

STEPS_SHOWN = 3
"""A longer ladder of silences is cut with an ellipsis."""


@dataclass(frozen=True, slots=True)
class _Words:
    looks: dict[Look, str]
    silence: str
    silence_of: str
    exhausted: str
    decisions: Mapping[str, str]
    otherwise: str
    anywhere: str
    anywhere_but: str
    conversation: str
    conversations: str
    state: str
    deadline: str
    whole: str
    here: str
    if_: str
    stays: str
    goes: str
    goes_back: str
    does: str
    approval: str
    and_: str
    share: str


_PT = _Words(
    looks={
        Look.ENTRY: "entrada", Look.TALK: "em conversa", Look.PAYMENT: "esperando pagamento",
        Look.RECOVERY: "recuperação", Look.WON: "final: ganho", Look.LOST: "final: perdido",
        Look.OUT: "saída do cliente", Look.HUMAN: "espera humana",
    },
    silence="silêncio", silence_of="{} de silêncio", exhausted="régua esgotada",
    decisions={APPROVED: "uma pessoa aprova", REJECTED: "uma pessoa rejeita"},
    otherwise="nenhuma outra condição vale", anywhere="De qualquer estado", anywhere_but="De qualquer estado menos {}",
    conversation="{} conversa agora", conversations="{} conversas agora", state="Estado {}",
    deadline="prazo de silêncio {}", whole="{origin}, quando {event}{condition}{share}, {outcome}{action}{approval}.",
    here="Em {}", if_=", se {}", stays="fica em {}", goes="vai para {}", goes_back="volta para o estado anterior",
    does=" e o robô faz {}", approval=" (uma pessoa aprova)", and_=" e ",
    share=", para {} % dos clientes (variação {})",
)  # fmt: skip
_EN = _Words(
    looks={
        Look.ENTRY: "entry", Look.TALK: "talking", Look.PAYMENT: "waiting for payment", Look.RECOVERY: "recovery",
        Look.WON: "final: won", Look.LOST: "final: lost", Look.OUT: "customer opt-out", Look.HUMAN: "waiting for a person",
    },
    silence="silence", silence_of="{} of silence", exhausted="ladder exhausted",
    decisions={APPROVED: "a person approves", REJECTED: "a person rejects"},
    otherwise="no other condition holds", anywhere="From any state", anywhere_but="From any state but {}",
    conversation="{} conversation now", conversations="{} conversations now", state="State {}",
    deadline="silence deadline {}", whole="{origin}, when {event}{condition}{share}, it {outcome}{action}{approval}.",
    here="In {}", if_=", if {}", stays="stays in {}", goes="goes to {}", goes_back="goes back to the state before",
    does=" and the bot does {}", approval=" (a person approves)", and_=" and ",
    share=", for {} % of customers (variant {})",
)  # fmt: skip


def _words(language: str) -> _Words:
    return _EN if language.startswith("en") else _PT


def _listed(items: Sequence[str], language: str) -> str:
    if len(items) < 2:
        return "".join(items)
    return ", ".join(items[:-1]) + _words(language).and_ + items[-1]


def _label(label: Text | None, name: str, language: str) -> str:
    return label.within(language) if label is not None else name.replace("_", " ")


def look_name(look: Look, language: str) -> str:
    """The kind of a state in words."""
    return _words(language).looks[look]


def any_state(language: str) -> str:
    """The words for where a global transition leaves from."""
    return _words(language).anywhere


def source(flow: Flow, event: str) -> Source:
    """Where an event comes from; the two that the engine makes are the clock's even when not declared."""
    known = flow.events.get(event)
    if known is not None:
        return known.source
    return Source.CLOCK if event in {TIMEOUT, EXHAUSTED} else Source.API


def ladder(state: State, language: str) -> str:
    """The silences that a state waits for, one after another: "20 h, 1 dia, 2 dias"; "" without a deadline."""
    steps = [human(step, language) for step in state.deadline]
    return ", ".join(steps[:STEPS_SHOWN]) + ("…" if len(steps) > STEPS_SHOWN else "")


def event_name(flow: Flow, event: str, state: State | None, language: str) -> str:
    """An event in words; a silence names the deadline of the state that waits for it (R11)."""
    words = _words(language)
    if event == TIMEOUT:
        return words.silence_of.format(ladder(state, language)) if state and state.deadline else words.silence
    known = flow.events.get(event)
    if event == EXHAUSTED and (known is None or known.label is None):
        return words.exhausted
    if event in words.decisions and flow.decides and (known is None or known.label is None):
        return words.decisions[event]
    return _label(known.label if known else None, event, language)


def action_names(flow: Flow, transition: Transition, language: str) -> str:
    """What the bot does, "" for nothing."""
    return _listed([action_name(flow, name, language) for name in transition.do], language)


def action_name(flow: Flow, action: str, language: str) -> str:
    """An action in words."""
    known = flow.actions.get(action)
    return _label(known.label if known else None, action, language)


def condition(transition: Transition, language: str) -> str:
    """The condition in the words of the arrow's label, else as it was typed; the words for "otherwise" (R3); "" for
    none.
    """
    if transition.otherwise:
        return _words(language).otherwise
    if transition.when is None:
        return ""
    return transition.when.source if transition.label is None else transition.label.within(language)


def variant(flow: Flow, transition: Transition) -> str:
    """Which branch of a split the arrow is and how many take it: "A 50 %"; "" for any other arrow."""
    branch = flow.branches.get(transition.id)
    return f"{branch.letter} {branch.arrow.share} %" if branch is not None else ""


def needs_approval(flow: Flow, transition: Transition) -> bool:
    """Whether the transition leads to where a person decides (R7)."""
    target = flow.states.get(transition.to)
    return target is not None and target.kind is StateKind.APPROVAL and transition.to != transition.frm


def transition_sentence(flow: Flow, transition: Transition, language: str = "pt-BR") -> str:
    """The whole transition, as in "Em X, quando Y, se Z, vai para W e o robô faz V"."""
    words = _words(language)
    asked, doing = condition(transition, language), action_names(flow, transition, language)
    branch = flow.branches.get(transition.id)
    return words.whole.format(
        origin=_origin(transition, words, language),
        event=event_name(flow, transition.on, flow.states.get(transition.frm or ""), language),
        condition=words.if_.format(asked) if asked else "",
        share=words.share.format(branch.arrow.share, branch.letter) if branch is not None else "",
        outcome=_outcome(transition, words),
        action=words.does.format(doing) if doing else "",
        approval=words.approval if needs_approval(flow, transition) else "",
    )


def _origin(transition: Transition, words: _Words, language: str) -> str:
    if transition.frm is not None:
        return words.here.format(transition.frm)
    if transition.excepting:
        return words.anywhere_but.format(_listed(sorted(transition.excepting), language))
    return words.anywhere


def _outcome(transition: Transition, words: _Words) -> str:
    if transition.to == PREVIOUS:
        return words.goes_back
    return (words.stays if transition.to == transition.frm else words.goes).format(transition.to)


def number(count: int, language: str) -> str:
    """A whole number with the thousands separated as the language does: 1.284 or 1,284."""
    grouped = f"{count:,}"
    return grouped if language.startswith("en") else grouped.replace(",", ".")


def state_sentence(state: State, language: str = "pt-BR", count: int | None = None) -> str:
    """A state: its name, kind, how many conversations stand in it if known, and its silence deadline."""
    words = _words(language)
    parts = [words.state.format(state.name), words.looks[state.look]]
    if count is not None:
        parts.append((words.conversation if count == 1 else words.conversations).format(number(count, language)))
    if state.deadline:
        parts.append(words.deadline.format(ladder(state, language)))
    return ", ".join(parts) + "."
