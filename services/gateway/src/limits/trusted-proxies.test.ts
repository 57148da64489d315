import { describe, expect, it } from '@jest/globals';
import { trustedProxies } from './trusted-proxies.ts';

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
