"""The one error that this package raises for a request."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Mapping
from typing import Any

import httpx

from .models import Conflict, Violation

_TEMPORARY = {429, 503, 504}
_CONFLICT = 409
_SHOWN_LENGTH = 200
_LOST = (httpx.TimeoutException, httpx.NetworkError, httpx.RemoteProtocolError)


class JobListingError(Exception):
    """A request that failed, after its retries."""

    status: int | None
    """The HTTP status; None if no answer arrived."""
    code: str
    """A code of the API; `unexpected_answer` if something else than the service answered; without an answer
    `no_answer`, or `connection_failed` if another attempt would get none either."""
    reason: str | None
    """Of 429, 503 and 504: which limit or dependency it was."""
    detail: str
    violations: list[Violation]
    """Everything that is wrong with the request, each with its place."""
    conflict: Conflict | None
    """Of 409: the job or category that stands in the way."""
    snapshot: str | None
    """Of `cursor_expired`: the address where all jobs are read again."""
    request_id: str | None
    """Names the request in the service's logs."""
    retry_after: int | None
    """Seconds after which the service asks to try again."""

    def __init__(
        self, status: int | None, body: Mapping[str, Any], headers: Mapping[str, str] | None = None
    ) -> None:
        headers = headers or {}
        self.status = status
        self.code = body["code"]
        self.reason = body.get("reason")
        self.detail = body["detail"]
        self.violations = body.get("errors", [])
        self.conflict = body.get("conflict")
        self.snapshot = body.get("snapshot")
        self.request_id = headers.get("Request-Id")
        self.retry_after = _seconds(headers.get("Retry-After", ""))
        super().__init__(self._describe())

    @property
    def is_temporary(self) -> bool:
        """Whether the same request may succeed later."""
        return (
            self.code == "no_answer"
            or self.status in _TEMPORARY
            or (self.status == _CONFLICT and self.retry_after is not None)
        )

    def _describe(self) -> str:
        places = [
            f"{each.get('pointer') or each.get('parameter') or each.get('header') or 'request'}: {each['detail']}"
            for each in self.violations
        ]
        status = "" if self.status is None else f"{self.status} "
        return "\n  ".join([f"{status}{self.code}: {self.detail}", *places])


def error_of(response: httpx.Response) -> JobListingError:
    """The error that an answer tells. Proxies answer with bodies of their own."""
    try:
        body = response.json()
    except ValueError:
        body = None
    if not _is_problem(body):
        body = {"code": "unexpected_answer", "detail": response.text[:_SHOWN_LENGTH]}
    return JobListingError(response.status_code, body, response.headers)


def _is_problem(body: Any) -> bool:
    """Something in front of the API may answer in another form."""
    if not isinstance(body, dict) or not all(isinstance(body.get(name), str) for name in ("code", "detail")):
        return False
    errors = body.get("errors", [])
    return isinstance(errors, list) and all(isinstance(each, dict) and "detail" in each for each in errors)


def no_answer(cause: httpx.RequestError) -> JobListingError:
    error = JobListingError(None, {"code": _code_of(cause), "detail": str(cause) or type(cause).__name__})
    error.__cause__ = cause
    return error


def _code_of(cause: httpx.RequestError) -> str:
    if isinstance(cause, httpx.DecodingError):
        return "unexpected_answer"
    return "no_answer" if isinstance(cause, _LOST) and not _is_permanent(cause) else "connection_failed"


def _is_permanent(cause: BaseException) -> bool:
    """Whether it began with an unknown host or a certificate that is not trusted."""
    if cause.__cause__ is not None:
        return _is_permanent(cause.__cause__)
    if isinstance(cause, socket.gaierror):
        return cause.errno != socket.EAI_AGAIN
    return isinstance(cause, ssl.SSLCertVerificationError)


def _seconds(value: str) -> int | None:
    return int(value) if value.isdecimal() else None
