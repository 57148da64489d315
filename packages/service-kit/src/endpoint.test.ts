import { describe, expect, it } from '@jest/globals';
import type { RawRequest } from '@joblisting/bus';
import { createJob, createLink, resolveLink, ServiceError } from '@joblisting/contracts';
import { endpoint, grantsCompany, type Handler, requireCompany, requireScope, traceOf } from './endpoint.ts';
import { createLog } from './log.ts';

const log = createLog('test', 'silent');
const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const textOf = (data: Uint8Array) => new TextDecoder().decode(data);
const request = (more: Partial<RawRequest>): RawRequest => ({
  requestId: 'r-1',
  deadline: 1,
  params: {},
  body: new Uint8Array(),
  ...more,
});
const link: Handler<typeof createLink> = ({ body }) =>
  Promise.resolve({ data: { url: `https://a.example/${body.jobId}`, final: true } });
const principal = { consumerId: 1, scopes: ['jobs:read' as const], userId: 2, companyIds: [3] };

describe('endpoint', () => {
  it('passes a checked request to its handler and sends the result', async () => {
    const { handle, operation } = endpoint(createLink, link, log);
    const reply = await handle(request({ body: bytes({ jobId: 7 }) }));
    expect(operation).toBe(createLink);
    expect({ ...reply, data: textOf(reply.data) }).toEqual({
      outcome: 'ok',
      warnings: [],
      data: '{"url":"https://a.example/7","final":true}',
    });
  });

  it('passes the context to the handler', async () => {
    const { handle } = endpoint(
      createLink,
      ({ context }) => Promise.resolve({ data: { url: JSON.stringify(context), final: true } }),
      log,
    );
    const context = { requestId: 'r-1', deadline: 1, principal, traceparent: '00-a-b-01' };
    const { data } = await handle(request({ ...context, body: bytes({ jobId: 7 }) }));
    expect(JSON.parse((JSON.parse(textOf(data)) as { url: string }).url)).toEqual(context);
  });

  it('sends bytes as they are, and an empty body for no data', async () => {
    const raw = endpoint(createLink, () => Promise.resolve({ data: bytes('as it is'), id: 4 }), log);
    const reply = await raw.handle(request({ body: bytes({ jobId: 7 }) }));
    expect([textOf(reply.data), reply.id]).toEqual(['"as it is"', 4]);
    const empty = endpoint(createLink, () => Promise.resolve({ outcome: 'deleted' as const }), log);
    expect((await empty.handle(request({ body: bytes({ jobId: 7 }) }))).data).toHaveLength(0);
  });

  it.each([
    [{ params: { code: 5 } }, 'invalid_parameter', [{ parameter: 'code', code: 'type' }]],
    [{ params: null }, 'invalid_parameter', [{ code: 'not_null' }]],
    [{ params: {} }, 'invalid_parameter', [{ parameter: 'code', code: 'required' }]],
  ])('refuses the parameters of %j', async (more, code, errors) => {
    const { handle } = endpoint(resolveLink, () => Promise.resolve({}), log);
    await expect(handle(request(more))).rejects.toMatchObject({ code, errors });
  });

  it.each([
    [new Uint8Array(), 'malformed_json', []],
    [bytes([]), 'malformed_json', []],
    [bytes({}), 'validation_failed', [{ pointer: '#/jobId', code: 'required' }]],
    [bytes({ jobId: '7' }), 'validation_failed', [{ pointer: '#/jobId', code: 'type' }]],
  ])('refuses a wrong body', async (body, code, errors) => {
    const { handle } = endpoint(createLink, link, log);
    await expect(handle(request({ body }))).rejects.toMatchObject({ code, errors });
  });

  it('refuses a body that is not JSON even if the operation takes none, and ignores JSON', async () => {
    const { handle } = endpoint(
      resolveLink,
      ({ body }) => Promise.resolve({ data: bytes(body ?? null) }),
      log,
    );
    const send = (body: string) =>
      handle(request({ params: { code: 'a' }, body: new TextEncoder().encode(body) }));
    await expect(send('{bad')).rejects.toMatchObject({ code: 'malformed_json' });
    expect(textOf((await send('{"any":"thing"}')).data)).toBe('null');
  });

  it('warns of unknown fields, with what the handler adds, fifty at most', async () => {
    const { handle } = endpoint(
      createLink,
      ({ warnings }) => {
        warnings.push({ code: 'html_encoded', detail: 'added' });
        return Promise.resolve({});
      },
      log,
    );
    const one = await handle(request({ body: bytes({ jobId: 7, x: 1 }) }));
    expect(one.warnings).toMatchObject([{ code: 'unknown_field', pointer: '#/x' }, { code: 'html_encoded' }]);
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`x${index}`, 1]));
    expect((await handle(request({ body: bytes({ jobId: 7, ...many }) }))).warnings).toHaveLength(50);
  });

  it('passes the violations to the handler if the operation collects them', async () => {
    const { handle } = endpoint(
      createJob,
      ({ violations }) => Promise.reject(new ServiceError('validation_failed', 'x', { errors: violations })),
      log,
    );
    await expect(handle(request({ body: bytes({ title: '' }) }))).rejects.toMatchObject({
      errors: expect.arrayContaining([expect.objectContaining({ pointer: '#/title', code: 'too_short' })]),
    });
  });

  it('reads other formats by the reader it is given', async () => {
    const readNumber = (body: Uint8Array, params: unknown) => {
      expect(params).toEqual({ format: 'text' });
      return { jobId: Number(textOf(body)) };
    };
    const { handle } = endpoint(createLink, link, log, { readBody: readNumber });
    const reply = await handle(request({ params: { format: 'text' }, body: bytes(12) }));
    expect(textOf(reply.data)).toContain('/12');
  });

  it('passes refusals and failures on', async () => {
    for (const error of [new ServiceError('link_not_found'), new Error('a bug')]) {
      const { handle } = endpoint(createLink, () => Promise.reject(error), log);
      await expect(handle(request({ body: bytes({ jobId: 7 }) }))).rejects.toBe(error);
    }
  });
});

describe('rights', () => {
  const context = { requestId: 'r-1', deadline: 1, principal };

  it('come from the scopes of the consumer key', () => {
    expect(() => requireScope(context, 'jobs:read')).not.toThrow();
    const missing = expect.objectContaining({ code: 'scope_missing' });
    expect(() => requireScope(context, 'jobs:write')).toThrow(missing);
    expect(() => requireScope({ ...context, principal: undefined }, 'jobs:read')).toThrow(missing);
  });

  it('come from the companies of the user key', () => {
    expect([grantsCompany(context, 3), grantsCompany(context, 4)]).toEqual([true, false]);
    expect(() => requireCompany(context, 3, { pointer: '#/company/id' })).not.toThrow();
    expect(() => requireCompany(context, 4, { pointer: '#/company/id' })).toThrow(
      expect.objectContaining({
        code: 'company_forbidden',
        errors: [expect.objectContaining({ pointer: '#/company/id' })],
      }),
    );
    expect(() =>
      requireCompany({ ...context, principal: undefined }, 3, { parameter: 'company.id' }),
    ).toThrow(expect.objectContaining({ code: 'company_forbidden' }));
  });
});

describe('traceOf', () => {
  it('takes the trace id out of the traceparent', () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    expect(traceOf({ requestId: 'r', traceparent }).traceId).toBe('0af7651916cd43dd8448eb211c80319c');
    expect(traceOf({ requestId: 'r' }).traceId).toBeUndefined();
  });
});

describe('large bodies', () => {
  const large = (title: string) =>
    request({ deadline: Date.now() + 20_000, body: bytes({ jobId: 7, title, filler: 'x'.repeat(70_000) }) });

  it('are read one at a time, others between them', async () => {
    const order: string[] = [];
    const { handle } = endpoint(
      createLink,
      ({ warnings }) => {
        const isLarge = warnings.length > 0;
        if (isLarge && !order.includes('large')) setImmediate(() => order.push('other'));
        order.push(isLarge ? 'large' : 'small');
        return Promise.resolve({});
      },
      log,
    );
    const all = [large('a'), large('b'), large('c')].map((each) => handle(each));
    all.push(handle(request({ body: bytes({ jobId: 7 }) })));
    await all[0];
    all.push(handle(request({ body: bytes({ jobId: 7 }) })));
    await Promise.all(all);
    expect(order.filter((each) => each !== 'other')).toEqual(['small', 'large', 'small', 'large', 'large']);
    // What the event loop had to do meanwhile.
    expect(order.indexOf('other')).toBeLessThan(order.lastIndexOf('large'));
    expect(order).toContain('other');
  });

  it('are not read if their deadline passed while they waited', async () => {
    const { handle } = endpoint(createLink, link, log);
    await expect(handle({ ...large('a'), deadline: Date.now() - 1 })).rejects.toMatchObject({
      code: 'deadline_exceeded',
    });
  });
});
