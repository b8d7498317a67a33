"""One message to a mail server, over SMTP (RFC 5321), from a thread: the library is the standard one, and it waits."""

import asyncio
import smtplib
import ssl
from dataclasses import dataclass, field
from email.errors import MessageError
from email.message import EmailMessage

__all__ = ["CLEAR", "STARTTLS", "TLS", "MailFailed", "MailServer", "post"]

STARTTLS, TLS, CLEAR = "starttls", "tls", "none"
TIMEOUT_S = 10.0
"""Seconds for each word with the server."""
WHOLE_S = 30.0


@dataclass(frozen=True, slots=True)
class MailServer:
    """Where messages are handed in. `tls` is starttls, tls or none; `user` is empty where nobody signs in."""

    host: str
    port: int
    tls: str
    user: str
    password: str | None = field(repr=False)
    sender: str


class MailFailed(Exception):
    """The server did not take the message; `reason` is unreachable, tls, auth, refused or unusable."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


async def post(server: MailServer, to: str, subject: str, text: str, *, trust: ssl.SSLContext | None = None) -> None:
    """Hand in one message of plain text. Certificates are verified, by `trust` where it is given. Raises MailFailed."""
    try:
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = server.sender, to, subject
        message.set_content(text)
    except (ValueError, MessageError) as error:  # a line end in a header, or an address that is none
        raise MailFailed("unusable") from error
    try:
        async with asyncio.timeout(WHOLE_S):
            await asyncio.to_thread(_posted, server, message, trust or ssl.create_default_context())
    except TimeoutError as error:
        raise MailFailed("unreachable") from error


def _posted(server: MailServer, message: EmailMessage, trust: ssl.SSLContext) -> None:
    try:
        with _opened(server, trust) as session:
            if server.tls == STARTTLS:
                session.starttls(context=trust)
            if server.user and server.tls != CLEAR:
                session.login(server.user, server.password or "")
            session.send_message(message)
    except ssl.SSLError as error:
        raise MailFailed("tls") from error
    except smtplib.SMTPAuthenticationError as error:
        raise MailFailed("auth") from error
    except smtplib.SMTPNotSupportedError as error:
        raise MailFailed("tls" if server.tls == STARTTLS else "auth") from error
    except (smtplib.SMTPServerDisconnected, smtplib.SMTPConnectError, OSError) as error:
        # SMTPException is an OSError too: what the server said no to is told apart first.
        raise MailFailed(_reason(error)) from error


def _opened(server: MailServer, trust: ssl.SSLContext) -> smtplib.SMTP:
    if server.tls == TLS:
        return smtplib.SMTP_SSL(server.host, server.port, timeout=TIMEOUT_S, context=trust)
    return smtplib.SMTP(server.host, server.port, timeout=TIMEOUT_S)


def _reason(error: OSError) -> str:
    lost = (smtplib.SMTPServerDisconnected, smtplib.SMTPConnectError)
    return "refused" if isinstance(error, smtplib.SMTPException) and not isinstance(error, lost) else "unreachable"
