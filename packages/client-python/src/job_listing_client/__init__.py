"""The client of the Job Listing Service's HTTP API."""

from .client import Client
from .errors import JobListingError
from .http import Answer, Page

__all__ = ["Answer", "Client", "JobListingError", "Page"]
