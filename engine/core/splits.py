"""A/B tests: arrows that split one decision among contacts by `share`, and which of them a contact takes.

A split is all arrows with a share that leave from the same place, on the same event, under the same condition. Each
contact has a point of every split, from 0 to 99: a digest of the contact, the flow and the split's name. The branches
are consecutive intervals of points, in the order of their ids, each as wide as its share. So one contact always takes
the same branch, in any cycle and on any machine, two splits are independent, and when a border between two intervals
moves, only the contacts between the old and the new border change.

To the checks a point is one more field of the contact, of which nothing is known: any branch may be taken each time.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import blake2b

from engine.core.elements import Transition
from engine.core.guards.kinds import Declared, Kind
from engine.core.guards.language import Expr, to_text
from engine.core.guards.syntax import Compare, Literal, Logic, Name
from engine.core.values import Value

__all__ = [
    "KEY",
    "POINT",
    "POINTS",
    "Branch",
    "branches_of",
    "chosen",
    "heads",
    "point",
    "same_split",
    "split_of",
]

KEY = "id"
"""The contact's field that makes it a contact like no other; no condition can read it."""
POINTS = 100
POINT = Declared(Kind.INT, min=0, max=POINTS - 1)
"""How the checks see a point."""
_PREFIX = "contact."


@dataclass(frozen=True, slots=True)
class Branch:
    """One arrow of a split: the points from `low` up to `high`, which is not one of them.

    `letter` is A, B, C…; `field` is the point's name among the contact's fields, `guard` says that the point is the
    branch's.
    """

    arrow: Transition
    field: str
    letter: str
    low: int
    high: int
    guard: Expr

    def point(self, slug: str, contact: Mapping[str, Value]) -> int:
        """The contact's point. One that is among its fields is taken as it is: so are runs made that go a given way."""
        given = contact.get(self.field)
        return given if isinstance(given, int) else point(contact.get(KEY), slug, self.field)


def split_of(arrow: Transition) -> object:
    """Equal for the branches of one split; of an arrow without a share, the arrow's own id."""
    if arrow.share is None:
        return arrow.id
    return arrow.frm, arrow.excepting, arrow.on, arrow.otherwise, arrow.when


def same_split(first: Transition, second: Transition) -> bool:
    """Whether two arrows exclude each other as branches of one split."""
    return first.share is not None and split_of(first) == split_of(second)


def heads(arrows: Iterable[Transition]) -> tuple[Transition, ...]:
    """The arrows with the first branch alone of each split: one for each condition."""
    first: dict[object, Transition] = {}
    for arrow in arrows:
        first.setdefault(split_of(arrow), arrow)
    return tuple(first.values())


def branches_of(arrows: Iterable[Transition]) -> Mapping[str, Branch]:
    """Every branch by the id of its arrow."""
    splits: dict[object, list[Transition]] = {}
    for arrow in sorted(arrows, key=lambda arrow: (len(arrow.id), arrow.id)):
        if arrow.share is not None:
            splits.setdefault(split_of(arrow), []).append(arrow)
    return {branch.arrow.id: branch for split in splits.values() for branch in _intervals(split)}


def _intervals(split: list[Transition]) -> Iterable[Branch]:
    low = 0
    for number, arrow in enumerate(split):
        high, name = low + (arrow.share or 0), f"{_PREFIX}{_field(arrow)}"
        yield Branch(arrow, _field(arrow), _letter(number), low, high, _between(name, low, high))
        low = high


def _field(arrow: Transition) -> str:
    """The split's name: where, when and under which condition. No name that a condition can write looks like it."""
    condition = "otherwise" if arrow.otherwise else to_text(arrow.when) if arrow.when is not None else ""
    return f"variant({', '.join(part for part in (arrow.frm or '*', arrow.on, condition) if part)})"


def _letter(number: int) -> str:
    return chr(ord("A") + number) if number < 26 else str(number + 1)


def _between(name: str, low: int, high: int) -> Expr:
    read = Name(name, Kind.INT)
    bounds = Compare(">=", read, Literal(low, Kind.INT)), Compare("<", read, Literal(high, Kind.INT))
    return Expr(f"{low} <= {name} < {high}", Kind.BOOL, Logic("&&", bounds), frozenset({name}))


def point(contact: Value, slug: str, field: str) -> int:
    """A contact's point of a split, 0 to 99, each as likely as any other."""
    digest = blake2b(f"{slug}\0{field}\0{contact}".encode(), digest_size=8).digest()
    return int.from_bytes(digest) % POINTS


def chosen(
    enabled: list[Transition], branches: Mapping[str, Branch], slug: str, contact: Mapping[str, Value]
) -> list[Transition]:
    """Of arrows that are enabled at once, the one of each split that the contact takes."""
    return [
        arrow
        for arrow in enabled
        if (branch := branches.get(arrow.id)) is None or branch.low <= branch.point(slug, contact) < branch.high
    ]
