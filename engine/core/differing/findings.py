"""V1: the differences of two versions as findings, none of which blocks anything."""

from collections.abc import Iterator, Mapping

from engine.core.checks.examples import NOW
from engine.core.checks.findings import Finding, Where
from engine.core.checks.sentences import EN, PT, finding
from engine.core.checks.veiling import veiled
from engine.core.differing.cases import Effect
from engine.core.differing.compare import Comparison, Difference
from engine.core.differing.words import effect_words, shares_words, silence_words
from engine.core.flow import State, Value

__all__ = ["differences"]


def differences(found: Comparison) -> tuple[Finding, ...]:
    """What is new and gone first, then silences and kinds, then event by event; sensitive values are veiled."""
    hidden = found.old.hidden | found.new.hidden
    return tuple(veiled(one, hidden) for one in (*_names(found), *_states(found), *map(_difference, found.differences)))


def _names(found: Comparison) -> Iterator[Finding]:
    for variant, names in (("state_added", found.states_added), ("state_removed", found.states_removed)):
        yield from (finding("V1", Where(name), variant=variant) for name in names)
    for variant, names in (("event_added", found.events_added), ("event_removed", found.events_removed)):
        yield from (finding("V1", Where(None, name), variant=variant) for name in names)
    if found.old.initial != found.new.initial:
        before, after = found.old.initial, found.new.initial
        yield finding("V1", Where(after), variant="initial", before=before, after=after)


def _states(found: Comparison) -> Iterator[Finding]:
    def both(name: str) -> tuple[State, State]:
        return found.old.states[name], found.new.states[name]

    for name in found.timing:
        before, after = ({language: silence_words(s, language) for language in (PT, EN)} for s in both(name))
        yield finding("V1", Where(name), variant="deadline", before=before, after=after)
    for name in found.kinds:
        was, now = (state.kind.value for state in both(name))
        yield finding("V1", Where(name), variant="kind", before=was, after=now)
    for split in found.shares:
        arrow = split.after[0].arrow
        where = Where(arrow.frm, arrow.on, tuple(branch.arrow.id for branch in split.after))
        variant = "shares" if arrow.frm is not None else "shares_anywhere"
        yield finding("V1", where, variant=variant, before=shares_words(split.before), after=shares_words(split.after))


def _difference(one: Difference) -> Finding:
    where = Where(one.states[0] if len(one.states) == 1 else None, one.event, one.arrows)
    if one.given is None or one.old is None or one.new is None:
        return finding("V1", where, variant="unknown", states=one.states)
    return finding(
        "V1", where, witness=_witness(one), states=one.states, before=_said(one.old, one), after=_said(one.new, one)
    )


def _said(effect: Effect, one: Difference) -> Mapping[str, str]:
    return {language: effect_words(effect, one.states, language) for language in (PT, EN)}


def _witness(one: Difference) -> Mapping[str, Value]:
    """The values of the names that either version reads there, None for one that is not set."""
    if one.given is None:
        return {}
    clock = {NOW: one.given.now} if one.reads_clock else {}
    return {**{name: one.given.values.get(name) for name in one.read}, **clock}
