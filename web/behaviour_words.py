"""What will happen otherwise with a new version, as the review before publishing tells it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from engine.core.checks.findings import Finding
from engine.core.checks.sentences import sentence
from web import i18n

__all__ = ["Behaviour", "behaviours"]


@dataclass(frozen=True, slots=True)
class Behaviour:
    """One difference. `people` are the live conversations in its states, None where it is about no state; `doubt`: it
    was not proved to be the same, nor shown to differ.
    """

    message: str
    people: int | None
    doubt: bool


def behaviours(found: Iterable[Finding], people: Mapping[str, int]) -> list[Behaviour]:
    """The findings in the reader's language, with who stands where they matter."""
    return [
        Behaviour(sentence(one, i18n.current()), _people(one, people), one.facts.get("variant") == "unknown")
        for one in found
    ]


def _people(one: Finding, people: Mapping[str, int]) -> int | None:
    if one.facts.get("variant") in ("initial", "state_added"):
        return None
    named = one.facts.get("states", () if one.where.state is None else (one.where.state,))
    states = named if isinstance(named, tuple) else ()
    return sum(people.get(state, 0) for state in states) if states else None
