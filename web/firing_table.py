"""Which arrow fires when: the cases of an event side by side, with a dot where an arrow fires and a clash where two do."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.core.checks.cases import OTHER, Case, cases
from engine.core.flow import FieldType, Flow, Transition
from engine.core.guards.scope import scope_of
from engine.core.splits import heads
from web.condition_rows import field_name, value_words
from web.flow_words import line
from web.i18n import gettext

__all__ = ["FiringTable", "firing_table", "rivals"]


@dataclass(frozen=True, slots=True)
class FiringRow:
    """One arrow. `cells`: "" where it does not fire, "on", or "clash" where another one does too."""

    label: str
    href: str
    own: bool
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FiringTable:
    """`names` are the fields; each of `columns` has their values in that order. `empty` are the columns where nothing fires."""

    names: tuple[str, ...]
    columns: tuple[tuple[str, ...], ...]
    rows: tuple[FiringRow, ...]
    empty: tuple[bool, ...]


def rivals(flow: Flow, arrow: Transition) -> Sequence[Transition]:
    """The arrows of the same event in the same place."""
    if arrow.frm is None:
        return [t for t in flow.globals if t.on == arrow.on]
    return flow.own_group(arrow.frm, arrow.on)


def firing_table(flow: Flow, arrow: Transition, base: str) -> FiringTable | None:
    """The table of an arrow and its rivals; None where there are none, or where no short table would be true."""
    group = heads(rivals(flow, arrow))
    scope = scope_of(flow, arrow.on)
    found = cases(group, scope) if len(group) > 1 else None
    if found is None:
        return None
    names = tuple(found[0].values)
    return FiringTable(
        names=tuple(field_name(flow, name) for name in names),
        columns=tuple(tuple(_words(flow, arrow, name, case) for name in names) for case in found),
        rows=tuple(_row(flow, one, arrow, found, base) for one in group),
        empty=tuple(not case.fires for case in found),
    )


def _row(flow: Flow, one: Transition, own: Transition, found: Sequence[Case], base: str) -> FiringRow:
    told = line(flow, one)
    goes = gettext("stays") if told.stays else told.to
    cells = ["" if one.id not in case.fires else "on" if len(case.fires) == 1 else "clash" for case in found]
    return FiringRow(told.actions or goes, f"{base}?sel=t:{one.id}", one.id == own.id, tuple(cells))


def _words(flow: Flow, arrow: Transition, name: str, case: Case) -> str:
    value = case.values[name]
    if value is None:
        return gettext("none")
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if value == OTHER:
        return gettext("other")
    if value == ():
        return gettext("none")
    data = flow.events[arrow.on].data if arrow.on in flow.events else {}
    own = flow.context.get(name)
    kept_as = own.type if own is not None else data.get(name.removeprefix("event."), FieldType.TEXT)
    said = value_words(value, FieldType.DURATION if name == "state_age" else kept_as)
    return f"≤ {said}" if case.below else f"{said}+" if case.onwards else said
