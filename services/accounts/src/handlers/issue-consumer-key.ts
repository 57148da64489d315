import type { issueConsumerKey } from '@joblisting/contracts';
import type { Handler } from '@joblisting/service-kit';
import { issued, type IssueKey } from './issue-key.ts';

export function issueConsumerKeyHandler(issue: IssueKey): Handler<typeof issueConsumerKey> {
  return async ({ body }) =>
    issued(
      await issue({
        kind: 'consumer',
        name: body.name,
        scopes: [...new Set(body.scopes)],
        companyIds: [],
        expiresAt: body.expiresAt ?? null,
        readsPerMinute: body.readsPerMinute ?? null,
        writesPerMinute: body.writesPerMinute ?? null,
      }),
    );
}
