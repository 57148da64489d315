import {
  type countApplications,
  type getApplication,
  type getApplicationFile,
  type listApplications,
  ServiceError,
} from '@joblisting/contracts';
import { type Handler, requireCompany } from '@joblisting/service-kit';
import { toHeader, toReply } from '../domain/application.ts';
import type { ApplicationStore } from '../store/application-store.ts';
import type { FileStore } from '../store/file-store.ts';
import { findOwn } from './own-application.ts';

const DEFAULT_PAGE_SIZE = 50;
const RETRY_AFTER_SECONDS = 5;

/** Reads one application in full. Throws `application_not_found`. */
export const getApplicationHandler =
  (applications: ApplicationStore): Handler<typeof getApplication> =>
  async ({ params, context }) => ({ data: toReply(await findOwn(applications, params.id, context)) });

/** A page of a company's applications, newest first. Throws `company_forbidden`. */
export const listApplicationsHandler =
  (applications: ApplicationStore): Handler<typeof listApplications> =>
  async ({ params, context }) => {
    const companyId = params['company.id'];
    requireCompany(context, companyId, { parameter: 'company.id' });
    const { status: copyState, pageSize = DEFAULT_PAGE_SIZE, page = 1 } = params;
    const request = { companyId, jobId: params['job.id'], copyState, page, pageSize };
    const { applications: found, total } = await applications.page(request);
    const paging = { total, pageSize, page, pages: Math.ceil(total / pageSize) };
    return { data: found.map(toHeader), paging };
  };

/** Counts a company's applications, for `accounts`. */
export const countApplicationsHandler =
  (applications: ApplicationStore): Handler<typeof countApplications> =>
  async ({ body }) => ({ data: { applications: await applications.count(body.companyId) } });

/** The bytes of a file. Throws `application_not_found`, `file_not_found`, `file_not_scanned`. */
export const getApplicationFileHandler =
  (applications: ApplicationStore, files: FileStore): Handler<typeof getApplicationFile> =>
  async ({ params, context }) => {
    const application = await findOwn(applications, params.id, context);
    const file = application.files.find(({ id }) => id === params.fileId);
    if (!file || file.scan === 'infected') throw new ServiceError('file_not_found');
    if (file.scan === 'pending') {
      throw new ServiceError('file_not_scanned', undefined, { retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
    const data = await files.read(file.storedAs, context.deadline);
    if (!data) throw new ServiceError('file_not_found');
    return { data, file: { name: file.name, type: file.type } };
  };
