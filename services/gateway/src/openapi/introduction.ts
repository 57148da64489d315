/** What holds for every operation, in CommonMark. */
export const introduction = `Create, read, update, close, publish again and delete job postings on behalf of companies.

**Answers** are JSON: \`{"data": …, "warnings": […]}\`; the list of jobs adds \`paging\`. Unknown properties and parameters are ignored, each with a warning.

**Errors** are one object, at once this envelope and a problem detail (RFC 9457). It goes out as \`application/problem+json\` where \`Accept\` asks for it. \`errors\` lists all violations at once, \`type\` leads to the explanation of the code. 503 means not executed, 504 that the outcome is unknown.

**Keys**: \`Consumer-API-Key\` names the application, \`User-API-Key\` a user of a company. A GET works with HTTP Basic as well, from a plain browser.

**Method override**: a client that cannot send PUT or DELETE sends POST with \`X-HTTP-Method-Override: PUT\` or \`DELETE\`.

**Versions**: an answer with one job, one category or a public list carries an \`ETag\`. \`If-None-Match\` saves an answer that the client has (304); \`If-Match\` on PUT and DELETE of a job keeps two writers apart (412).

**Limits**: a body is one JSON object of at most 4 MiB, nested at most 32 deep. \`Request-Id\` and \`traceparent\` are taken over from the request and come back on every answer.`;
