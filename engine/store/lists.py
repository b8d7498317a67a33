"""Lists that a person may stand on once: the files that they came with, the campaigns that write to them (R70)."""

from engine.store.connection import Tx

__all__ = ["inherit"]


def inherit(tx: Tx, kept: int, gone: int) -> None:
    """One of two contacts takes the other's place on every list. Where both stand on a campaign, whoever was written to
    already counts: nobody is written to twice.
    """
    both = "SELECT l.{list} FROM {table} l WHERE l.contact_id = :{whose}"
    names: dict[str, object] = {"kept": kept, "gone": gone}
    taken = both.format(list="campaign_id", table="campaign_member", whose="gone") + " AND l.status = 'taken'"
    tx.run(
        f"DELETE FROM campaign_member WHERE contact_id = :kept AND status <> 'taken' AND campaign_id IN ({taken})",
        **names,
    )
    for table, key in (("campaign_member", "campaign_id"), ("from_file", "file_id")):
        there = both.format(list=key, table=table, whose="kept")
        tx.run(f"DELETE FROM {table} WHERE contact_id = :gone AND {key} IN ({there})", **names)
        tx.run(f"UPDATE {table} SET contact_id = :kept WHERE contact_id = :gone", **names)
