"""What leads and authors write is shown as what it is: text. No page grows an element, an attribute or a place from it."""

import json
from html.parser import HTMLParser
from urllib.parse import quote
from xml.etree import ElementTree as ET

import pytest_asyncio

from engine.core.permissions import Role
from engine.services import channels, publish
from tests.services.small_flow import small
from tests.services.work import settle
from tests.web.conftest import ACTOR
from tests.web.hostile_bodies import NASTY, said, whole

MARK = "xevil"
BREAKS = (
    f"<{MARK} on{MARK}=1>", f"\"><{MARK} on{MARK}='1'>", f"' on{MARK}='1", f'" on{MARK}="1', f"</title><{MARK}>", f"--><{MARK}>",
    f"</script><{MARK}>", f"</textarea><{MARK}>", f"]]><{MARK}/>", f"`on{MARK}=1`", f"{{{{ '{MARK}' * 7 }}}}", f"{{% raw %}}<{MARK}>",
    f"javascript:{MARK}()", f"&lt;{MARK}&gt;", f"\u202e<{MARK}>\u200b", f"<sv\u0000g/onload={MARK}>", f"<!--<{MARK}>",
)  # fmt: skip


class Elements(HTMLParser):
    """Every element, with what is suspicious about it."""

    def __init__(self) -> None:
        super().__init__()
        self.odd: list[object] = []

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        inline = [name for name in given if name.startswith("on") or name == "style"]
        places = [given[name] or "" for name in ("href", "src", "action", "hx-get", "hx-post") if name in given]
        if tag == MARK or inline or (tag in ("script", "base", "iframe", "object") and "src" not in given):
            self.odd.append((tag, attrs))
        if any(place.strip().lower().startswith(("javascript:", "data:", "//")) for place in places):
            self.odd.append((tag, attrs))


def odd(html: str) -> list[object]:
    reader = Elements()
    reader.feed(html)
    return reader.odd


def author(text: str) -> dict[str, object]:
    """A flow whose author puts a text wherever one may stand."""
    tree = json.loads(json.dumps(small(title=text, slug="hostil")))
    tree["actions"]["oi"] |= {"text": text, "label": text}
    tree["states"]["NOVO"] |= {"label": text, "note": text, "waiting_for": text}
    tree["events"]["msg_recebida"]["label"] = text
    tree["transitions"][0] |= {"label": text}
    tree["context"]["nota"] = {"type": "text", "default": text, "label": text}
    return tree


@pytest_asyncio.fixture
async def admin(signed_in):
    return await signed_in(Role.ADMIN)


async def test_sec_s15_what_leads_write_and_call_themselves_stays_text_on_every_page(admin, stranger, runtime, flow):
    phone = await channels.add(runtime, "phone", "Telefone", ACTOR, flow=flow)
    for number, text in enumerate((*BREAKS, *NASTY)):
        body = said(id=f"m{number}", contact=f"55419{number:08}", name=text, text=text)
        response = await stranger.client.post(f"/hooks/wa/{phone.token}", content=whole(body))
        assert response.status_code == 200
    runtime.clock.advance(6_000)
    await settle(runtime)
    people = await runtime.store.read(lambda tx: tx.rows("SELECT id FROM conversation ORDER BY id"))
    assert len(people) > len(BREAKS)

    pages = [
        "/live",
        "/settings/understanding",
        *(f"/live?state=NOVO&q={quote(text, errors='replace')}" for text in BREAKS),
    ]
    pages += [f"/conversations/{row['id']}{more}" for row in people for more in ("", "?tab=log&msg=1", "?tab=facts")]
    for path in pages:
        response = await admin.get(path)
        assert response.status_code == 200, path
        assert odd(response.text) == [], path
        assert MARK in response.text or "/conversations/" in path
        assert "7" * 7 not in response.text
    for number, text in enumerate(BREAKS):
        cookie = quote(f"55419{number:08}|{quote(text, safe='')}", safe="|%")
        response = await stranger.get(f"/phone/{phone.token}", headers={"cookie": f"trilho_phone={cookie}"})
        assert (response.status_code, odd(response.text)) == (200, [])


async def test_sec_s15_what_authors_write_stays_text_in_the_editor_and_in_drawings(admin, runtime):
    """A text that no flow may hold is refused; every other is only a text."""
    await publish.publish_tree(runtime, author("Tudo bem"), "", ACTOR)
    pages = ("/flows", "/flows/hostil/draft", "/flows/hostil/draft?sel=s:NOVO", "/flows/hostil/draft?sel=t:t1&view=table",
             "/flows/hostil/publish", "/flows/hostil/versions", "/settings/understanding?flow=hostil",
             "/settings/timing?flow=hostil")  # fmt: skip
    for text in BREAKS:
        tree = author(text)
        await runtime.store.write("draft", lambda tx, tree=tree: _overwrite(tx, tree))
        if "\0" in text:
            assert (await admin.get("/flows/hostil/draft")).status_code == 422
            continue
        for path in pages:
            response = await admin.get(path)
            assert response.status_code == 200, (path, text)
            assert odd(response.text) == [], (path, text)
            assert MARK in response.text, (path, "the text is not there at all")
        drawing = await admin.get("/flows/hostil/diagram.svg")
        names = {element.tag.rpartition("}")[2] for element in ET.fromstring(drawing.text).iter()}
        assert not names & {MARK, "script", "foreignObject", "image"}, text


async def test_sec_s15_what_a_connection_is_called_and_what_it_sends_stays_text(admin, stranger, runtime, flow):
    names = [text for text in BREAKS if text.isprintable()]
    for number, text in enumerate(names):
        values = {"instance": text, "number": text}
        added = await channels.add(runtime, "evolution", f"{number} {text}", ACTOR, flow=flow, values=values)
        body = json.dumps({"event": text, "instance": text})
        assert (await stranger.client.post(f"/hooks/wa/{added.token}", content=body)).status_code == 200
        assert (await stranger.client.post(f"/hooks/wa/{added.token}", content=f'{{"{text}')).status_code == 400
    bodies = await runtime.store.read(lambda tx: tx.rows("SELECT id FROM webhook WHERE verdict <> 'parsed'"))
    assert len(bodies) == 2 * len(names) > 20

    pages = ["/settings/channels", "/settings/webhooks", "/settings/channels/1", "/settings/channels/1/remove"]
    for path in (*pages, *(f"/settings/webhooks/{row['id']}" for row in bodies)):
        response = await admin.get(path)
        assert response.status_code == 200, path
        assert odd(response.text) == [], path
        assert MARK in response.text, path


def _overwrite(tx, tree) -> None:
    tx.run("UPDATE flow SET draft = :text, revision = revision + 1 WHERE slug = 'hostil'", text=json.dumps(tree))
