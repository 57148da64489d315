import { networkOf } from '@joblisting/service-kit/http';
import type { FastifyRequest } from 'fastify';
import { isbot } from 'isbot';

/** Who a request comes from, to tell visitors apart. Only its salted hash is ever stored. */
export const visitorOf = ({ ip, headers }: FastifyRequest): string =>
  `${networkOf(ip)} ${headers['user-agent'] ?? ''}`;

const PREFETCH = /prefetch|prerender|preview/i;

/** Whether a person asked for it: no robot, link preview or prefetch, and not HEAD. */
export function isByPerson({ method, headers }: FastifyRequest): boolean {
  const agent = headers['user-agent'] ?? '';
  const purposes = [headers['sec-purpose'], headers['purpose'], headers['x-purpose'], headers['x-moz']];
  return (
    method !== 'HEAD' &&
    agent !== '' &&
    !isbot(agent) &&
    !purposes.some((value) => PREFETCH.test(String(value)))
  );
}

/** Whether a page of another site made the browser send the request (Fetch Metadata, Origin). */
export function isFromOtherSite({ headers, host }: FastifyRequest, publicUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  const { origin } = headers;
  // Browsers send `null` for pages that hide where they are.
  if (origin === undefined || (origin === 'null' && site !== undefined)) return false;
  return origin !== new URL(publicUrl).origin && URL.parse(origin)?.host !== host;
}
