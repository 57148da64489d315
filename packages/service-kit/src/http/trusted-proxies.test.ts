import { describe, expect, it } from '@jest/globals';
import { proxyMatcher, trustedProxies } from './trusted-proxies.ts';

describe('trustedProxies', () => {
  it.each([
    ['', false],
    [' , ', false],
    ['127.0.0.1', ['127.0.0.1']],
    ['10.0.0.0/8, 2001:db8::/32,::1', ['10.0.0.0/8', '2001:db8::/32', '::1']],
  ])('%j', (setting, expected) => {
    expect(trustedProxies(setting)).toEqual(expected);
  });

  it.each([
    'proxy.example',
    'true',
    '1',
    '0.0.0.0/0',
    '::/0',
    '10.0.0.0/33',
    '10.0.0.0/8/8',
    '10.0.0.0/x',
    '::1,,',
  ])('refuses %j', (setting) => {
    expect(() => trustedProxies(setting)).toThrow('TRUSTED_PROXIES');
  });
});

describe('proxyMatcher', () => {
  it.each([
    ['10.0.0.0/8', '10.1.2.3', true],
    ['10.0.0.0/8', '::ffff:10.1.2.3', true],
    ['10.0.0.0/8', '11.1.2.3', false],
    ['192.0.2.1', '192.0.2.1', true],
    ['192.0.2.1', '192.0.2.2', false],
    ['2001:db8::/32,::1', '2001:db8:7::1', true],
    ['2001:db8::/32,::1', '::1', true],
    ['2001:db8::/32,::1', '2001:db9::1', false],
    ['10.0.0.0/8', '', false],
    ['', '10.1.2.3', false],
  ])('of %j: %s %s', (setting, address, expected) => {
    expect(proxyMatcher(trustedProxies(setting))(address)).toBe(expected);
  });
});
