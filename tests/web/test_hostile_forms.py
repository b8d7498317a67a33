"""Forms that nobody's page would send: always an answer below 500, and a draft that still reads as a flow (SEC-S5)."""

from urllib.parse import quote, urlencode

import pytest

from engine.core.permissions import Role
from engine.core.rule_sentences import KINDS
from engine.services import channels, edit, sources
from tests.web.conftest import ACTOR

DIGITS = "9" * 6_000
WORDS = (
    "", " ", "\x00", "é", "💩", "\ud83d", "a\r\nX-Evil: 1", "\u202e", "<script>alert(1)</script>", "{{7*7}}", "{% raw %}", "-1",
    "x" * 21_000, "[" * 20_000, DIGITS, "__proto__", "NOVO", "t1", "*", "@previous", "null", "1 or 1", "toques > 1e400",
    "toques > " + DIGITS, "(" * 1_000, "99999999999999999999 d", "4h", "٤ h", '["a"]', '"\\ud800"',
)  # fmt: skip
STATE_FIELDS = ("name", "deadline", "resting", "look", "note", "__class__", "")
ARROW_FIELDS = ("from", "on", "when", "do", "set", "id", "")
REPAIRS = (
    "[]", "{}", "[[]]", '[{"op": []}]', '[{"op": "set_state"}]', '[{"op": "set_state", "id": [], "field": {}, "value": 1}]',
    '[{"op": "set_state", "id": "NOVO", "field": "note", "value": "\\ud800"}]', '[{"op": "delete_state", "id": null}]',
    '[{"op": "set_state", "id": "NOVO", "field": "note", "value": NaN}]', '[{"op": "add_state", "id": {}, "fields": []}]',
    '[{"op": "add_state", "id": "\\u0000", "fields": {"kind": 7}}]', '[{"op": "add_transition", "fields": []}]',
    '[{"op": "add_transition", "fields": {"from": [], "on": {}, "to": 1}}]', '[{"op": "rename_state", "id": "NOVO", "name": 7}]',
    '[{"op": "set_transition", "id": "t1", "field": "do", "value": {"a": 1}}]', '[{"op": "restore"}]', "[" * 20_000,
    '[{"op": "set_action", "id": "oi", "field": "text", "value": ' + "[" * 900 + "]" * 900 + "}]", "[" + DIGITS + "]",
    '[{"op": "set_state", "id": "NOVO", "field": "note", "value": ' + "9" * 4_000 + "}]",
    '[{"op": "add_phrase"}]', '[{"op": "add_phrase", "event": [], "phrase": {}, "among": 1, "at": "x"}]',
    '[{"op": "delete_phrase", "event": "msg_recebida", "phrase": null}]', '[{"op": "add_understanding", "rule": {"any": 7}, "at": -1}]',
    '[{"op": "add_rule"}]', '[{"op": "add_rule", "rule": {"never": [], "after": 7}, "at": 1e99}]', '[{"op": "set_rule", "id": {}}]',
    '[{"op": "set_rule", "id": 0, "was": [[]], "value": {"echo": "9"}}]', '[{"op": "delete_rule", "id": null, "was": "x"}]',
    '[{"op": "add_understanding", "rule": {"event": [], "any": [[]]}, "at": 1e99}]', '[{"op": "add_understanding", "rule": []}]',
)  # fmt: skip
FORM = {"content-type": "application/x-www-form-urlencoded"}
HTMX = {"hx-request": "true"}


async def failures(person, path: str, forms: list[dict[str, object]]) -> list[tuple[str, object]]:
    """The forms that were answered with a 5xx."""
    found = []
    for number, form in enumerate(forms):
        told = urlencode({"_csrf": person.csrf, **form}, errors="surrogatepass")
        response = await person.client.post(path, content=told, headers=FORM | (HTMX if number % 2 else {}))
        if response.status_code >= 500:
            found.append((path, form))
        assert "x-evil" not in response.headers
    return found


async def sound(runtime, slug: str) -> None:
    """The draft is still one."""
    assert (await edit.opened(runtime, slug)).flow.states


def changes(fields: tuple[str, ...]) -> list[dict[str, object]]:
    """Every value in a field and beside it."""
    return [{"field": f, "value": word, "seen": word, "revision": word, "view": word} for f in fields for word in WORDS]


async def test_no_value_of_a_field_of_a_rule_is_a_defect(editor, runtime, flow):
    """Of a new rule in each of its forms, and of one that is changed or taken away."""
    forms = [
        {"form": kind, "after": word, "action": word, "event": word, "states": word, "unless": word, "n": word,
         "wait": word, "seen": word, "of": word, "revision": word}
        for kind in (*KINDS, "x") for word in WORDS
    ]  # fmt: skip
    whole = [{"rule": word} for word in (*WORDS, *REPAIRS)] + [
        {"value": word, "seen": word} for word in (*WORDS, *REPAIRS)
    ]
    for path in ("rules", "rules/0", "rules/0/delete"):
        assert await failures(editor, f"/flows/{flow}/draft/{path}", [*forms, *whole]) == []
        await sound(runtime, flow)


async def test_no_value_of_a_field_of_a_state_is_a_defect(editor, runtime, flow):
    assert await failures(editor, f"/flows/{flow}/draft/states/CONVERSA", changes(STATE_FIELDS)) == []
    await sound(runtime, flow)


async def test_no_value_of_a_field_of_an_arrow_is_a_defect(editor, runtime, flow):
    assert await failures(editor, f"/flows/{flow}/draft/transitions/t2", changes(ARROW_FIELDS)) == []
    await sound(runtime, flow)


async def test_no_text_of_a_message_is_a_defect(editor, runtime, flow):
    forms = [{"field": field, "value": word, "sel": word, "view": word} for word in WORDS for field in ("text", word)]

    assert await failures(editor, f"/flows/{flow}/draft/actions/oi", forms) == []
    await sound(runtime, flow)


async def test_no_piece_of_a_message_is_a_defect(editor, runtime, flow):
    words = [word for word in WORDS if len(word) < 20_000]
    kinds = ("buttons", "rows", "parts", "media", "opener", "header")
    forms = [
        {"field": kind + tail, "value": [word] * count, "seen": word, "do": do, "revision": word}
        for kind in kinds for tail in ("", ".0", ".x") for word in words[::3] for count, do in ((1, "add"), (3, "up"), (2, word))
    ]  # fmt: skip
    for path in ("", "/pieces", "/preview"):
        assert await failures(editor, f"/flows/{flow}/draft/actions/oi{path}", forms[::4]) == []
        await sound(runtime, flow)


async def test_nothing_new_is_a_defect(editor, runtime, flow):
    words = [word for word in WORDS if len(word) < 20_000]
    states = [{"name": word, "look": word, "deadline": word, "view": word} for word in words]
    arrows = [{"from": word, "on": word, "to": word, "when": word, "do": word, "view": word} for word in words]
    arrows += [{"from": "NOVO", "on": "timeout", "to": "FIM", "when": word} for word in words]

    assert await failures(editor, f"/flows/{flow}/draft/states", states) == []
    assert await failures(editor, f"/flows/{flow}/draft/transitions", arrows) == []
    await sound(runtime, flow)


async def test_no_repair_that_a_page_never_offered_is_a_defect(editor, runtime, flow):
    forms = [{"fix": fix, "sel": word, "view": word, "revision": word} for fix in REPAIRS for word in ("", "é\r\n💩")]
    forms += [{"fix": "[]", "revision": word} for word in WORDS]

    assert await failures(editor, f"/flows/{flow}/draft/fixes", forms) == []
    await sound(runtime, flow)


async def test_nothing_that_undoes_renames_copies_or_deletes_is_a_defect(editor, runtime, flow):
    steps = [{"step": word, "anyway": word, "view": word} for word in WORDS]
    await editor.post(f"/flows/{flow}/draft/states/NOVO", {"field": "deadline", "value": "4 h"})
    draft = f"/flows/{flow}/draft"
    for path, forms in (
        ("undo", [*steps, {"step": "1", "leave": "x"}]),
        ("redo", steps),
        ("names/event/msg_recebida", [{"value": word, "view": word} for word in WORDS]),
        ("names/field/toques", [{"value": word} for word in WORDS]),
        (
            "states/FIM/delete",
            [{"decided": "1", "all": word, "to-t2": word, f"to-{word[:50]}": word} for word in WORDS],
        ),
        ("states/CONVERSA/copy", [{"view": word} for word in WORDS]),
        ("copy", [{"state": word, "view": word} for word in WORDS]),
        ("paste", [{"view": word} for word in WORDS[:3]]),
        ("presence", [{}]),
        ("actions/oi/preview", [{"field": f, "value": word} for word in WORDS for f in ("text", "buttons", word)]),
    ):
        assert await failures(editor, f"{draft}/{path}", forms) == [], path
        await sound(runtime, flow)


async def test_no_note_of_a_version_and_no_preference_is_a_defect(editor, flow):
    notes = [{"note": word, "revision": word, "move": word} for word in WORDS]
    choices = [{"back": word, "theme": word, "language": word} for word in WORDS]

    assert await failures(editor, f"/flows/{flow}/publish", notes) == []
    assert await failures(editor, "/preferences", choices) == []


async def test_no_form_of_the_settings_is_a_defect(signed_in, runtime, flow):
    admin = await signed_in(Role.ADMIN)
    number = (await channels.add(runtime, "evolution", "Loja", ACTOR, flow=flow)).id
    source = (await sources.add(runtime, "hotmart", "Hotmart", flow, ACTOR)).id
    keys = [{"kind": "evolution", "platform": "hotmart", "name": w, "flow": w, "key.instance": w, "key.max_body": w,
             "key.base_url": w, "key.api_key": w, "key.hottok": w, "drop.api_key": w} for w in WORDS]  # fmt: skip
    keys += [{"kind": word, "platform": word, "name": f"n{n}"} for n, word in enumerate(WORDS)]
    chosen = [{"outcome": "pix", "value": word, "seen": word} for word in WORDS] + [{"outcome": word} for word in WORDS]
    phrases = [{"event": e, "phrase": word, "among": a, "at": word, "do": do, "digest": word, "text": word, "fix": word}
               for word in WORDS for e, a, do in (("msg_recebida", "any", "add"), (word, word, "delete"))]  # fmt: skip
    waits = [{"field": f, "quiet": w, "ceiling": w, "human_pause": w, "max_age": w, "begin": w, "end": w, "seen": w,
              "revision": w} for w in WORDS for f in ("debounce", "human_pause", "max_age", "quiet_hours", w)]  # fmt: skip
    for path, forms in (
        ("channels", keys), (f"channels/{number}", keys), ("payments", keys), (f"payments/{source}", keys),
        (f"payments/{source}/events", chosen), (f"understanding/{flow}/phrases", phrases),
        (f"understanding/{flow}/review", phrases), (f"understanding/{flow}/test", phrases[::2]),
        (f"understanding/{flow}/undo", [{"step": w} for w in WORDS]),
        (f"understanding/{flow}/priority", [{"event": "msg_recebida", "value": w, "seen": w} for w in WORDS]),
        (f"timing/{flow}", waits),
    ):  # fmt: skip
        assert await failures(admin, f"/settings/{path}", forms) == []
    for path in ("channels", "payments", "webhooks", "understanding", "timing"):
        assert (await admin.get(f"/settings/{path}")).status_code == 200
    await sound(runtime, flow)


async def test_no_sign_in_is_a_defect(stranger):
    forms = [{"email": word, "password": word, "next": word, "name": word} for word in WORDS]

    assert await failures(stranger, "/login", forms[:12]) == []
    assert await failures(stranger, "/setup/x", forms) == []


async def test_no_address_is_a_defect(editor, flow):
    odd = [quote(word, errors="surrogatepass") for word in WORDS if len(word) < 2_000] + ["9" * 30, "-1"]
    places = (
        "/flows/{}/draft", "/flows/{}/publish", f"/flows/{flow}/draft?sel={{}}&view={{}}", f"/flows/{flow}/versions/{{}}",
        f"/flows/{flow}/draft/states/{{}}", f"/flows/{flow}/draft/transitions/{{}}", "/login?next={}", "/setup/{}",
        "/settings/understanding?flow={}", "/settings/timing?flow={}", f"/flows/{flow}/draft/transitions/new?from={{}}&view={{}}", f"/flows/{flow}/diagram.svg?version={{}}", "/static/{}",
    )  # fmt: skip
    answers = {place.replace("{}", word): 0 for place in places for word in odd}
    for path in answers:
        answers[path] = (await editor.get(path)).status_code

    assert {path: status for path, status in answers.items() if status >= 500} == {}


@pytest.mark.parametrize("kind", ["multipart/form-data; boundary=x", "multipart/form-data", "text/plain", ""])
async def test_no_shape_of_a_form_is_a_defect(editor, stranger, kind):
    odd = b'--x\r\nContent-Disposition: form-data; name="_csrf"\r\nContent-Type: text/plain; charset=nope\r\n\r\n\xff\r\n--x--'
    for raw in (
        odd,
        odd.replace(b"nope", b"utf-16"),
        odd.replace(b"nope", b"ascii"),
        b"--x",
        b"\xff%ff&=&%",
        b"&" * 90_000,
    ):
        for who, path in ((editor, "/preferences"), (stranger, "/login")):
            response = await who.client.post(path, content=raw, headers={"content-type": kind})
            assert response.status_code in (400, 403, 413, 422, 429), raw[:40]
