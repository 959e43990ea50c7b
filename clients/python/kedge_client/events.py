"""Server-sent events: lines of text that make items."""

from __future__ import annotations

import http.client
import json
from typing import Any, Iterator, List, Optional, Tuple

#: No entry of a server is longer.
_MAX_LINE = 64_000_000


def events_of(response: http.client.HTTPResponse) -> Iterator[Tuple[Optional[int], Any]]:
    """Yields the number of each event, None for a delta, and its item, until the connection ends."""
    number: Optional[int] = None
    data: List[str] = []
    while True:
        line = response.readline(_MAX_LINE)
        if not line.endswith(b"\n"):
            # The end, or half a line of a connection that broke.
            return
        text = line.decode("utf-8").rstrip("\r\n")
        if text.startswith("data:"):
            data.append(text[5:].removeprefix(" "))
        elif text.startswith("id:"):
            number = int(text[3:])
        elif text == "" and data:
            yield number, json.loads("\n".join(data))
            number, data = None, []
