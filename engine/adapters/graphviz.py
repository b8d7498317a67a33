"""Runs Graphviz: DOT in, SVG or PNG out, in a process of its own with little memory and little time.

`graphviz-pure` is one static program that a wheel puts beside Python: no system package is needed. It is called
directly, not through the `graphviz` package, whose runner knows neither limits nor how to feed a process that is being
limited. The limits are set before the first byte of DOT is written, so nothing of a hostile drawing runs without them.
"""

import asyncio
import contextlib
import hashlib
import re
import resource
import subprocess
import sys
import sysconfig
import threading
from collections import OrderedDict
from pathlib import Path
from typing import Literal, TypeAlias

from engine.core.errors import DrawingFailed

Format: TypeAlias = Literal["svg", "png"]
TIMEOUT_S = 5.0
CPU_S = 6
MEMORY_BYTES = 512 * 1024 * 1024
AT_ONCE = 2
CACHED = 256
CACHED_BYTES = 32 * 1024 * 1024
LARGEST_DOT = 4 * 1024 * 1024
_LIMITS = ((resource.RLIMIT_AS, MEMORY_BYTES), (resource.RLIMIT_CPU, CPU_S), (resource.RLIMIT_FSIZE, 0))
_WIDTH_GUESSED = re.compile(r"no value for width of|^in label of|^\s*$")
"""Cells have their width from our own table, so this guess changes nothing."""


class _Kept:
    """The latest drawings by the hash of what they were made from."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._drawings: OrderedDict[str, bytes] = OrderedDict()
        self._bytes = 0

    def get(self, key: str) -> bytes | None:
        with self._lock:
            found = self._drawings.get(key)
            if found is not None:
                self._drawings.move_to_end(key)
            return found

    def put(self, key: str, drawing: bytes) -> None:
        with self._lock:
            self._bytes += len(drawing) - len(self._drawings.pop(key, b""))
            self._drawings[key] = drawing
            while len(self._drawings) > CACHED or self._bytes > CACHED_BYTES:
                self._bytes -= len(self._drawings.popitem(last=False)[1])


_kept = _Kept()
_turns = threading.BoundedSemaphore(AT_ONCE)


async def render(dot: str, format: Format, dpi: float | None = None) -> bytes:  # noqa: A002 - the word users know
    """The drawing; `dpi` is for PNG. DrawingFailed when Graphviz fails, complains, or takes too long."""
    found = _kept.get(_key(dot, format, dpi))
    return found if found is not None else await asyncio.to_thread(render_now, dot, format, dpi)


def render_now(dot: str, format: Format, dpi: float | None = None) -> bytes:  # noqa: A002 - as in render
    """The same, for who may wait."""
    key = _key(dot, format, dpi)
    found = _kept.get(key)
    if found is None:
        with _turns:
            found = _drawn(dot, format, dpi)
        _kept.put(key, found)
    return found


def program() -> Path:
    """Where the wheel put Graphviz."""
    return Path(sysconfig.get_path("scripts")) / "graphviz-pure"


def _key(dot: str, format: str, dpi: float | None) -> str:  # noqa: A002 - as in render
    return hashlib.sha256(f"{format} {dpi} {dot}".encode(errors="surrogatepass")).hexdigest()


def _drawn(dot: str, format: str, dpi: float | None) -> bytes:  # noqa: A002 - as in render
    try:
        fed = dot.encode()
    except UnicodeEncodeError as problem:
        raise DrawingFailed("unsupported", "o texto do diagrama tem um caractere impossível") from problem
    if len(fed) > LARGEST_DOT:
        raise DrawingFailed("too_large", "o diagrama é grande demais para desenhar")
    return _run([str(program()), f"-T{format}", *([f"-Gdpi={dpi:.4f}"] if dpi else [])], fed)


def _run(command: list[str], fed: bytes) -> bytes:
    try:
        process = subprocess.Popen(  # noqa: S603 - a fixed program and fixed words, no shell
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd="/", env={}
        )
    except OSError as problem:
        raise DrawingFailed("engine", "o Graphviz não está instalado") from problem
    with process:
        try:
            if sys.platform == "linux":
                with contextlib.suppress(ProcessLookupError):
                    for kind, limit in _LIMITS:
                        resource.prlimit(process.pid, kind, (limit, limit))
            drawing, said = process.communicate(fed, timeout=TIMEOUT_S)
        except subprocess.TimeoutExpired as problem:
            raise DrawingFailed("timeout", f"o desenho passou de {TIMEOUT_S:.0f} s") from problem
        finally:
            process.kill()
    complaints = [line for line in said.decode(errors="replace").splitlines() if not _WIDTH_GUESSED.search(line)]
    if process.returncode < 0:
        raise DrawingFailed("memory", "o desenho passou do limite de memória ou de tempo")
    if process.returncode or complaints or not drawing:
        raise DrawingFailed("engine", f"o Graphviz recusou o desenho: {' '.join(complaints)[:200]}")
    return drawing
