/** What holds for every operation, in CommonMark. */
export const introduction = `Create, read, update, close, publish again and delete job postings on behalf of companies.

**Answers** are JSON: \`{"data": …, "warnings": […]}\`; the lists of jobs and of applications add \`paging\`. A file is answered as its bytes. Unknown properties and parameters are ignored, each with a warning.

**Status** of a job: 1 Published, 2 Closed, 3 Pending, 5 Draft. It follows from the dates: a job is published at 12:00 UTC on the day before its \`publishDate\`, when the first time zone reaches that date, and closes at 12:00 UTC on its \`closeDate\`, when the last one passes it. On creation the status is derived the same way. \`PUT\` with only \`status.id\` closes (2) or publishes (1) a job and moves the date that stands against it, with a warning.

**Description**: \`text\` has its \`<\` and \`>\` encoded. \`html\` may use strong, b, em, i, br, p, div, ul, ol, li and a; only \`a\` has attributes: \`href\`, an absolute http, https or mailto address, and optionally \`target\`. Anything else is refused with line and column; nothing is repaired. An end tag that closes nothing, or an element other than p and li that is left open, gets the warning \`html_unbalanced\`.

**Routing**: with applicantRoutingType 1 (Default) applications are collected and copied to \`applicationEmails\`; with 2 (Click-through) candidates go to \`applicationUrl\`.

**Applications** are handed in by the server of the search site, with a consumer key alone that has the scope \`applications:write\`. A company reads, downloads and erases its own with both keys. Each of the job's \`applicationEmails\` gets a copy at least once; copies that were sent twice share their \`Message-ID\`. An application is counted in \`applicationCount\` once, and stays counted when it is erased.

**Counts** on jobs and in lists follow accepted metrics events within 2 seconds.

**Errors** are one object, at once this envelope and a problem detail (RFC 9457). It goes out as \`application/problem+json\` where \`Accept\` asks for it. \`errors\` lists all violations at once, \`type\` leads to the explanation of the code. 503 means not executed, 504 that the outcome is unknown; both say in \`reason\` which limit or dependency it was.

**Keys**: \`Consumer-API-Key\` names the integrating program and carries its scopes (\`jobs:read\`, \`jobs:write\`, \`categories:write\`, \`metrics:write\`, \`applications:read\`, \`applications:write\`), \`User-API-Key\` a user of a company. A GET works with HTTP Basic as well, from a plain browser.

**Rate limits** hold for each consumer key and minute of the clock, for reads (GET, HEAD) and writes apart. \`RateLimit-Policy: "reads";q=60000;w=60\` says that 60000 reads a minute are allowed, \`RateLimit: "reads";r=59999;t=42\` that 59999 are left for the next 42 seconds (draft-ietf-httpapi-ratelimit-headers). Both are on every answer to valid keys where keys are needed. Beyond the limit comes 429 with \`Retry-After\`; a request that is refused so is not counted, nor is one that is answered 304. Where several machines answer, the limit holds across them with 5 % (at least one request) more at most, and what they let through in a second. Bodies and answers over 64 KiB are limited to 16 MiB a second for each consumer key; beyond it comes 429 \`consumer_concurrency\`. An address that sends too many requests without valid keys gets 429 instead of 401.

**Idempotency**: every POST may carry an \`Idempotency-Key\`, 1 to 255 visible ASCII characters of your own, such as a UUID. Where the answer got lost (504, or a broken connection), send the same request again with the same key: nothing is done twice. The first success is kept for 24 hours together with what it did, and is answered again with its status, body, \`Location\`, \`ETag\` and \`Idempotent-Replayed: true\`, also when the job has changed or is deleted since; an application that was erased since answers 404. A key belongs to the two API keys, the method and the path: nobody else's requests meet it. A request that was refused does not use its key up. 409 \`idempotency_key_in_flight\`: the first request is still being handled; send it again after \`Retry-After\`. 422 \`idempotency_key_reused\`: the key was used with another body; take a new key. Other methods ignore the header, and so does a POST with a method override.

**Method override**: a client that cannot send PUT or DELETE sends POST with \`X-HTTP-Method-Override: PUT\` or \`DELETE\`.

**Versions**: an answer with one job, one category, a file or a public list carries an \`ETag\`. \`If-None-Match\` saves an answer that the client has (304); \`If-Match\` on PUT and DELETE of a job keeps two writers apart (412).

**Limits**: a body is one JSON object of at most 4 MiB (an application: 6 MiB with its files), nested at most 32 deep, with at most 60000 objects, lists and names; no object has a name twice. \`Request-Id\` and \`traceparent\` are taken over from the request and come back on every answer.`;
