"""How requests reach the server: one connection each, repeated if that can do no harm."""

from __future__ import annotations

import http.client
import json as json_module
import random
import ssl
import time
from typing import Any, Dict, Iterator, List, Optional, Tuple, Union
from urllib.parse import quote, urlencode, urlsplit

from .errors import IncompatibleServerError, KedgeError, ServerUnreachableError, error_of
from .events import events_of


class Omitted:
    """The type of `OMIT`."""

    def __repr__(self) -> str:
        return "OMIT"


#: An argument that isn't sent. `None` is sent, as null.
OMIT = Omitted()

_FIRST_DELAY = 0.25
_LONGEST_DELAY = 5.0
#: The server says something every 15 s: a stream that is silent for this long is dead.
_SILENCE = 40.0


class Transport:
    """Sends requests to one server."""

    def __init__(
        self,
        url: str,
        token: Optional[str] = None,
        *,
        timeout: float = 60.0,
        retries: int = 4,
        tls: Optional[ssl.SSLContext] = None,
    ) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or parts.hostname is None:
            raise ValueError(f"{url!r} isn't the address of a server, such as http://127.0.0.1:4141")
        if parts.username is not None or parts.password is not None:
            raise ValueError("pass the token as an argument: an address is logged, and a token must not be")
        self._host = parts.hostname
        self._port = parts.port
        self._is_tls = parts.scheme == "https"
        self._path = parts.path.rstrip("/")
        self._token = token
        self._timeout = timeout
        self._retries = retries
        self._tls = tls

    def call(self, method: str, path: str, *, query: Any = None, json: Any = None, **more: Any) -> Any:
        """Returns the JSON of the response; None if it has none."""
        text = self.download(method, path, query=query, json=json, **more)
        if text == b"":
            return None
        try:
            return json_module.loads(text)
        except ValueError:
            raise error_of(200, None) from None

    def download(
        self,
        method: str,
        path: str,
        *,
        query: Any = None,
        json: Any = None,
        body: Optional[bytes] = None,
        content_type: str = "application/json",
    ) -> bytes:
        """Returns the bytes of the response."""
        sent = body
        if json is not None:
            sent = json_module.dumps(_without_omitted(json)).encode()
        headers = {} if sent is None else {"content-type": content_type}
        # A prompt with an id is one prompt, however often it is sent; nothing else that is POSTed is safe to repeat.
        is_safe = method != "POST" or (path.endswith("/prompts") and isinstance(json, dict) and "id" in _without_omitted(json))
        for attempt in range(self._retries + 1):
            try:
                response, connection = self._open(method, path, query, headers, sent, self._timeout)
                try:
                    return response.read()
                finally:
                    connection.close()
            except (OSError, http.client.HTTPException) as error:
                problem: KedgeError = self._unreachable(error)
            except KedgeError as error:
                problem = error
            is_busy = problem.status in (429, 503) and problem.code != "too_many_failures"
            if attempt == self._retries or not (is_busy or (is_safe and problem.status in (0, 500, 502, 504))):
                raise problem
            time.sleep(_delay(attempt, problem.retry_after))
        raise AssertionError("not reached")

    def follow(self, path: str, *, after: int = 0, query: Any = None) -> Iterator[Any]:
        """Yields the items of a stream for ever; resumes after the last one when the connection breaks."""
        failures = 0
        while True:
            headers = {"accept": "text/event-stream", "last-event-id": str(after)}
            delay: Optional[float] = None
            try:
                response, connection = self._open("GET", path, query, headers, None, _SILENCE)
                try:
                    if not (response.getheader("content-type") or "").startswith("text/event-stream"):
                        raise error_of(response.status, None)
                    for number, item in events_of(response):
                        failures = 0
                        # A proxy may repeat what it has sent.
                        if number is not None and number <= after:
                            continue
                        after = after if number is None else number
                        yield item
                finally:
                    connection.close()
            except (OSError, http.client.HTTPException):
                pass
            except KedgeError as error:
                if error.status not in (429, 500, 502, 503, 504):
                    raise
                delay = error.retry_after
            time.sleep(_delay(failures, delay))
            failures += 1

    def _open(
        self, method: str, path: str, query: Any, headers: Dict[str, str], body: Optional[bytes], timeout: float
    ) -> Tuple[http.client.HTTPResponse, http.client.HTTPConnection]:
        connection = self._connect(timeout)
        try:
            own = {"accept": "application/json", **headers}
            if self._token is not None:
                own["authorization"] = f"Bearer {self._token}"
            connection.request(method, f"{self._path}{path}{_query_text(query)}", body=body, headers=own)
            response = connection.getresponse()
            if 200 <= response.status < 300:
                return response, connection
            raise _problem_in(response)
        except BaseException:
            connection.close()
            raise

    def _connect(self, timeout: float) -> http.client.HTTPConnection:
        if self._is_tls:
            return http.client.HTTPSConnection(self._host, self._port, timeout=timeout, context=self._tls)
        return http.client.HTTPConnection(self._host, self._port, timeout=timeout)

    def _unreachable(self, error: Exception) -> KedgeError:
        return ServerUnreachableError(
            f"The server at {self._host} can't be reached ({error or type(error).__name__}).",
            code="server_unreachable",
            fix="Check that the server runs, and its address.",
        )


def path_of(template: str, **values: str) -> str:
    """Returns the path with its parts in their places, so that none of them can be another path."""
    for name, value in values.items():
        if value in ("", ".", ".."):
            raise ValueError(f"{value!r} can't be a {name}")
        template = template.replace("{" + name + "}", quote(value, safe=""))
    return template


def _without_omitted(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    return {key: each for key, each in value.items() if each is not OMIT}


def _query_text(query: Optional[Dict[str, Any]]) -> str:
    given = {key: _query_value(value) for key, value in (query or {}).items() if value is not OMIT and value is not None}
    return f"?{urlencode(given)}" if given else ""


def _query_value(value: Union[str, int, bool, List[str]]) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return ",".join(value) if isinstance(value, list) else str(value)


def _problem_in(response: http.client.HTTPResponse) -> KedgeError:
    if 300 <= response.status < 400:
        return IncompatibleServerError(
            f"The server redirects (HTTP {response.status}), and a token must not go elsewhere.",
            code="server_incompatible",
            fix="Use the address that it redirects to.",
            status=response.status,
        )
    try:
        problem = json_module.loads(response.read(1_000_000))
    except (ValueError, OSError, http.client.HTTPException):
        problem = None
    after = response.getheader("retry-after") or ""
    return error_of(
        response.status, problem if isinstance(problem, dict) else None, float(after) if after.isdigit() else None
    )


def _delay(attempt: int, asked: Optional[float]) -> float:
    if asked is not None:
        return asked
    return min(_LONGEST_DELAY, _FIRST_DELAY * float(2**attempt)) * random.uniform(0.5, 1.0)
