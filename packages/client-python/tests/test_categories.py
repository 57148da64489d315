from __future__ import annotations

import uuid

import pytest
from conftest import System
from job_listing_client import Client, JobListingError
from job_listing_client.models import JobCategory, NewJob


@pytest.fixture
def category(client: Client, company_id: int) -> JobCategory:
    return client.categories.create(
        {"name": f"Roses {uuid.uuid4().hex[:12]}", "company": {"id": company_id}}
    ).data


def test_create_answers_with_the_category_and_its_address(
    client: Client, company_id: int, reference: str
) -> None:
    answer = client.categories.create({"name": reference, "company": {"id": company_id}})
    assert answer.data == {"id": answer.data["id"], "name": reference, "company": {"id": company_id}}
    assert answer.location is not None
    assert answer.location.endswith(f"/jobcategories/{answer.data['id']}")


def test_create_tells_which_category_has_the_name(
    client: Client, category: JobCategory, company_id: int
) -> None:
    with pytest.raises(JobListingError) as taken:
        client.categories.create({"name": category["name"], "company": {"id": company_id}})
    assert (taken.value.status, taken.value.code) == (409, "category_name_taken")
    assert taken.value.conflict is not None
    assert taken.value.conflict["id"] == category["id"]


def test_get_is_none_while_the_version_that_one_has_is_current(client: Client, category: JobCategory) -> None:
    answer = client.categories.get(category["id"])
    assert answer.data == category
    assert client.categories.get(category["id"], if_none_match=answer.etag) is None


def test_update_renames(client: Client, category: JobCategory, reference: str) -> None:
    assert client.categories.update(category["id"], {"name": reference}).data["name"] == reference


def test_delete_refuses_one_that_a_job_has(client: Client, category: JobCategory, new_job: NewJob) -> None:
    job = client.jobs.create({**new_job, "categories": [{"id": category["id"]}]}).data
    with pytest.raises(JobListingError) as refused:
        client.categories.delete(category["id"])
    assert refused.value.code == "category_assigned"
    client.jobs.delete(job["id"])
    client.categories.delete(category["id"])
    with pytest.raises(JobListingError) as gone:
        client.categories.get(category["id"])
    assert gone.value.code == "category_not_found"


def test_list_has_system_categories_and_those_of_the_company(system: System, category: JobCategory) -> None:
    with Client(system.baseUrl) as anonymous:
        assert category not in anonymous.categories.list().data
        listed = anonymous.categories.list(company_id=system.companyId).data
    assert category in listed
    assert {"id": 8, "name": "Engineering", "company": None} in listed


def test_list_active_has_those_of_published_jobs(
    client: Client, category: JobCategory, new_job: NewJob
) -> None:
    company_id = new_job["company"]["id"]
    assert category not in client.categories.list(company_id=company_id, active=True).data
    client.jobs.create({**new_job, "categories": [{"id": category["id"]}]})
    assert category in client.categories.list(company_id=company_id, active=True).data
