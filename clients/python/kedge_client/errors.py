"""What the client raises: a class for each thing that a program can do about it."""

from __future__ import annotations

from typing import Any, Dict, Optional


class KedgeError(Exception):
    """Something didn't work. `code` is stable, `fix` says what to do about it."""

    def __init__(
        self,
        message: str,
        *,
        code: str,
        fix: str = "",
        status: int = 0,
        by: Optional[str] = None,
        retry_after: Optional[float] = None,
    ) -> None:
        super().__init__(message if fix == "" else f"{message} {fix}")
        self.message = message
        self.code = code
        self.fix = fix
        #: The HTTP status; 0 if there was no response.
        self.status = status
        #: With the code `already_answered`: who answered first.
        self.by = by
        #: Seconds to wait before another attempt, if the server says so.
        self.retry_after = retry_after


class UnauthorizedError(KedgeError):
    """401: the server doesn't know the token, or it was revoked."""


class ForbiddenError(KedgeError):
    """403: the token is valid, and doesn't permit this."""


class NotFoundError(KedgeError):
    """404: the session, request, prompt, task, or file doesn't exist."""


class ConflictError(KedgeError):
    """409: it changed meanwhile. With `already_answered`, `by` is the person who answered first."""


class InvalidRequestError(KedgeError):
    """Another 4xx: the server doesn't accept what was sent."""


class ServerBusyError(KedgeError):
    """429 or 503: the server takes nothing now."""


class ServerFailedError(KedgeError):
    """Another 5xx: the server failed."""


class ServerUnreachableError(KedgeError):
    """There is no server at the address, or the connection broke."""


class IncompatibleServerError(KedgeError):
    """What answered is no Kedge server, or one of another version."""


class TurnFailedError(KedgeError):
    """The turn of a prompt ended with an error. `result` is the agent's message about it."""

    def __init__(self, message: str, result: Any) -> None:
        super().__init__(message, code="turn_failed")
        self.result = result


_CLASSES = {
    401: UnauthorizedError,
    403: ForbiddenError,
    404: NotFoundError,
    409: ConflictError,
    429: ServerBusyError,
    503: ServerBusyError,
}


def error_of(status: int, problem: Optional[Dict[str, Any]], retry_after: Optional[float] = None) -> KedgeError:
    """Returns the error for a response of the server. `problem` is its body; None: it wasn't one of Kedge's."""
    if problem is None or not isinstance(problem.get("code"), str):
        return IncompatibleServerError(
            f"The response (HTTP {status}) isn't one of a Kedge server.",
            code="server_incompatible",
            fix="Check the address: a proxy or another program answered.",
            status=status,
        )
    other = ServerFailedError if status >= 500 else InvalidRequestError
    by = problem.get("by")
    return _CLASSES.get(status, other)(
        str(problem.get("detail") or problem["code"]),
        code=problem["code"],
        fix=str(problem.get("fix") or ""),
        status=status,
        by=by.get("name") if isinstance(by, dict) else None,
        retry_after=retry_after,
    )
