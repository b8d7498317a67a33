"""Files that mean harm, on the command line: every mistake with its place, exit code 2, nothing that moves the terminal."""

import json
from pathlib import Path

import pytest

from tests.command_line import Trilho
from tests.services.small_flow import small

DEEP, DIGITS = 5_000, "9" * 6_000
LAUGHS = "a: &a [x, x]\n" + "".join(f"{n}{n}: &{n} [*{m}, *{m}]\n" for m, n in zip("abcdefg", "bcdefgh", strict=True))
FILES: dict[str, str | bytes] = {
    "a circle of aliases": "&a {schema: 1, slug: x, states: *a}", "laughs": LAUGHS, "merged": "a: &a {x: 1}\nb: {<<: *a}\n",
    "a tag that runs": '!!python/object/apply:os.system ["exit 1"]', "keys that are numbers": "1: 2\ntrue: 3\nnull: 4\n",
    "instants": "schema: 1\nslug: 2020-01-01\nevents: !!binary aGVsbG8=\n", "NUL": b"schema: 1\x00\n", "empty": "", "blank": " \n\t",
    "UTF-16": "schema: 1".encode("utf-16"), "two documents": "a: 1\n---\nb: 2\n", "a word": "hello", "a list": "- a\n- b", "deep": '{"a":'
    * DEEP + "1" + "}" * DEEP, "deep YAML": "[" * DEEP, "digits": f'{{"schema": {DIGITS}}}', "digits in YAML": f"schema: {DIGITS}",
    "1e999": '{"schema": 1, "slug": 1e999}', "NaN": '{"schema": NaN}', "a page": "{<html>", "a key twice": '{"a": 1, "a": 2}',
    "half a key": json.dumps({"\ud800": 1}), "half a text": json.dumps(small(title="\ud800")), "half a name": json.dumps(
    small(states={"\udc00": {}})), "escapes": json.dumps(small(title="\x1b]0;x\x07", slug="\x1b[2J")), "many states": json.dumps(
    small(states={f"S{n}": {} for n in range(5_000)})), "a long text": json.dumps(small(title="x" * 500_000)), "a long name":
    json.dumps(small(states={"N" * 100_000: {}})), "prototypes": json.dumps(small(states={"__proto__": {}})), "wrong types":
    json.dumps(dict.fromkeys(small(), 7)), "zone": json.dumps(small(timezone="../../etc/passwd")), "an infinite default":
    json.dumps(small(context={"x": {"type": "double", "default": 0}})).replace('"default": 0', '"default": 1e999'),
}  # fmt: skip


@pytest.fixture
def trilho(tmp_path: Path) -> Trilho:
    return Trilho(tmp_path / "data")


@pytest.mark.parametrize("name", FILES)
def test_a_hostile_file_is_refused_in_lines_for_people_and_in_json(trilho: Trilho, tmp_path: Path, name: str) -> None:
    content, path = FILES[name], tmp_path / "flow.yaml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())

    for command in (("check", path), ("diagram", path, "-o", tmp_path / "x.mmd")):
        lines = trilho(*command).mistakes
        assert lines
        assert not [line for line in lines if "mistake in Trilho" in line or len(line) > 2_000]
        assert all(char.isprintable() for line in lines for char in line)
    json.dumps(trilho("check", path, "--json").errors, ensure_ascii=False).encode()


def test_every_mistake_of_a_file_is_told_with_its_place(trilho: Trilho, tmp_path: Path) -> None:
    path = tmp_path / "flow.json"
    states = {f"ruim {n}": {"deadline": "soon"} for n in range(50)}
    arrows = [{"id": f"t{n}", "from": "Q", "on": "W", "to": "E", "zz": 1} for n in range(50)]
    path.write_text(json.dumps(small(states=states, transitions=arrows)))

    lines = trilho("check", path).mistakes

    assert len(lines) >= 50 + 4 * 50
    assert sum(line.startswith("states.ruim ") for line in lines) == 50
    assert {line.partition(": ")[0] for line in lines} >= {f"transitions[{n}].zz" for n in range(50)}


def test_what_a_scenario_quotes_does_not_move_the_terminal(trilho: Trilho, tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text(json.dumps({"\x1b[2J": 1, "\ud800": 2}))

    told = trilho("scenario", tmp_path)

    assert told.code in (1, 2)
    assert "\x1b" not in told.out + told.err
