"""What the Graph API refuses in the body of a send, as strictly as the real one."""

import re
from collections.abc import Mapping
from typing import Any

_TOP = {"messaging_product", "recipient_type", "to", "recipient", "type", "context", "biz_opaque_callback_data"}
_MEDIA = {"image", "audio", "video", "document", "sticker"}


class GraphError(Exception):
    """An error of the platform: HTTP status, code and message."""

    def __init__(self, code: int, message: str, status: int = 400) -> None:
        self.code, self.message, self.status = code, message, status
        super().__init__(message)

    def body(self) -> Mapping[str, object]:
        text = f"(#{self.code}) {self.message}"
        data = {"messaging_product": "whatsapp", "details": self.message}
        error = {
            "message": text,
            "type": "OAuthException",
            "code": self.code,
            "error_data": data,
            "fbtrace_id": "TRACE",
        }
        return {"error": error}


def _require(condition: object, message: str) -> None:
    if not condition:
        raise GraphError(100, message)


def _text(value: object, limit: int, place: str) -> None:
    _require(isinstance(value, str) and value, f"Param {place} must be a string.")
    _require(len(str(value)) <= limit, f"Param {place} must be at most {limit} characters long.")


def check_send(body: Mapping[str, Any], templates: Mapping[tuple[str, str], int] | None) -> str:
    """The recipient of a good body; GraphError for anything else. `templates` maps name and language to the number
    of parameters of its body; None accepts every template."""
    _require(body.get("messaging_product") == "whatsapp", "The parameter messaging_product is required.")
    kind = str(body.get("type"))
    _require(kind in {"text", "interactive", "template", *_MEDIA}, "Param type must be one of the known types.")
    _require(isinstance(body.get(kind), dict), f"The parameter {kind} is required.")
    unknown = set(body) - _TOP - {kind}
    _require(not unknown, f"Unexpected key {sorted(unknown)}")
    _require(body.get("recipient_type", "individual") == "individual", "Param recipient_type is not valid.")
    _require(("to" in body) != ("recipient" in body), "Exactly one of to and recipient is required.")
    if "to" in body:
        _require(re.fullmatch(r"\+?\d{5,20}", str(body["to"])), "Param to must be a telephone number.")
    else:
        _require(
            re.fullmatch(r"[A-Z]{2}\.[A-Za-z0-9.]{1,128}", str(body["recipient"])), "Param recipient is not valid."
        )
    if "biz_opaque_callback_data" in body:
        _text(body["biz_opaque_callback_data"], 512, "biz_opaque_callback_data")
    if "context" in body:
        _require(set(body["context"]) == {"message_id"}, "Param context must have message_id only.")
    _CHECKS.get(kind, _media)(body[kind], kind)
    if kind == "template":
        _template(body[kind], templates)
    return str(body.get("to") or body["recipient"]).removeprefix("+")


def _check_text(part: Mapping[str, Any], _kind: str) -> None:
    _text(part.get("body"), 4096, "text['body']")
    _require(isinstance(part.get("preview_url", False), bool), "Param preview_url must be a boolean.")


def _media(part: Mapping[str, Any], kind: str) -> None:
    _require(("id" in part) != ("link" in part), f"Exactly one of id and link is required in {kind}.")
    if "link" in part:
        _require(re.match(r"https?://[^/\s]+", str(part["link"])), f"Param {kind}['link'] must be a URL.")
    else:
        _require(re.fullmatch(r"\d+", str(part["id"])), f"Param {kind}['id'] is not a valid whatsapp media id.")
    _require("filename" not in part or kind == "document", f"Unexpected key filename on {kind}.")
    unknown = set(part) - {"id", "link", "caption", "filename"}
    _require(not unknown, f"Unexpected key {sorted(unknown)} on {kind}.")
    _require(not (kind in {"audio", "sticker"} and "caption" in part), f"Unexpected key caption on {kind}.")
    if "caption" in part:
        _text(part["caption"], 1024, "caption")


def _interactive(part: Mapping[str, Any], _kind: str) -> None:
    _text(part.get("body", {}).get("text"), 1024, "interactive['body']['text']")
    action = part.get("action", {})
    if part.get("type") == "button":
        buttons = [button.get("reply", {}) for button in action.get("buttons", [])]
        _require(1 <= len(buttons) <= 3, "There must be 1 to 3 buttons.")
        for button in buttons:
            _text(button.get("title"), 20, "button title")
            _text(button.get("id"), 256, "button id")
        _require(len({button["title"] for button in buttons}) == len(buttons), "Button titles must be unique.")
        return
    _require(part.get("type") == "list", "Param interactive['type'] is not valid.")
    _text(action.get("button"), 20, "list button")
    sections = action.get("sections", [])
    _require(len(sections) == 1 or all(section.get("title") for section in sections), "Sections must have titles.")
    rows = [row for section in sections for row in section.get("rows", [])]
    _require(1 <= len(rows) <= 10, "There must be 1 to 10 rows.")
    for row in rows:
        _text(row.get("title"), 24, "row title")
        _text(row.get("id"), 200, "row id")
        if "description" in row:
            _text(row["description"], 72, "row description")


def _template(part: Mapping[str, Any], templates: Mapping[tuple[str, str], int] | None) -> None:
    name, language = part.get("name"), part.get("language", {}).get("code")
    _require(re.fullmatch(r"[a-z0-9_]{1,512}", str(name)) and language, "Template name or language is not valid.")
    given: list[Mapping[str, Any]] = []
    for component in part.get("components", []):
        place, parameters = component.get("type"), component.get("parameters", [])
        _require(place in {"header", "body", "button"} and parameters, "Component is not valid.")
        for parameter in parameters:
            _parameter(str(place), parameter, component)
        given += parameters if place == "body" else []
    if templates is None:
        return
    if (name, language) not in templates:
        raise GraphError(132001, "Template name does not exist in the translation", 404)
    if templates[name, language] != len(given):
        raise GraphError(132000, "Number of parameters does not match the expected number of params")


def _parameter(place: str, parameter: Mapping[str, Any], component: Mapping[str, Any]) -> None:
    """One value that is put into a template, by the place that it goes to."""
    kind = str(parameter.get("type"))
    if place == "button":
        _require(re.fullmatch(r"[0-9]", str(component.get("index"))), "Button index is not valid.")
        allowed = {"quick_reply": "payload", "url": "text"}.get(str(component.get("sub_type")))
        _require(kind == allowed, "Button parameter does not fit its sub_type.")
    if kind == "payload":
        _text(parameter.get("payload"), 256, "payload")
    elif kind == "text":
        _text(parameter.get("text"), 1024, "template parameter")
        bad = re.search(r"[\n\t]| {5,}", parameter["text"])
        _require(not bad, "Param text cannot have new-line/tab characters or more than 4 consecutive spaces.")
    else:
        _require(place == "header" and kind in {"image", "video", "document"}, "Parameter type is not valid.")
        _media(parameter.get(kind, {}), kind)


_CHECKS = {"text": _check_text, "interactive": _interactive, "template": lambda _part, _kind: None}
