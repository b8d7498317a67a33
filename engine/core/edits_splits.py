"""Edits of splits: a twin for an arrow, other shares, the end of a test; and what keeps a split whole after an edit.

The branches of a split leave from the same place, on the same event, under the same condition. So these are edited for
all of them at once, and the shares of those that are left make 100 again when one is taken out.
"""

import re
from collections.abc import Mapping, Sequence

from engine.core.edits_copies import with_own_messages
from engine.core.edits_tree import ARROWS, Tree, names_of, replaced, rows_of
from engine.core.errors import GuardError, NotFound, Refused
from engine.core.guards.tokens import tokens
from engine.core.splits import POINTS

__all__ = ["SHARED_FIELDS", "delete_split", "end_split", "kept_whole", "set_shares", "shares_now", "split_transition", "twins"]  # fmt: skip

SHARED_FIELDS = ("from", "on", "when", "except")
"""What all branches of a split have in common."""
_LETTERS = "bcdefghijklmnopqrstuvwxyz"

Row = Mapping[str, object]


def twins(tree: Mapping[str, object], ident: str) -> tuple[str, ...]:
    """The ids of a split's branches, in their order, by one of them; the arrow alone where it is no branch."""
    for key in ARROWS:
        rows = rows_of(tree, key)
        mine = next((row for row in rows if row.get("id") == ident), None)
        if mine is not None:
            if mine.get("share") is None:
                return (ident,)
            found = [str(row["id"]) for row in rows if row.get("share") is not None and _key(row) == _key(mine)]
            return tuple(sorted(found, key=lambda name: (len(name), name)))
    raise NotFound("transition", ident)


def split_transition(tree: Mapping[str, object], ident: str) -> Tree:
    """A twin of an arrow, which does the same with messages of its own, so that its words can be others. The twin takes
    half of the share of the last branch, so that nobody else changes branch. Refused: `too_many_variants`.
    """
    branches = twins(tree, ident)
    key, last = _find(tree, branches[-1])
    share = _share(last) if last.get("share") is not None else POINTS
    if share < 2:
        raise Refused("too_many_variants")
    _, given = _find(tree, ident)
    ident = _twin_id(tree, branches[0])
    made, twin = with_own_messages(tree, given, ident.rpartition("_")[2])
    made = _with(made, {branches[-1]: {**last, "share": share - share // 2}})
    return {**made, key: [*rows_of(made, key), {**twin, "id": ident, "share": share // 2}]}


def set_shares(tree: Mapping[str, object], ident: str, shares: object) -> Tree:
    """Other shares, by id, for all branches of a split. Refused: `not_split`, `shares_sum`."""
    branches = twins(tree, ident)
    if not isinstance(shares, Mapping) or set(shares) != set(branches) or len(branches) < 2:
        raise Refused("not_split")
    parts = [part for part in shares.values() if isinstance(part, int) and 0 <= part <= POINTS]
    if len(parts) != len(branches) or sum(parts) != POINTS:
        raise Refused("shares_sum")
    return _with(tree, {name: {**_find(tree, name)[1], "share": shares[name]} for name in branches})


def end_split(tree: Mapping[str, object], ident: str) -> Tree:
    """The test is over: the arrow stays, for everybody, and the other branches go. Refused: `not_split`."""
    branches = twins(tree, ident)
    key, winner = _find(tree, ident)
    if winner.get("share") is None:
        raise Refused("not_split")
    left = [row for row in rows_of(tree, key) if row.get("id") == ident or row.get("id") not in branches]
    return _with({**tree, key: left}, {ident: replaced(winner, "share", None)})


def delete_split(tree: Mapping[str, object], ident: str) -> Tree:
    """Take all branches of a split out."""
    branches, (key, _) = twins(tree, ident), _find(tree, ident)
    return {**tree, key: [row for row in rows_of(tree, key) if row.get("id") not in branches]}


def shares_now(tree: Mapping[str, object], ident: str) -> dict[str, object] | None:
    """The shares of a split by id; None where there is no such arrow."""
    try:
        return {name: _find(tree, name)[1].get("share") for name in twins(tree, ident)}
    except NotFound:
        return None


def kept_whole(before: Mapping[str, object], after: Tree) -> Tree:
    """After arrows were taken out: the branches left of each split share what went, and one alone is no split."""
    rows = {str(row.get("id")): row for key in ARROWS for row in rows_of(after, key)}
    splits = {twins(before, str(row["id"])) for key in ARROWS for row in rows_of(before, key) if row.get("share")}
    changed: dict[str, Row] = {}
    for branches in sorted(splits):
        left = [name for name in branches if name in rows]
        if 0 < len(left) < len(branches):
            shares = [None] if len(left) == 1 else _scaled([_share(rows[name]) for name in left])
            changed |= {n: replaced(rows[n], "share", s) for n, s in zip(left, shares, strict=True)}
    return _with(after, changed)


def _scaled(shares: Sequence[int]) -> list[int]:
    """Whole shares that make 100, in the same proportion as near as can be; equal ones where there was nothing."""
    total = sum(shares)
    parts = list(shares) if total else [1] * len(shares)
    whole = [part * POINTS // sum(parts) for part in parts]
    rest = sorted(range(len(parts)), key=lambda n: (-(parts[n] * POINTS % sum(parts)), n))
    for n in rest[: POINTS - sum(whole)]:
        whole[n] += 1
    return whole


def _key(row: Row) -> object:
    return (
        row.get("from"),
        row.get("on"),
        _spaced(row.get("when")),
        tuple(sorted(map(str, names_of(row.get("except"))))),
    )


def _spaced(when: object) -> object:
    """A condition however it is spaced."""
    try:
        return tuple((token.shape, token.value) for token in tokens(str(when)))
    except GuardError:
        return when


def _share(row: Row) -> int:
    share = row.get("share")
    return share if isinstance(share, int) else 0


def _twin_id(tree: Mapping[str, object], first: str) -> str:
    """`t9_b`, `t9_c`…: behind the first branch, and together in every list."""
    taken = {row.get("id") for key in ARROWS for row in rows_of(tree, key)}
    base = re.sub(r"_[b-z]\Z", "", first)
    for letter in _LETTERS:
        if (name := f"{base}_{letter}") not in taken:
            return name
    raise Refused("too_many_variants")


def _find(tree: Mapping[str, object], ident: str) -> tuple[str, Row]:
    for key in ARROWS:
        for row in rows_of(tree, key):
            if row.get("id") == ident:
                return key, row
    raise NotFound("transition", ident)


def _with(tree: Mapping[str, object], changed: Mapping[str, Row]) -> Tree:
    """The tree with these arrows in the place of those with their ids."""
    made: Tree = {**tree}
    for key in ARROWS:
        if changed and key in tree:
            made[key] = [changed.get(str(row.get("id")), row) for row in rows_of(tree, key)]
    return made
