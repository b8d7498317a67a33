"""What an arrow makes of the followed values: the interpreter's own assignments, or anything where it is not known."""

from collections.abc import Iterable, Sequence

from engine.core.checks.model.tracking import Tracked
from engine.core.flow import Flow, Transition, Value
from engine.core.guards.evaluate import UNDEFINED, evaluate
from engine.core.guards.language import Expr
from engine.core.guards.syntax import Now, walk
from engine.core.interpreter import saturated


class Writing:
    """Followed values after each arrow, worked out once for those before it."""

    def __init__(self, flow: Flow, fields: Sequence[Tracked]) -> None:
        self._flow = flow
        self._fields = fields
        self._names = [field.name for field in fields]
        places = {name: place for place, name in enumerate(self._names)}
        self._written: dict[str, list[tuple[int, Expr, bool]]] = {
            arrow.id: [(places[a.field], a.value, self._is_known(a.value)) for a in arrow.set if a.field in places]
            for arrow in flow.arrows.values()
        }
        self._after: dict[tuple[str, tuple[Value, ...]], Sequence[tuple[Value, ...]]] = {}

    def after(self, arrow: Transition, values: tuple[Value, ...]) -> Sequence[tuple[Value, ...]]:
        """All that the followed values may be after the arrow."""
        if not self._written[arrow.id]:
            return (values,)
        key = arrow.id, values
        found = self._after.get(key)
        if found is None:
            found = self._after[key] = tuple(dict.fromkeys(self._options(arrow, values)))
        return found

    def _is_known(self, value: Expr) -> bool:
        """Whether the followed values alone say what it is."""
        return value.names <= {*self._names} and not any(isinstance(node, Now) for node, _ in walk(value.root))

    def _options(self, arrow: Transition, values: tuple[Value, ...]) -> Iterable[tuple[Value, ...]]:
        held = dict(zip(self._names, values, strict=True))
        options = [values]
        for place, value, known in self._written[arrow.id]:
            field, old = self._fields[place], values[place]
            new = (self._one(field, old, evaluate(value, held, 0)),) if known else dict.fromkeys((old, *field.values))
            options = [(*chosen[:place], option, *chosen[place + 1 :]) for chosen in options for option in new]
        return options

    def _one(self, field: Tracked, old: Value, value: object) -> Value:
        if value is UNDEFINED:
            return None if field.optional else old
        found = saturated(self._flow.context[field.name], value)  # type: ignore[arg-type]  # UNDEFINED is gone
        if field.ceiling is not None and isinstance(found, int):
            return min(found, field.ceiling)
        return found
