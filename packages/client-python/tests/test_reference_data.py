from __future__ import annotations

from conftest import System
from job_listing_client import Client


def test_reference_data_needs_no_key(system: System) -> None:
    with Client(system.baseUrl) as anyone:
        assert {"id": 1, "name": "Full-time"} in anyone.reference_data.job_types().data
        canada = next(each for each in anyone.reference_data.countries().data if each["name"] == "Canada")
        provinces = anyone.reference_data.provinces(country_id=canada["id"]).data
    assert "Ontario" in [province["name"] for province in provinces]
    assert all(province["country"]["id"] == canada["id"] for province in provinces)
