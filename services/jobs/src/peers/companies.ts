import type { Bus, CallContext } from '@joblisting/bus';
import { getCompany, refuseInvalid, ServiceError } from '@joblisting/contracts';
import type { Company } from '../domain/job.ts';

export type CompaniesPeer = ReturnType<typeof companiesPeer>;

const KEPT_MS = 60_000;
const KEPT_AT_MOST = 1000;

/** What this service asks of `accounts`: names of companies, remembered for a minute. */
export function companiesPeer(bus: Bus) {
  const known = new Map<number, { company: Company; until: number }>();

  return {
    /** Rejects with `validation_failed` where there is no such company. */
    get: async (id: number, context: CallContext): Promise<Company> => {
      const kept = known.get(id);
      if (kept && kept.until > Date.now()) return kept.company;
      const { data: company } = await bus
        .request(getCompany, { params: { id }, context })
        .catch(refuseUnknown);
      known.delete(id);
      known.set(id, { company, until: Date.now() + KEPT_MS });
      const [oldest] = known.keys();
      if (known.size > KEPT_AT_MOST && oldest !== undefined) known.delete(oldest);
      return company;
    },
  };
}

function refuseUnknown(error: unknown): never {
  if (error instanceof ServiceError && error.code === 'company_not_found')
    refuseInvalid([{ pointer: '#/company/id', code: 'unknown_id', detail: 'There is no such company.' }]);
  throw error;
}
