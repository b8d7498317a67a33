"""The meaning of guards written a second time, for z3: every node is (value, is there)."""

from typing import Any

import z3

from engine.core.guards.evaluate import UNDEFINED
from engine.core.guards.kinds import FIELD_INSTANT_MAX, FIELD_RANGE, INT_MAX, NOW_MIN, RESULT_RANGE, Kind
from engine.core.guards.prove import NOT_TRUE, Claim
from engine.core.guards.syntax import (
    Arith,
    Compare,
    Has,
    ListLiteral,
    Literal,
    Logic,
    Member,
    Name,
    Node,
    Not,
    Now,
    Size,
    TextTest,
)
from tests.strategies import SCOPE


class Oracle:
    """One question to z3."""

    def __init__(self) -> None:
        self.now = z3.Int("now()")
        self.members: dict[str, dict[str, Any]] = {}
        self.limits: list[Any] = [self.now >= NOW_MIN, self.now <= FIELD_INSTANT_MAX]
        self.names: dict[str, tuple[Any, Any]] = {}
        self.sizes: dict[str, Any] = {}

    def name(self, name: str) -> tuple[Any, Any]:
        if name in self.names:
            return self.names[name]
        declared = SCOPE[name]
        make = {Kind.BOOL: z3.Bool, Kind.TEXT: z3.String, Kind.DOUBLE: z3.Real, Kind.LIST: z3.Bool}
        value = make.get(declared.kind, z3.Int)(name)
        if declared.kind in FIELD_RANGE:
            low, high = FIELD_RANGE[declared.kind]
            self.limits += [value >= low, value <= high]
        if declared.min is not None:
            self.limits.append(value >= declared.min)
        if declared.max is not None:
            self.limits.append(value <= declared.max)
        if declared.past:
            self.limits.append(value <= self.now)
        if declared.values:
            self.limits.append(z3.Or([value == z3.StringVal(v) for v in declared.values]))
        self.names[name] = value, z3.Bool(f"has {name}") if declared.optional else z3.BoolVal(True)
        return self.names[name]

    def size(self, name: str) -> Any:
        if name not in self.sizes:
            size = z3.Int(f"size {name}") if SCOPE[name].kind is Kind.LIST else z3.Length(self.name(name)[0])
            self.sizes[name] = size
            self.limits += [size >= 0, size <= INT_MAX]
        return self.sizes[name]

    def member(self, name: str, text: str) -> Any:
        return self.members.setdefault(name, {}).setdefault(text, z3.Bool(f"{text!r} in {name}"))

    def value(self, node: Node) -> tuple[Any, Any]:
        yes = z3.BoolVal(True)
        match node:
            case Literal():
                makers = {Kind.BOOL: z3.BoolVal, Kind.TEXT: z3.StringVal, Kind.DOUBLE: z3.RealVal}
                if node.kind is Kind.NULL:
                    return None, z3.BoolVal(False)
                return makers.get(node.kind, z3.IntVal)(node.value), yes
            case Name():
                return self.name(node.name)
            case Now():
                return self.now, yes
            case Has():
                return self.name(node.name)[1], yes
            case Size(operand=Name() as operand):
                return self.size(operand.name), self.name(operand.name)[1]
            case Arith():
                (left, has_left), (right, has_right) = self.value(node.left), self.value(node.right)
                result = left + right if node.op == "+" else left - right if node.op == "-" else left * right
                low, high = RESULT_RANGE[node.kind]
                return result, z3.And(has_left, has_right, result >= low, result <= high)
            case Not():
                inner, there = self.value(node.operand)
                return z3.Not(inner), there
            case Logic():
                parts = [self.value(operand) for operand in node.operands]
                true = [z3.And(v, t) for v, t in parts]
                false = [z3.And(z3.Not(v), t) for v, t in parts]
                if node.op == "&&":
                    return z3.And(true), z3.Or(z3.And(true), z3.Or(false))
                return z3.Or(true), z3.Or(z3.Or(true), z3.And(false))
            case Compare():
                return self.compare(node)
            case Member(haystack=ListLiteral() as haystack):
                needle, there = self.value(node.needle)
                return z3.Or([needle == self.value(item)[0] for item in haystack.items]), there
            case Member(needle=Literal() as needle, haystack=Name() as haystack):
                return self.member(haystack.name, str(needle.value)), self.name(haystack.name)[1]
            case TextTest():
                (subject, has_subject), (argument, has_argument) = self.value(node.subject), self.value(node.argument)
                tests = {
                    "startsWith": lambda: z3.PrefixOf(argument, subject),
                    "endsWith": lambda: z3.SuffixOf(argument, subject),
                    "contains": lambda: z3.Contains(subject, argument),
                }
                return tests[node.test](), z3.And(has_subject, has_argument)
            case _:
                raise AssertionError(node)

    def compare(self, node: Compare) -> tuple[Any, Any]:
        (left, has_left), (right, has_right) = self.value(node.left), self.value(node.right)
        if node.op not in ("==", "!="):
            ordering = {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}[node.op]
            return ordering, z3.And(has_left, has_right)
        unset = [
            z3.Not(there) if isinstance(side, Name) else z3.BoolVal(side == Literal(None, Kind.NULL))
            for side, there in ((node.left, has_left), (node.right, has_right))
        ]
        same = z3.BoolVal(False) if left is None or right is None else left == right
        equal = z3.Or(z3.And(has_left, has_right, same), z3.And(unset))
        known = z3.And(z3.Or(has_left, unset[0]), z3.Or(has_right, unset[1]))
        return (equal if node.op == "==" else z3.Not(equal)), known

    def answer(self, claims: list[Claim]) -> Any:
        solver = z3.Solver()
        solver.set("timeout", 1_000)
        for guard, wanted in claims:
            value, there = self.value(guard.root)
            true, false = z3.And(value, there), z3.And(z3.Not(value), there)
            asked = {True: true, False: false, NOT_TRUE: z3.Not(true), UNDEFINED: z3.Not(there)}
            solver.add(asked[wanted])
        for name, texts in self.members.items():
            held = z3.Sum([z3.If(bit, 1, 0) for bit in texts.values()])
            solver.add(self.size(name) >= held)
        solver.add(*self.limits)
        return solver.check()
