import { type deleteApplication, deadlineExceeded, type eraseApplicant } from '@joblisting/contracts';
import { type Handler, requireCompany } from '@joblisting/service-kit';
import type { Application } from '../domain/application.ts';
import type { ApplicationStore } from '../store/application-store.ts';
import type { FileStore } from '../store/file-store.ts';
import { findOwn } from './own-application.ts';

/** Erases an application with all that is stored of it. */
export type Erase = (application: Application, deadline: number) => Promise<void>;

const ERASED_AT_ONCE = 50;

/** Files first: while the record is there, an erasure that a crash has cut short can be repeated. */
export const eraserOf =
  (applications: ApplicationStore, files: FileStore): Erase =>
  async (application, deadline) => {
    await files.remove(application.files.map(({ storedAs }) => storedAs));
    await applications.remove(application, deadline);
  };

/** Erases one application. Throws `application_not_found`. */
export const deleteApplicationHandler =
  (applications: ApplicationStore, erase: Erase): Handler<typeof deleteApplication> =>
  async ({ params, context }) => {
    await erase(await findOwn(applications, params.id, context), context.deadline);
    return { outcome: 'deleted' };
  };

/** Erases all applications of a person in a company. Throws `company_forbidden`. */
export const eraseApplicantHandler =
  (applications: ApplicationStore, erase: Erase): Handler<typeof eraseApplicant> =>
  async ({ params, context }) => {
    const companyId = params['company.id'];
    requireCompany(context, companyId, { parameter: 'company.id' });
    let erased = 0;
    for (;;) {
      const found = await applications.findByEmail(companyId, params.email, ERASED_AT_ONCE);
      if (found.length === 0) return { data: { erased } };
      for (const application of found) {
        if (Date.now() >= context.deadline) throw deadlineExceeded();
        await erase(application, context.deadline);
        erased++;
      }
    }
  };
