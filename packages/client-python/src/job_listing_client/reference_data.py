"""What jobs refer to by id, the same for everybody. No key is needed."""

from __future__ import annotations

from .http import Answer, Http, read_answer
from .models import Country, JobType, Province


class ReferenceData:
    def __init__(self, http: Http) -> None:
        self._http = http

    def job_types(self) -> Answer[list[JobType]]:
        return read_answer(self._http.send("GET", "/jobtypes"))

    def countries(self) -> Answer[list[Country]]:
        return read_answer(self._http.send("GET", "/countries"))

    def provinces(self, *, country_id: int) -> Answer[list[Province]]:
        return read_answer(self._http.send("GET", "/provinces", query={"country.id": country_id}))
