"""A row of the log, said: what every list of them shows."""

from dataclasses import dataclass

__all__ = ["Told"]


@dataclass(frozen=True, slots=True)
class Told:
    """One row, said. `tone`: "", ok, warn or err. `moved` is from and to when the state changed."""

    icon: str
    tone: str
    text: str
    moved: tuple[str, str] | None = None
