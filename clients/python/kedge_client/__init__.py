"""A client for the server of Kedge: sessions of an agent, from Python. Needs nothing but the standard library."""

from .client import AgentSession, Answerer, Kedge
from .errors import (
    ConflictError,
    ForbiddenError,
    IncompatibleServerError,
    InvalidRequestError,
    KedgeError,
    NotFoundError,
    ServerBusyError,
    ServerFailedError,
    ServerUnreachableError,
    TurnFailedError,
    UnauthorizedError,
)
from .models import Ask, AskAnswer, LogItem, Session
from .transport import OMIT

__all__ = [
    "OMIT",
    "AgentSession",
    "Answerer",
    "Ask",
    "AskAnswer",
    "ConflictError",
    "ForbiddenError",
    "IncompatibleServerError",
    "InvalidRequestError",
    "Kedge",
    "KedgeError",
    "LogItem",
    "NotFoundError",
    "ServerBusyError",
    "ServerFailedError",
    "ServerUnreachableError",
    "Session",
    "TurnFailedError",
    "UnauthorizedError",
]
