"""Requests with keys and retries, and what their answers hold."""

from __future__ import annotations

import itertools
import random
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import httpx

from .errors import JobListingError, error_of, no_answer
from .models import CursorPaging, Paging, Warning

T = TypeVar("T")

# A file field of a multipart body: its name, then file name, content and media type.
Part = tuple[str, tuple[str | None, bytes, str]]

_NOT_MODIFIED = 304
_FIRST_PAUSE_SECONDS = 0.25
_MOST_DOUBLINGS = 5  # to 8 seconds
_SHORTEST_LIMIT_SECONDS = 0.001
_STEPS = ("connect", "read", "write", "pool")


@dataclass(frozen=True)
class Answer(Generic[T]):
    """What the service answered to one request."""

    data: T
    warnings: list[Warning]
    etag: str | None
    """The version, for `if_match` and `if_none_match`."""
    location: str | None
    """The address of what was created."""


@dataclass(frozen=True)
class Page(Generic[T]):
    """One page of a list."""

    data: list[T]
    paging: Paging
    warnings: list[Warning]


@dataclass(frozen=True)
class CursorPage(Generic[T]):
    """A part of a list that is followed. Store `paging["next"]` to go on there."""

    data: list[T]
    paging: CursorPaging
    warnings: list[Warning]


class Http:
    """Sends requests; retries those that may succeed later."""

    def __init__(self, client: httpx.Client, max_retries: int, timeout: float, total_timeout: float) -> None:
        self._client = client
        self._max_retries = max_retries
        self._timeout = timeout
        self._total_timeout = total_timeout

    def send(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, object] | None = None,
        headers: Mapping[str, str | None] | None = None,
        body: object = None,
        parts: Sequence[Part] | None = None,
    ) -> httpx.Response:
        """Sends a request; queries and headers that are None are left out.

        :raises JobListingError: if it fails for good
        """
        request = self._client.build_request(
            method, path, params=_given(query), headers=_given(headers), json=body, files=parts
        )
        return self._send_with_retries(request)

    def post(
        self,
        path: str,
        body: object,
        idempotency_key: str | None,
        query: Mapping[str, object] | None = None,
    ) -> httpx.Response:
        return self.send("POST", path, query=query, headers=idempotent(idempotency_key), body=body)

    def _send_with_retries(self, request: httpx.Request) -> httpx.Response:
        give_up_at = time.monotonic() + self._total_timeout
        for attempt in itertools.count():
            remaining = max(give_up_at - time.monotonic(), _SHORTEST_LIMIT_SECONDS)
            request.extensions["timeout"] = dict.fromkeys(_STEPS, min(self._timeout, remaining))
            outcome = self._send_once(request)
            if isinstance(outcome, httpx.Response):
                return outcome
            pause = pause_after(attempt, outcome.retry_after)
            is_last = attempt >= self._max_retries or time.monotonic() + pause >= give_up_at
            if is_last or not outcome.is_temporary:
                raise outcome
            time.sleep(pause)
        raise AssertionError("unreachable")

    def _send_once(self, request: httpx.Request) -> httpx.Response | JobListingError:
        try:
            response = self._client.send(request)
        except httpx.RequestError as cause:
            return no_answer(cause)
        if response.is_success or response.status_code == _NOT_MODIFIED:
            return response
        return error_of(response)


def idempotent(key: str | None) -> dict[str, str]:
    """With a key, the service executes a POST once, however often it arrives."""
    return {"Idempotency-Key": key or str(uuid.uuid4())}


def read_answer(response: httpx.Response) -> Answer[Any]:
    body = _envelope(response)
    return Answer(
        body["data"], body.get("warnings", []), response.headers.get("ETag"), response.headers.get("Location")
    )


def read_changed(response: httpx.Response) -> Answer[Any] | None:
    """The answer to a conditional GET: None if nothing has changed."""
    return None if response.status_code == _NOT_MODIFIED else read_answer(response)


def read_page(response: httpx.Response) -> Page[Any]:
    body = _envelope(response)
    return Page(body["data"], body["paging"], body.get("warnings", []))


def read_cursor_page(response: httpx.Response) -> CursorPage[Any]:
    body = _envelope(response)
    return CursorPage(body["data"], body["paging"], body.get("warnings", []))


def all_pages(fetch: Callable[[int], Page[T]]) -> Iterator[T]:
    """Every element of a list, one request for each page."""
    for number in itertools.count(1):
        page = fetch(number)
        yield from page.data
        if page.paging["next"] is None:
            return


def _envelope(response: httpx.Response) -> Any:
    try:
        body = response.json()
    except ValueError:
        body = None
    if not isinstance(body, dict) or "data" not in body:
        raise error_of(response)
    return body


def _given(values: Mapping[str, Any] | None) -> dict[str, Any]:
    return {name: value for name, value in (values or {}).items() if value is not None}


def pause_after(attempt: int, retry_after: int | None) -> float:
    """Seconds. Chance keeps clients that failed together from coming back together.

    :param attempt: its number, from 0 on
    """
    if retry_after:
        return retry_after + random.uniform(0, _FIRST_PAUSE_SECONDS)
    longest = _FIRST_PAUSE_SECONDS * 2 ** min(attempt, _MOST_DOUBLINGS)
    return random.uniform(longest / 2, longest)
