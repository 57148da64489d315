from __future__ import annotations

import json
import uuid
from collections.abc import Callable

import pytest
from conftest import System
from fault_proxy import FaultProxy
from job_listing_client import Client, JobListingError
from job_listing_client.models import NewApplication, NewJob

PDF = b"%PDF-1.4\n" + bytes(range(256)) + b"\n%%EOF\n"


@pytest.fixture
def application() -> NewApplication:
    return {"applicant": {"name": "Zoë Park", "email": f"zoe+{uuid.uuid4().hex[:12]}@example.com"}}


@pytest.fixture
def job_id(client: Client, new_job: NewJob) -> int:
    return client.jobs.create({**new_job, "applicationEmails": ["hr@acme.example"]}).data["id"]


class TestCreate:
    def test_needs_only_the_consumer_key(
        self, system: System, job_id: int, application: NewApplication
    ) -> None:
        with system.client(user_key=None) as site:
            answer = site.applications.create(job_id, application)
        assert answer.data["applicant"]["name"] == "Zoë Park"
        assert answer.data["files"] == []
        assert answer.location is not None

    def test_takes_files(self, client: Client, job_id: int, application: NewApplication) -> None:
        files = [("Zoë, CV (1).pdf", PDF), ("letter.txt", b"Roses are red.")]
        answer = client.applications.create(
            job_id, {**application, "source": "search.example.com"}, files=files
        )
        assert answer.data["source"] == "search.example.com"
        assert [(file["name"], file["size"]) for file in answer.data["files"]] == [
            ("Zoë, CV (1).pdf", len(PDF)),
            ("letter.txt", 14),
        ]
        contents = [client.applications.file(answer.data["id"], file["id"]) for file in answer.data["files"]]
        assert contents == [PDF, b"Roses are red."]

    def test_creates_once_with_one_idempotency_key(
        self, client: Client, job_id: int, application: NewApplication, reference: str
    ) -> None:
        files = [("cv.pdf", PDF)]
        first = client.applications.create(job_id, application, files, idempotency_key=reference)
        again = client.applications.create(job_id, application, files, idempotency_key=reference)
        assert again.data == first.data
        with pytest.raises(JobListingError) as reused:
            client.applications.create(job_id, application, [("cv.txt", b"Roses")], idempotency_key=reference)
        assert reused.value.code == "idempotency_key_reused"

    def test_tells_everything_that_is_wrong(self, client: Client, job_id: int) -> None:
        with pytest.raises(JobListingError) as refused:
            client.applications.create(
                job_id, {"applicant": {"name": "", "email": "none"}}, [("cv.exe", b"MZ\0\1")]
            )
        places = {each.get("pointer") for each in refused.value.violations}
        assert places == {"#/applicant/name", "#/applicant/email", "#/files/0"}


class TestRead:
    def test_get_has_the_copies(self, client: Client, job_id: int, application: NewApplication) -> None:
        created = client.applications.create(job_id, application).data
        read = client.applications.get(created["id"]).data
        assert read["job"]["id"] == job_id
        assert [(copy["email"], copy["state"]) for copy in read["copies"]] == [("hr@acme.example", "queued")]

    def test_list_yields_all_pages_and_page_one(
        self, client: Client, company_id: int, job_id: int, application: NewApplication
    ) -> None:
        ids = [
            client.applications.create(job_id, {**application, "coverLetter": f"Letter {number}"}).data["id"]
            for number in range(3)
        ]
        listed = client.applications.list(company_id=company_id, job_id=job_id, page_size=2)
        assert [each["id"] for each in listed] == ids[::-1]
        page = client.applications.page(company_id=company_id, job_id=job_id, page_size=2, page=2)
        assert [each["id"] for each in page.data] == ids[:1]
        assert page.paging["total"] == 3
        failed = client.applications.list(company_id=company_id, job_id=job_id, status="failed")
        assert list(failed) == []


class TestChange:
    def test_queue_copies_sends_those_that_failed_or_all(
        self, proxy: FaultProxy, through: Callable[..., Client], job_id: int, application: NewApplication
    ) -> None:
        client = through()
        created = client.applications.create(job_id, application).data
        copies = client.applications.queue_copies(created["id"], to="all").data
        assert [copy["state"] for copy in copies] == ["queued"]
        assert client.applications.queue_copies(created["id"]).data == copies
        assert [json.loads(request.body) for request in proxy.requests[1:]] == [
            {"to": "all"},
            {"to": "failed"},
        ]

    def test_delete_erases(self, client: Client, job_id: int, application: NewApplication) -> None:
        created = client.applications.create(job_id, application).data
        client.applications.delete(created["id"])
        with pytest.raises(JobListingError) as gone:
            client.applications.get(created["id"])
        assert gone.value.code == "application_not_found"

    def test_erase_applicant_erases_all_of_an_address(
        self, client: Client, company_id: int, job_id: int, application: NewApplication
    ) -> None:
        client.applications.create(job_id, application)
        client.applications.create(job_id, {**application, "coverLetter": "Once more"})
        email = application["applicant"]["email"]
        assert client.applications.erase_applicant(company_id=company_id, email=email).data == {"erased": 2}
        assert list(client.applications.list(company_id=company_id, job_id=job_id)) == []
