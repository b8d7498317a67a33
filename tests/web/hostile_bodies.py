"""Bodies that mean harm, as they would come over the wire: each with the door it knocks at and the one right answer."""

import gzip
import hashlib
import hmac
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.payload_files import load
from tests.services.shop import enveloped

SECRET, HOTTOK = "segredo do aplicativo", "token da plataforma"
BIG = "9" * 400
HALF = b'"\\ud83d"'
NASTY = (
    "\x00", "a\x00b", "\ud83d", "\udc00\ud800", "\u202egnp.exe", "\u200b\u2060", "\ufeff", "\ufffe\uffff",
    "👩‍👩‍👧‍👦" * 700, "e" + "\u0301" * 5_000, "x" * 100_000, "{{7*7}} {{config}} {% raw %}", "<script>alert(1)</script>",
    "'; DROP TABLE log; --", "%s %n {0} ${jndi:ldap://x}", "\r\nSet-Cookie: a=b", "\x1b[2J", "__proto__", "NaN", "ﷺ" * 4_097,
)  # fmt: skip
"""Texts that a person or a machine may put wherever a text may stand."""
WRONG: tuple[Any, ...] = (None, True, -1, 1 << 63, 1 << 70, 1.5, "", "x", [], [[]], {}, {"id": {}}, {"": ""}, "x" * 300)
"""Values of the wrong kind or size."""


@dataclass(frozen=True)
class Post:
    """One request; `door` is phone, cloud, evolution or payment; `status` the answer that is right."""

    name: str
    door: str
    raw: bytes
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


def signed(raw: bytes, secret: str = SECRET) -> dict[str, str]:
    """The header by which the Cloud API proves a body."""
    return {"x-hub-signature-256": "sha256=" + hmac.new(secret.encode(), raw, hashlib.sha256).hexdigest()}


def proof(door: str, raw: bytes) -> dict[str, str]:
    """What a door wants to see; two of them want nothing but the right address."""
    return signed(raw) if door == "cloud" else {"x-hotmart-hottok": HOTTOK} if door == "payment" else {}


def proved(name: str, door: str, raw: bytes, status: int = 200) -> Post:
    return Post(name, door, raw, status, proof(door, raw))


def said(**more: object) -> dict[str, Any]:
    """A message of the built-in phone."""
    return {"id": "fone.1", "contact": "5541900000001", "text": "oi", **more}


def written(
    text: object, ident: object = "wamid.1", sender: object = "5541900000002", **more: object
) -> dict[str, Any]:
    """A message of the Cloud API."""
    message = {"from": sender, "id": ident, "timestamp": "1764500000", "type": "text", "text": {"body": text}, **more}
    return enveloped({"contacts": [{"profile": {"name": text}, "wa_id": sender}], "messages": [message]})


def whole(tree: object) -> bytes:
    return json.dumps(tree).encode()


def unreadable() -> Iterator[Post]:
    """No JSON object, or none that ends: 400, whatever the door (once the sender is proved)."""
    deep = b'{"a":' * 40 + b"1" + b"}" * 40
    bodies: dict[str, bytes] = {
        "empty": b"", "space": b" \n", "html": b"<html><body>502 Bad Gateway</body></html>", "cut": b'{"id": "a", "tex',
        "array": b"[{}]", "text": b'"oi"', "number": b"7", "null": b"null", "NaN": b'{"id": NaN}', "half and NaN":
        b'{"a": ' + HALF + b', "b": NaN}', "Infinity": b'{"at": -Infinity}', "1e400": b'{"at": 1e400}', "half and 1e400":
        b'{"a": ' + HALF + b', "at": 1e400}', "5000 digits": b'{"at": ' + b"1" * 5_000 + b"}", "half and 5000 digits":
        b'{"a": ' + HALF + b', "at": ' + b"1" * 5_000 + b"}", "deep objects": deep, "deep arrays": b'{"a":' + b"[" * 40 +
        b"]" * 40 + b"}", "very deep": b"[" * 100_000, "very deep objects": b'{"a":' * 40_000, "half and deep": b'{"h":' +
        HALF + b',"a":' + b"[" * 40 + b"]" * 40 + b"}", "NUL": b"\x00" * 100, "UTF-16": '{"id": "a"}'.encode("utf-16"),
        "latin-1": b'{"id": "\xe9"}', "overlong": b'{"id": "\xc0\x80"}', "raw half": b'{"id": "\xed\xa0\xbd"}',
        "two objects": b"{}{}", "comment": b"{/* */}", "single quotes": b"{'id': 1}", "form": b"id=1&text=oi",
        "gzip": gzip.compress(b'{"id": "a"}'), "two marks": b"\xef\xbb\xbf\xef\xbb\xbf{}", "trailing": b'{"id": 1},',
    }  # fmt: skip
    for door in ("phone", "cloud", "evolution", "payment"):
        for name, raw in bodies.items():
            yield proved(f"{door}: {name}", door, raw, 400)


def readable() -> Iterator[Post]:
    """JSON objects with anything in them: answered 2xx and kept, for a message, for an operator or for nobody."""
    for door in ("phone", "cloud", "evolution", "payment"):
        for name, raw in {
            "nothing": b"{}",
            "mark": b"\xef\xbb\xbf{}",
            "keys": b'{"__proto__": {"a": 1}, "": 1}',
        }.items():
            yield proved(f"{door}: {name}", door, raw)
        yield proved(f"{door}: twice the key", door, b'{"id": 1, "id": 2, "event": [], "event": {}}')
        yield proved(f"{door}: half a pair and a long number", door, b'{"a": %s, "b": %s}' % (HALF, b"8" * 4_000))
    for number, text in enumerate(NASTY):
        yield proved(
            f"phone: text {number}",
            "phone",
            whole(said(id=f"fone.t{number}", text=text, name=text, contact=f"554190001{number:04}")),
        )
        yield proved(f"phone: id {number}", "phone", whole(said(id=text)))
        yield proved(
            f"cloud: text {number}", "cloud", whole(written(text, f"wamid.t{number}", f"554190002{number:04}"))
        )
        yield proved(f"cloud: names {number}", "cloud", whole(written("oi", text, text)))
    for number, value in enumerate(WRONG):
        for key in ("id", "contact", "text", "name", "button_id", "at"):
            yield proved(f"phone: {key} {number}", "phone", whole(said(**{"id": f"fone.w{number}{key}", key: value})))
        yield proved(f"cloud: message {number}", "cloud", whole(enveloped({"messages": value, "contacts": value})))
        yield proved(f"cloud: status {number}", "cloud", whole(enveloped({"statuses": [value, {"id": value}]})))
        yield proved(f"evolution: data {number}", "evolution", whole({"event": "messages.upsert", "data": value}))
    yield from somewhere("payment", "hotmart/purchase_approved_pix.json", _purchase)
    yield from somewhere("evolution", "evolution/in/upsert_text_with_quote.json", lambda tree: [tree["data"]])
    text = load("whatsapp_cloud/in/text.json")
    yield from somewhere("cloud", "whatsapp_cloud/in/text.json", lambda t: [_value(t), _value(t)["messages"][0]])
    _value(text)["messages"] = [{**_value(text)["messages"][0], "id": f"wamid.n{n}"} for n in range(1_000)]
    yield proved("cloud: a thousand messages", "cloud", whole(text))


def somewhere(door: str, name: str, holders: Callable[[Any], list[dict[str, Any]]]) -> Iterator[Post]:
    """A real body with a number that is too long in each place, spelled in four ways."""
    spellings = (BIG, '"1E+999999"', f'{{"low": 1, "high": {BIG}}}', f'"{BIG}"')
    for at in range(len(holders(load(name)))):
        for key in holders(load(name))[at]:
            for number, spelling in enumerate(spellings):
                tree = load(name)
                holders(tree)[at][key] = "@@"
                raw = json.dumps(tree).replace('"@@"', spelling).encode()
                yield proved(f"{door}: {at} {key} as number {number}", door, raw)


def unproved() -> Iterator[Post]:
    """Whatever they bring, without the right proof they are strangers: 401."""
    raw = whole(written("oi"))
    good = signed(raw)["x-hub-signature-256"]
    proofs = {
        "none": None, "empty": "", "upper case": good.upper(), "upper digits": "sha256=" + good[7:].upper(), "no prefix":
        good[7:], "sha1": good.replace("sha256", "sha1"), "cut": good[:-1], "longer": good + "0", "spaces": f" {good} x",
        "another secret": signed(raw, "outro")["x-hub-signature-256"], "no secret": signed(raw, "")["x-hub-signature-256"],
        "another body": signed(raw + b" ")["x-hub-signature-256"], "not hex": "sha256=" + "é" * 64, "zeros": "sha256=" +
        "0" * 64, "two": f"{good},{good}", "list": f"['{good}']", "very long": "sha256=" + "a" * 60_000,
    }  # fmt: skip
    for name, given in proofs.items():
        headers = {} if given is None else {"x-hub-signature-256": given}
        yield Post(f"cloud: {name}", "cloud", raw, 401, {k: v.encode() for k, v in headers.items()})  # type: ignore[misc]  # bytes: not all is ASCII
    yield Post("cloud: unreadable and unproved", "cloud", b"{", 401)
    notice = whole({"id": "1", "event": "PURCHASE_APPROVED", "data": {}})
    for number, given in enumerate(("", "x", HOTTOK.upper(), HOTTOK + "x", f"{HOTTOK},{HOTTOK}", "é" * 50, ",")):
        yield Post(f"payment: {number}", "payment", notice, 401, {"x-hotmart-hottok": given.encode()})  # type: ignore[dict-item]  # raw bytes
    for number, value in enumerate((None, "", [HOTTOK], {"a": HOTTOK}, True, "\ud83d")):
        yield Post(f"payment: in the body {number}", "payment", whole({"hottok": value}), 401)
    yield Post("payment: unreadable and unproved", "payment", b"<html>", 401)


def _value(tree: Any) -> dict[str, Any]:
    value: dict[str, Any] = tree["entry"][0]["changes"][0]["value"]
    return value


def _purchase(tree: Any) -> list[dict[str, Any]]:
    data = tree["data"]
    purchase = data["purchase"]
    return [tree, data["buyer"], data["product"], purchase, purchase["price"], purchase["payment"]]
