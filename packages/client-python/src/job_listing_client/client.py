"""The client of the HTTP API."""

from __future__ import annotations

from types import TracebackType

import httpx

from .applications import Applications
from .categories import Categories
from .events import Events
from .http import Http
from .jobs import Jobs
from .metrics import Metrics
from .reference_data import ReferenceData
from .syncs import Syncs
from .webhooks import Webhooks

_BASE_PATH = "/v1.0"


class Client:
    """Sends requests with these keys, over kept connections. Threads may share it.

    :param base_url: the address of the service, with or without `/v1.0`
    :param max_retries: how often a request is sent again
    :param timeout: seconds to wait for a connection, or for the next part of an answer
    :param total_timeout: seconds for all attempts and the waits between them
    :raises ValueError: if `base_url` does not begin with `http://` or `https://`
    """

    def __init__(
        self,
        base_url: str,
        consumer_key: str | None = None,
        user_key: str | None = None,
        max_retries: int = 3,
        timeout: float = 30,
        total_timeout: float = 120,
    ) -> None:
        if not base_url.startswith(("http://", "https://")):
            raise ValueError(f"base_url must begin with http:// or https://: {base_url!r}")
        keys = {"Consumer-API-Key": consumer_key, "User-API-Key": user_key}
        self._client = httpx.Client(
            base_url=base_url.rstrip("/").removesuffix(_BASE_PATH) + _BASE_PATH,
            headers={name: key for name, key in keys.items() if key is not None},
        )
        http = Http(self._client, max_retries, timeout, total_timeout)
        self.jobs = Jobs(http)
        self.syncs = Syncs(http)
        self.events = Events(http)
        self.webhooks = Webhooks(http)
        self.categories = Categories(http)
        self.applications = Applications(http)
        self.metrics = Metrics(http)
        self.reference_data = ReferenceData(http)

    def close(self) -> None:
        """Closes the kept connections."""
        self._client.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
