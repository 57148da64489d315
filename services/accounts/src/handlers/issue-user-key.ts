import { type issueUserKey, refuseInvalid } from '@joblisting/contracts';
import { type Handler, pointerTo } from '@joblisting/service-kit';
import type { CompanyStore } from '../store/company-store.ts';
import { issued, type IssueKey } from './issue-key.ts';

export function issueUserKeyHandler(companies: CompanyStore, issue: IssueKey): Handler<typeof issueUserKey> {
  return async ({ body }) => {
    const existing = await companies.existing(body.companyIds);
    refuseInvalid(
      body.companyIds.flatMap((id, index) =>
        existing.has(id)
          ? []
          : {
              pointer: pointerTo('companyIds', index),
              code: 'unknown_id',
              detail: `There is no company ${id}.`,
            },
      ),
    );
    return issued(
      await issue({
        kind: 'user',
        name: body.name,
        scopes: [],
        companyIds: [...existing].toSorted((a, b) => a - b),
        expiresAt: body.expiresAt ?? null,
        readsPerMinute: null,
        writesPerMinute: null,
      }),
    );
  };
}
