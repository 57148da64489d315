import type { Violation } from '@joblisting/contracts';
import ipaddr from 'ipaddr.js';

type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Where webhooks may lead besides public addresses. */
export interface Access {
  /** Networks that are opened for trying: over http and on any port as well. */
  readonly networks: readonly Network[];
  /** Ports of public addresses. */
  readonly ports: readonly number[];
}

const LOOPBACK = ['127.0.0.0/8', '::1/128'];
/** All addresses of IPv6 that are routed on the internet. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');
/** Public by its range, but Azure answers there with what only the machine itself may know. */
const AZURE_METADATA = '168.63.129.16';

/** Reads `loopback, 10.1.0.0/16`. Returns undefined for anything else. */
export function readNetworks(text: string): readonly Network[] | undefined {
  const names = text.split(',').flatMap((part) => part.trim() || []);
  const ranges = names.flatMap((name) => (name === 'loopback' ? LOOPBACK : name));
  return ranges.every((range) => ipaddr.isValidCIDR(range)) ? ranges.map(ipaddr.parseCIDR) : undefined;
}

/** Reads `443, 8443`. Returns undefined for anything else. */
export function readPorts(text: string): readonly number[] | undefined {
  const ports = text.split(',').map((part) => (/^\s*\d{1,5}\s*$/.test(part) ? Number(part) : 0));
  return ports.every((port) => port > 0 && port < 65_536) ? ports : undefined;
}

/** The address that a host is by itself, without a look-up; undefined for a name. The URL standard reads all forms. */
export function literalOf({ hostname }: URL): string | undefined {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (host === 'localhost' || host.endsWith('.localhost')) return '127.0.0.1';
  return ipaddr.isValid(host) ? host : undefined;
}

/** Whether a connection may be made: every address is checked, because any of them may be the one that answers. */
export function isAllowed(url: URL, addresses: readonly string[], access: Access): boolean {
  const reaches = addresses.map((address) => reachOf(address, access));
  if (reaches.length === 0 || reaches.includes('forbidden')) return false;
  return reaches.every((reach) => reach === 'opened') || isForPublic(url, access);
}

const isForPublic = (url: URL, { ports }: Access): boolean =>
  url.protocol === 'https:' && ports.includes(Number(url.port || 443));

function reachOf(text: string, { networks }: Access): 'public' | 'opened' | 'forbidden' {
  // An IPv4 address that is mapped into IPv6 is read as what it is.
  const address = ipaddr.process(text);
  if (networks.some((network) => isIn(address, network))) return 'opened';
  const isPublic =
    address.range() === 'unicast' &&
    (address.kind() === 'ipv4' ? address.toString() !== AZURE_METADATA : isIn(address, GLOBAL_IPV6));
  return isPublic ? 'public' : 'forbidden';
}

const isIn = (address: ipaddr.IPv4 | ipaddr.IPv6, [network, bits]: Network): boolean =>
  address.kind() === network.kind() && address.match(network, bits);

/** Why a well-formed address cannot be registered. Names are looked up with each attempt only. */
export function urlViolation(text: string, access: Access): Violation | undefined {
  const url = new URL(text);
  const literal = literalOf(url);
  const mayBeOpened = access.networks.length > 0 && literal === undefined;
  if (mayBeOpened || isAllowed(url, literal === undefined ? [] : [literal], access)) return undefined;
  if (literal === undefined && isForPublic(url, access)) return undefined;
  const ports = access.ports.join(' or ');
  return {
    pointer: '#/url',
    code: 'not_allowed',
    detail: `url must be an https address on port ${ports} whose host is on the public internet.`,
  };
}
