from __future__ import annotations

import json
import os
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

import pytest
from fault_proxy import FaultProxy
from job_listing_client import Client
from job_listing_client.models import NewJob


@dataclass(frozen=True)
class System:
    """The running system, its companies and keys, as tools/system.mjs makes them."""

    baseUrl: str
    consumerKey: str
    slowKey: str
    readingKey: str
    userKey: str
    companyId: int
    otherCompanyId: int

    def client(self, **options: Any) -> Client:
        given: dict[str, Any] = {
            "base_url": self.baseUrl,
            "consumer_key": self.consumerKey,
            "user_key": self.userKey,
        }
        return Client(**given | options)


@pytest.fixture(scope="session")
def system() -> System:
    return System(**json.loads(os.environ["CLIENT_TEST"]))


@pytest.fixture
def client(system: System) -> Iterator[Client]:
    with system.client() as client:
        yield client


@pytest.fixture
def company_id(system: System) -> int:
    return system.companyId


@pytest.fixture
def new_job(company_id: int) -> NewJob:
    """The body of a job that is Published."""
    return {
        "company": {"id": company_id},
        "title": "Senior Gardener",
        "publishDate": (date.today() - timedelta(days=3)).isoformat(),
        "description": "Look after the rose garden.",
        "applicantRoutingType": {"id": 1},
    }


@pytest.fixture
def job_id(client: Client, new_job: NewJob) -> int:
    return client.jobs.create(new_job).data["id"]


@pytest.fixture
def reference() -> str:
    return f"ref-{uuid.uuid4()}"


@pytest.fixture
def proxy(system: System) -> Iterator[FaultProxy]:
    with FaultProxy(system.baseUrl) as proxy:
        yield proxy


@pytest.fixture
def through(proxy: FaultProxy, system: System) -> Iterator[Callable[..., Client]]:
    """Makes clients that go through the proxy."""
    clients: list[Client] = []

    def make(**options: Any) -> Client:
        clients.append(system.client(base_url=proxy.url, **options))
        return clients[-1]

    yield make
    for client in clients:
        client.close()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Prints the counts as jest does, for the sum over all packages."""
    stats = terminalreporter.stats
    counts = {
        "failed": len(stats.get("failed", [])) + len(stats.get("error", [])),
        "skipped": len(stats.get("skipped", [])),
        "passed": len(stats.get("passed", [])),
    }
    parts = [f"{count} {kind}" for kind, count in counts.items() if count > 0]
    terminalreporter.write_line(f"Tests:       {', '.join([*parts, f'{sum(counts.values())} total'])}")
