import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { inChildProcess } from '../src/in-child-process.ts';
import { dataDirectory } from './stubs/system.ts';

const nowhere = 'mongodb://127.0.0.1:1/?directConnection=true';

describe('work in a process of its own', () => {
  const data = dataDirectory();
  afterAll(() => data.remove());

  it('answers', async () => {
    await expect(inChildProcess('busAccess', [data.path])).resolves.toContain('user: "operator"');
    expect(existsSync(join(data.path, 'secrets', 'nats-operator'))).toBe(true);
  });

  it('fails as it does here', async () => {
    const attempt = inChildProcess('makeStreams', ['nats://127.0.0.1:1', data.path]);
    await expect(attempt).rejects.toThrow(/CONNECTION_REFUSED|refused/i);
  });

  it('ends at once where nobody wants it any more', async () => {
    const stopping = new AbortController();
    const attempt = inChildProcess('becomePrimary', [nowhere, 1], stopping.signal);
    stopping.abort();
    await expect(attempt).rejects.toMatchObject({ name: 'AbortError' });
  });
});
