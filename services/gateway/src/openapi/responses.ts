import { type ErrorCode, errorCodes, ServiceError, statusOf } from '@joblisting/contracts';
import type { Addresses } from '../addresses.ts';
import { NDJSON_TYPE, PROBLEM_TYPE } from '../http/headers.ts';
import { problemOf } from '../http/problem.ts';
import {
  deprecationOf,
  parametersOf,
  type Row,
  takesDryRun,
  takesIdempotencyKey,
  takesIfMatch,
} from '../routes/row.ts';
import { envelopeOf } from './envelopes.ts';
import { publicCodes } from './public-codes.ts';
import { type Json, referenceTo } from './schemas.ts';

const header = (name: string) => ({ [name]: referenceTo(name, 'headers') });
const paging = { total: 1, pageSize: 50, page: 1, pages: 1, previous: null, next: null };

const cursorPaging = { next: 'MS40Mg', hasMore: false };

export const componentHeaders: Json = {
  'Request-Id': {
    description: 'Names this request; the one that was sent, if it was at most 64 visible ASCII characters.',
    schema: { type: 'string' },
  },
  Location: { description: 'Address of the new resource.', schema: { type: 'string', format: 'uri' } },
  'Content-Disposition': {
    description: '`attachment`, with the name of the file (RFC 6266).',
    schema: { type: 'string' },
  },
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
    description: '`true` when this replays the response to an earlier request with the same key.',
    schema: { type: 'string', enum: ['true'] },
  },
  'Dry-Run': {
    description: '`true` when this answers a dry run: nothing was written.',
    schema: { type: 'string', enum: ['true'] },
  },
  'Retry-After': { description: 'Seconds to wait before the next attempt.', schema: { type: 'integer' } },
  'WWW-Authenticate': { description: 'HTTP Basic, for plain browsers.', schema: { type: 'string' } },
};

/** Headers of deprecated operations. */
export const deprecationComponents: Json = {
  Deprecation: {
    description: 'Since when the operation is deprecated: `@` and Unix seconds (RFC 9745).',
    schema: { type: 'string' },
    example: '@1793491200',
  },
  Sunset: {
    description: 'From when on the operation may be removed (RFC 8594).',
    schema: { type: 'string' },
    example: 'Mon, 01 Nov 2027 00:00:00 GMT',
  },
  Link: { description: '`rel="deprecation"`: what to use in its place.', schema: { type: 'string' } },
};

/** Every answer of an operation, good and bad. */
export function responsesOf(row: Row): Json {
  return { ...successesOf(row), ...errorsOf(row) };
}

/** Headers of every answer to a request with valid keys. */
const commonHeaders = (row: Row): Json => ({
  ...header('Request-Id'),
  ...(takesDryRun(row) && header('Dry-Run')),
  ...(deprecationOf(row) && { ...header('Deprecation'), ...header('Sunset'), ...header('Link') }),
  ...(row.access.keys !== 'none' && { ...header('RateLimit-Policy'), ...header('RateLimit') }),
});

function successesOf(row: Row): Json {
  if (!row.operation.reply && !row.answersFile) {
    return { 204: { description: 'Deleted.', headers: commonHeaders(row) } };
  }
  const content = row.answersFile
    ? { '*/*': { schema: { type: 'string', format: 'binary' } } }
    : {
        'application/json': { schema: envelopeOf(row), example: exampleOf(row) },
        ...(row.answersNdjson && { [NDJSON_TYPE]: ndjsonOf(row) }),
      };
  const headers = {
    ...commonHeaders(row),
    ...(row.tagged && header('ETag')),
    ...(takesIdempotencyKey(row) && header('Idempotent-Replayed')),
  };
  const ok = {
    description: row.answersFile
      ? 'The bytes of the file, with its own media type as Content-Type.'
      : (row.success ?? 'The requested data.'),
    headers: { ...headers, ...(row.answersFile && header('Content-Disposition')) },
    content,
  };
  const created = { description: 'Created.', headers: { ...headers, ...header('Location') }, content };
  const existing = { ...ok, description: 'It was created by an earlier request.' };
  if (row.accepted) return { 202: ok };
  if (row.method === 'POST' && row.findsExisting) return { 200: existing, 201: created };
  if (row.method === 'POST') return row.location ? { 201: created } : { 200: ok };
  if (row.method === 'PUT') return row.location ? { 200: ok, 201: created } : { 200: ok };
  return row.tagged
    ? { 200: ok, 304: { description: 'Not changed since the ETag in If-None-Match.', headers } }
    : { 200: ok };
}

const exampleOf = (row: Row): Json => ({
  ...(row.paged && { paging }),
  ...(row.followed && { paging: cursorPaging }),
  data: row.examples.data,
  warnings: [],
});

/** It is no JSON document, so it has no schema of its own. */
const ndjsonOf = (row: Row): Json => ({
  schema: { type: 'string', description: 'The same objects, one a line; the last line is `{"paging": …}`.' },
  example: [...(row.examples.data as unknown[]), { paging: cursorPaging }]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join(''),
});

const conflictsThatPass = new Set<ErrorCode>(['idempotency_key_in_flight', 'file_not_scanned']);

/** Codes that come with Retry-After. */
const saysWhen = (code: ErrorCode): boolean =>
  conflictsThatPass.has(code) || ['rateLimited', 'unavailable'].includes(errorCodes[code].kind);

function errorsOf(row: Row): Json {
  const answers = [...errorCodesOf(row)].map(([status, codes]) => {
    const content = {
      schema: referenceTo('Problem'),
      examples: Object.fromEntries(codes.map((code) => [code, referenceTo(code, 'examples')])),
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

/** Codes that every request can meet. */
const always: readonly ErrorCode[] = [
  'bad_request',
  'consumer_concurrency',
  'internal',
  'unavailable',
  'overloaded',
  'deadline_exceeded',
];

/** Every code that the row's operation can answer with, by status in rising order. */
export function errorCodesOf(row: Row): ReadonlyMap<number, readonly ErrorCode[]> {
  const { operation, access, method } = row;
  const codes = new Set<ErrorCode>(operation.errors);
  if (parametersOf(row).length > 0) codes.add('invalid_parameter');
  if (method === 'POST') codes.add('method_override');
  if (takesIfMatch(row)) codes.add('invalid_header');
  if (takesIdempotencyKey(row)) {
    codes.add('invalid_header').add('idempotency_key_in_flight').add('idempotency_key_reused');
  }
  if (access.keys !== 'none') codes.add('unauthenticated').add('scope_missing').add('rate_limited');
  if (operation.body) {
    codes.add('malformed_json').add('body_too_large').add('validation_failed').add('unsupported_media_type');
  }
  for (const code of always) codes.add(code);
  const sorted = [...codes].toSorted((a, b) => statusOf(a) - statusOf(b));
  return Map.groupBy(sorted, statusOf);
}

/** One example for each error code. */
export function errorExamples(addresses: Addresses): Json {
  const examples = publicCodes.map((code) => {
    const error = new ServiceError(code, undefined, detailsOf(code));
    const occurrence = { instance: '/v1.0/jobs', requestId: 'Zm9vYmFyYmF6cXV4' };
    return [code, { summary: errorCodes[code].title, value: problemOf(error, occurrence, addresses) }];
  });
  return Object.fromEntries(examples);
}

function detailsOf(code: ErrorCode): ConstructorParameters<typeof ServiceError>[2] {
  if (code === 'consumer_concurrency') return { reason: 'consumer_concurrency' };
  if (code === 'overloaded') return { reason: 'gateway_concurrency' };
  if (code === 'unavailable') return { reason: 'no_responder' };
  if (code === 'deadline_exceeded') return { reason: 'deadline' };
  if (code === 'reference_id_taken') return { conflict: { resource: 'job', id: 4711 } };
  if (code === 'category_name_taken') return { conflict: { resource: 'category', id: 1001 } };
  if (code === 'category_assigned') return { conflict: { resource: 'job', id: 4711 } };
  if (code === 'job_not_open') {
    return { conflict: { resource: 'job', id: 4711, status: { id: 2, name: 'Closed' } } };
  }
  if (code === 'applications_not_collected') {
    const applicationUrl = 'https://careers.northwind.example/apply/17';
    return { conflict: { resource: 'job', id: 4711, applicationUrl } };
  }
  if (code === 'cursor_expired') return { snapshot: { companyId: 1 } };
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
