import { Type } from 'typebox';
import { ViolationShape, WarningShape } from '../answer-shapes.ts';
import { errorCodes, reasons } from '../errors.ts';
import { Int32, OneOf } from '../fields.ts';
import { CursorPaging, Paging } from '../resources.ts';
import { Principal } from '../principal.ts';

const Code = Type.String({
  description: `One of a closed list: ${Object.keys(errorCodes)
    .map((code) => `\`${code}\``)
    .join(', ')}.`,
});

/** Why a request was not done. `detail` may be shown to clients. */
export const Refusal = Type.Object({
  code: Code,
  detail: Type.String(),
  errors: Type.Optional(Type.Array(ViolationShape)),
  conflict: Type.Optional(
    Type.Object(
      { resource: OneOf(['job', 'category']), id: Int32() },
      { description: 'The resource in the way.', additionalProperties: true },
    ),
  ),
  snapshot: Type.Optional(
    Type.Object({ companyId: Int32() }, { description: 'The company whose jobs are to be read again.' }),
  ),
  retryAfterSeconds: Type.Optional(Type.Number()),
  reason: Type.Optional(
    Type.String({
      description: `Which limit or dependency: ${Object.keys(reasons)
        .map((reason) => `\`${reason}\``)
        .join(', ')}.`,
    }),
  ),
});

/** The JSON document in the header `Envelope` of a request, but for its `params`. */
export const RequestEnvelope = Type.Object({
  requestId: Type.String(),
  deadline: Type.Number({
    description: 'In epoch milliseconds. Nothing is done after it; at most 60 s from now.',
  }),
  principal: Type.Optional(Principal),
  traceparent: Type.Optional(Type.String({ description: 'W3C Trace Context, section 3.2.' })),
  idempotencyKey: Type.Optional(Type.String()),
});

/** The JSON document in the header `Envelope` of a reply: either an `outcome` and what goes with it, or an `error`. */
export const ReplyEnvelope = Type.Object({
  outcome: OneOf(['ok', 'created', 'accepted', 'deleted']),
  version: Type.Optional(Type.Number({ description: 'Of the resource.' })),
  id: Type.Optional(Type.Number({ description: 'Of a resource that the request did not name by id.' })),
  warnings: Type.Optional(Type.Array(WarningShape)),
  paging: Type.Optional(Paging),
  cursor: Type.Optional(CursorPaging),
  replayed: Type.Optional(Type.Boolean({ description: 'An earlier answer to the same Idempotency-Key.' })),
  file: Type.Optional(
    Type.Object(
      { name: Type.String(), type: Type.String() },
      { description: 'The payload is the bytes of this file instead of JSON.' },
    ),
  ),
});
