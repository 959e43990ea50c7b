"""Sessions of a Kedge server: start one, send prompts, read what happens, answer requests."""

from __future__ import annotations

import ssl
import uuid
from typing import Any, Callable, Iterator, List, Optional, Union, cast

from .errors import ConflictError, NotFoundError, TurnFailedError
from .models import Ask, AskAnswer, LogItem, Receipt, SDKResultMessage
from .operations import Operations
from .transport import Transport

#: Decides about a request. None: nobody answers here, and the session waits for somebody else.
Answerer = Callable[[Ask], Optional[AskAnswer]]


class Kedge(Operations):
    """A server. Has a method for each operation of its API, and `session()` and `start()` for one session."""

    def __init__(
        self,
        url: str = "http://127.0.0.1:4141",
        token: Optional[str] = None,
        *,
        timeout: float = 60.0,
        retries: int = 4,
        tls: Optional[ssl.SSLContext] = None,
    ) -> None:
        """`timeout` is in seconds, for a single response. `retries` is how often a call is repeated if that can do no
        harm. `tls` is for a server with a certificate of your own.
        """
        super().__init__(Transport(url, token, timeout=timeout, retries=retries, tls=tls))

    def start(self, cwd: str, **options: Any) -> AgentSession:
        """Creates a session in a folder of the server. `options` are those of `create_session()`."""
        return AgentSession(self, self.create_session(cwd=cwd, **options)["id"])

    def session(self, id: str) -> AgentSession:
        """Returns a session that exists. Asks nothing of the server."""
        return AgentSession(self, id)

    def open_requests(self) -> Iterator[Ask]:
        """Yields what waits for a person in all sessions, oldest first."""
        cursor: Optional[str] = None
        while True:
            page = self.list_asks() if cursor is None else self.list_asks(cursor=cursor)
            yield from page["asks"]
            cursor = page.get("next")
            if cursor is None:
                return

    def answer(self, ask: Ask, answer: AskAnswer) -> bool:
        """Answers a request about exactly what it shows. False: somebody else was first, or it was withdrawn."""
        tool = ask.get("tool")
        body = dict(answer) if tool is None else {"hash": tool["hash"], **cast(Any, answer)}
        try:
            self.answer_ask(ask["session"], ask["id"], cast(Any, body))
        except ConflictError as error:
            if error.code != "already_answered":
                raise
            return False
        except NotFoundError as error:
            if error.code != "ask_not_found":
                raise
            return False
        return True


class AgentSession:
    """One session of a server."""

    def __init__(self, server: Kedge, id: str) -> None:
        self.server = server
        self.id = id

    def send(self, content: Union[str, List[Any]], **options: Any) -> Receipt:
        """Sends a prompt and returns when the server has stored it. `options` are those of `send_prompt()`."""
        with_id: Any = {"id": str(uuid.uuid4()), **options}
        return self.server.send_prompt(self.id, content=content, **with_id)

    def follow(self, after: int = 0, *, deltas: bool = True) -> Iterator[LogItem]:
        """Yields the log after a number, then what happens, for ever.

        After a broken connection it continues where it was. Deltas of what is unfinished come again then.
        """
        return self.server.follow_session(self.id, after=after, deltas=deltas)

    def events(self, content: Union[str, List[Any]], **options: Any) -> Iterator[LogItem]:
        """Sends a prompt, and yields what happens until the agent is done with it. The last item is its end."""
        receipt = self.send(content, **options)
        for item in self.follow(receipt["seq"] - 1):
            yield item
            if item["kind"] != "prompt":
                continue
            change = item["data"]
            if change["change"] in ("done", "interrupted", "removed") and change.get("id") == receipt["id"]:
                return

    def run(self, content: Union[str, List[Any]], answer: Optional[Answerer] = None, **options: Any) -> str:
        """Sends a prompt and returns the agent's answer to it.

        `answer` decides about the requests that come meanwhile. Raises `TurnFailedError` if the turn fails or is stopped.
        """
        results: List[SDKResultMessage] = []
        for item in self.events(content, **options):
            if item["kind"] == "message" and item["data"]["type"] == "result":
                results.append(cast(SDKResultMessage, item["data"]))
            elif item["kind"] == "ask" and answer is not None:
                decision = answer(item["data"])
                if decision is not None:
                    self.server.answer(item["data"], decision)
            elif item["kind"] == "prompt":
                last = item["data"]
        if last["change"] != "done":
            raise TurnFailedError(f"The prompt was {last['change']}.", last)
        result = next(each for each in results if each["uuid"] == last["result"])
        if result["subtype"] != "success" or result["is_error"]:
            raise TurnFailedError(_failure_text(result), result)
        return str(cast(Any, result)["result"])

    def interrupt(self) -> None:
        """Stops the running turn."""
        self.server.interrupt(self.id)

    def close(self) -> None:
        """Closes the session. It stays stored; the next prompt continues it."""
        self.server.close_session(self.id)


def _failure_text(result: SDKResultMessage) -> str:
    given = cast(Any, result)
    return str(given.get("result") or "; ".join(given.get("errors") or []) or given["subtype"])
