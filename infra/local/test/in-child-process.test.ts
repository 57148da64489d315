import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { inChildProcess } from '../src/in-child-process.ts';
import { dataDirectory } from './stubs/system.ts';

const nowhere = 'mongodb://127.0.0.1:1/?directConnection=true';

describe('inChildProcess', () => {
  const data = dataDirectory();
  afterAll(() => data.remove());

  it('returns the result of the task', async () => {
    await expect(inChildProcess('busAuthorization', [data.path])).resolves.toContain('user: "operator"');
    expect(existsSync(join(data.path, 'secrets', 'nats-operator'))).toBe(true);
  });

  it('rejects with the error of the task', async () => {
    const attempt = inChildProcess('createStreams', ['nats://127.0.0.1:1', data.path]);
    await expect(attempt).rejects.toThrow(/CONNECTION_REFUSED|refused/i);
  });

  it('rejects at once when the signal aborts', async () => {
    const stopping = new AbortController();
    const attempt = inChildProcess('becomePrimary', [nowhere, 1, data.path], stopping.signal);
    stopping.abort();
    await expect(attempt).rejects.toMatchObject({ name: 'AbortError' });
  });
});
