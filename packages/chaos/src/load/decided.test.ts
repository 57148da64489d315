import { describe, expect, it } from '@jest/globals';
import type { Answer } from '@joblisting/testing/system';
import { reasonOf, untilDecided } from './decided.ts';

const answer = (status: number): Answer => ({
  status,
  headers: new Headers(),
  text: '',
  json: status === 409 ? { code: 'idempotency_key_in_flight' } : {},
});
const lost = (code: string) =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) });

/** A `send` with these outcomes. */
const script = (...steps: (number | Error)[]) => {
  const rest = [...steps];
  return async (): Promise<Answer> => {
    const step = rest.shift();
    if (step instanceof Error) throw step;
    return answer(step ?? 200);
  };
};

describe('untilDecided', () => {
  it.each([
    ['a final answer at once', [201], false],
    ['503: not executed', [503, 201], false],
    ['409: an earlier attempt is running', [409, 201], false],
    ['a refused connection: not sent', [lost('ECONNREFUSED'), 201], false],
    ['504: perhaps executed', [504, 201], true],
    ['a lost connection: perhaps executed', [lost('ECONNRESET'), 201], true],
  ])('%s', async (_what, steps, isUncertain) => {
    const decided = await untilDecided(script(...steps));
    expect(decided).toMatchObject({ answer: { status: 201 }, isUncertain });
    expect(decided.before).toHaveLength(steps.length - 1);
  });

  it('reports answers that the API does not promise', async () => {
    const unexpected: string[] = [];
    await untilDecided(script(503, 500, 200), { onOdd: (what) => unexpected.push(what) });
    expect(unexpected).toEqual(['500 undefined']);
  });

  it('rejects at the limit with the last answers', async () => {
    const never = async () => answer(503);
    await expect(untilDecided(never, { limitMs: 1 })).rejects.toThrow('503 undefined');
  });
});

describe('reasonOf', () => {
  it.each([
    [lost('ECONNRESET'), 'ECONNRESET'],
    [new DOMException('timeout', 'TimeoutError'), 'TimeoutError'],
  ])('%s', (error, reason) => {
    expect(reasonOf(error)).toBe(reason);
  });
});
