from __future__ import annotations

import uuid

from conftest import System
from job_listing_client import Client
from job_listing_client.models import MetricsEvent


def test_send_counts_each_event_once(system: System, job_id: int) -> None:
    view: MetricsEvent = {"id": str(uuid.uuid4()), "jobId": job_id, "type": "view"}
    unknown: MetricsEvent = {"id": str(uuid.uuid4()), "jobId": 2_000_000_000, "type": "view"}
    with Client(system.baseUrl, consumer_key=system.consumerKey) as site:
        first = site.metrics.send([view, unknown]).data
        again = site.metrics.send([view]).data
    assert (first["accepted"], first["duplicates"]) == (1, 0)
    assert [(each["index"], each["code"]) for each in first["rejected"]] == [(1, "unknown_job")]
    assert (again["accepted"], again["duplicates"]) == (0, 1)


def test_rejected_events_do_not_stop_the_others(system: System, job_id: int) -> None:
    view: MetricsEvent = {"id": str(uuid.uuid4()), "jobId": job_id, "type": "view"}
    broken: MetricsEvent = {"id": "", "jobId": job_id, "type": "view"}
    with Client(system.baseUrl, consumer_key=system.consumerKey) as site:
        receipt = site.metrics.send([broken, view]).data
    assert receipt["accepted"] == 1
    assert [(each["code"], each.get("pointer")) for each in receipt["rejected"]] == [
        ("invalid_event", "#/events/0/id")
    ]


def test_metrics_of_a_job_by_day_and_source(client: Client, system: System, job_id: int) -> None:
    view: MetricsEvent = {"id": str(uuid.uuid4()), "jobId": job_id, "type": "view", "source": "indeed"}
    with Client(system.baseUrl, consumer_key=system.consumerKey) as site:
        before = client.jobs.metrics(job_id).data
        site.metrics.send([view])
        after = client.jobs.metrics(job_id, from_date=before["from"], to_date=before["to"]).data
    assert after["counts"]["views"] == before["counts"]["views"] + 1
    assert [row["views"] for row in after["series"] if row["source"] == "indeed"] == [1]
