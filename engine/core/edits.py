"""Edits of a document's tree: each gives a new tree and leaves the old one as it was.

An edit speaks the document's own words (`when`, `deadline`, `do`). It keeps names consistent, nothing more: whether the
result is a valid flow is for `document.read` to say. Raises NotFound for what is not there and Refused with a code:
`name_taken`, `bad_name`, `unknown_field`, `same_state`, `initial_state`, `used_by_rule`, `used_by_transition`,
`field_used`, `clock_name`, `name_of_button`, `phrase_taken`, `phrase_without_words`, `rule_missing`, `rule_there`,
`piece_changed`, `too_many_pieces`, `not_split`, `shares_sum`, `too_many_variants`, those of `edits_approvals` (`approval_…`),
`unknown_edit`, `bad_edit`.
"""

from collections.abc import Callable, Mapping

from engine.core.edits_approvals import ask_approval, drop_approval
from engine.core.edits_arrows import (
    TRANSITION_FIELDS,
    add_ignored,
    add_transition,
    delete_transition,
    fresh_id,
    set_transition,
)
from engine.core.edits_entries import (
    EVENT_FIELDS,
    FLOW_FIELDS,
    STATE_FIELDS,
    add_action,
    add_entry,
    add_state,
    delete_action,
    delete_event,
    delete_field,
    delete_state,
    rename_action,
    rename_event,
    rename_field,
    rename_state,
    set_action,
    set_entry,
    set_flow,
    set_setting,
    set_state,
)
from engine.core.edits_phrases import add_phrase, add_understanding, delete_phrase
from engine.core.edits_pieces import add_piece, delete_piece, move_piece, set_piece
from engine.core.edits_rules import add_rule, delete_rule, set_rule
from engine.core.edits_splits import delete_split, end_split, set_shares, split_transition
from engine.core.edits_tree import Tree
from engine.core.errors import Refused

__all__ = [
    "EVENT_FIELDS",
    "FLOW_FIELDS",
    "STATE_FIELDS",
    "TRANSITION_FIELDS",
    "Tree",
    "add_action",
    "add_entry",
    "add_ignored",
    "add_phrase",
    "add_rule",
    "add_state",
    "add_transition",
    "add_understanding",
    "apply",
    "ask_approval",
    "delete_action",
    "delete_event",
    "delete_field",
    "delete_phrase",
    "delete_rule",
    "delete_split",
    "delete_state",
    "delete_transition",
    "drop_approval",
    "end_split",
    "fresh_id",
    "rename_action",
    "rename_event",
    "rename_field",
    "rename_state",
    "set_action",
    "set_entry",
    "set_flow",
    "set_rule",
    "set_setting",
    "set_shares",
    "set_state",
    "set_transition",
    "split_transition",
]


def apply(tree: Mapping[str, object], edit: Mapping[str, object]) -> Tree:
    """An edit as data: `{"op": "set_transition", "id": "t19", "field": "when", "value": "toques >= 3"}`.

    `id` names what is edited; `name` is the new name of a rename; `fields` what an addition brings.
    """
    operation = _OPERATIONS.get(str(edit.get("op")))
    if operation is None:
        raise Refused("unknown_edit", op=edit.get("op"))
    try:
        return operation(tree, edit)
    except KeyError as missing:
        raise Refused("bad_edit", op=edit.get("op"), missing=missing.args[0]) from None


def _replaced(edit: Mapping[str, object]) -> Tree:
    """The whole document at once: a version that comes back, a file that is taken in."""
    document = edit["document"]
    if not isinstance(document, Mapping):
        raise Refused("bad_edit", op=edit.get("op"), missing="document")
    return dict(document)


def _fields(edit: Mapping[str, object]) -> Mapping[str, object]:
    given = edit["fields"]
    if not isinstance(given, Mapping):
        raise Refused("bad_edit", op=edit.get("op"), missing="fields")
    return given


def _target(value: object) -> str | None:
    return None if value is None else str(value)


def _targets(value: object) -> dict[str, str | None]:
    return {str(key): _target(one) for key, one in value.items()} if isinstance(value, Mapping) else {}


def _section(edit: Mapping[str, object]) -> tuple[str, str]:
    return f"{str(edit['op']).split('_', 1)[1]}s".replace("fields", "context"), str(edit["id"])


_OPERATIONS: dict[str, Callable[[Mapping[str, object], Mapping[str, object]], Tree]] = {
    "set_title": lambda tree, edit: set_flow(tree, "title", edit["value"]),
    "set_debounce": lambda tree, edit: set_flow(tree, "debounce", edit["value"]),
    "set_flow": lambda tree, edit: set_flow(tree, str(edit["field"]), edit["value"]),
    "set_setting": lambda tree, edit: set_setting(tree, str(edit["field"]), edit["value"]),
    **{
        f"set_{kind}": lambda tree, edit: set_entry(tree, *_section(edit), str(edit["field"]), edit["value"])
        for kind in ("state", "action", "event", "field")
    },
    **{
        f"add_{kind}": lambda tree, edit: add_entry(tree, *_section(edit), _fields(edit))
        for kind in ("state", "action", "event", "field")
    },
    "rename_state": lambda tree, edit: rename_state(tree, str(edit["id"]), str(edit["name"])),
    "rename_action": lambda tree, edit: rename_action(tree, str(edit["id"]), str(edit["name"])),
    "rename_field": lambda tree, edit: rename_field(tree, str(edit["id"]), str(edit["name"])),
    "rename_event": lambda tree, edit: rename_event(tree, str(edit["id"]), str(edit["name"])),
    "delete_state": lambda tree, edit: delete_state(
        tree, str(edit["id"]), _target(edit.get("redirect_to")), _targets(edit.get("redirects"))
    ),
    "delete_action": lambda tree, edit: delete_action(tree, str(edit["id"])),
    "delete_field": lambda tree, edit: delete_field(tree, str(edit["id"])),
    "delete_event": lambda tree, edit: delete_event(tree, str(edit["id"])),
    "set_transition": lambda tree, edit: set_transition(tree, str(edit["id"]), str(edit["field"]), edit["value"]),
    "add_transition": lambda tree, edit: add_transition(tree, _fields(edit)),
    "delete_transition": lambda tree, edit: delete_transition(tree, str(edit["id"])),
    "split_transition": lambda tree, edit: split_transition(tree, str(edit["id"])),
    "set_shares": lambda tree, edit: set_shares(tree, str(edit["id"]), edit["value"]),
    "ask_approval": lambda tree, edit: ask_approval(tree, str(edit["id"])),
    "drop_approval": lambda tree, edit: drop_approval(tree, str(edit["id"])),
    "end_split": lambda tree, edit: end_split(tree, str(edit["id"])),
    "delete_split": lambda tree, edit: delete_split(tree, str(edit["id"])),
    "add_phrase": lambda tree, edit: add_phrase(
        tree, str(edit["event"]), str(edit["phrase"]), str(edit.get("among", "any")), edit.get("at")
    ),
    "delete_phrase": lambda tree, edit: delete_phrase(
        tree, str(edit["event"]), str(edit["phrase"]), str(edit.get("among", "any"))
    ),
    "add_understanding": lambda tree, edit: add_understanding(tree, edit["rule"], edit.get("at")),
    "add_rule": lambda tree, edit: add_rule(tree, edit["rule"], edit.get("at")),
    "set_rule": lambda tree, edit: set_rule(tree, edit["id"], edit["value"], edit.get("was")),
    "delete_rule": lambda tree, edit: delete_rule(tree, edit["id"], edit.get("was")),
    "set_piece": set_piece,
    "add_piece": add_piece,
    "delete_piece": delete_piece,
    "move_piece": move_piece,
    "replace": lambda _tree, edit: _replaced(edit),
    "ignore": lambda tree, edit: add_ignored(tree, str(edit["state"]), str(edit["event"])),
}
