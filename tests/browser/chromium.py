"""Find the Chromium that the browser tests drive, and install Debian's when allowed to: `python -m tests.browser.chromium`."""

import os
import shutil
import subprocess
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MISSING = (
    "The browser tests need Chromium: install it (Debian and Ubuntu: apt-get install chromium) "
    "or set CHROMIUM to the path of its program."
)


def find() -> str | None:
    """The program to start: what CHROMIUM names, else the first known name in PATH."""
    named = os.environ.get("CHROMIUM")
    if named:
        return shutil.which(named)
    return next((found for name in NAMES if (found := shutil.which(name))), None)


def install() -> None:
    """As root on a system with apt, and when nobody named a program: elsewhere a person decides."""
    if find() or os.environ.get("CHROMIUM") or os.geteuid() != 0 or not shutil.which("apt-get"):
        return
    print("Installing Chromium for the browser tests (about a minute)", flush=True)
    quiet = {"env": {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}, "stdout": subprocess.DEVNULL}
    subprocess.run(["apt-get", "update", "-qq"], check=False, **quiet)
    subprocess.run(["apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium"], check=False, **quiet)


def main() -> None:
    """Says what is missing and succeeds: everything but the browser tests runs without it, and those fail."""
    if "--install" in sys.argv:
        install()
    if not find():
        print(MISSING, file=sys.stderr)


if __name__ == "__main__":
    main()
