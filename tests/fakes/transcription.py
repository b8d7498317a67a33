"""A transcription service on loopback that takes requests as strictly as OpenAI's."""

from dataclasses import dataclass

from aiohttp import web

from tests.fakes.faults import FakeServer

ENDINGS = {"flac", "mp3", "mp4", "mpeg", "mpga", "m4a", "ogg", "wav", "webm"}


@dataclass(frozen=True)
class Asked:
    """One request: the form's fields, and the file with its name and type."""

    fields: dict[str, str]
    name: str
    mime: str
    content: bytes


class FakeTranscription(FakeServer):
    """`async with FakeTranscription() as fake:` then `fake.words[content] = "…"`; `fake.asked` is what came."""

    def __init__(self, key: str = "sk-de-teste") -> None:
        super().__init__()
        self.key = key
        self.words: dict[bytes, object] = {}
        self.asked: list[Asked] = []
        self.seconds: object = 3.2

    def _routes(self) -> list[web.RouteDef]:
        return [web.post("/v1/audio/transcriptions", self._transcribe)]

    @property
    def url(self) -> str:
        """What a service is configured with."""
        return f"{self.base_url}/v1"

    async def _transcribe(self, request: web.Request) -> web.StreamResponse:
        fields: dict[str, str] = {}
        name, mime, content = "", "", b""
        async for part in await request.multipart():
            if part.name == "file":
                name, mime, content = part.filename, part.headers["Content-Type"], bytes(await part.read())
            else:
                fields[part.name] = await part.text()
        fault = self._next_fault()
        if request.headers.get("Authorization") != f"Bearer {self.key}":
            return web.json_response({"error": {"message": "Incorrect API key provided"}}, status=401)
        self.asked.append(Asked(fields, name, mime, content))
        if not fields.get("model") or name.rpartition(".")[2] not in ENDINGS or not content:
            return web.json_response({"error": {"message": "Invalid file format."}}, status=400)
        good = {"text": self.words.get(content, "oi"), "usage": {"type": "duration", "seconds": self.seconds}}
        return await self._answered(request, fault, 200, good)
