import { ServiceError, toErrorBody } from '@joblisting/contracts';
import { MsgHdrsImpl, type MsgHdrs } from 'nats';
import { type CallContext, encodeRefusal, encodeReply, encodeRequest, type ReplyMeta } from '../src/wire.ts';

/** A message as it is on the wire, and what was meant by it. */
export interface Sample {
  /** `NATS/1.0` and the lines after it. */
  readonly headers: string;
  readonly payload: string;
  readonly means: unknown;
}

export interface Wire {
  readonly requests: readonly Sample[];
  readonly replies: readonly Sample[];
}

const contexts: readonly CallContext[] = [
  { requestId: 'req-1', deadline: 1_700_000_000_000 },
  {
    requestId: 'req-2',
    deadline: 1_700_000_000_000,
    principal: { consumerId: 7, scopes: ['jobs:read', 'jobs:write'], userId: 9, companyIds: [1, 2] },
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    idempotencyKey: 'key-1',
  },
];

const metas: readonly ReplyMeta[] = [
  { outcome: 'ok' },
  {
    outcome: 'created',
    version: 3,
    id: 4711,
    warnings: [{ code: 'unknown_field', detail: 'Not known: “straße”.', pointer: '#/a' }],
    replayed: true,
  },
  { outcome: 'ok', paging: { total: 120, pageSize: 50, page: 2, pages: 3 } },
  { outcome: 'deleted' },
];

const refusals: readonly ServiceError[] = [
  new ServiceError('validation_failed', undefined, {
    errors: [{ pointer: '#/title', code: 'required', detail: 'title is required.' }],
  }),
  new ServiceError('reference_id_taken', undefined, { conflict: { resource: 'job', id: 4711 } }),
  new ServiceError('overloaded', undefined, { retryAfterSeconds: 1 }),
];

const textOf = (headers: MsgHdrs): string => new TextDecoder().decode((headers as MsgHdrsImpl).encode());

/** The headers of a sample, read by the client's own reader. */
export const headersOf = ({ headers }: Sample): MsgHdrsImpl =>
  MsgHdrsImpl.decode(new TextEncoder().encode(headers));

const params = { id: 4711, name: 'Straße' };
const payload = '{"title":"Gärtnerin"}';

/** One of each kind of message, as this version writes it. */
export function wireOfToday(): Wire {
  return {
    requests: contexts.map((context) => ({
      headers: textOf(encodeRequest(context, params)),
      payload,
      means: { ...context, params },
    })),
    replies: [
      ...metas.map((meta) => ({ headers: textOf(encodeReply(meta)), payload, means: { meta } })),
      ...refusals.map((refusal) => {
        const body = toErrorBody(refusal);
        return {
          headers: textOf(encodeRefusal(body)),
          payload: JSON.stringify(body),
          means: { refusal: body },
        };
      }),
    ],
  };
}
