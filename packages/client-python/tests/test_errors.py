from __future__ import annotations

import socket
import ssl
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from conftest import System
from fault_proxy import FaultProxy, Refusal
from job_listing_client import Client, JobListingError
from job_listing_client.errors import error_of, no_answer


def test_tells_everything_that_is_wrong(client: Client, company_id: int) -> None:
    with pytest.raises(JobListingError) as refused:
        client.jobs.create(
            {
                "company": {"id": company_id},
                "title": "",
                "publishDate": "2026-02-30",
                "description": "Hi",
                "applicantRoutingType": {"id": 2},
            }
        )
    error = refused.value
    assert (error.status, error.code, error.reason, error.retry_after) == (
        422,
        "validation_failed",
        None,
        None,
    )
    assert {each.get("pointer") for each in error.violations} == {
        "#/title",
        "#/publishDate",
        "#/applicationUrl",
    }
    assert error.request_id is not None
    assert "422 validation_failed: " in str(error)
    assert "#/publishDate: " in str(error)


def test_names_the_parameter(client: Client, company_id: int) -> None:
    with pytest.raises(JobListingError) as refused:
        client.jobs.page(company_id=company_id, page=0)
    assert refused.value.status == 400
    assert [each.get("parameter") for each in refused.value.violations] == ["page"]


@pytest.mark.parametrize(
    ("keys", "status", "code"),
    [
        ({"consumer_key": None}, 401, "unauthenticated"),
        ({"user_key": "jlu_none"}, 401, "unauthenticated"),
    ],
)
def test_refuses_missing_and_wrong_keys(
    system: System, job_id: int, keys: dict[str, str | None], status: int, code: str
) -> None:
    with system.client(**keys) as client, pytest.raises(JobListingError) as refused:
        client.jobs.get(job_id)
    assert (refused.value.status, refused.value.code) == (status, code)


def test_refuses_keys_without_the_scope(system: System, job_id: int) -> None:
    with system.client(consumer_key=system.readingKey) as client:
        assert client.jobs.get(job_id).data["id"] == job_id
        with pytest.raises(JobListingError) as refused:
            client.jobs.delete(job_id)
    assert (refused.value.status, refused.value.code) == (403, "scope_missing")


def test_names_the_job_that_has_the_reference(
    client: Client, company_id: int, job_id: int, reference: str
) -> None:
    job = client.jobs.update(job_id, {"referenceId": reference}).data
    with pytest.raises(JobListingError) as refused:
        client.jobs.create(job)
    assert refused.value.code == "reference_id_taken"
    assert refused.value.conflict is not None
    assert refused.value.conflict["id"] == job_id


@pytest.mark.parametrize("status", [200, 301, 502])
def test_tells_of_answers_that_are_not_the_service_s(
    proxy: FaultProxy, through: Callable[..., Client], job_id: int, status: int
) -> None:
    proxy.faults = [Refusal(status, body="<html>Welcome</html>")]
    with pytest.raises(JobListingError) as refused:
        through().jobs.get(job_id)
    error = refused.value
    assert (error.status, error.code, error.detail) == (status, "unexpected_answer", "<html>Welcome</html>")
    assert len(proxy.requests) == 1


def test_takes_an_address_with_the_version(system: System, job_id: int) -> None:
    for address in [f"{system.baseUrl}/v1.0", f"{system.baseUrl}/", f"{system.baseUrl}/v1.0/"]:
        with system.client(base_url=address) as client:
            assert client.jobs.get(job_id).data["id"] == job_id


@pytest.mark.parametrize("wrong", ["../jobcategories/7", "1?x=1", "7"])
def test_refuses_an_id_that_is_no_integer(client: Client, wrong: Any) -> None:
    with pytest.raises(ValueError):
        client.jobs.delete(wrong)


def test_refuses_a_base_url_without_a_scheme() -> None:
    with pytest.raises(ValueError, match="http://"):
        Client("localhost:8080")


@pytest.mark.parametrize(
    "body",
    [
        {"code": 503, "detail": "Later."},
        {"code": "overloaded", "detail": "Later.", "errors": None},
        {"code": "overloaded", "detail": "Later.", "errors": ["a"]},
        ["later"],
    ],
)
def test_tells_the_status_of_an_error_in_another_form(body: object) -> None:
    error = error_of(httpx.Response(503, json=body))
    assert (error.status, error.code, error.violations) == (503, "unexpected_answer", [])
    assert error.is_temporary


def test_repeats_a_conflict_that_says_when() -> None:
    body = {"code": "file_not_scanned", "detail": "Later."}
    assert error_of(httpx.Response(409, json=body, headers={"Retry-After": "1"})).is_temporary
    assert not error_of(httpx.Response(409, json=body)).is_temporary


@pytest.mark.parametrize(
    ("origin", "code"),
    [
        (socket.gaierror(socket.EAI_NONAME, "Name or service not known"), "connection_failed"),
        (socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution"), "no_answer"),
        (ssl.SSLCertVerificationError("self-signed certificate"), "connection_failed"),
        (ssl.SSLEOFError("EOF occurred in violation of protocol"), "no_answer"),
        (ConnectionRefusedError(), "no_answer"),
    ],
)
def test_repeats_a_connection_that_another_attempt_may_get(origin: OSError, code: str) -> None:
    cause = httpx.ConnectError("No connection")
    cause.__cause__ = RuntimeError()
    cause.__cause__.__cause__ = origin
    error = no_answer(cause)
    assert (error.code, error.is_temporary) == (code, code == "no_answer")


@pytest.mark.parametrize("cause", [httpx.UnsupportedProtocol("ftp"), httpx.LocalProtocolError("Bad header")])
def test_does_not_repeat_what_cannot_be_sent(cause: httpx.RequestError) -> None:
    error = no_answer(cause)
    assert (error.code, error.is_temporary) == ("connection_failed", False)


def test_does_not_repeat_an_answer_that_cannot_be_decoded() -> None:
    error = no_answer(httpx.DecodingError("Bad gzip"))
    assert (error.code, error.is_temporary) == ("unexpected_answer", False)
