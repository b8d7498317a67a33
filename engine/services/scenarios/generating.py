"""`generate`: a field of an input is filled with many bytes, so that no file has to hold them."""

import copy
from collections.abc import Mapping
from typing import Any

from engine.core.errors import InvalidDocument, Mistake

FILLER = "x"
MOST = 64 * 1024 * 1024


def generated(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """The input with `generate.field` (a path into the payload like `entry.0.id`, or `raw_body`) filled with that many
    bytes of text. Raises InvalidDocument when the path leads nowhere.
    """
    wanted = row.get("generate")
    if not wanted:
        return row
    path, size = str(wanted["field"]), int(wanted["bytes"])
    place = f"inputs[{row['index']}].generate"
    if not 0 <= size <= MOST:
        raise InvalidDocument([Mistake(f"{place}.bytes", f"must be between 0 and {MOST}")])
    if path == "raw_body":
        return {**row, "raw_body": FILLER * size}
    payload = copy.deepcopy(row.get("payload") or {})
    *parents, last = path.removeprefix("payload.").split(".")
    try:
        holder: Any = payload
        for name in parents:
            holder = holder[int(name)] if isinstance(holder, list) else holder[name]
        if isinstance(holder, list):
            holder[int(last)] = FILLER * size
        else:
            holder[last] = FILLER * size
    except (LookupError, TypeError, ValueError) as error:
        raise InvalidDocument([Mistake(f"{place}.field", f"{path!r} leads nowhere")]) from error
    return {**row, "payload": payload}
