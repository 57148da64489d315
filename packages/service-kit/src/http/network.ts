import { isIPv4, isIPv6 } from 'node:net';

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const GROUPS = 8;

/**
 * The network that failed attempts are counted by: an IPv4 address, or the first 64 bits of an IPv6 address, because
 * one client usually owns all of them. Everything that is no address counts as one network.
 */
export function networkOf(address: string | undefined): string {
  const plain = MAPPED.exec(address ?? '')?.[1] ?? address ?? '';
  if (isIPv4(plain)) return plain;
  return isIPv6(plain) ? prefixOf(plain) : 'unknown';
}

function prefixOf(address: string): string {
  const [head = '', tail] = address.toLowerCase().split('%', 1)[0]?.split('::') ?? [];
  const before = groupsOf(head);
  const zeros = tail === undefined ? 0 : GROUPS - before.length - groupsOf(tail).length;
  const groups = [...before, ...Array.from({ length: zeros }, () => '0'), ...groupsOf(tail ?? '')];
  return groups
    .slice(0, GROUPS / 2)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}

/** An IPv4 address at the end stands for two groups; neither is among the first four. */
const groupsOf = (part: string): string[] =>
  part === '' ? [] : part.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : group));
