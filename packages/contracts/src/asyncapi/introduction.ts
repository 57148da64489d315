/** What holds for all messages, in Markdown. */
export const introduction = `How the services speak with each other, for teams that deploy a service of their own. Clients use the HTTP API instead.

**Requests.** A caller sends a request to the subject of an operation, with a reply subject in its own inbox. The header \`Envelope\` is one JSON document in ASCII: the request's id, its deadline, who asks, and the operation's \`params\`. The payload is the operation's body as JSON. One replica of the owner answers: all are in the queue group named after it, and appear in NATS's services API. The header \`Envelope\` of the reply has the outcome, or an \`error\`; the payload is the data.

**Outcomes.** An error with the code \`deadline_exceeded\`, or no reply, means that the outcome is unknown: a write may be repeated with the same \`idempotencyKey\` where the operation takes one. \`unavailable\` and \`overloaded\` mean that nothing was done. Any request can be refused with these, with \`validation_failed\` and with \`internal\`. Take an unknown code as \`internal\`.

**Events.** A stored event is delivered at least once, and in any order: drop what has a known message id, and keep the highest version of a resource. Payloads may get more properties, so ignore those that you do not know.

**Changes.** Within a version in the subject (\`v1\`), requests accept what they accepted, and replies and events keep what they have.`;
