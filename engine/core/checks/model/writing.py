"""What an arrow makes of the followed values: the interpreter's own assignments, or anything where it is not known."""

from collections.abc import Iterable, Sequence
from itertools import product

from engine.core.checks.model.tracking import Tracked
from engine.core.flow import Assignment, Flow, Transition, Value
from engine.core.guards.evaluate import UNDEFINED, evaluate
from engine.core.guards.syntax import Now, walk
from engine.core.interpreter import saturated


class Writing:
    """Followed values after each arrow, worked out once for those before it."""

    def __init__(self, flow: Flow, fields: Sequence[Tracked]) -> None:
        places = {field.name: place for place, field in enumerate(fields)}
        self._written = {
            arrow.id: [_Written(flow, fields, places, a) for a in arrow.set if a.field in places]
            for arrow in flow.arrows.values()
        }
        self._after: dict[tuple[str, tuple[Value, ...]], Sequence[tuple[Value, ...]]] = {}

    def after(self, arrow: Transition, values: tuple[Value, ...]) -> Sequence[tuple[Value, ...]]:
        """All that the followed values may be after the arrow."""
        written = self._written[arrow.id]
        if not written:
            return (values,)
        key = arrow.id, values
        found = self._after.get(key)
        if found is None:
            found = self._after[key] = tuple(dict.fromkeys(_options(written, values)))
        return found


class _Written:
    """One assignment to a followed field, by the values that it reads."""

    def __init__(self, flow: Flow, fields: Sequence[Tracked], places: dict[str, int], assignment: Assignment) -> None:
        self.place = places[assignment.field]
        self._field = fields[self.place]
        self._target = flow.context[assignment.field]
        self._value = assignment.value
        self._reads = [(name, places[name]) for name in sorted(assignment.value.names) if name in places]
        clocked = any(isinstance(node, Now) for node, _ in walk(assignment.value.root))
        self._is_known = assignment.value.names <= places.keys() and not clocked
        self._known: dict[tuple[Value, ...], tuple[Value, ...]] = {}

    def options(self, values: tuple[Value, ...]) -> tuple[Value, ...]:
        """What the field may be afterwards, the values before being these."""
        key = (values[self.place], *(values[place] for _, place in self._reads))
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._worked_out(values)
        return found

    def _worked_out(self, values: tuple[Value, ...]) -> tuple[Value, ...]:
        old, field = values[self.place], self._field
        if not self._is_known:
            return tuple(dict.fromkeys((old, *field.values)))
        value = evaluate(self._value, {name: values[place] for name, place in self._reads}, 0)
        if value is UNDEFINED:
            return (None if field.optional else old,)
        new = saturated(self._target, value)
        if field.ceiling is not None and isinstance(new, int):
            return (min(new, field.ceiling),)
        return (new,)


def _options(written: Sequence[_Written], values: tuple[Value, ...]) -> Iterable[tuple[Value, ...]]:
    for chosen in product(*(each.options(values) for each in written)):
        after = list(values)
        for each, value in zip(written, chosen, strict=True):
            after[each.place] = value
        yield tuple(after)
