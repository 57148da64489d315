import type { Bus, CallContext } from '@joblisting/bus';
import { companyChanged, getCompany, refuseInvalid, ServiceError } from '@joblisting/contracts';
import { LRUCache } from 'lru-cache';
import type { Company } from '../domain/job.ts';

export type CompaniesClient = ReturnType<typeof companiesClient>;

/** The requests of this service to `accounts`. Companies are cached for a minute, or until one changes. */
export function companiesClient(bus: Bus) {
  const cache = new LRUCache<number, Company>({ max: 1000, ttl: 60_000 });

  /** How many changes were told: a reply that was under way during one may be old. */
  let changes = 0;

  bus.listen(companyChanged, ({ companyId }) => {
    changes++;
    cache.delete(companyId);
  });

  return {
    /** Rejects with `validation_failed` if there is no such company. */
    get: async (id: number, context: CallContext): Promise<Company> => {
      const cached = cache.get(id);
      if (cached) return cached;
      const changesBefore = changes;
      const { data } = await bus.request(getCompany, { params: { id }, context }).catch(rejectUnknown);
      if (changes === changesBefore) cache.set(id, data);
      return data;
    },
  };
}

function rejectUnknown(error: unknown): never {
  if (error instanceof ServiceError && error.code === 'company_not_found')
    refuseInvalid([{ pointer: '#/company/id', code: 'unknown_id', detail: 'There is no such company.' }]);
  throw error;
}
