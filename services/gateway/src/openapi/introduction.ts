import type { Addresses } from '../addresses.ts';

/** What holds for every operation, in CommonMark. The guides say more. */
export const introductionAt = ({ origin }: Addresses): string =>
  `Create, read, update, close, publish again and delete job postings on behalf of companies, take applications for them, and count their views.

Requests carry the keys \`Consumer-API-Key\` and \`User-API-Key\`. Answers are JSON: \`{"data": …, "warnings": […]}\`; lists with pages add \`paging\`. An error is a problem detail (RFC 9457) with a \`code\`.

Begin with the [quickstart](${origin}/docs/quickstart). Then:

- [Keep your jobs in sync](${origin}/docs/sync): PUT by your own id, lists, ETags, descriptions, categories, routing.
- [Follow changes](${origin}/docs/changes) and [webhooks](${origin}/docs/webhooks): what happened, by polling or by POST.
- [Errors and retries](${origin}/docs/retries): what to do about each status, \`Idempotency-Key\`, rate limits and sizes.
- [Dates and statuses](${origin}/docs/dates): when a job is published and closed.
- [Applications](${origin}/docs/applications) and [metrics](${origin}/docs/metrics): what a search site sends.
- [Versions and deprecation](${origin}/docs/versions): what may change.
- [Error codes](${origin}/docs/errors): every code and reason.`;
