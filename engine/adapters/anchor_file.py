"""The file of anchors beside the database: one line a day, only ever appended to. Copies of it belong elsewhere."""

from pathlib import Path

__all__ = ["append", "lines"]


def append(path: Path, line: str) -> bool:
    """Add a line; False where the folder is not there or not ours to write in: the database has the anchor."""
    try:
        with path.open("a", encoding="ascii") as target:
            target.write(f"{line}\n")
    except OSError:
        return False
    return True


def lines(path: Path) -> list[str]:
    """All lines, none where there is no file."""
    try:
        return path.read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return []
