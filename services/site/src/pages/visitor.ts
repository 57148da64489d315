import { isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { isbot } from 'isbot';

const MAPPED = /^::ffff:(?=\d+\.)/i;
const GROUPS = 8;

/** The network of an address: IPv4 as it is, of IPv6 the first 64 bits, because one client usually owns all of them. */
export function networkOf(address: string): string {
  const plain = address.replace(MAPPED, '');
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.toLowerCase().split('%', 1)[0]?.split('::') ?? [];
  const before = groupsOf(head);
  const zeros = tail === undefined ? 0 : GROUPS - before.length - groupsOf(tail).length;
  const groups = [...before, ...Array.from({ length: zeros }, () => '0'), ...groupsOf(tail ?? '')];
  return groups
    .slice(0, GROUPS / 2)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}

/** An IPv4 address at the end stands for two groups. */
const groupsOf = (part: string): string[] =>
  part === '' ? [] : part.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : group));

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
