"""Other people's test vectors, where the language covers them.

`suites/cel.json` is conformance data of the Common Expression Language (cel-spec, Apache-2.0);
`suites/asl_choice.json` are comparisons recorded on AWS Step Functions (LocalStack's snapshots, Apache-2.0).
"""

import json
from pathlib import Path
from typing import Any

from engine.core.errors import GuardError
from engine.core.guards.evaluate import UNDEFINED, evaluate
from engine.core.guards.kinds import Declared, Kind
from engine.core.guards.language import parse, parse_guard

SUITES = Path(__file__).parent / "suites"
KINDS = {bool: Kind.BOOL, int: Kind.INT, float: Kind.DOUBLE, str: Kind.TEXT, list: Kind.LIST}
CONTAINERS = "self_eval_container_lookup_unchecked"
"""Needs names that are looked up in an enclosing name space, which a guard does not have."""


def answer(case: dict[str, Any]) -> Any:
    bindings = case["bindings"]
    scope = {n: Declared(KINDS.get(type(v), Kind.INT), optional=v is None) for n, v in bindings.items()}
    try:
        value = evaluate(parse(case["expr"], scope), bindings, 0)
    except GuardError:
        return "ERROR"
    return "ERROR" if value is UNDEFINED else value


def test_cel_conformance_vectors() -> None:
    """129 lie in the language and one of them is a known difference; 239 must be refused or undefined."""
    cases = json.loads((SUITES / "cel.json").read_text("utf-8"))
    valued = [case for case in cases if case["expect"] != "ERROR"]
    refused = [case for case in cases if case["expect"] == "ERROR"]

    assert (len(valued), len(refused)) == (129, 239)
    assert [case["name"] for case in valued if answer(case) is not case["expect"]] == [CONTAINERS]
    assert [case["expr"] for case in refused if answer(case) != "ERROR"] == []


def test_step_functions_comparisons() -> None:
    """241 of 241: an operator fixes both types, a value of another type is not set, and only true is taken."""
    cases = json.loads((SUITES / "asl_choice.json").read_text("utf-8"))
    kinds = {"double": Kind.DOUBLE, "bool": Kind.BOOL, "string": Kind.TEXT}

    wrong = []
    for case in cases:
        declared = Declared(kinds[case["type"]], optional=True)
        guard = parse_guard(f"has(x) && has(y) && x {case['op']} y", {"x": declared, "y": declared})
        taken = evaluate(guard, {"x": case["x"], "y": case["y"]}, 0) is True
        if taken is not case["expect"]:
            wrong.append(case)

    assert len(cases) == 241
    assert wrong == []
