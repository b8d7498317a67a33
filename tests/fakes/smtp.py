"""A mail server that speaks SMTP (RFC 5321) with STARTTLS (RFC 3207) and AUTH PLAIN (RFC 4954), and keeps what it took."""

import asyncio
import base64
import datetime as dt
import ipaddress
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


def certificate(folder: Path) -> Path:
    """A certificate for 127.0.0.1 with its key, valid for long, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(dt.datetime(2020, 1, 1, tzinfo=dt.UTC))
        .not_valid_after(dt.datetime(2120, 1, 1, tzinfo=dt.UTC))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    path = folder / "mail.pem"
    path.write_bytes(pem + made.public_bytes(serialization.Encoding.PEM))
    return path


@dataclass
class FakeSmtp:
    """Behaviour of the server, and what reached it. `users`: without one, nobody needs to sign in."""

    tls: ssl.SSLContext | None = None
    users: dict[str, str] = field(default_factory=dict)
    refuses: str = ""
    port: int = 0
    taken: list[EmailMessage] = field(default_factory=list)
    envelopes: list[tuple[str, str, bool]] = field(default_factory=list)
    """Sender, recipient, and whether the connection was safe."""
    arrived: asyncio.Event = field(default_factory=asyncio.Event)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            await self._talk(reader, writer)
        writer.close()

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async def say(line: str) -> None:
            writer.write(f"{line}\r\n".encode())
            await writer.drain()

        safe, known, sender, recipient = False, not self.users, "", ""
        await say("220 fake.test ESMTP")
        while line := (await reader.readline()).decode():
            word, _, rest = line.strip().partition(" ")
            match word.upper():
                case "EHLO":
                    more = ["STARTTLS"] if self.tls is not None and not safe else []
                    more += ["AUTH PLAIN"] if self.users and (safe or self.tls is None) else []
                    lines = ["fake.test", *more]
                    for at, each in enumerate(lines):
                        await say(f"250{' ' if at == len(lines) - 1 else '-'}{each}")
                case "STARTTLS" if self.tls is not None:
                    await say("220 go ahead")
                    await writer.start_tls(self.tls)
                    safe = True
                case "AUTH":
                    _, user, password = base64.b64decode(rest.split()[1]).decode().split("\0")
                    known = self.users.get(user) == password
                    await say("235 welcome" if known else "535 5.7.8 no")
                case "MAIL":
                    sender = rest[5:].split(">")[0].lstrip("<")
                    await say("250 ok" if known else "530 5.7.0 sign in first")
                case "RCPT":
                    recipient = rest[3:].split(">")[0].lstrip("<")
                    await say("550 5.1.1 nobody here" if recipient == self.refuses else "250 ok")
                case "DATA":
                    await say("354 go on")
                    body = (await reader.readuntil(b"\r\n.\r\n"))[:-5]
                    read = message_from_bytes(body, policy=policy.default)
                    assert isinstance(read, EmailMessage)
                    self.taken.append(read)
                    self.envelopes.append((sender, recipient, safe))
                    self.arrived.set()
                    await say("250 taken")
                case "QUIT":
                    await say("221 bye")
                    return
                case "RSET" | "NOOP":
                    await say("250 ok")
                case _:
                    await say("502 not known")


@asynccontextmanager
async def mail_server(**behaviour: object) -> AsyncIterator[FakeSmtp]:
    """Listens from here on."""
    fake = FakeSmtp(**behaviour)
    server = await asyncio.start_server(fake.serve, "127.0.0.1", 0)
    fake.port = server.sockets[0].getsockname()[1]
    try:
        yield fake
    finally:
        server.close()
