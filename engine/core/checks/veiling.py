"""Findings without the values of sensitive fields: nobody has to invent or read one to see what is wrong (R45)."""

from collections.abc import Mapping
from dataclasses import replace

from engine.core.checks.findings import Finding
from engine.core.checks.sentences import PT, sentence
from engine.core.flow import Value

__all__ = ["VEIL", "veiled"]

VEIL = "•••"


def veiled(finding: Finding, hidden: frozenset[str]) -> Finding:
    """The finding with a veil over the values of `hidden` fields, in its witness, its path and its sentence.

    That one is not set stays: it is often the whole point, and it is no value.
    """
    witness = None if finding.witness is None else _without(finding.witness, hidden)
    path = None if finding.path is None else tuple(_step(step, hidden) for step in finding.path)
    if (witness, path) == (finding.witness, finding.path):
        return finding
    bare = replace(finding, witness=witness, path=path)
    return replace(bare, message=sentence(bare, PT))


def _without(values: Mapping[str, Value], hidden: frozenset[str]) -> Mapping[str, Value]:
    return {name: VEIL if name in hidden and value is not None else value for name, value in values.items()}


def _step(step: Mapping[str, object], hidden: frozenset[str]) -> Mapping[str, object]:
    values = step.get("values")
    return {**step, "values": _without(values, hidden)} if isinstance(values, Mapping) else step
