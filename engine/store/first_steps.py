"""What the first steps ask the database: whether anybody tried the test phone, and published something."""

from engine.store.connection import Tx

__all__ = ["published_by_somebody", "said_on"]


def said_on(tx: Tx, kind: str) -> bool:
    """Whether anything ever came in by a channel of this kind."""
    found = tx.value(
        """SELECT 1 FROM channel n WHERE n.kind = :kind
           AND EXISTS (SELECT 1 FROM inbound i WHERE i.channel_id = n.id) LIMIT 1""",
        kind=kind,
    )
    return found is not None


def published_by_somebody(tx: Tx, installer: str) -> bool:
    """Whether a version was published that the installation did not bring along."""
    return tx.value("SELECT 1 FROM flow_version WHERE author <> :who LIMIT 1", who=installer) is not None
