"""The lookups of two versions at once: contexts that both of them allow, and one prover for the conditions of both."""

from dataclasses import replace

from engine.core.checks.lookups import Lookups
from engine.core.flow import Flow
from engine.core.guards.kinds import Declared, Scope

__all__ = ["Joint"]


class Joint(Lookups):
    """Like `Lookups`, over both flows; `flow` is the old one."""

    def __init__(self, old: Flow, new: Flow) -> None:
        super().__init__(old)
        self.new = new
        self._sides = Lookups(old), Lookups(new)
        self._joined: dict[str, Scope] = {}

    def scope(self, event: str) -> Scope:
        """Names as both versions allow them; one that they cannot share is left out, so that nothing is proved with it."""
        if event not in self._joined:
            old, new = (side.scope(event) for side in self._sides)
            shared = {name: _shared(old[name], new[name]) for name in old if name in new}
            alone = {**{n: d for n, d in old.items() if n not in new}, **{n: d for n, d in new.items() if n not in old}}
            self._joined[event] = {
                **alone,
                **{name: declared for name, declared in shared.items() if declared is not None},
            }
        return self._joined[event]


def _shared(old: Declared, new: Declared) -> Declared | None:
    """What fits both declarations, None when nothing does."""
    if old.kind is not new.kind:
        return None
    values = tuple(v for v in old.values if v in new.values) if old.values and new.values else old.values or new.values
    low = max((bound for bound in (old.min, new.min) if bound is not None), default=None)
    high = min((bound for bound in (old.max, new.max) if bound is not None), default=None)
    if (low is not None and high is not None and low > high) or (not values and (old.values or new.values)):
        return None
    return replace(
        old, optional=old.optional and new.optional, min=low, max=high, values=values, past=old.past or new.past
    )
