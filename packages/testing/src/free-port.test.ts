import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { freePort } from './free-port.ts';

describe('freePort', () => {
  it('gives different ports that are free', async () => {
    const ports = await Promise.all(Array.from({ length: 50 }, freePort));
    expect(new Set(ports).size).toBe(50);
    for (const port of ports) {
      const server = createServer().listen(port, '127.0.0.1');
      await once(server, 'listening');
      server.close();
    }
  });

  it('gives no port of the range for outgoing connections', async () => {
    const ports = await Promise.all(Array.from({ length: 50 }, freePort));
    expect(Math.max(...ports)).toBeLessThan(32_768);
  });
});
