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
  const cursor = parseCursor(text, companyId);
  if (typeof cursor === 'string') throw invalidCursor(cursor);
  return cursor;
}

/** The cursor, or why the text is no cursor of this company. */
export function parseCursor(text: string, companyId: number): Cursor | string {
  const written = WRITTEN.exec(Buffer.from(text, 'base64url').toString());
  if (!written) return 'This is not a cursor that an answer had.';
  const [company, seq, afterJobId] = written.slice(1);
  const cursor = {
    companyId: Number(company),
    seq: Number(seq),
    ...(afterJobId !== undefined && { afterJobId: Number(afterJobId) }),
  };
  return cursor.companyId === companyId ? cursor : 'This is a cursor of another company.';
}

export const invalidCursor = (detail: string): ServiceError =>
  new ServiceError('invalid_parameter', undefined, {
    errors: [{ parameter: 'after', code: 'invalid_value', detail }],
  });

/** Throws `cursor_expired` if the log no longer reaches back to the cursor, or was lost since. */
export function requireReached({ companyId, seq }: Cursor, log: { removed: number; seq: number }): void {
  // A higher number than the last one is of a log that was lost.
  if (seq < log.removed || seq > log.seq)
    throw new ServiceError('cursor_expired', undefined, { snapshot: { companyId } });
}
