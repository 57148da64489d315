import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@joblisting/testing';

const log = new URL('../src/log.ts', import.meta.url).href;

/** A process that logs. */
function logging(code: string) {
  const script = `import { createLog } from '${log}'; const log = createLog('test', 'info'); ${code}`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script]);
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const messages = () =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => (JSON.parse(line) as { msg: string }).msg);
  return { child, messages, text: () => text, closed: once(child, 'close') };
}

const forEver = 'setInterval(() => undefined, 1000);';

describe('lines of a log', () => {
  it.each([
    ['ends', ''],
    ['exits', 'process.exit(3);'],
    ['crashes', "throw new Error('x');"],
  ])('are all there when the process %s', async (_how, end) => {
    const { messages, closed } = logging(
      `for (let n = 0; n < 500; n++) log.info(String(n)); log.child({ a: 1 }).info('last'); ${end}`,
    );
    await closed;
    expect(messages()).toEqual([...Array.from({ length: 500 }, (_, n) => String(n)), 'last']);
  });

  it('are written though the process goes on', async () => {
    const { child, messages, closed } = logging(`log.info('first'); ${forEver}`);
    await waitFor(async () => messages().length === 1, { limitMs: 20_000, what: 'the line' });
    child.kill('SIGKILL');
    await closed;
  });

  it('are written with a warning at once', async () => {
    const { messages, closed } = logging(
      `log.info('first'); log.warn('second'); process.kill(process.pid, 'SIGKILL'); ${forEver}`,
    );
    await closed;
    expect(messages()).toEqual(['first', 'second']);
  });
});

it('an error of the database is logged without the documents and key values that it carries', async () => {
  const { text, closed } = logging(`
    const message = 'E11000 duplicate key error collection: x index: y dup key: { name: "secret-value" }';
    const err = Object.assign(new Error(message), {
      name: 'MongoBulkWriteError',
      code: 11000,
      writeErrors: [{ op: { name: 'secret-value' } }],
    });
    log.error({ err }, 'a request failed');
    log.error({ err: new Error('another one') }, 'a request failed');
  `);
  await closed;
  expect(text()).not.toContain('secret-value');
  expect(text()).toContain('E11000 duplicate key error collection: x index: y dup key');
  expect(text()).toContain('another one');
});
