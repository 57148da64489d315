import { describe, expect, it } from '@jest/globals';
import { networkOf } from './network.ts';

describe('networkOf', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:DB8:1:2::1', '2001:db8:1:2'],
    ['2001:0db8:0001:0002::', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['2001:db8::5:6:7:8', '2001:db8:0:0'],
    ['2001:db8::4:5:6:7:8', '2001:db8:0:4'],
    ['::1', '0:0:0:0'],
    ['64:ff9b::192.0.2.7', '64:ff9b:0:0'],
    ['1:2:3:4:5:6:192.0.2.7', '1:2:3:4'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['192.0.2.7:4711', 'unknown'],
    ['', 'unknown'],
    [undefined, 'unknown'],
  ])('%s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
