"""What a version does with an event, as the second half of a sentence in Portuguese or English."""

from collections.abc import Iterable

from engine.core.checks.sentences import EN
from engine.core.differing.cases import Effect
from engine.core.durations import human
from engine.core.events import Outcome
from engine.core.flow import PREVIOUS, State
from engine.core.guards.language import to_text
from engine.core.splits import Branch

__all__ = ["effect_words", "shares_words", "silence_words"]

_OUTCOMES = {
    Outcome.NO_TRANSITION: ("não tem seta", "finds no arrow"),
    Outcome.IGNORED: ("é ignorado de propósito", "is ignored on purpose"),
    Outcome.AMBIGUOUS: ("duas setas disparam e nada acontece", "fires two arrows, so nothing happens"),
}
_BACK = ("volta para o estado anterior", "goes back to the state before")
_STAYS = ("fica em {}", "stays in {}")
_GOES = ("vai para {}", "goes to {}")
_DOES = ("faz {}", "does {}")
_SETS = ("anota {}", "notes {}")
_KEEPS = ("segue com o prazo que corria", "keeps the deadline that ran")
_SHARE = ("com {} % dos clientes", "with {} % of customers")
_NONE = ("nenhum", "none")
_SPREAD = (" com espalhamento de até {}", " spread by up to {}")


def effect_words(effect: Effect, states: tuple[str, ...], language: str) -> str:
    """`vai para PAGO, faz entregar (t9)`, as seen from the states."""
    english = language == EN
    if effect.outcome is not Outcome.MOVED:
        return _OUTCOMES[effect.outcome][english]
    target, _, _ = effect.to.partition(" ")
    goes = _STAYS if states == (target,) else _GOES
    said = [_BACK[english] if target == PREVIOUS else goes[english].format(target)]
    if effect.actions:
        said.append(_DOES[english].format(", ".join(effect.actions)))
    if effect.sets:
        written = ", ".join(f"{name} = {to_text(value)}" for name, value, _ in effect.sets)
        said.append(_SETS[english].format(written))
    if effect.keeps_deadline:
        said.append(_KEEPS[english])
    if effect.arrow is None:
        return ", ".join(said)
    if effect.arrow.share is not None:
        said.append(_SHARE[english].format(effect.arrow.share))
    return f"{', '.join(said)} ({effect.arrow.id})"


def shares_words(branches: Iterable[Branch]) -> str:
    """`A 60 % (t3), B 40 % (t24)`."""
    return ", ".join(f"{branch.letter} {branch.high - branch.low} % ({branch.arrow.id})" for branch in branches)


def silence_words(state: State, language: str) -> str:
    """Every step of the ladder and the spread."""
    english = language == EN
    if not state.deadline:
        return _NONE[english]
    steps = ", ".join(human(step, language) for step in state.deadline)
    return steps + (_SPREAD[english].format(human(state.jitter, language)) if state.jitter else "")
