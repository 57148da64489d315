import type { setRetention } from '@joblisting/contracts';
import type { Handler } from '@joblisting/service-kit';
import type { RetentionStore } from '../store/retention-store.ts';

/** Sets how long a company's applications are kept, for an operator. */
export const setRetentionHandler =
  (retention: RetentionStore): Handler<typeof setRetention> =>
  async ({ body: { companyId, days } }) => {
    await retention.set(companyId, days);
    return { data: { days } };
  };
