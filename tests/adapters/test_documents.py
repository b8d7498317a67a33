import json
from contextlib import suppress

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.adapters.documents import MAX_BYTES, read_bytes, read_file
from engine.core.canonical import digest
from engine.core.document import read, sentence
from engine.core.errors import InvalidDocument
from engine.samples import names, source, tree


def refusal(raw: bytes):
    with pytest.raises(InvalidDocument) as refused:
        read_bytes(raw)
    [found] = refused.value.mistakes
    return found


@pytest.mark.parametrize(
    ("raw", "place", "code"),
    [
        (b"", "", "file_empty"),
        (b" \n", "", "file_empty"),
        (b"\xff\xfe", "byte 0", "file_not_utf8"),
        (b"a: 1\nb: 2\na: 3\n", "3:1", "file_not_yaml"),
        (b"a: &x 1\nb: *x\n", "2:4", "file_not_yaml"),
        (b"a: [1, 2\n", "2:1", "file_not_yaml"),
        (b"a: !!python/object/apply:os.system [ls]\n", "1:4", "file_not_yaml"),
        (b"1: a\n", "1:1", "file_not_yaml"),
        (b"a: \x00\n", "", "file_not_yaml"),
        (b"--- a\n--- b\n", "2:1", "file_not_yaml"),
        (b'{"a": 1, "a": 2}', "", "duplicate_key"),
        (b'{"a": NaN}', "", "file_not_json"),
        (b'{"a": 1,, "b"}', "1:9", "file_not_json"),
        (b"[" * 200_000, "", None),
        (b'{"a":' * 200_000, "", "too_deep"),
        (b" " * (MAX_BYTES + 1), "", "file_too_large"),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_what_is_not_a_document_is_refused_with_its_place(raw, place, code):
    found = refusal(raw)

    assert found.message
    assert sentence(found, "en") != found.message
    if code is not None:
        assert (found.place, found.code) == (place, code)


def test_yaml_words_stay_words():
    """`on`, `no` and `21:00` are not flags and numbers in a flow file."""
    assert read_bytes(b"on: no\nhours: 21:00-08:00\nat: 21:00\nday: 2026-08-01\nn: 010\nx: 1.5\ny: true\nz:\n") == {
        "on": "no",
        "hours": "21:00-08:00",
        "at": "21:00",
        "day": "2026-08-01",
        "n": "010",
        "x": 1.5,
        "y": True,
        "z": None,
    }


def test_a_flow_mapping_of_yaml_may_begin_with_a_brace():
    assert read_bytes(b"{a: 1, b: [x, y]}") == {"a": 1, "b": ["x", "y"]}


def test_a_byte_order_mark_does_not_matter():
    assert read_bytes(b"\xef\xbb\xbfa: 1") == {"a": 1}


@pytest.mark.parametrize("slug", names())
def test_yaml_and_json_of_one_flow_are_one_version(slug):
    from_yaml = read(read_bytes(source(slug).encode()))
    from_json = read(read_bytes(json.dumps(tree(slug), indent=2).encode()))

    assert from_yaml.sha256 == from_json.sha256


def test_a_file_is_read_and_a_missing_one_is_a_mistake(tmp_path):
    (tmp_path / "f.yaml").write_text("a: é", encoding="utf-8")

    assert read_file(tmp_path / "f.yaml") == {"a": "é"}
    with pytest.raises(InvalidDocument) as refused:
        read_file(tmp_path / "none.yaml")
    assert refused.value.mistakes[0].code == "file_unreadable"


PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False, width=32)
    | st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc"]), max_size=12)
    | st.sampled_from(["on", "no", "yes", "21:00", "1d", "null", "~", "2026-08-01", "0x1f", "1e3", "<<", "otherwise"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(alphabet="abcé_", min_size=1, max_size=4), inner, max_size=3)
    ),
    max_leaves=10,
)


@settings(deadline=None, max_examples=100)
@given(st.dictionaries(st.sampled_from(["on", "a", "b"]), PLAIN, min_size=1))
def test_any_tree_reads_back_the_same_from_json_and_from_yaml(value):
    from_json = read_bytes(json.dumps(value).encode())
    from_yaml = read_bytes(yaml.safe_dump(value, allow_unicode=True).encode())

    assert digest(from_json) == digest(value)
    assert digest(from_yaml) == digest(value)


@settings(deadline=None)
@given(st.binary(max_size=60))
def test_no_bytes_make_it_raise_anything_else(raw):
    with suppress(InvalidDocument):
        read_bytes(raw)
