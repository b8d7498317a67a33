"""For developers: `python -m engine.store.migrations NUMBER TITLE` writes the next revision.

It is the difference between `tables.py` and a fresh database at the newest revision; read it before keeping it.
"""

import sys
from tempfile import TemporaryDirectory

from alembic import command

from engine.store.migrations import config_for, opened, upgrade


def main(number: str, title: str) -> None:
    with TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/fresh.db"
        upgrade(url)
        with opened(url).begin() as connection:
            command.revision(config_for(connection), title, autogenerate=True, rev_id=number)


if __name__ == "__main__":
    main(*sys.argv[1:3])
