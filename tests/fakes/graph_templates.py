"""The templates of a business account at the fake Graph API: listed page by page, handed in, judged by the test."""

import json
from collections.abc import Mapping
from typing import Any

from aiohttp import web

from tests.fakes.graph_rules import GraphError

FIELDS = {"id", "name", "language", "category", "status", "components", "quality_score", "rejected_reason"}


def template(name: str, *, language: str = "pt_BR", status: str = "APPROVED", body: str = "Oi", **more: Any) -> Any:
    """A template as the platform keeps it."""
    return {
        "id": f"id-{name}-{language}",
        "name": name,
        "language": language,
        "category": "MARKETING",
        "status": status,
        "components": [{"type": "BODY", "text": body}],
        "quality_score": {"score": "GREEN"},
        "rejected_reason": "NONE",
        **more,
    }


class Templates:
    """What one account has; `page` is how many a listing gives at once, whatever is asked for."""

    def __init__(self, account: str, page: int = 100) -> None:
        self.account, self.page = account, page
        self.kept: list[dict[str, Any]] = []

    def listed(self, request: web.Request) -> Mapping[str, object]:
        self._own(request)
        wanted = set(request.query.get("fields", "name,language,status").split(","))
        if wanted - FIELDS:
            raise GraphError(100, f"Tried accessing nonexisting field {sorted(wanted - FIELDS)}")
        begin, page = int(request.query.get("after") or 0), min(self.page, int(request.query.get("limit") or 25))
        shown = [{key: value for key, value in one.items() if key in {*wanted, "id"}} for one in self.kept]
        end = begin + page
        paging: dict[str, object] = {"cursors": {"before": str(begin), "after": str(end)}}
        if end < len(self.kept):
            # A real one carries the token and may lie anywhere: nobody should follow it blindly.
            paging["next"] = "http://elsewhere.invalid/next"
        return {"data": shown[begin:end], "paging": paging}

    def proposed(self, request: web.Request, raw: bytes) -> Mapping[str, object]:
        self._own(request)
        body = json.loads(raw)
        if set(body) - {"name", "language", "category", "components", "allow_category_change"}:
            raise GraphError(100, "Invalid parameter")
        if any(one["name"] == body["name"] and one["language"] == body["language"] for one in self.kept):
            raise GraphError(100, "There is already content in this language for this template")
        text = next(c["text"] for c in body["components"] if c["type"] == "BODY")
        if "{{1}}" in text and not next(c for c in body["components"] if c["type"] == "BODY").get("example"):
            raise GraphError(100, "Templates with variables must have examples")
        made = template(body["name"], language=body["language"], status="PENDING") | {
            "category": body["category"],
            "components": body["components"],
        }
        self.kept.append(made)
        return {"id": made["id"], "status": "PENDING", "category": made["category"]}

    def _own(self, request: web.Request) -> None:
        if request.match_info["account"] != self.account:
            raise GraphError(100, "Unsupported get request. Object does not exist")
