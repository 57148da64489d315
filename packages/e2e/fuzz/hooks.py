"""What schemathesis cannot read in the description of the API."""

import json
import re
import uuid

import schemathesis

NDJSON = "application/x-ndjson"


@schemathesis.hook
def before_load_schema(context, raw_schema):
    send_read_only_properties(raw_schema)
    describe_lines(raw_schema)
    relate_properties(raw_schema["components"]["schemas"])
    name_what_is_there(raw_schema["paths"])


def send_read_only_properties(node):
    """They are ignored whatever they are, so that what was read can be sent back. To schemathesis a request
    with one of them is invalid; here it is to be taken."""
    if isinstance(node, dict):
        node.pop("readOnly", None)
        for value in node.values():
            send_read_only_properties(value)
    elif isinstance(node, list):
        for value in node:
            send_read_only_properties(value)


def describe_lines(raw_schema):
    """NDJSON is a string to OpenAPI 3.1; its lines are the events of the JSON form."""
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
    """What no schema says: rules between the properties of a job, and ids that must exist. Without them nearly
    every job that is made up would be refused."""
    url, no_url = {"enum": ["https://example.com/apply", "HTTP://a.b?c#d", None]}, {"type": "null"}
    emails = schemas["NewJob"]["properties"]["applicationEmails"]
    no_emails = {"type": ["array", "null"], "maxItems": 0}
    for name, routing, application_url, application_emails in [
        ("NewJob", 1, no_url, emails),
        ("JobByReference", 1, no_url, emails),
        ("JobChanges", 2, url, no_emails),
    ]:
        properties = schemas[name]["properties"]
        properties["applicantRoutingType"]["properties"]["id"]["enum"] = [routing]
        properties["applicationUrl"] = application_url
        properties["applicationEmails"] = application_emails
        properties["types"]["items"]["properties"]["id"].update(minimum=1, maximum=8)
        properties["province"]["properties"]["id"] = {"enum": [39191482, None]}
        properties["province"]["properties"]["country"]["properties"]["id"] = {"enum": [840]}
        properties["province"]["anyOf"] = [
            {"required": ["id"], "properties": {"id": {"type": "integer"}}},
            {"required": ["country"]},
        ]


def name_what_is_there(paths):
    """Jobs that exist, and versions: headers are made up without a look at their pattern."""
    for method, id in [("get", 1), ("put", 2), ("delete", 4)]:
        parameter_of(paths["/jobs/{id}"][method], "id")["example"] = id
    # With If-Match a PUT never creates: nearly all would be refused.
    put = paths["/jobs"]["put"]
    put["parameters"].remove(parameter_of(put, "If-Match"))
    for operation in [paths["/jobs"]["delete"], paths["/jobs/{id}"]["put"], paths["/jobs/{id}"]["delete"]]:
        parameter_of(operation, "If-Match")["schema"] = {"enum": ["*", '"1-x"', 'W/"1-x"', '"2-x", "3-x"']}


def parameter_of(operation, name):
    return next(parameter for parameter in operation["parameters"] if parameter["name"] == name)


@schemathesis.hook
def before_call(context, case, kwargs):
    """The same key is made up again and again, and refused with another body: a valid one becomes a new one."""
    headers = case.headers or {}
    if re.fullmatch("[!-~]{1,255}", str(headers.get("Idempotency-Key", ""))):
        headers["Idempotency-Key"] = str(uuid.uuid4())


@schemathesis.serializer(NDJSON)
def lines(context, value):
    if isinstance(value, bytes):
        return value
    entries = value if isinstance(value, list) else [value]
    return "".join(json.dumps(entry) + "\n" for entry in entries).encode()
