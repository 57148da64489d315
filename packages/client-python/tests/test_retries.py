from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from conftest import System
from fault_proxy import Cut, Fault, FaultProxy, Hang, Refusal
from job_listing_client import Client, JobListingError
from job_listing_client.http import pause_after
from job_listing_client.models import NewApplication, NewJob

Through = Callable[..., Client]
IN_FLIGHT = json.dumps({"code": "idempotency_key_in_flight", "detail": "Still being handled"})


@pytest.mark.parametrize("status", [429, 503, 504])
def test_retries_what_may_succeed_later(
    proxy: FaultProxy, through: Through, job_id: int, status: int
) -> None:
    proxy.faults = [Refusal(status, retry_after=0), Refusal(status, retry_after=0)]
    assert through().jobs.get(job_id).data["id"] == job_id
    assert len(proxy.requests) == 3


@pytest.mark.parametrize("status", [400, 404, 409, 422, 500])
def test_does_not_retry_what_cannot(proxy: FaultProxy, through: Through, job_id: int, status: int) -> None:
    proxy.faults = [Refusal(status)]
    with pytest.raises(JobListingError) as refused:
        through().jobs.get(job_id)
    assert refused.value.status == status
    assert len(proxy.requests) == 1


@pytest.mark.parametrize("fault", [Cut(), Hang()])
def test_retries_what_got_no_answer(proxy: FaultProxy, through: Through, job_id: int, fault: Fault) -> None:
    proxy.faults = [fault]
    assert through(timeout=2).jobs.get(job_id).data["id"] == job_id
    assert len(proxy.requests) == 2


def test_waits_as_long_as_the_service_asks(proxy: FaultProxy, through: Through, job_id: int) -> None:
    proxy.faults = [Refusal(503, retry_after=1)]
    through().jobs.get(job_id)
    first, second = proxy.requests
    assert 1 <= second.at - first.at < 3


def test_waits_longer_each_time_where_the_service_does_not_say(
    proxy: FaultProxy, through: Through, job_id: int
) -> None:
    proxy.faults = [Refusal(504), Refusal(504)]
    through().jobs.get(job_id)
    first, second, third = proxy.requests
    assert 0.125 <= second.at - first.at < 0.25 + 1
    assert 0.25 <= third.at - second.at < 0.5 + 1


@pytest.mark.parametrize(
    ("attempt", "retry_after", "least", "most"),
    [
        (0, None, 0.125, 0.25),
        (1, None, 0.25, 0.5),
        (4, None, 2, 4),
        (5, None, 4, 8),
        (5000, None, 4, 8),
        (0, 7, 7, 7.25),
        (5, 7, 7, 7.25),
        (0, 0, 0.125, 0.25),
    ],
)
def test_waits_twice_as_long_each_time_up_to_eight_seconds(
    attempt: int, retry_after: int | None, least: float, most: float
) -> None:
    pauses = [pause_after(attempt, retry_after) for _ in range(100)]
    assert least <= min(pauses) < max(pauses) <= most


def test_gives_up_after_max_retries(proxy: FaultProxy, through: Through, job_id: int) -> None:
    proxy.faults = [Refusal(503, retry_after=0)] * 5
    with pytest.raises(JobListingError) as refused:
        through(max_retries=2).jobs.get(job_id)
    error = refused.value
    assert (error.status, error.code, error.reason, error.retry_after) == (503, "unavailable", "bus_away", 0)
    assert len(proxy.requests) == 3


def test_does_not_wait_past_the_total_time(proxy: FaultProxy, through: Through, job_id: int) -> None:
    proxy.faults = [Refusal(429, retry_after=5)]
    since = time.monotonic()
    with pytest.raises(JobListingError) as refused:
        through(total_timeout=4).jobs.get(job_id)
    assert refused.value.retry_after == 5
    assert time.monotonic() - since < 3


def test_an_attempt_takes_no_longer_than_what_is_left_of_the_total_time(
    proxy: FaultProxy, through: Through, job_id: int
) -> None:
    proxy.faults = [Hang(), Hang()]
    since = time.monotonic()
    with pytest.raises(JobListingError) as lost:
        through(total_timeout=1).jobs.get(job_id)
    assert lost.value.code == "no_answer"
    assert len(proxy.requests) == 1
    assert time.monotonic() - since < 4


def test_tells_when_the_rate_limit_ends(system: System, new_job: NewJob) -> None:
    with (
        system.client(consumer_key=system.slowKey, max_retries=0) as client,
        pytest.raises(JobListingError) as refused,
    ):
        # The limit of one a minute starts again with each minute of the clock.
        for _ in range(3):
            client.jobs.create(new_job)
    assert (refused.value.status, refused.value.code) == (429, "rate_limited")
    assert 1 <= (refused.value.retry_after or 0) <= 60


@pytest.mark.parametrize("fault", [Cut(), Cut(after_forwarding=True)])
def test_a_post_whose_answer_was_lost_happens_once(
    proxy: FaultProxy, through: Through, client: Client, new_job: NewJob, reference: str, fault: Cut
) -> None:
    job: NewJob = {**new_job, "title": reference}
    proxy.faults = [fault, fault]
    created = through().jobs.create(job).data
    keys = {request.headers["Idempotency-Key"] for request in proxy.requests}
    assert (len(proxy.requests), len(keys)) == (3, 1)
    listed = client.jobs.list(company_id=new_job["company"]["id"])
    assert [each["id"] for each in listed if each["title"] == reference] == [created["id"]]


def test_each_post_has_a_key_of_its_own(proxy: FaultProxy, through: Through, new_job: NewJob) -> None:
    client = through()
    client.jobs.create(new_job)
    client.jobs.create(new_job)
    client.jobs.create(new_job, idempotency_key="mine")
    keys = [request.headers["Idempotency-Key"] for request in proxy.requests]
    assert len(set(keys)) == 3
    assert keys[2] == "mine"


def test_waits_while_the_first_request_is_still_handled(
    proxy: FaultProxy, through: Through, new_job: NewJob
) -> None:
    proxy.faults = [Cut(after_forwarding=True), Refusal(409, retry_after=0, body=IN_FLIGHT)]
    assert through().jobs.create(new_job).data["title"] == new_job["title"]
    assert len(proxy.requests) == 3


def test_sends_files_again(proxy: FaultProxy, through: Through, job_id: int) -> None:
    proxy.faults = [Cut(), Refusal(503, retry_after=0)]
    client = through()
    application: NewApplication = {"applicant": {"name": "Ada", "email": "ada@example.com"}}
    created = client.applications.create(job_id, application, [("cv.txt", b"Roses")]).data
    assert client.applications.file(created["id"], created["files"][0]["id"]) == b"Roses"
    bodies = {request.body for request in proxy.requests if request.method == "POST"}
    assert len(bodies) == 1


def test_tells_that_no_answer_arrived(proxy: FaultProxy, through: Through, job_id: int) -> None:
    proxy.faults = [Cut(), Cut()]
    with pytest.raises(JobListingError) as lost:
        through(max_retries=1).jobs.get(job_id)
    assert (lost.value.status, lost.value.code) == (None, "no_answer")
    assert lost.value.__cause__ is not None


def test_tells_that_nothing_listens(system: System) -> None:
    with (
        system.client(base_url="http://127.0.0.1:1", max_retries=0) as client,
        pytest.raises(JobListingError) as lost,
    ):
        client.categories.list()
    assert lost.value.code == "no_answer"


@pytest.mark.parametrize(
    "changes", [{"city": None}, {"title": "Gardener", "types": []}, {"status": {"id": 2}}]
)
def test_sends_exactly_what_was_given(proxy: FaultProxy, through: Through, job_id: int, changes: Any) -> None:
    through().jobs.update(job_id, changes)
    assert json.loads(proxy.requests[0].body) == changes
