"""Edits of the safety rules. A rule has no name: it is known by its number from 0, and by how its author saw it.

Two people who edit different rules never collide: the number is only where to look first, `was` says which rule is
meant, wherever it stands by now.
"""

from collections.abc import Mapping, Sequence

from engine.core.edits_tree import Tree, rows_of
from engine.core.errors import NotFound, Refused

__all__ = ["add_rule", "delete_rule", "place_of", "rule_now", "set_rule"]

Row = Mapping[str, object]
_LABELS = ("label", "note")


def add_rule(tree: Mapping[str, object], rule: object, at: object = None) -> Tree:
    """Put a rule at a place of the list, or at its end. Refused: `rule_there`, `bad_edit`."""
    rows, row = rows_of(tree, "rules"), _row(rule)
    if any(_says(row) == _says(other) for other in rows):
        raise Refused("rule_there")
    place = at if isinstance(at, int) and 0 <= at <= len(rows) else len(rows)
    return {**tree, "rules": [*rows[:place], row, *rows[place:]]}


def set_rule(tree: Mapping[str, object], number: object, rule: object, was: object = None) -> Tree:
    """Put a rule in the place of another. Raises NotFound; Refused: `rule_there`, `bad_edit`."""
    rows, row = rows_of(tree, "rules"), _row(rule)
    place = place_of(rows, number, was)
    if place is None:
        if row in rows:
            return dict(tree)  # somebody else made the very same change
        raise NotFound("rule", number)
    if any(_says(row) == _says(other) for at, other in enumerate(rows) if at != place):
        raise Refused("rule_there")
    return {**tree, "rules": [*rows[:place], row, *rows[place + 1 :]]}


def delete_rule(tree: Mapping[str, object], number: object, was: object = None) -> Tree:
    """Take a rule out; the list goes with the last one. Raises NotFound."""
    rows = rows_of(tree, "rules")
    place = place_of(rows, number, was)
    if place is None:
        raise NotFound("rule", number)
    left = [*rows[:place], *rows[place + 1 :]]
    return {**{key: value for key, value in tree.items() if key != "rules"}, **({"rules": left} if left else {})}


def place_of(rows: Sequence[Row], number: object, was: object = None) -> int | None:
    """Where the rule stands: of those that are written as `was` the nearest to the number; None when it is gone."""
    wanted = number if isinstance(number, int) and not isinstance(number, bool) else -1
    if was is None:
        return wanted if 0 <= wanted < len(rows) else None
    found = [place for place, row in enumerate(rows) if row == was]
    return min(found, key=lambda place: abs(place - wanted), default=None)


def rule_now(tree: Mapping[str, object], edit: Mapping[str, object]) -> object:
    """The rule that an edit is about, as it is written now; None when it is gone.

    When nothing is written as `was` any more, it was changed or taken out: as long as there are `of` rules, as many as
    its author saw, it is the one under its number.
    """
    rows = rows_of(tree, "rules")
    place = place_of(rows, edit.get("id"), edit.get("was"))
    if place is None and edit.get("of") == len(rows):
        place = place_of(rows, edit.get("id"))
    return rows[place] if place is not None else None


def _row(rule: object) -> Tree:
    if not isinstance(rule, Mapping) or not rule:
        raise Refused("bad_edit", op="rule", missing="rule")
    return dict(rule)


def _says(row: Row) -> Tree:
    """What a rule says, whatever it is called."""
    return {key: value for key, value in row.items() if key not in _LABELS}
