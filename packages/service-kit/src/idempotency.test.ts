import { describe, expect, it } from '@jest/globals';
import type { RawRequest } from '@joblisting/bus';
import { createLink, ServiceError } from '@joblisting/contracts';
import { endpoint, type Handler } from './endpoint.ts';
import type { KeptAnswer } from './idempotency.ts';
import { createLog } from './log.ts';

const log = createLog('test', 'silent');
const NOW = Date.UTC(2026, 0, 1);
const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const textOf = (data: Uint8Array) => new TextDecoder().decode(data);
const principal = { consumerId: 1, scopes: [], userId: 2, companyIds: [] };
const request = (more: Partial<RawRequest> = {}): RawRequest => ({
  requestId: 'r-1',
  deadline: 1,
  params: {},
  body: bytes({ jobId: 7, odd: true }),
  principal,
  idempotencyKey: 'k',
  ...more,
});

/** An operation that makes one thing for each request that gets through to it. */
function running(meanwhile: () => Promise<unknown> = () => Promise.resolve()) {
  const kept = new Map<string, KeptAnswer>();
  let made = 0;
  const handler: Handler<typeof createLink> = async ({ body, keep }) => {
    await meanwhile();
    made += 1;
    const result = { data: { url: `https://a.example/${body.jobId}/${made}`, final: true }, id: made };
    const answer = keep?.(result, NOW);
    if (answer) kept.set(answer.key, answer);
    return result;
  };
  const find = (key: string) => Promise.resolve(kept.get(key));
  const { handle } = endpoint(createLink, handler, log, { kept: { find } });
  return { handle, kept, find, made: () => made };
}

describe('an operation that takes an Idempotency-Key', () => {
  it('answers a key as it did the first time, warnings included, without doing anything', async () => {
    const { handle, made } = running();
    const first = await handle(request());
    const again = await handle(request());
    expect(first.warnings).toHaveLength(1);
    expect(again).toEqual({ ...first, version: undefined, replayed: true });
    expect(made()).toBe(1);
  });

  it('keeps the answer for 24 hours, and neither the key nor the body', async () => {
    const { handle, kept } = running();
    await handle(request({ idempotencyKey: 'secret-key' }));
    const [answer] = kept.values();
    expect(answer?.expireAt.getTime()).toBe(NOW + 24 * 60 * 60 * 1000);
    expect(JSON.stringify(answer)).not.toContain('secret-key');
  });

  it.each([
    ['no key', { idempotencyKey: undefined }],
    ['another key', { idempotencyKey: 'other' }],
    ['another consumer', { principal: { ...principal, consumerId: 3 } }],
    ['another user', { principal: { ...principal, userId: 3 } }],
    ['nobody', { principal: undefined }],
  ])('takes a request with %s for a new one', async (_what, more) => {
    const { handle, made } = running();
    await handle(request());
    expect((await handle(request(more))).replayed).toBeUndefined();
    expect(made()).toBe(2);
  });

  it('refuses a key that was used for something else', async () => {
    const { handle } = running();
    await handle(request());
    const other = handle(request({ body: bytes({ jobId: 8 }) }));
    await expect(other).rejects.toMatchObject({ code: 'idempotency_key_reused' });
  });

  it('refuses a key that is still being handled, and takes it afterwards', async () => {
    const gate = Promise.withResolvers<void>();
    const { handle } = running(() => gate.promise);
    const first = handle(request());
    await expect(handle(request())).rejects.toMatchObject({
      code: 'idempotency_key_in_flight',
      retryAfterSeconds: 1,
    });
    gate.resolve();
    await first;
    expect((await handle(request())).replayed).toBe(true);
  });

  it('does not use a key up for a refusal', async () => {
    let refused = false;
    const { handle } = running(() => {
      if (refused) return Promise.resolve();
      refused = true;
      return Promise.reject(new ServiceError('job_not_found'));
    });
    await expect(handle(request())).rejects.toMatchObject({ code: 'job_not_found' });
    expect((await handle(request())).replayed).toBeUndefined();
  });

  describe('when a twin in another process was faster', () => {
    const lose = async (error: Error) => {
      const { handle: twin, find } = running();
      const slow: Handler<typeof createLink> = async () => {
        await twin(request());
        throw error;
      };
      return endpoint(createLink, slow, log, { kept: { find } }).handle(request());
    };

    it('gives its answer instead of the refusal that it caused', async () => {
      const reply = await lose(new ServiceError('reference_id_taken'));
      expect(reply.replayed).toBe(true);
      expect(textOf(reply.data)).toContain('/7/1');
    });

    it('does not answer for an outcome that is unknown', async () => {
      await expect(lose(new ServiceError('deadline_exceeded'))).rejects.toMatchObject({
        code: 'deadline_exceeded',
      });
    });
  });
});
