import { jobTypes, type listJobTypes } from '@joblisting/contracts';
import type { Handler } from '@joblisting/service-kit';

/** The fixed job types. */
export const listJobTypesHandler = (): Handler<typeof listJobTypes> => () =>
  Promise.resolve({ data: jobTypes.map(({ id, name }) => ({ id, name })) });
