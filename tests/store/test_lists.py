"""Two contacts that turn out to be one person stand on every list once, and nobody is written to twice (R70)."""

from engine.store import lists
from tests.store.people import a_contact


def member(tx, campaign, contact, status):
    tx.run(
        "INSERT INTO campaign_member (campaign_id, contact_id, status, reason) VALUES (:c, :p, :s, NULL)",
        c=campaign,
        p=contact,
        s=status,
    )


async def test_whoever_was_written_to_counts_and_nobody_stands_twice(store):
    def unit(tx):
        kept, gone = a_contact(tx), a_contact(tx, "5541900000002")
        member(tx, 1, kept, "waiting")
        member(tx, 1, gone, "taken")
        member(tx, 2, kept, "taken")
        member(tx, 2, gone, "waiting")
        member(tx, 3, gone, "waiting")
        for number, contact in ((7, kept), (7, gone), (8, gone)):
            tx.run("INSERT INTO from_file (file_id, contact_id) VALUES (:f, :p)", f=number, p=contact)
        lists.inherit(tx, kept, gone)
        members = tx.rows("SELECT campaign_id, contact_id, status FROM campaign_member ORDER BY campaign_id")
        files = tx.rows("SELECT file_id, contact_id FROM from_file ORDER BY file_id")
        return kept, members, files

    kept, members, files = await store.write("x", unit)
    assert [(row["campaign_id"], row["status"]) for row in members] == [(1, "taken"), (2, "taken"), (3, "waiting")]
    assert [row["file_id"] for row in files] == [7, 8]
    assert {row["contact_id"] for row in (*members, *files)} == {kept}
