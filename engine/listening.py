"""The address that the web server listens on: whether it is free, what people call it, whether it answers."""

import asyncio
import errno
import socket


def refusal(host: str, port: int) -> str | None:
    """Why the web server cannot listen there, in one sentence."""
    if not 0 < port < 65_536:
        return f"Port {port} is not between 1 and 65535."
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            return f"Port {port} of {host} is in use: stop what uses it, or choose another with --port."
        return f"Trilho cannot listen on {host}, port {port}: {error.strerror or error}."
    return None


def visible(host: str) -> str:
    """The name for a browser on this machine."""
    if host in ("0.0.0.0", "::", ""):  # noqa: S104 - compared, not listened on
        return "localhost"
    return f"[{host}]" if ":" in host else host


async def answered(host: str, port: int) -> bool:
    """Whether a web server says anything there now, whatever it says."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - compared, not listened on
    try:
        async with asyncio.timeout(2):
            reader, writer = await asyncio.open_connection(host, port)
            try:
                writer.write(b"GET /healthz HTTP/1.0\r\nHost: localhost\r\n\r\n")
                return (await reader.readline()).startswith(b"HTTP/")
            finally:
                writer.close()
    except OSError:
        return False
