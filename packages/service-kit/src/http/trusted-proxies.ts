import { BlockList, isIP } from 'node:net';
import { ConfigError } from '../config.ts';

/**
 * The proxies whose X-Forwarded-For is believed, for fastify's `trustProxy`; false: nobody's. The client is the
 * last address in it that is no such proxy: what a client writes there itself comes before that.
 * Throws ConfigError for an entry that is neither an address nor a range, and for a range of all addresses.
 */
export function trustedProxies(setting: string): string[] | false {
  const entries = setting.split(',').map((entry) => entry.trim());
  if (entries.every((entry) => entry === '')) return false;
  const problems = entries.flatMap((entry, index) =>
    isRange(entry)
      ? []
      : `TRUSTED_PROXIES: entry ${index + 1} is neither an address nor a range such as 10.0.0.0/8`,
  );
  if (problems.length > 0) throw new ConfigError(problems);
  return entries;
}

/** Tells whether an address is one of these proxies, as `trustedProxies` returned them. */
export function proxyMatcher(proxies: readonly string[] | false): (address: string) => boolean {
  if (proxies === false) return () => false;
  const list = new BlockList();
  for (const entry of proxies) {
    const [address = '', bits] = entry.split('/');
    const family = familyOf(address);
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (address) => isIP(address) !== 0 && list.check(address, familyOf(address));
}

const familyOf = (address: string) => (isIP(address) === 4 ? 'ipv4' : 'ipv6');

function isRange(entry: string): boolean {
  const [address = '', bits, ...more] = entry.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  if (bits === undefined) return true;
  return /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128);
}
