"""For developers: `python -m engine.store.migrations NUMBER TITLE` writes the next revision.

It is the difference between `tables.py` and a fresh database at the newest revision; read it before keeping it.
"""

import sys

from alembic import command

from engine.store.connection import open_engine
from engine.store.migrations import config_for, upgrade_within


def main(number: str, title: str) -> None:
    engine = open_engine("sqlite://", writes=True)
    with engine.begin() as connection:
        upgrade_within(connection)
        command.revision(config_for(connection), title, autogenerate=True, rev_id=number)


if __name__ == "__main__":
    main(*sys.argv[1:3])
