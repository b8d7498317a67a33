"""Edits of the understanding: one phrase of one rule at a time, so that two people at different phrases never collide."""

from collections.abc import Mapping

from engine.core.edits_tree import Tree, names_of, rows_of, table_of
from engine.core.errors import NotFound, Refused
from engine.core.folding import words

__all__ = ["add_phrase", "add_understanding", "delete_phrase"]

LISTS = ("any", "none")
"""What a rule looks for, and what speaks against it."""


def add_phrase(tree: Mapping[str, object], event: str, phrase: str, among: str = "any", at: object = None) -> Tree:
    """Add a phrase to the rule of an event: to the one that stands `at` a place, else to its first; made when it has
    none. Refused: phrase_without_words, phrase_taken, rule_missing (there is nothing yet to speak against).
    """
    plain = _usable(tree, event, phrase, among)
    rows = rows_of(tree, "understanding")
    own = [place for place, row in enumerate(rows) if row.get("event") == event]
    known = {words(str(other)) for place in own for other in names_of(rows[place].get(among, []))}
    if words(plain) in known:
        raise Refused("phrase_taken", phrase=plain, event=event)
    if not own:
        if among != "any":
            raise Refused("rule_missing", event=event)
        return {**tree, "understanding": [*rows, {"event": event, "any": [plain]}]}
    place = at if at in own and isinstance(at, int) else own[0]
    row = {**rows[place], among: [*names_of(rows[place].get(among, [])), plain]}
    return {**tree, "understanding": [*rows[:place], row, *rows[place + 1 :]]}


def delete_phrase(tree: Mapping[str, object], event: str, phrase: str, among: str = "any") -> Tree:
    """Take a phrase away; a rule that looks for nothing any more, neither words nor buttons, goes with it."""
    if among not in LISTS:
        raise Refused("unknown_field", field=among)
    rows = rows_of(tree, "understanding")
    for place, row in enumerate(rows):
        listed = names_of(row.get(among, []))
        if row.get("event") == event and phrase in listed:
            left = [other for other in listed if other != phrase]
            kept = {name: value for name, value in row.items() if name != among}
            empty = among == "any" and not left and not kept.get("buttons")
            changed = [] if empty else [{**kept, among: left} if left else kept]
            return {**tree, "understanding": [*rows[:place], *changed, *rows[place + 1 :]]}
    raise NotFound("phrase", phrase)


def add_understanding(tree: Mapping[str, object], rule: object, at: object = None) -> Tree:
    """Put a whole rule (event, any, none, buttons) at a place of the list, or at its end."""
    if not isinstance(rule, Mapping) or not (rule.get("any") or rule.get("buttons")):
        raise Refused("bad_edit", op="add_understanding", missing="rule")
    rows = rows_of(tree, "understanding")
    place = at if isinstance(at, int) and 0 <= at <= len(rows) else len(rows)
    return {**tree, "understanding": [*rows[:place], dict(rule), *rows[place:]]}


def _usable(tree: Mapping[str, object], event: str, phrase: str, among: str) -> str:
    if among not in LISTS:
        raise Refused("unknown_field", field=among)
    if event not in table_of(tree, "events"):
        raise NotFound("event", event)
    plain = " ".join(phrase.split())
    if not words(plain):
        raise Refused("phrase_without_words", phrase=plain)
    return plain
