"""Runs `trilho` in this process, on a data folder of the test's own."""

import json
import logging
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import structlog
from click.testing import CliRunner

from engine.cli import main


@dataclass(frozen=True)
class Told:
    """What a command answered."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Its one JSON document; nothing may stand beside it."""
        assert self.err == ""
        return json.loads(self.out)

    @property
    def errors(self) -> list[str]:
        """The messages of a refusal in JSON."""
        assert self.code == 2
        assert set(self.json) == {"errors"}
        return [error["message"] for error in self.json["errors"]]

    @property
    def mistakes(self) -> list[str]:
        """The lines of a refusal for people."""
        assert (self.code, self.out) == (2, "")
        return self.err.splitlines()


class Trilho:
    """`trilho(*words)` is what the command line answers."""

    def __init__(self, data: Path, **environment: str) -> None:
        self.data = data
        self.environment: dict[str, str] = {"TRILHO_DATA_DIR": str(data), **environment}

    def __call__(self, *words: object) -> Told:
        root = logging.getLogger()
        before, level = list(root.handlers), root.level
        try:
            result = CliRunner().invoke(main, [str(word) for word in words], env=self.environment)
        finally:
            root.handlers[:] = before
            root.setLevel(level)
            structlog.reset_defaults()
        assert isinstance(result.exception, SystemExit | None), result.exception
        assert "Traceback" not in result.output
        return Told(result.exit_code, result.stdout, result.stderr)


def on_its_database(tmp_path: Path) -> Trilho:
    """The command on the test's migrated SQLite database, which becomes that of its data folder."""
    data = tmp_path / "data"
    data.mkdir()
    for part in tmp_path.glob("trilho.db*"):
        shutil.move(part, data / part.name)
    return Trilho(data)
