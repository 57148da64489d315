import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const MAC_BYTES = 16;
const ID_BYTES = 12;
/** How long a page may be open before it counts a view, or its form is sent. */
const VALID_MS = 12 * 3600_000;

export type Tokens = ReturnType<typeof createTokens>;

/** An application that was handed in. No personal data: it stands in an address. */
export interface Receipt {
  readonly reference: string;
  readonly files: number;
  readonly at: number;
}

/** A random id for addresses and headers. */
export const randomId = (): string => randomBytes(ID_BYTES).toString('base64url');

/** Tokens that only this service can make: fields with dots between them, then an HMAC. They are not secret. */
export function createTokens(secret: string) {
  const macOf = (purpose: string, text: string): Buffer =>
    createHmac('sha256', secret).update(`${purpose}\n${text}`).digest().subarray(0, MAC_BYTES);

  const sign = (purpose: string, fields: readonly (string | number)[]): string => {
    const text = fields.join('.');
    return `${text}.${macOf(purpose, text).toString('base64url')}`;
  };
  /** The fields; undefined for a token of another purpose, or that is not ours. */
  const verify = (purpose: string, token: string): string[] | undefined => {
    const fields = token.split('.');
    const mac = Buffer.from(fields.pop() ?? '', 'base64url');
    const expected = macOf(purpose, fields.join('.'));
    return mac.length === MAC_BYTES && timingSafeEqual(mac, expected) ? fields : undefined;
  };
  const isOld = (time: string | undefined, now: number): boolean => now - Number(time) > VALID_MS;

  return {
    /** For one page view. */
    forView: (jobId: number, now: number): string => sign('view', [jobId, randomId(), now]),
    /** The id of the event is that of the token, so a token never counts twice. */
    readView: (token: string, now: number): { jobId: number; eventId: string } | undefined => {
      const [jobId, id, time] = verify('view', token) ?? [];
      return id === undefined || isOld(time, now)
        ? undefined
        : { jobId: Number(jobId), eventId: `view:${id}` };
    },

    /** For the form of one job in one browser, which the cookie identifies. */
    forForm: (jobId: number, cookie: string, now: number): string =>
      sign(`form ${cookie}`, [jobId, randomId(), now]),
    /** The reference of the application that the form makes. */
    readForm: (token: string, jobId: number, cookie: string, now: number): string | undefined => {
      const [id, reference, time] = verify(`form ${cookie}`, token) ?? [];
      return Number(id) === jobId && !isOld(time, now) ? reference : undefined;
    },

    forReceipt: (jobId: number, { reference, files, at }: Receipt): string =>
      sign(`receipt ${jobId}`, [reference, files, at]),
    readReceipt: (token: string, jobId: number): Receipt | undefined => {
      const [reference, files, at] = verify(`receipt ${jobId}`, token) ?? [];
      return reference === undefined ? undefined : { reference, files: Number(files), at: Number(at) };
    },
  };
}
