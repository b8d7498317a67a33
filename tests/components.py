"""What the product is made of: `python -m tests.components` writes the list of components (CycloneDX) and of licences.

Names and versions come from the lock, licences from what is installed; what another system installs has its own here.
"""

import json
import re
import tomllib
import uuid
from dataclasses import dataclass
from hashlib import sha256
from importlib import metadata
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent
LOCK = ROOT / "requirements/run.txt"
SBOM, LICENCES, BANNED = (
    ROOT / "requirements/sbom.json",
    ROOT / "requirements/licences.md",
    ROOT / "requirements/banned.txt",
)
ELSEWHERE = {"async-timeout": "Apache-2.0", "colorama": "BSD-3-Clause", "tzdata": "Apache-2.0"}
SPDX = {
    "MIT License": "MIT", "BSD License": "BSD-3-Clause", "Apache Software License": "Apache-2.0",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0", "Python Software Foundation License": "PSF-2.0",
}  # fmt: skip
ACCEPTED = {"MIT", "MIT-0", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "PSF-2.0", "MPL-2.0", "LGPL-3.0-only", "EPL-2.0", "OFL-1.1", "0BSD"}  # fmt: skip
"""Licences under which a part may be used by a product that is run, unchanged, beside it."""
ENTRY = re.compile(
    r"^(?P<name>[a-z0-9._-]+)(?:\[[^\]]*\])?==(?P<version>[^\s;]+)(?:\s*;\s*(?P<where>[^\\]+?))?\s*\\?$", re.MULTILINE
)


@dataclass(frozen=True)
class Component:
    """One locked part; `where` is the systems that it is for, "" for all."""

    name: str
    version: str
    where: str
    licence: str


def locked(lock: Path = LOCK) -> list[tuple[str, str, str]]:
    """Name, version and systems of each entry of a lock."""
    return [(found["name"], found["version"], found["where"] or "") for found in ENTRY.finditer(lock.read_text())]


def licence(name: str) -> str:
    """The licence as an SPDX expression, from the package itself."""
    try:
        told = metadata.metadata(name)
    except metadata.PackageNotFoundError:
        return ELSEWHERE[name]
    if expression := told.get("License-Expression"):
        return str(expression)
    kinds = [str(one).split(" :: ")[-1] for one in told.get_all("Classifier") or [] if str(one).startswith("License")]
    if kinds:
        return " OR ".join(SPDX[kind] for kind in kinds)
    first = str(told.get("License") or "").split("\n")[0]
    return SPDX.get(first[:11], first)


def components() -> list[Component]:
    """Every part that runs."""
    return [Component(name, version, where, licence(name)) for name, version, where in locked()]


def sbom(parts: list[Component]) -> dict[str, Any]:
    """The list as CycloneDX 1.6. The same lock gives the same list."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    listed = [
        {
            "type": "library",
            "bom-ref": f"pkg:pypi/{one.name}@{one.version}",
            "name": one.name,
            "version": one.version,
            "purl": f"pkg:pypi/{one.name}@{one.version}",
            "licenses": [{"expression": one.licence}],
            **({"scope": "optional", "description": f"only where {one.where}"} if one.where else {}),
        }
        for one in parts
    ]
    own = {"type": "application", "bom-ref": "trilho", "name": project["name"], "version": project["version"]}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.UUID(bytes=sha256(LOCK.read_bytes()).digest()[:16], version=4)}",
        "version": 1,
        "metadata": {"component": own},
        "components": listed,
    }


def table(parts: list[Component]) -> str:
    """The licences for people, the parts of each in one row."""
    by: dict[str, list[str]] = {}
    for one in parts:
        by.setdefault(one.licence, []).append(f"{one.name} {one.version}")
    rows = "\n".join(f"| {name} | {', '.join(by[name])} |" for name in sorted(by))
    return f"# Licences of what runs\n\nMade by `python -m tests.components` from the lock.\n\n| Licence | Parts |\n|---|---|\n{rows}\n"


def banned(text: str) -> list[tuple[Requirement, str]]:
    """The versions that must not be used, each with why: `name<version  # why`."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [(Requirement(rule), why.strip()) for rule, _, why in (line.partition("#") for line in lines)]


def hits(entries: list[tuple[str, str, str]], rules: list[tuple[Requirement, str]]) -> list[str]:
    """The entries of a lock that a rule bans."""
    return [f"{name} {version}" for name, version, _ in entries for rule, _ in rules if rule.name == name and version in rule.specifier]  # fmt: skip


if __name__ == "__main__":
    made = components()
    SBOM.write_text(json.dumps(sbom(made), indent=1) + "\n")
    LICENCES.write_text(table(made))
