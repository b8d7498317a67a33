"""A shop that can hear: a gateway with files, a transcription service, and a flow, all over real HTTP."""

import json
from typing import Any

from engine.core.canonical import canonical
from engine.core.document import read
from engine.runtime import ManualClock, Runtime
from engine.services import channels, receive, transcription
from engine.services.scenarios.reference import document
from engine.store import flows, media_pieces
from tests.fakes.evolution import FakeEvolution, File
from tests.fakes.transcription import FakeTranscription
from tests.services.shop import ACTOR, ANA
from tests.services.work import settle

TOKEN = "canal-de-voz"
VOICE = b"OggS\x00\x02" + bytes(range(256))


class Voices:
    """What a test does with it. `gateway` and `service` are the two fakes."""

    def __init__(self, runtime: Runtime, gateway: FakeEvolution, service: FakeTranscription) -> None:
        self.runtime, self.gateway, self.service = runtime, gateway, service
        assert isinstance(runtime.clock, ManualClock)
        self.clock = runtime.clock

    async def open(self, *, hears: bool = True, **changes: object) -> "Voices":
        """Publish the flow, connect the gateway and, unless told otherwise, the service."""
        tree = document("venda", {f"settings.{name}": value for name, value in changes.items()})
        text, sha256, now = canonical(tree), read(tree).sha256, self.clock.now()

        def publish(tx: Any) -> None:
            flows.add(tx, slug="venda", title="Venda", text=text, now=now, who="")
            flows.publish(tx, slug="venda", text=text, sha256=sha256, note="", author="", now=now)

        await self.runtime.store.write("setup", publish)
        values = {"instance": self.gateway.instance, "api_key": self.gateway.api_key, "base_url": self.gateway.base_url}
        await channels.add(self.runtime, "evolution", "voz", ACTOR, token=TOKEN, values=values)
        if hears:
            wanted = {"base_url": self.service.url, "key": self.service.key, "timeout": "30"}
            await transcription.set_service(self.runtime, ACTOR, wanted)
        return self

    async def posts(self, body: object) -> None:
        answer = await receive.webhook(self.runtime, TOKEN, {}, json.dumps(body).encode())
        assert answer.status == 200

    async def audio(self, ident: str = "A1", content: bytes = VOICE, words: object = None, who: str = ANA) -> None:
        """A lead speaks: the gateway has the file, the service knows its words."""
        self.gateway.files[ident] = File(content)
        if words is not None:
            self.service.words[content] = words
        await self.posts(self.gateway.audio_from(who, ident, self.clock.now()))

    async def sends(self, ident: str, message: dict[str, object], content: bytes, mime: str = "") -> None:
        """A lead sends a file of any kind."""
        self.gateway.files[ident] = File(content, mime)
        key = {"remoteJid": f"{ANA}@s.whatsapp.net", "fromMe": False, "id": ident}
        data = {"key": key, "message": message, "messageTimestamp": self.clock.now() // 1000}
        await self.posts(self.gateway.webhook("messages.upsert", data))

    async def writes(self, ident: str, words: str) -> None:
        await self.posts(self.gateway.text_from(ANA, words, ident, self.clock.now()))

    async def works(self) -> None:
        """Everything that is due now is done, files first."""
        await settle(self.runtime)

    async def after(self, duration: int) -> None:
        self.clock.advance(duration)
        await self.works()

    async def rows(self, sql: str, **params: object) -> list[dict[str, Any]]:
        return await self.runtime.store.read(lambda tx: tx.rows(sql, **params))

    @property
    def fetched(self) -> list[str]:
        """The ids of the messages whose files the gateway was asked for, in order."""
        return [call["message"]["key"]["id"] for call in self.gateway.calls if "message" in call]

    async def file(self, ident: str = "A1") -> dict[str, Any]:
        """The row of a message's file."""
        (row,) = await self.rows(
            "SELECT m.* FROM media m JOIN inbound i ON i.id = m.inbound_id WHERE i.provider_id = :id", id=ident
        )
        return row

    async def content(self, ident: str = "A1") -> bytes:
        """The bytes that are kept of it."""
        row = await self.file(ident)
        return await self.runtime.store.read(lambda tx: media_pieces.read(tx, row["inbound_id"], 0, 10**9))

    async def medium(self) -> object:
        """What the one event of a message has under `event.media`."""
        (row,) = await self.rows("SELECT data FROM event WHERE source = 'message'")
        return json.loads(row["data"]).get("media")

    async def decided(self) -> list[dict[str, Any]]:
        """The facts of every transition, with its event, in order."""
        rows = await self.rows("SELECT event, facts FROM log WHERE outcome = 'transition' ORDER BY id")
        return [{"event": row["event"], **json.loads(row["facts"])} for row in rows]

    async def noted(self) -> list[tuple[str, str | None]]:
        """(reason, why) of the notes about files, in order."""
        rows = await self.rows(
            "SELECT reason, facts FROM log WHERE outcome = 'note' AND reason <> 'opened' ORDER BY id"
        )
        return [(row["reason"], json.loads(row["facts"]).get("why")) for row in rows]
