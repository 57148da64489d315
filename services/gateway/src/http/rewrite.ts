import type { IncomingMessage } from 'node:http';
import { ServiceError } from '@joblisting/contracts';

/** What is wrong with a request before it is routed; it is refused in its place in the order, not here. */
export interface Fault {
  readonly override?: true;
  readonly encoding?: true;
}

const faults = new WeakMap<IncomingMessage, Fault>();
const OVERRIDDEN = new Set(['PUT', 'DELETE']);

export const faultOf = (raw: IncomingMessage): Fault | undefined => faults.get(raw);

/**
 * Fastify's `rewriteUrl`: the only place before routing, and so before authentication. Puts the method of
 * X-HTTP-Method-Override in place of POST (spec, "Method override"), takes the origin off an absolute-form
 * target (RFC 9112, section 3.2.2), and makes a malformed percent-encoding routable.
 */
export function rewriteRequest(raw: IncomingMessage): string {
  if (raw.method === 'POST') overrideMethod(raw);
  const url = originForm(raw.url ?? '/');
  const end = url.search(/[?#]/);
  const path = end < 0 ? url : url.slice(0, end);
  if (isDecodable(path)) return url;
  note(raw, { encoding: true });
  return path.replaceAll('%', '%25') + url.slice(path.length);
}

/** Throws for what was wrong before routing: `method_override`, or `bad_request` for a path that cannot be decoded. */
export function refuseFaults(raw: IncomingMessage): void {
  const fault = faultOf(raw);
  if (fault?.override) {
    const detail = 'This must be PUT or DELETE.';
    throw new ServiceError('method_override', undefined, {
      errors: [{ header: 'X-HTTP-Method-Override', code: 'invalid_value', detail }],
    });
  }
  if (fault?.encoding) {
    throw new ServiceError('bad_request', 'The path is not valid percent-encoded UTF-8.');
  }
}

/**
 * A request target in origin form: an absolute one loses its origin (RFC 9112, section 3.2.2). Whatever else does not
 * start with a slash gets one, because the router takes it for the first page.
 */
export function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '');
  return path.startsWith('/') ? path : `/${path}`;
}

/** The path of a request target, without its query. */
export function pathOf(target: string): string {
  const url = originForm(target);
  const end = url.search(/[?#]/);
  return end < 0 ? url : url.slice(0, end);
}

function overrideMethod(raw: IncomingMessage): void {
  const header = raw.headers['x-http-method-override'];
  if (header === undefined) return;
  const wanted = String(header).trim().toUpperCase();
  if (OVERRIDDEN.has(wanted)) raw.method = wanted;
  else note(raw, { override: true });
}

function isDecodable(path: string): boolean {
  if (!path.includes('%')) return true;
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

function note(raw: IncomingMessage, fault: Fault): void {
  faults.set(raw, { ...faults.get(raw), ...fault });
}
