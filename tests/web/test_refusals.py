"""Refusals in words: each code has one sentence, wherever it is written."""

import ast
import inspect

from web import approval_refusals, refusals, talk_refusals


def codes(module):
    """The keys of every dictionary of sentences in a module."""
    tree = ast.parse(inspect.getsource(module))
    return [
        key.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Dict)
        for key in node.keys
        if isinstance(key, ast.Constant) and isinstance(key.value, str)
    ]


def test_no_refusal_of_one_place_hides_that_of_another():
    every = [code for module in (refusals, talk_refusals, approval_refusals) for code in set(codes(module))]
    assert len(every) > 100
    assert sorted(code for code in set(every) if every.count(code) > 1) == []
