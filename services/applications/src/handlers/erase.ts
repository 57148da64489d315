import { type deleteApplication, deadlineExceeded, type eraseApplicant } from '@joblisting/contracts';
import { type Clock, type Handler, requireCompany } from '@joblisting/service-kit';
import type { ApplicationStore } from '../store/application-store.ts';
import { findOwn } from './own-application.ts';

const ERASED_AT_ONCE = 50;

/** Erases one application. Throws `application_not_found`. */
export const deleteApplicationHandler =
  (applications: ApplicationStore, clock: Clock): Handler<typeof deleteApplication> =>
  async ({ params, context }) => {
    const application = await findOwn(applications, params.id, context);
    await applications.erase(application, clock.now(), context.deadline);
    return { outcome: 'deleted' };
  };

/** Erases all applications of a person in a company. Throws `company_forbidden`. */
export const eraseApplicantHandler =
  (applications: ApplicationStore, clock: Clock): Handler<typeof eraseApplicant> =>
  async ({ params, context }) => {
    const companyId = params['company.id'];
    requireCompany(context, companyId, { parameter: 'company.id' });
    let erased = 0;
    for (;;) {
      const found = await applications.findByEmail(companyId, params.email, ERASED_AT_ONCE);
      if (found.length === 0) return { data: { erased } };
      for (const application of found) {
        if (Date.now() >= context.deadline) throw deadlineExceeded();
        await applications.erase(application, clock.now(), context.deadline);
        erased++;
      }
    }
  };
