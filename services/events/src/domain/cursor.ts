import { ServiceError } from '@joblisting/contracts';

/** A place in the log of a company. With `afterJobId`, the reading of all its jobs that began there has come to that job. */
export interface Cursor {
  readonly companyId: number;
  /** Of the last event that was read. */
  readonly seq: number;
  readonly afterJobId?: number | undefined;
}

const WRITTEN = /^(\d{1,10})\.(\d{1,15})(?:\.(\d{1,10}))?$/;

export const writeCursor = ({ companyId, seq, afterJobId }: Cursor): string => {
  const parts = afterJobId === undefined ? [companyId, seq] : [companyId, seq, afterJobId];
  return Buffer.from(parts.join('.')).toString('base64url');
};

/** Throws `invalid_parameter` for a text that is no cursor of this company. */
export function readCursor(text: string, companyId: number): Cursor {
  const written = WRITTEN.exec(Buffer.from(text, 'base64url').toString());
  if (!written) throw invalidCursor('This is not a cursor that an answer had.');
  const [company, seq, afterJobId] = written.slice(1);
  const cursor = {
    companyId: Number(company),
    seq: Number(seq),
    ...(afterJobId !== undefined && { afterJobId: Number(afterJobId) }),
  };
  if (cursor.companyId !== companyId) throw invalidCursor('This is a cursor of another company.');
  return cursor;
}

export const invalidCursor = (detail: string): ServiceError =>
  new ServiceError('invalid_parameter', undefined, {
    errors: [{ parameter: 'after', code: 'invalid_value', detail }],
  });

/** The log no longer reaches back to the cursor. */
export const expired = (companyId: number): ServiceError =>
  new ServiceError('cursor_expired', undefined, { snapshot: { companyId } });
