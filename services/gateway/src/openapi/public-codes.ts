import { type ErrorCode, errorCodes } from '@joblisting/contracts';

/** Codes that only operators meet, over the bus. */
const ofOperators = new Set<ErrorCode>([
  'company_not_found',
  'company_name_taken',
  'company_not_empty',
  'key_not_found',
  'rotation_in_progress',
]);

/** The codes that clients of the HTTP API can meet. */
export const publicCodes = (Object.keys(errorCodes) as ErrorCode[]).filter((code) => !ofOperators.has(code));
