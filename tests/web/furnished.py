"""An installation in which every place that takes words of people has some: whatever a page shows comes from here.

Words are handed out in turn by `Words`, so that a corpus of hundreds reaches every place within one installation.
"""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.core.errors import Refused
from engine.core.inbound import Message, Person
from engine.core.platform_templates import Template
from engine.runtime import Runtime
from engine.services import (
    accounts,
    canned,
    channels,
    contact_files,
    noting,
    own_files,
    publish,
    receive,
    replay_jobs,
    saved_tests,
    sources,
)
from engine.services.simulator import runs
from engine.services.simulator.steps import Step
from engine.services.take_file import Attached, files
from engine.store import collisions, contacts, inbox, media, media_pieces, templates
from tests.core.test_picture_size import png
from tests.payload_files import load, names
from tests.services.small_flow import small
from tests.services.work import settle
from tests.web.conftest import ACTOR
from tests.web.hostile_bodies import HOTTOK, SECRET, proof

SLUG = "hostil"
PRETENDING = "Ana \u202egnp.exe\u200b Lima"
"""What one of the customers calls herself."""
SPOKEN = {
    "body", "name", "text", "title", "caption", "filename", "description", "formatted_name", "first_name", "pushName",
    "conversation", "profile_name", "selectedDisplayText", "displayText", "fileName", "address", "emoji", "note", "headline",
}  # fmt: skip
"""Keys of recorded bodies under which people's own words stand."""


@dataclass
class Words:
    """Hands texts out in turn, as many at once as fit."""

    texts: Sequence[str]
    at: int = 0

    def __call__(self, room: int = 110) -> str:
        """The next ones, joined, at least one of them."""
        taken = self._next()
        while len(taken) + 1 + len(self.texts[self.at % len(self.texts)]) <= room:
            taken += " " + self._next()
        return taken

    def line(self, room: int = 110) -> str:
        """As `()`, for what has to be printable."""
        return "".join(c if c.isprintable() else " " for c in self(room))

    def _next(self) -> str:
        self.at += 1
        return self.texts[(self.at - 1) % len(self.texts)]


@dataclass(frozen=True)
class Furnished:
    """Where things stand, for the addresses to which no page leads by a link."""

    addresses: tuple[str, ...]
    conversation: int
    job: str


def authored(w: Words, slug: str = SLUG) -> dict[str, Any]:
    """A flow whose author puts words wherever some may stand."""
    tree: dict[str, Any] = json.loads(json.dumps(small(title=w(), slug=slug)))
    tree["actions"]["oi"] |= {"text": w(900), "label": w()}
    tree["actions"]["menu"] = {
        "kind": "send",
        "text": w(900),
        "label": w(),
        "buttons": [{"id": "a", "title": w.line(20)}],
    }
    tree["states"]["NOVO"] |= {"label": w(), "note": w(900), "waiting_for": w()}
    tree["states"]["CONVERSA"] |= {"label": w(), "note": w(900)}
    tree["events"]["msg_recebida"]["label"] = w()
    tree["events"]["quer"] = {"source": "message", "falls_back_to": "msg_recebida", "label": w()}
    tree["events"]["pagamento_aprovado"] = {"source": "payment", "label": w()}
    tree["understanding"] = [{"event": "quer", "any": [w(100) for _ in range(4)]}]
    tree["transitions"][0] |= {"label": w(), "do": ["oi", "menu"]}
    tree["transitions"].append({"id": "t5", "from": "CONVERSA", "on": "quer", "to": "CONVERSA", "do": ["menu"]})
    tree["transitions"].append({"id": "t6", "from": "CONVERSA", "on": "pagamento_aprovado", "to": "FIM"})
    tree["rules"] = [{"at_most": 5, "do": "oi", "note": w(200)}]
    tree["context"]["nota"] = {"type": "text", "default": w(200), "label": w()}
    return tree


def spoken(body: Any, w: Words) -> Any:
    """A recorded body with words in each place where people's own stand."""
    if isinstance(body, dict):
        return {k: w() if k in SPOKEN and isinstance(v, str) else spoken(v, w) for k, v in body.items()}
    return [spoken(one, w) for one in body] if isinstance(body, list) else body


async def furnish(runtime: Runtime, w: Words) -> Furnished:
    """Everything that pages show. Bodies that nobody can use are kept as such, which is a page too."""
    for _ in range(2):
        await publish.publish_tree(runtime, authored(w), w(300), ACTOR)
    draft = authored(w)
    draft["states"]["SOBRA"] = {"label": w(), "deadline": "1d"}  # nobody comes here: the draft has something to find
    text = json.dumps(draft)
    await runtime.store.write("d", lambda tx: tx.run("UPDATE flow SET draft = :t, revision = revision + 1", t=text))
    phone = await channels.add(runtime, "phone", w.line(60), ACTOR, flow=SLUG)
    cloud = {"app_secret": SECRET, "access_token": "t", "verify_token": "v", "phone_number_id": "100000000000001"}
    number = await channels.add(
        runtime, "whatsapp_cloud", w.line(60), ACTOR, flow=SLUG, values={**cloud, "waba_id": "1"}
    )
    own = {"instance": "loja-teste", "number": w.line(), "base_url": "https://gateway.example", "api_key": "k" * 20}
    gateway = await channels.add(runtime, "evolution", w.line(60), ACTOR, flow=SLUG, values=own)
    source = await sources.add(runtime, "hotmart", w.line(60), SLUG, ACTOR, values={"hottok": HOTTOK})
    for at in range(12):
        name = w() if at else PRETENDING
        said = {"id": f"f{at}", "contact": f"55419000010{at:02}", "name": name, "text": w(900)}
        await _post(runtime, phone.token, said)
    for folder, door, token in (("whatsapp_cloud/in", "cloud", number.token), ("evolution/in", "", gateway.token)):
        for name in names(folder):
            await _post(runtime, token, spoken(load(name), w), door)
    for name in names("hotmart"):
        raw = json.dumps(spoken(load(name), w)).encode()
        await receive.payment(runtime, source.token, proof("payment", raw), {}, raw)
    await receive.webhook(runtime, phone.token, {}, ("{" + w(900)).encode())
    runtime.clock.advance(6_000)  # type: ignore[attr-defined]  # time stands still in tests
    await settle(runtime)
    conversation = int(await _value(runtime, "SELECT MIN(id) FROM conversation"))
    await runtime.store.write("f", lambda tx: _kept(tx, w, phone.id, conversation))
    await _team(runtime, w, conversation)
    await _people(runtime, w, number.id)
    await _trials(runtime, w)
    invitation = await accounts.invite(runtime, "convite@trilho.test", "readonly", ACTOR, name=w.line(60))
    job = await replay_jobs.begin(runtime, SLUG, ACTOR)
    await asyncio.gather(*replay_jobs._going.values())
    flow, pair = f"/flows/{SLUG}", f"/settings/channels/{gateway.id}/pair"
    return Furnished(
        addresses=(
            f"/phone/{phone.token}", f"/phone/{phone.token}/chat", f"/setup/{invitation}", f"{flow}/draft/nothing",
            f"{flow}/draft/proofs", f"{flow}/diagram.dot", f"{flow}/diagram.mmd", f"{flow}/diagram.pdf",
            f"{flow}/publish/replay/{job}", f"{flow}/draft/rules/0", pair, f"{pair}/state", f"{pair}/qr",
        ),
        conversation=conversation,
        job=job,
    )  # fmt: skip


async def _post(runtime: Runtime, token: str, body: object, door: str = "") -> None:
    raw = json.dumps(body).encode()
    assert (await receive.webhook(runtime, token, proof(door, raw), raw)).status == 200


async def _value(runtime: Runtime, sql: str) -> Any:
    return await runtime.store.read(lambda tx: tx.value(sql))


def _kept(tx: Any, w: Words, channel: int, conversation: int) -> None:
    """Files of each look, one with what was heard in it, in a conversation."""
    contact = tx.value("SELECT contact_id FROM conversation WHERE id = :id", id=conversation)
    looks = (("audio", "audio/ogg"), ("image", "image/png"), ("video", "video/mp4"), ("document", "application/pdf"))
    for kind, mime in looks:
        item = Message(
            provider_id=f"F-{kind}", person=Person(phone="5541900001000"), at=1_764_500_000_000, kind=kind,
            text=w(), media={"filename": w()},
        )  # fmt: skip
        arrived = inbox.Arrived(channel, conversation, contact, item, item.at, ignored="too_old")
        (inbound_id,) = inbox.store(tx, [arrived])
        files(tx, [Attached(inbound_id, item, item.at)])
        for n, piece in media_pieces.cut(b"bytes"):
            media_pieces.write(tx, inbound_id, n, piece)
        heard = {"transcript_state": "ready", "transcript": w(400)} if kind == "audio" else {}
        media.settle(tx, media.of_message(tx, inbound_id), {"state": "kept", "mime": mime, "bytes": 5, **heard})


async def _team(runtime: Runtime, w: Words, conversation: int) -> None:
    """What the team wrote in a conversation: a note, a picture with its caption, and a reply to choose from."""
    await noting.note(runtime, conversation, w(900), "f" * 16, ACTOR)
    name, picture = f"{w.line(60)}.png", png(4, 4)
    await own_files.send_file(runtime, conversation, name, picture, w(400), "e" * 16, ACTOR)
    await canned.change(runtime, 0, "resposta", w(900).replace("{{", "").replace("}}", ""), ACTOR)
    await settle(runtime)


async def _people(runtime: Runtime, w: Words, channel: int) -> None:
    """A file of people, a campaign over them, a question about two, templates of the platform."""
    quoted = w().replace('"', '""')
    text = f'phone;name;tags;optin_proof\n11912345678;"{quoted}";maio;site\n11912345679;x;maio;\nerrado;"{quoted}";;\n=cmd|1;x;;\n'
    number = await contact_files.upload(runtime, f"{w.line(60)}.csv", text.encode(), ACTOR)
    await contact_files.take(runtime, number, w.line(300), ACTOR)
    await contact_files.upload(runtime, f"{w.line(60)}.csv", text.encode(), ACTOR)
    made = Template(
        name="volta_maio", language="pt_BR", status="APPROVED", components=[{"type": "BODY", "text": w(500)}]
    )
    await runtime.store.write("t", lambda tx: templates.put(tx, channel, made, 1))
    await runtime.store.write(
        "c",
        lambda tx: tx.run(
            """INSERT INTO campaign (token, name, flow, channel_id, template, language, params, filter, per_minute,
                 per_day, status, reason, next_at, who, created_at)
               VALUES ('x', :name, 'hostil', :channel, 'volta_maio', 'pt_BR', '[]', '{}', 1, 1, 'paused', 'by_person',
                 1, :who, 1)""",
            name=w.line(),
            channel=channel,
            who=w.line(),
        ),
    )

    def two(tx: Any) -> None:
        one, other = (contacts.find(tx, f"554190000100{n}") for n in (0, 1))
        collisions.put(tx, one, other, "number_change", "5541900001001", runtime.clock.now())

    await runtime.store.write("p", two)


async def _trials(runtime: Runtime, w: Words) -> None:
    """A run of the simulator, a test kept from it."""
    for who in ("admin@trilho.test", "publisher@trilho.test", "marketer@trilho.test"):
        actor = type(ACTOR)(who)
        number = await runs.start(runtime, SLUG, actor)
        run = await runs.opened(runtime, SLUG, number, actor)
        run = await runs.act(runtime, run, Step(kind="message", text=w(300)))
        try:
            await saved_tests.add(runtime, run, await runs.played(run), w.line(70), actor)
        except Refused:  # the same name twice
            continue
