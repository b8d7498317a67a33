"""What a check has to say: which rule, where, an example, and edits that would settle it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from engine.core.flow import Value


class Severity(StrEnum):
    """An error blocks publishing; a warning and an info do not."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


SEVERITIES: Mapping[str, Severity] = {
    **dict.fromkeys(("G1", "G2", "G5", "G6", "S1", "S3", "S5", "S6", "S7", "W2", "P1"), Severity.ERROR),
    **dict.fromkeys(("R1", "R2", "R3", "R4", "R5", "R6", "R7", "R8"), Severity.ERROR),
    **dict.fromkeys(("G3", "G4", "S2", "S4", "W1", "W3", "C1"), Severity.WARNING),
    "V1": Severity.INFO,
}
"""How grave each code is; a variant may be milder and says so when it is built."""


@dataclass(frozen=True, slots=True)
class Where:
    """The place in the flow; `state` None means every state, transitions are ids."""

    state: str | None = None
    event: str | None = None
    transitions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fix:
    """An edit that settles a finding. `label_code` names its sentence, the edit fills the placeholders."""

    label_code: str
    edit: Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One finding. `message` is its sentence in pt-BR; `sentences.sentence` gives it in any language.

    `facts` fill the sentence's placeholders; `variant` in them picks a special wording. `witness` is a context that
    was run: names to values, None for "not set", `now()` an instant in ms. `path` is the shortest run from the start.
    """

    code: str
    severity: Severity
    where: Where
    message: str
    facts: Mapping[str, object] = field(default_factory=dict)
    witness: Mapping[str, Value] | None = None
    path: tuple[Mapping[str, object], ...] | None = None
    fixes: tuple[Fix, ...] = ()
