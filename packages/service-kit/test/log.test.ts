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

describe('an error of the database', () => {
  const MARKER = 'secretmail@example.com';
  const setUp = `
    const failure = (name, message = 'of command { emailKey: "${MARKER}" }') =>
      Object.assign(new Error(message), {
        name,
        code: 13,
        codeName: 'Unauthorized',
        errorLabels: ['TransientTransactionError'],
        writeErrors: [{ op: { name: '${MARKER}' } }],
        errorResponse: { errmsg: message },
      });`;

  it.each([
    ['of the server', "{ err: failure('MongoServerError') }"],
    ['of a bulk write', "{ err: failure('MongoBulkWriteError') }"],
    ['of a write concern', "{ err: failure('MongoWriteConcernError') }"],
    ['of a cast', "{ err: failure('CastError') }"],
    [
      'with a text of several lines',
      `{ err: failure('MongoServerError', 'a\\n  at ${MARKER}\\n at b:1:2') }`,
    ],
    ['as a cause', "{ err: new Error('outer', { cause: failure('MongoServerError') }) }"],
    [
      'as the cause of a cause',
      "{ err: new Error('outer', { cause: new Error('middle', { cause: failure('MongoServerError') }) }) }",
    ],
    ['as a property', "{ err: Object.assign(new Error('outer'), { reason: failure('MongoServerError') }) }"],
    ['among several', "{ err: new AggregateError([failure('MongoServerError')], 'outer') }"],
  ])('%s is logged without documents', async (_where, fields) => {
    const { text, closed } = logging(`${setUp} log.error(${fields}, 'a request failed');`);
    await closed;
    expect(text()).not.toContain(MARKER);
    expect(text()).toMatch(
      /"code":13,"codeName":"Unauthorized","labels":\["TransientTransactionError"\],"stack":" +at /,
    );
  });

  it('of a duplicate key is logged without the key', async () => {
    const message = `E11000 duplicate key error collection: x index: y dup key: { name: "${MARKER}" }`;
    const { text, closed } = logging(
      `${setUp} log.error({ err: failure('MongoServerError', ${JSON.stringify(message)}) }, 'failed');`,
    );
    await closed;
    expect(text()).not.toContain(MARKER);
  });

  it('logged without a text gets its name as the text', async () => {
    const { text, messages, closed } = logging(
      `${setUp} log.error(failure('MongoServerError')); log.error({ err: failure('MongoServerError') });`,
    );
    await closed;
    expect(text()).not.toContain(MARKER);
    expect(messages()).toEqual(['MongoServerError', 'MongoServerError']);
  });
});

describe('other errors', () => {
  it('keep text, stack and causes', async () => {
    const { text, closed } = logging(`
      const cause = Object.assign(new Error('connect ECONNREFUSED'), { name: 'MongoNetworkError' });
      log.error({ err: new Error('no answer', { cause }) }, 'a request failed');
    `);
    await closed;
    expect(text()).toContain('"message":"no answer","stack":"Error: no answer\\n    at ');
    expect(text()).toContain('"message":"connect ECONNREFUSED"');
  });

  it('that are their own cause end', async () => {
    const { messages, closed } = logging(
      `const err = new Error('round'); err.cause = err; log.error({ err }, 'a request failed');`,
    );
    await closed;
    expect(messages()).toEqual(['a request failed']);
  });
});
