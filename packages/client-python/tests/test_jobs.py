from __future__ import annotations

import pytest
from conftest import System
from job_listing_client import Client, JobListingError
from job_listing_client.models import JobByReference, NewJob


class TestCreate:
    def test_answers_with_the_job_its_address_and_its_version(self, client: Client, new_job: NewJob) -> None:
        answer = client.jobs.create(new_job)
        assert answer.data["title"] == new_job["title"]
        assert answer.data["status"] == {"id": 1, "name": "Published"}
        assert answer.location is not None
        assert answer.location.endswith(f"/v1.0/jobs/{answer.data['id']}")
        assert answer.etag == client.jobs.get(answer.data["id"]).etag
        assert answer.warnings == []

    def test_gives_warnings(self, client: Client, new_job: NewJob, reference: str) -> None:
        answer = client.jobs.create({**new_job, "categories": [{"name": reference}]})
        assert [each["code"] for each in answer.warnings] == ["category_created"]
        assert answer.warnings[0].get("pointer") == "#/categories/0/name"

    def test_takes_back_what_get_gave(self, client: Client, job_id: int) -> None:
        job = client.jobs.get(job_id).data
        again = client.jobs.create(job).data
        assert again["id"] != job_id
        assert {**again, "id": job_id, "url": job["url"]} == job

    def test_creates_once_with_one_idempotency_key(
        self, client: Client, new_job: NewJob, reference: str
    ) -> None:
        first = client.jobs.create(new_job, idempotency_key=reference)
        again = client.jobs.create(new_job, idempotency_key=reference)
        assert again.data["id"] == first.data["id"]
        assert client.jobs.create(new_job).data["id"] != first.data["id"]


class TestGet:
    def test_has_every_field(self, client: Client, job_id: int, new_job: NewJob) -> None:
        job = client.jobs.get(job_id).data
        assert job["company"]["id"] == new_job["company"]["id"]
        assert job["closeDate"] is None
        assert job["applicationEmails"] == []
        assert job["viewCount"] == 0

    def test_is_none_while_the_version_that_one_has_is_current(self, client: Client, job_id: int) -> None:
        answer = client.jobs.get(job_id)
        assert client.jobs.get(job_id, if_none_match=answer.etag) is None
        client.jobs.update(job_id, {"title": "Gardener"})
        changed = client.jobs.get(job_id, if_none_match=answer.etag)
        assert changed is not None
        assert changed.data["title"] == "Gardener"


class TestUpdate:
    def test_changes_only_what_is_given(self, client: Client, job_id: int) -> None:
        before = client.jobs.update(job_id, {"city": "Utrecht", "employer": "Roses Ltd"}).data
        after = client.jobs.update(job_id, {"employer": None}).data
        assert after == {**before, "employer": None}

    def test_closes_and_publishes(self, client: Client, job_id: int) -> None:
        closed = client.jobs.update(job_id, {"status": {"id": 2}})
        assert closed.data["status"]["name"] == "Closed"
        assert [each["code"] for each in closed.warnings] == ["close_date_changed"]
        assert client.jobs.update(job_id, {"status": {"id": 1}}).data["status"]["name"] == "Published"

    def test_refuses_another_version(self, client: Client, job_id: int) -> None:
        old = client.jobs.get(job_id).etag
        new = client.jobs.update(job_id, {"title": "Gardener"}, if_match=old).etag
        with pytest.raises(JobListingError) as refused:
            client.jobs.update(job_id, {"title": "Beekeeper"}, if_match=old)
        assert (refused.value.status, refused.value.code) == (412, "version_mismatch")
        assert client.jobs.update(job_id, {"title": "Beekeeper"}, if_match=new).data["title"] == "Beekeeper"


class TestBatch:
    def test_answers_each_job_by_itself(self, client: Client, new_job: NewJob, reference: str) -> None:
        good: JobByReference = {**new_job, "referenceId": reference}
        bad: JobByReference = {**new_job, "referenceId": f"{reference}-2", "title": ""}
        answers = client.jobs.batch([good, bad]).data
        assert [each["status"] for each in answers] == [201, 422]
        assert answers[0]["data"] == client.jobs.get(answers[0]["data"]["id"]).data
        assert answers[1]["error"]["errors"][0]["pointer"] == "#/items/1/title"

    def test_writes_nothing_in_a_dry_run(self, client: Client, new_job: NewJob, reference: str) -> None:
        job: JobByReference = {**new_job, "referenceId": reference}
        assert client.jobs.batch([job], dry_run=True).data[0]["status"] == 201
        assert client.jobs.batch([job]).data[0]["status"] == 201


class TestSyncs:
    def test_closes_what_was_not_sent(self, client: Client, new_job: NewJob, reference: str) -> None:
        jobs: list[JobByReference] = [{**new_job, "referenceId": f"{reference}-{n}"} for n in (1, 2)]
        client.jobs.batch(jobs)
        sync = client.syncs.start({"company": new_job["company"], "scope": reference}).data["id"]
        assert client.syncs.add(sync, jobs[:1]).data[0]["outcome"] == "unchanged"
        with pytest.raises(JobListingError) as refused:
            client.syncs.commit(sync, {"expectedCount": 2, "missing": "close"})
        assert refused.value.code == "sync_refused"
        client.syncs.commit(sync, {"expectedCount": 1, "missing": "close", "maxMissingPercent": 50})
        assert client.syncs.get(sync).data["closed"] == 1


class TestPutByReference:
    def test_creates_then_changes(self, client: Client, new_job: NewJob, reference: str) -> None:
        company = new_job["company"]
        created = client.jobs.put_by_reference({**new_job, "referenceId": reference})
        assert created.location is not None
        changed = client.jobs.put_by_reference(
            {"referenceId": reference, "company": company, "city": "Delft"}
        )
        assert changed.location is None
        assert changed.data == {**created.data, "city": "Delft"}

    def test_never_creates_with_a_version(self, client: Client, new_job: NewJob, reference: str) -> None:
        with pytest.raises(JobListingError) as refused:
            client.jobs.put_by_reference({**new_job, "referenceId": reference}, if_match="*")
        assert refused.value.status == 412


class TestDelete:
    def test_deletes(self, client: Client, job_id: int) -> None:
        with pytest.raises(JobListingError) as refused:
            client.jobs.delete(job_id, if_match='"0-other"')
        assert refused.value.status == 412
        client.jobs.delete(job_id)
        with pytest.raises(JobListingError) as gone:
            client.jobs.get(job_id)
        assert (gone.value.status, gone.value.code) == (404, "job_not_found")

    def test_deletes_by_reference(self, client: Client, new_job: NewJob, reference: str) -> None:
        job_id = client.jobs.put_by_reference({**new_job, "referenceId": reference}).data["id"]
        company = new_job["company"]
        with pytest.raises(JobListingError) as refused:
            client.jobs.delete_by_reference(
                {"referenceId": reference, "company": company}, if_match='"0-other"'
            )
        assert refused.value.status == 412
        client.jobs.delete_by_reference({"referenceId": reference, "company": company})
        with pytest.raises(JobListingError) as gone:
            client.jobs.get(job_id)
        assert gone.value.status == 404


class TestList:
    @pytest.fixture
    def company_id(self, system: System) -> int:
        return system.otherCompanyId

    @pytest.fixture
    def job_ids(self, client: Client, new_job: NewJob) -> list[int]:
        for job in client.jobs.list(company_id=new_job["company"]["id"]):
            client.jobs.delete(job["id"])
        return [client.jobs.create(new_job).data["id"] for _ in range(5)]

    def test_yields_the_jobs_of_all_pages(self, client: Client, company_id: int, job_ids: list[int]) -> None:
        listed = [job["id"] for job in client.jobs.list(company_id=company_id, page_size=2)]
        assert listed == job_ids[::-1]

    def test_filters_by_status(self, client: Client, company_id: int, job_ids: list[int]) -> None:
        client.jobs.update(job_ids[2], {"status": {"id": 2}})
        assert [job["id"] for job in client.jobs.list(company_id=company_id, status_id=2)] == [job_ids[2]]

    def test_page_is_one_page(self, client: Client, company_id: int, job_ids: list[int]) -> None:
        page = client.jobs.page(company_id=company_id, page=2, page_size=2)
        assert [job["id"] for job in page.data] == job_ids[::-1][2:4]
        paging = page.paging
        assert (paging["total"], paging["page"], paging["pages"], paging["pageSize"]) == (5, 2, 3, 2)
        assert page.warnings == []

    def test_finds_the_one_with_a_reference(self, client: Client, new_job: NewJob, reference: str) -> None:
        job_id = client.jobs.put_by_reference({**new_job, "referenceId": reference}).data["id"]
        found = client.jobs.page(company_id=new_job["company"]["id"], reference_id=reference).data
        assert [header["id"] for header in found] == [job_id]


def test_a_dry_run_writes_nothing(client: Client, new_job: NewJob, job_id: int, reference: str) -> None:
    assert client.jobs.create(new_job, dry_run=True).data["id"] == 0
    assert client.jobs.put_by_reference({**new_job, "referenceId": reference}, dry_run=True).data["id"] == 0
    assert client.jobs.update(job_id, {"title": "Beekeeper"}, dry_run=True).data["title"] == "Beekeeper"
    assert client.jobs.get(job_id).data["title"] != "Beekeeper"
