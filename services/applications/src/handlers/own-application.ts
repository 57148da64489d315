import type { CallContext } from '@joblisting/bus';
import { ServiceError } from '@joblisting/contracts';
import { grantsCompany } from '@joblisting/service-kit';
import type { Application } from '../domain/application.ts';
import type { ApplicationStore } from '../store/application-store.ts';

/** The application, if the caller's keys grant its company. Throws `application_not_found`. */
export async function findOwn(
  applications: ApplicationStore,
  id: number,
  context: CallContext,
): Promise<Application> {
  const application = await applications.find(id);
  if (!application || !grantsCompany(context, application.companyId)) {
    throw new ServiceError('application_not_found');
  }
  return application;
}
