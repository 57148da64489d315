"""Adapts the API description and requests for schemathesis."""

import json
import re
import uuid

import schemathesis
from hypothesis import strategies

NDJSON = "application/x-ndjson"


# Applications take files of some types only, by their first bytes. No schema can express that.
schemathesis.openapi.format("binary", strategies.sampled_from([b"%PDF-1.7\n%%EOF\n", b"Plain text."]))


@schemathesis.hook
def before_load_schema(context, raw_schema):
    send_read_only_properties(raw_schema)
    describe_lines(raw_schema)
    relate_properties(raw_schema["components"]["schemas"])
    use_existing_data(raw_schema["paths"])


def send_read_only_properties(node):
    """Writes ignore read-only properties, so that clients can send back what they read. Schemathesis would treat such a
    request as invalid."""
    if isinstance(node, dict):
        node.pop("readOnly", None)
        for value in node.values():
            send_read_only_properties(value)
    elif isinstance(node, list):
        for value in node:
            send_read_only_properties(value)


def describe_lines(raw_schema):
    """OpenAPI 3.1 describes NDJSON as a string. Its lines are the events of the JSON form."""
    content = raw_schema["paths"]["/metrics/events"]["post"]["requestBody"]["content"]
    content[NDJSON] = {
        "schema": {
            "type": "array",
            "minItems": 1,
            "maxItems": 1000,
            "items": {"$ref": "#/components/schemas/MetricsEvent"},
        }
    }


def relate_properties(schemas):
    """Adds rules between the properties of a job, and existing ids. Without them the API would refuse nearly every
    generated job."""
    url, no_url = {"enum": ["https://example.com/apply", "HTTP://a.b?c#d", None]}, {"type": "null"}
    emails = schemas["NewJob"]["properties"]["applicationEmails"]
    no_emails = {"type": ["array", "null"], "maxItems": 0}
    for name, routing, application_url, application_emails in [
        ("NewJob", 1, no_url, emails),
        ("JobByReference", 1, no_url, emails),
        ("JobChanges", 2, url, no_emails),
    ]:
        properties = schemas[name]["properties"]
        properties["applicantRoutingType"] = with_id({"enum": [routing]})
        properties["applicationUrl"] = application_url
        properties["applicationEmails"] = application_emails
        properties["types"]["items"] = with_id({"type": "integer", "minimum": 1, "maximum": 8})
        properties["province"] = {
            "type": ["object", "null"],
            "properties": {"id": {"enum": [39191482, None]}, "country": with_id({"enum": [840]})},
            "anyOf": [
                {"required": ["id"], "properties": {"id": {"type": "integer"}}},
                {"required": ["country"]},
            ],
        }


def with_id(schema):
    return {"type": "object", "required": ["id"], "properties": {"id": schema}}


def use_existing_data(paths):
    """Uses existing jobs, applications and categories, and valid versions: schemathesis generates headers without their pattern."""
    for method, path, name, id in [
        ("get", "/jobs/{id}", "id", 1),
        ("put", "/jobs/{id}", "id", 2),
        ("delete", "/jobs/{id}", "id", 4),
        ("get", "/jobs/{jobId}/metrics", "jobId", 1),
        ("post", "/jobs/{jobId}/applications", "jobId", 21),
        ("get", "/applications/{id}", "id", 1),
        ("delete", "/applications/{id}", "id", 2),
        ("get", "/applications/{id}/files/{fileId}", "id", 21),
        ("post", "/applications/{id}/copies", "id", 4),
        ("put", "/jobcategories/{id}", "id", 1001),
        ("delete", "/jobcategories/{id}", "id", 1002),
    ]:
        parameter_of(paths[path][method], name)["example"] = id
    # With If-Match a PUT never creates, so the API would refuse nearly all.
    put = paths["/jobs"]["put"]
    put["parameters"].remove(parameter_of(put, "If-Match"))
    for operation in [paths["/jobs"]["delete"], paths["/jobs/{id}"]["put"], paths["/jobs/{id}"]["delete"]]:
        parameter_of(operation, "If-Match")["schema"] = {"enum": ["*", '"1-x"', 'W/"1-x"', '"2-x", "3-x"']}


def parameter_of(operation, name):
    return next(parameter for parameter in operation["parameters"] if parameter["name"] == name)


@schemathesis.hook
def before_call(context, case, kwargs):
    """Replaces valid keys: schemathesis repeats a key with other bodies, which the API refuses."""
    headers = case.headers or {}
    if re.fullmatch("[!-~]{1,255}", str(headers.get("Idempotency-Key", ""))):
        headers["Idempotency-Key"] = str(uuid.uuid4())


@schemathesis.serializer(NDJSON)
def lines(context, value):
    if isinstance(value, bytes):
        return value
    entries = value if isinstance(value, list) else [value]
    return "".join(json.dumps(entry) + "\n" for entry in entries).encode()
