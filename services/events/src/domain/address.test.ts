import { describe, expect, it } from '@jest/globals';
import { type Access, isAllowed, literalOf, readNetworks, readPorts, urlViolation } from './address.ts';

const shut: Access = { networks: [], ports: [443] };
const loopback: Access = { networks: readNetworks('loopback') ?? [], ports: [443] };
const https = new URL('https://hooks.example.com/');

/** Addresses that must not be connected to, with what they are. */
const forbidden = [
  ['unspecified', '0.0.0.0'],
  ['this network', '0.1.2.3'],
  ['private', '10.0.0.1'],
  ['private', '172.16.0.1'],
  ['private', '172.31.255.255'],
  ['private', '192.168.1.1'],
  ['shared by carriers', '100.64.0.1'],
  ['metadata of Alibaba', '100.100.100.200'],
  ['loopback', '127.0.0.1'],
  ['loopback', '127.255.255.254'],
  ['link-local', '169.254.0.1'],
  ['metadata', '169.254.169.254'],
  ['metadata of Azure', '168.63.129.16'],
  ['metadata of Oracle', '192.0.0.192'],
  ['documentation', '203.0.113.1'],
  ['benchmarks', '198.18.0.1'],
  ['multicast', '224.0.0.1'],
  ['reserved', '240.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['unspecified', '::'],
  ['loopback', '::1'],
  ['loopback, mapped', '::ffff:127.0.0.1'],
  ['private, mapped', '::ffff:a00:1'],
  ['metadata, mapped', '::ffff:169.254.169.254'],
  ['loopback, in the old form of mapping', '::127.0.0.1'],
  ['loopback, translated', '::ffff:0:127.0.0.1'],
  ['private, by NAT64', '64:ff9b::10.0.0.1'],
  ['local NAT64', '64:ff9b:1::10.0.0.1'],
  ['loopback, by 6to4', '2002:7f00:1::'],
  ['private, by Teredo', '2001:0:a00:1::'],
  ['link-local', 'fe80::1'],
  ['link-local, with a zone', 'fe80::1%eth0'],
  ['site-local', 'fec0::1'],
  ['unique local', 'fc00::1'],
  ['metadata of Amazon', 'fd00:ec2::254'],
  ['documentation', '2001:db8::1'],
  ['discard', '100::1'],
  ['multicast', 'ff02::1'],
] as const;

describe('an address that is resolved', () => {
  it.each(forbidden)('is forbidden: %s, %s', (_what, address) => {
    expect(isAllowed(https, [address], shut)).toBe(false);
  });

  it.each(['93.184.216.34', '::ffff:93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946'])(
    'is allowed: %s',
    (address) => {
      expect(isAllowed(https, [address], shut)).toBe(true);
    },
  );

  it('is forbidden where any other of the name is', () => {
    expect(isAllowed(https, ['93.184.216.34', '10.0.0.1'], shut)).toBe(false);
    expect(isAllowed(https, [], shut)).toBe(false);
  });

  it('in an opened network is allowed over http and on any port, and nothing else is', () => {
    const http = new URL('http://trial.example.com:8080/');
    expect(isAllowed(http, ['127.0.0.1', '::1'], loopback)).toBe(true);
    expect(isAllowed(http, ['127.0.0.1', '93.184.216.34'], loopback)).toBe(false);
    expect(isAllowed(https, ['10.0.0.1'], loopback)).toBe(false);
  });
});

describe('an address that is registered', () => {
  it.each([
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0x7f.0.0.1/',
    'https://0177.0.0.1/',
    'https://017700000001/',
    'https://127.0.0.1./',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://１２７.０.０.１/',
    'https://localhost/',
    'https://LOCALHOST./',
    'https://api.localhost/',
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://3232235777/',
    'https://0/',
    'http://hooks.example.com/',
    'http://93.184.216.34/',
    'https://hooks.example.com:8443/',
    'https://93.184.216.34:22/',
  ])('is refused: %s', (url) => {
    expect(urlViolation(url, shut)).toMatchObject({ pointer: '#/url', code: 'not_allowed' });
  });

  it.each(['https://hooks.example.com/', 'https://hooks.example.com:443/a?b', 'https://93.184.216.34/'])(
    'is taken: %s',
    (url) => {
      expect(urlViolation(url, shut)).toBeUndefined();
    },
  );

  it('in an opened network is taken, and other forbidden ones are not', () => {
    expect(urlViolation('http://127.0.0.1:4000/', loopback)).toBeUndefined();
    expect(urlViolation('http://localhost:4000/', loopback)).toBeUndefined();
    expect(urlViolation('http://10.0.0.1:4000/', loopback)).toBeDefined();
  });

  it('may have a port that is set', () => {
    expect(urlViolation('https://hooks.example.com:8443/', { ...shut, ports: [8443] })).toBeUndefined();
  });
});

describe('settings', () => {
  it('of networks are ranges and loopback', () => {
    expect(readNetworks('')).toEqual([]);
    expect(readNetworks(' loopback, 10.1.0.0/16,fd00::/8')).toHaveLength(4);
    expect(readNetworks('10.1.0.0')).toBeUndefined();
    expect(readNetworks('everything')).toBeUndefined();
  });

  it('of ports are numbers', () => {
    expect(readPorts('443, 8443')).toEqual([443, 8443]);
    for (const text of ['', '0', '65536', '443,', 'https']) expect(readPorts(text)).toBeUndefined();
  });
});

it('a name is no address by itself', () => {
  expect(literalOf(https)).toBeUndefined();
  expect(literalOf(new URL('https://127.0.0.1.nip.io/'))).toBeUndefined();
});
