"""What is known of texts: equal ones joined, constants, enum values, starts, ends and parts, lengths."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from engine.core.guards.atoms import ZERO, Edge, Equals, Same, Tested
from engine.core.guards.differences import Numbers
from engine.core.guards.three_valued import text_test

LONGEST = 10_000
"""No witness holds a longer text."""


@dataclass(slots=True)
class Group:
    """Texts that are equal. `allowed` is what they can be, None for any text not in `excluded`."""

    names: list[str] = field(default_factory=list)
    allowed: list[str] | None = None
    excluded: set[str] = field(default_factory=set)
    tests: list[tuple[str, str, bool]] = field(default_factory=list)

    def fits(self, text: str) -> bool:
        return text not in self.excluded and all(text_test(t, text, part) is yes for t, part, yes in self.tests)

    def required(self, test: str) -> list[str]:
        """The constants that a test must hold for, the longest first."""
        return sorted((part for t, part, yes in self.tests if t == test and yes), key=len, reverse=True)

    def contradicts(self) -> bool:
        """Whether the tests alone exclude each other; a text that is still free."""
        starts, ends = self.required("startsWith"), self.required("endsWith")
        if any(not starts[0].startswith(s) for s in starts) or any(not ends[0].endswith(e) for e in ends):
            return True
        parts = [*starts[:1], *ends[:1], *self.required("contains")]
        for test, part, yes in self.tests:
            if yes:
                continue
            implied = {"startsWith": starts[:1], "endsWith": ends[:1], "contains": parts}[test]
            if any(text_test(test, known, part) for known in implied):
                return True
        return False


class Texts:
    """The groups of one assignment of atoms. `measured` are texts whose length is spoken of."""

    def __init__(
        self,
        facts: Iterable[tuple[Equals | Same | Tested, bool]],
        values: Mapping[str, tuple[str, ...]],
        measured: Iterable[str] = (),
    ) -> None:
        self._parent: dict[str, str] = {}
        self.groups: dict[str, Group] = {}
        self.apart: list[tuple[str, str]] = []
        facts = list(facts)
        for atom, yes in facts:
            if isinstance(atom, Same) and yes:
                self._parent[self._root(atom.name)] = self._root(atom.other)
        names = set(measured)
        for atom, _ in facts:
            names.update((atom.name, atom.other) if isinstance(atom, Same) else (atom.name,))
        for name in sorted(names):
            group = self.of(name)
            group.names.append(name)
            if values.get(name):
                self._only(group, values[name])
        for atom, yes in facts:
            group = self.of(atom.name)
            if isinstance(atom, Equals):
                if yes:
                    self._only(group, (atom.text,))
                else:
                    group.excluded.add(atom.text)
            elif isinstance(atom, Tested):
                group.tests.append((atom.test, atom.text, yes))
            elif not yes:
                self.apart.append((atom.name, atom.other))

    def of(self, name: str) -> Group:
        return self.groups.setdefault(self._root(name), Group())

    def _root(self, name: str) -> str:
        while (parent := self._parent.get(name, name)) != name:
            name = parent
        return name

    @staticmethod
    def _only(group: Group, values: tuple[str, ...]) -> None:
        group.allowed = [v for v in (values if group.allowed is None else group.allowed) if v in values]

    def consistent(self, numbers: Numbers) -> list[Edge] | None:
        """What lengths must be; None when some text can be nothing at all."""
        edges: list[Edge] = []
        for group in self.groups.values():
            sizes = [s for name in group.names if (s := numbers.words.size_of(name)) is not None]
            low = max((int(numbers.low_of(s)[0]) for s in sizes), default=0)
            high = min((int(numbers.high_of(s)[0]) for s in sizes), default=2**63)
            if group.allowed is None and high == 0:
                group.allowed = [""]
            if group.allowed is not None:
                group.allowed = [v for v in group.allowed if low <= len(v) <= high and group.fits(v)]
                if not group.allowed:
                    return None
                shortest, longest = min(map(len, group.allowed)), max(map(len, group.allowed))
            else:
                if group.contradicts():
                    return None
                shortest, longest = max((len(part) for _, part, yes in group.tests if yes), default=0), None
                if shortest > high:
                    return None
            for size in sizes:
                edges.append((ZERO, size, (-shortest, 0)))
                edges.extend([(size, ZERO, (longest, 0))] if longest is not None else [])
                edges.extend([(sizes[0], size, (0, 0)), (size, sizes[0], (0, 0))] if size != sizes[0] else [])
        if any(self._equal(name, other) for name, other in self.apart):
            return None
        return edges

    def _equal(self, name: str, other: str) -> bool:
        if self._root(name) == self._root(other):
            return True
        first, second = self.of(name).allowed, self.of(other).allowed
        return first is not None and second is not None and len(first) == len(second) == 1 and first == second

    def values(self, lengths: Mapping[str, int]) -> dict[str, str]:
        """A text for every name; one that cannot be right is found out when the guard is run."""
        found: dict[str, str] = {}
        taken: set[str] = set()
        for index, (_, group) in enumerate(
            sorted(self.groups.items(), key=lambda item: len(item[1].allowed or ()) or 99)
        ):
            length = next((lengths[name] for name in group.names if name in lengths), None)
            if group.allowed is None:
                text = _free_text(group, index, length)
            else:
                text = next((v for v in group.allowed if v not in taken and length in (None, len(v))), group.allowed[0])
            taken.add(text)
            found.update(dict.fromkeys(group.names, text))
        return found


def _free_text(group: Group, index: int, length: int | None) -> str:
    start = next(iter(group.required("startsWith")), "")
    end = next(iter(group.required("endsWith")), "")
    known = {*group.excluded, *(part for _, part, _ in group.tests)}
    fillers = [c for c in "xyzwkqjvubnm0123456789" if not any(c in part for part in known)] or ["\u00b7"]
    filler = fillers[index % len(fillers)] * (1 + index // len(fillers))
    overlap = next((n for n in range(min(len(start), len(end)), 0, -1) if start.endswith(end[:n])), 0)
    together = start if start.endswith(end) else start + end[overlap:]
    missing = "".join(part for part in group.required("contains") if part not in together)
    least = len(together) + len(missing)
    if length is None:
        return start + missing + filler + end
    if least >= length:
        return together if not missing else (start + missing + end)
    return start + missing + (filler * min(length, LONGEST))[: length - len(start) - len(missing) - len(end)] + end
