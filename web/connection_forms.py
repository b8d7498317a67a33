"""The form of a channel or of a payment source: its fields, what they hold, what was typed and why it was not taken.

A stored secret never enters a page: its field is empty and says whether there is one.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.core.errors import NotFound, Refused, TrilhoError
from engine.services.connections import Keys
from web.connection_words import described
from web.i18n import gettext
from web.refusals import sentence

__all__ = ["ConnectionForm", "KeyField", "Problem", "added_values", "changed_values", "differing", "made", "problem_of"]

KEY, DROP = "key.", "drop."
SELDOM = frozenset({"base_url", "coexistence", "throughput", "max_body"})
"""Keys that hardly anybody needs: they stand below the others, folded."""
_FIELDS = {"name_unusable": "name", "name_or_token_taken": "name", "base_url_unreadable": f"{KEY}base_url"}
"""The field that a refusal is about, where its facts do not name the key."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a form was not taken, and beside which field it is said; "" is beside the button."""

    field: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyField:
    """One key. `kept` tells of a secret that there is one; `drop` that it was to be taken away."""

    key: str
    name: str
    label: str
    hint: str
    value: str = ""
    secret: bool = False
    kept: bool = False
    drop: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionForm:
    """What the template of a form reads. `fresh`: nothing is stored yet. `lost`: secrets have to be typed again."""

    action: str
    name: str
    flow: str
    flows: tuple[tuple[str, str], ...]
    fields: tuple[KeyField, ...]
    seldom: tuple[KeyField, ...]
    problem: Problem | None = None
    fresh: bool = False
    lost: bool = False

    @property
    def seldom_open(self) -> bool:
        """Whether the folded fields are to be seen."""
        wrong = self.problem is not None and any(field.name == self.problem.field for field in self.seldom)
        return wrong or any(field.value or field.kept for field in self.seldom)


def made(
    action: str,
    keys: Keys,
    flows: tuple[tuple[str, str], ...],
    *,
    name: str = "",
    flow: str = "",
    settings: Mapping[str, str] | None = None,
    kept: frozenset[str] = frozenset(),
    typed: Mapping[str, str] | None = None,
    problem: Problem | None = None,
) -> ConnectionForm:
    """The form of what is stored (`settings`, and `kept` for the names of the secrets), under what was typed."""
    given, stored = typed or {}, settings or {}
    fields = tuple(_field(key, given, stored.get(key, ""), secret=False, kept=False) for key in keys.settings)
    fields += tuple(_field(key, given, "", secret=True, kept=key in kept) for key in keys.secrets)
    return ConnectionForm(
        action=action,
        name=given.get("name", name),
        flow=given.get("flow", flow),
        flows=flows,
        fields=tuple(field for field in fields if field.key not in SELDOM),
        seldom=tuple(field for field in fields if field.key in SELDOM),
        problem=problem,
        fresh=settings is None,
        lost=any(given.get(f"{KEY}{key}") for key in keys.secrets),
    )


def _field(key: str, given: Mapping[str, str], stored: str, *, secret: bool, kept: bool) -> KeyField:
    words = described(key)
    return KeyField(
        key=key,
        name=f"{KEY}{key}",
        label=words.label,
        hint=words.hint,
        value="" if secret else given.get(f"{KEY}{key}", stored),
        secret=secret,
        kept=kept,
        drop=secret and f"{DROP}{key}" in given,
    )


def added_values(typed: Mapping[str, str], keys: Keys) -> dict[str, str]:
    """The keys that were filled in."""
    named = ((key, typed.get(f"{KEY}{key}", "").strip()) for key in (*keys.settings, *keys.secrets))
    return {key: value for key, value in named if value}


def differing(typed: str | None, stored: str) -> str | None:
    """What was typed where it is not what is stored, else None."""
    return typed if typed is not None and typed.strip() != stored else None


def changed_values(typed: Mapping[str, str], keys: Keys, settings: Mapping[str, str]) -> dict[str, str]:
    """The keys whose values differ from those stored; an empty value takes one away. A key that the form did not bring
    stays, and so does a secret whose field was left empty, unless its removal was ticked.
    """
    found: dict[str, str] = {}
    for key in keys.settings:
        value = typed.get(f"{KEY}{key}")
        if value is not None and value.strip() != settings.get(key, ""):
            found[key] = value.strip()
    for key in keys.secrets:
        value = typed.get(f"{KEY}{key}", "").strip()
        if value or f"{DROP}{key}" in typed:
            found[key] = value
    return found


def problem_of(error: TrilhoError) -> Problem:
    """A refusal beside the field that it is about."""
    if isinstance(error, NotFound):
        return Problem("flow", gettext("This flow does not exist any more. Choose another."))
    if not isinstance(error, Refused):
        raise error
    key = error.facts.get("key")
    field = f"{KEY}{key}" if isinstance(key, str) else _FIELDS.get(error.code, "")
    return Problem(field, sentence(error))
