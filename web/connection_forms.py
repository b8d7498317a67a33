"""The form of a channel or of a payment source: its fields, what they hold, what was typed and why it was not taken.

A stored secret never enters a page: its field is empty and says whether there is one.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.core.errors import NotFound, Refused, TrilhoError
from engine.services.connections import Keys
from web.connection_names import described
from web.i18n import gettext
from web.refusals import sentence

__all__ = ["ConnectionForm", "KeyField", "Problem", "added_values", "changed_values", "differing", "made", "problem_of"]

KEY, DROP, MANY = "key.", "drop.", "many."
SELDOM = frozenset(
    {
        *(
            "coexistence",
            "throughput",
            "max_body",
            "webhook_secret",
            "pacing",
            "gap_seconds",
            "jitter_seconds",
            "hours",
        ),
        *("contact_gap_seconds", "contact_daily", "strangers_daily"),
    }
)
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
class ManyField:
    """All keys that begin in one way, each with its value on a line of its own: `name = value`."""

    name: str
    label: str
    hint: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionForm:
    """What the template of a form reads. `fresh`: nothing is stored yet. `lost`: secrets have to be typed again."""

    action: str
    name: str
    flow: str
    flows: tuple[tuple[str, str], ...]
    fields: tuple[KeyField, ...]
    seldom: tuple[KeyField, ...]
    many: tuple[ManyField, ...] = ()
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
    platform: str = "",
    typed: Mapping[str, str] | None = None,
    problem: Problem | None = None,
) -> ConnectionForm:
    """The form of what is stored (`settings`, and `kept` for the names of the secrets), under what was typed."""
    given, stored = typed or {}, settings or {}
    ordered = (*keys.secrets, *keys.settings) if platform else (*keys.settings, *keys.secrets)
    fields = tuple(
        _field(key, platform, given, stored, secret=key in keys.secrets, kept=key in kept) for key in ordered
    )
    return ConnectionForm(
        action=action,
        name=given.get("name", name),
        flow=given.get("flow", flow),
        flows=flows,
        fields=tuple(field for field in fields if field.key not in SELDOM),
        seldom=tuple(field for field in fields if field.key in SELDOM),
        many=tuple(_many(prefix, platform, given, stored) for prefix in keys.prefixes),
        problem=problem,
        fresh=settings is None,
        lost=any(given.get(f"{KEY}{key}") for key in keys.secrets),
    )


def _many(prefix: str, platform: str, given: Mapping[str, str], stored: Mapping[str, str]) -> ManyField:
    words, name = described(prefix, platform), f"{MANY}{prefix}"
    lines = (f"{key.removeprefix(prefix)} = {value}" for key, value in sorted(stored.items()) if key.startswith(prefix))
    return ManyField(name=name, label=words.label, hint=words.hint, value=given.get(name, "\n".join(lines)))


def _field(
    key: str, platform: str, given: Mapping[str, str], stored: Mapping[str, str], *, secret: bool, kept: bool
) -> KeyField:
    words = described(key, platform)
    return KeyField(
        key=key,
        name=f"{KEY}{key}",
        label=words.label,
        hint=words.hint,
        value="" if secret else given.get(f"{KEY}{key}", stored.get(key, "")),
        secret=secret,
        kept=kept,
        drop=secret and f"{DROP}{key}" in given,
    )


def added_values(typed: Mapping[str, str], keys: Keys) -> dict[str, str]:
    """The keys that were filled in. Raises Refused("line_unreadable")."""
    return {key: value for key, value in changed_values(typed, keys, {}).items() if value}


def differing(typed: str | None, stored: str) -> str | None:
    """What was typed where it is not what is stored, else None."""
    return typed if typed is not None and typed.strip() != stored else None


def changed_values(typed: Mapping[str, str], keys: Keys, settings: Mapping[str, str]) -> dict[str, str]:
    """The keys whose values differ from those stored; an empty value takes one away. A key that the form did not bring
    stays, and so does a secret whose field was left empty, unless its removal was ticked. Raises
    Refused("line_unreadable").
    """
    found: dict[str, str] = {}
    for key in keys.settings:
        value = typed.get(f"{KEY}{key}")
        if value is not None and value.strip() != settings.get(key, ""):
            found[key] = value.strip()
    for prefix in keys.prefixes:
        if (text := typed.get(f"{MANY}{prefix}")) is not None:
            lines = _read_lines(prefix, text)
            gone = {key: "" for key in settings if key.startswith(prefix) and key not in lines}
            found |= gone | {key: value for key, value in lines.items() if value != settings.get(key)}
    for key in keys.secrets:
        value = typed.get(f"{KEY}{key}", "").strip()
        if value or f"{DROP}{key}" in typed:
            found[key] = value
    return found


def _read_lines(prefix: str, text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in filter(str.strip, text.split("\n")):
        name, _, value = (part.strip() for part in line.partition("="))
        if not name or not value:
            raise Refused("line_unreadable", key=prefix, line=line.strip()[:60])
        found[f"{prefix}{name}"] = value
    return found


def problem_of(error: TrilhoError, keys: Keys, typed: Mapping[str, str]) -> Problem:
    """A refusal beside the field that it is about."""
    if isinstance(error, NotFound):
        words = gettext("This flow does not exist any more. Choose another.")
        several = next((f"{MANY}{prefix}" for prefix in keys.prefixes if error.name != typed.get("flow")), "flow")
        return Problem(several, words)
    if not isinstance(error, Refused):
        raise error
    key = error.facts.get("key")
    if not isinstance(key, str):
        return Problem(_FIELDS.get(error.code, ""), sentence(error))
    prefix = next((one for one in keys.prefixes if key.startswith(one)), None)
    return Problem(f"{KEY}{key}" if prefix is None else f"{MANY}{prefix}", sentence(error))
