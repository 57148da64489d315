import { type ErrorCode, errorCodes, ServiceError } from '@joblisting/contracts';
import type { Addresses } from '../addresses.ts';
import { PROBLEM_TYPE } from '../errors/accept.ts';
import { problemOf } from '../errors/problem.ts';
import { type Row, takesIdempotencyKey } from '../routes/row.ts';
import { errorCodesOf } from './error-codes.ts';
import { describeSchema, type Json } from './schemas.ts';

const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });
const header = (name: string) => ({ [name]: ref('headers', name) });
const paging = { total: 1, pageSize: 50, page: 1, pages: 1, previous: null, next: null };

export const componentHeaders: Json = {
  'Request-Id': {
    description: 'Names this request; the one that was sent, if it was at most 64 visible ASCII characters.',
    schema: { type: 'string' },
  },
  Location: { description: 'Address of the new resource.', schema: { type: 'string', format: 'uri' } },
  ETag: {
    description: 'Version and digest of the data; for If-None-Match and If-Match.',
    schema: { type: 'string' },
  },
  'RateLimit-Policy': {
    description: 'What the consumer key may send: `"reads"` or `"writes"`, q requests in w seconds.',
    schema: { type: 'string' },
    example: '"reads";q=60000;w=60',
  },
  RateLimit: {
    description: 'What is left of it: r requests in the next t seconds.',
    schema: { type: 'string' },
    example: '"reads";r=59999;t=42',
  },
  'Idempotent-Replayed': {
    description: 'There where the answer was kept, of an earlier request with the same Idempotency-Key.',
    schema: { type: 'string', enum: ['true'] },
  },
  'Retry-After': { description: 'Seconds to wait before the next attempt.', schema: { type: 'integer' } },
  'WWW-Authenticate': { description: 'HTTP Basic, for plain browsers.', schema: { type: 'string' } },
};

/** Every answer of an operation, good and bad. */
export function responsesOf(row: Row): Json {
  return { ...successesOf(row), ...errorsOf(row) };
}

/** What every answer of an operation carries, but those of a request without valid keys. */
const commonHeaders = ({ access }: Row): Json => ({
  ...header('Request-Id'),
  ...(access.keys !== 'none' && { ...header('RateLimit-Policy'), ...header('RateLimit') }),
});

function successesOf(row: Row): Json {
  if (!row.operation.reply) return { 204: { description: 'Done.', headers: commonHeaders(row) } };
  const content = { 'application/json': { schema: envelopeOf(row), example: exampleOf(row) } };
  const headers = {
    ...commonHeaders(row),
    ...(row.tagged && header('ETag')),
    ...(takesIdempotencyKey(row) && header('Idempotent-Replayed')),
  };
  const ok = { description: 'Done.', headers, content };
  const created = { description: 'Created.', headers: { ...headers, ...header('Location') }, content };
  if (row.method === 'POST') return row.location ? { 201: created } : { 200: ok };
  if (row.method === 'PUT') return row.location ? { 200: ok, 201: created } : { 200: ok };
  return row.tagged
    ? { 200: ok, 304: { description: 'Not changed since the ETag in If-None-Match.', headers } }
    : { 200: ok };
}

const isPaged = (row: Row): boolean => row.name === 'listJobs';

function envelopeOf(row: Row): Json {
  const properties = {
    ...(isPaged(row) && { paging: ref('schemas', 'Paging') }),
    data: describeSchema(row.operation.reply ?? {}),
    warnings: { type: 'array', maxItems: 50, items: ref('schemas', 'Warning') },
  };
  return { type: 'object', required: Object.keys(properties), properties };
}

const exampleOf = (row: Row): Json => ({
  ...(isPaged(row) && { paging }),
  data: row.examples.data,
  warnings: [],
});

/** Codes that come with Retry-After. */
const saysWhen = (code: ErrorCode): boolean =>
  code === 'idempotency_key_in_flight' || ['rateLimited', 'unavailable'].includes(errorCodes[code].kind);

function errorsOf(row: Row): Json {
  const answers = [...errorCodesOf(row)].map(([status, codes]) => {
    const content = {
      schema: ref('schemas', 'Error'),
      examples: Object.fromEntries(codes.map((code) => [code, ref('examples', code)])),
    };
    const headers = {
      ...(status === 401 ? header('Request-Id') : commonHeaders(row)),
      ...(status === 401 && header('WWW-Authenticate')),
      ...(codes.some(saysWhen) && header('Retry-After')),
    };
    const description = codes.map((code) => `\`${code}\`: ${errorCodes[code].title}.`).join(' ');
    return [
      status,
      { description, headers, content: { 'application/json': content, [PROBLEM_TYPE]: content } },
    ];
  });
  return Object.fromEntries(answers);
}

/** One example for each error code. */
export function errorExamples(addresses: Addresses): Json {
  const examples = (Object.keys(errorCodes) as ErrorCode[]).map((code) => {
    const error = new ServiceError(code, undefined, detailsOf(code));
    const occurrence = { instance: '/v1.0/jobs', requestId: 'Zm9vYmFyYmF6cXV4' };
    return [code, { summary: errorCodes[code].title, value: problemOf(error, occurrence, addresses) }];
  });
  return Object.fromEntries(examples);
}

function detailsOf(code: ErrorCode): ConstructorParameters<typeof ServiceError>[2] {
  if (code === 'reference_id_taken') return { conflict: { resource: 'job', id: 4711 } };
  if (code === 'category_name_taken') return { conflict: { resource: 'category', id: 1001 } };
  if (code === 'category_assigned') return { conflict: { resource: 'job', id: 4711 } };
  if (code === 'invalid_parameter') {
    return {
      errors: [{ parameter: 'page', code: 'type', detail: 'This must be an integer in plain decimal.' }],
    };
  }
  if (code === 'invalid_header') {
    const detail = 'Idempotency-Key must be there once, with 1 to 255 visible ASCII characters.';
    return { errors: [{ header: 'Idempotency-Key', code: 'too_long', detail }] };
  }
  if (code === 'validation_failed') {
    return { errors: [{ pointer: '#/title', code: 'required', detail: 'title is required.' }] };
  }
  return {};
}
