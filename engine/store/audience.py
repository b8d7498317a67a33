"""Who a campaign would reach, and why it leaves others out: one question for counting, for taking and for asking again."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.core.campaigns import Filter
from engine.core.canonical import canonical
from engine.core.flow import Millis
from engine.store.connection import Tx

REASON = """CASE
 WHEN p.opt_out_at IS NOT NULL THEN 'opted_out'
 WHEN NOT EXISTS (SELECT 1 FROM identity i WHERE i.contact_id = p.id AND i.kind IN ('phone', 'bsuid')) THEN 'no_address'
 WHEN NOT EXISTS (SELECT 1 FROM consent_proof k WHERE k.contact_id = p.id) THEN 'no_proof'
 WHEN EXISTS (SELECT 1 FROM conversation v WHERE v.contact_id = p.id AND v.flow = :flow AND v.state IN :paid) THEN 'paid'
 WHEN p.paused_until > :now THEN 'paused'
 WHEN EXISTS (SELECT 1 FROM conversation v WHERE v.contact_id = p.id AND v.attention IS NOT NULL) THEN 'with_person'
 END"""


@dataclass(frozen=True, slots=True)
class Sold:
    """What is sold: the flow, and its states in which somebody has bought."""

    flow: str
    paid: frozenset[str]


def counts(tx: Tx, wanted: Filter, sold: Sold, now: Millis) -> dict[str | None, int]:
    """How many people are left out for each reason; None: how many are reached."""
    where, params = _where(wanted)
    rows = tx.rows(
        f"SELECT reason, COUNT(*) AS n FROM (SELECT {REASON} AS reason FROM contact p WHERE {where}) AS a GROUP BY reason",
        **params,
        **_sold(sold, now),
    )
    return {row["reason"]: int(row["n"]) for row in rows}


def enlist(tx: Tx, campaign_id: int, wanted: Filter, sold: Sold, now: Millis) -> None:
    """Everybody who is asked for becomes a member: waiting, or left out with the reason."""
    where, params = _where(wanted)
    tx.run(
        f"""INSERT INTO campaign_member (campaign_id, contact_id, status, reason)
            SELECT :campaign, a.id, CASE WHEN a.reason IS NULL THEN 'waiting' ELSE 'left_out' END, a.reason
            FROM (SELECT p.id, {REASON} AS reason FROM contact p WHERE {where}) AS a""",
        campaign=campaign_id,
        **params,
        **_sold(sold, now),
    )


def why_not(tx: Tx, contact_id: int, sold: Sold, now: Millis) -> str | None:
    """Why this person must be left out now; None when they may be written to."""
    found: str | None = tx.value(
        f"SELECT {REASON} FROM contact p WHERE p.id = :contact", contact=contact_id, **_sold(sold, now)
    )
    return found


def tags(tx: Tx) -> list[str]:
    """The documents of tags that contacts have, each once."""
    return [row["tags"] for row in tx.rows("SELECT DISTINCT tags FROM contact WHERE tags <> '[]' LIMIT 2000")]


def _sold(sold: Sold, now: Millis) -> Mapping[str, object]:
    return {"flow": sold.flow, "paid": sorted(sold.paid), "now": now}


def _where(wanted: Filter) -> tuple[str, dict[str, object]]:
    clauses, params = ["p.merged_into IS NULL"], dict[str, object]()
    if wanted.flow:
        standing = " AND v.state = :state" if wanted.state else ""
        clauses.append(
            f"""EXISTS (SELECT 1 FROM conversation v WHERE v.contact_id = p.id AND v.flow = :in_flow{standing}
                AND v.followed_by IS NULL)"""
        )
        params |= {"in_flow": wanted.flow} | ({"state": wanted.state} if wanted.state else {})
    if wanted.tag:
        # As the tag stands in the canonical list; LIKE would know wildcards, and case differently on each database.
        clauses.append("replace(p.tags, :tag, '') <> p.tags")
        params["tag"] = canonical([wanted.tag])[1:-1]
    if wanted.file_id is not None:
        clauses.append("EXISTS (SELECT 1 FROM from_file f WHERE f.contact_id = p.id AND f.file_id = :file)")
        params["file"] = wanted.file_id
    return " AND ".join(clauses), params
