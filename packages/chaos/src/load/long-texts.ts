import {
  createCategory,
  createJob,
  deleteJobByReference,
  type Operation,
  putJob,
  recordEvents,
  updateCategory,
  updateJob,
} from '@joblisting/contracts';
import { type TextField, textFieldsOf, type TextSchema, withText, worstTexts } from '@joblisting/testing';
import { type Answer, type Client, jobBody, newReference } from '@joblisting/testing/system';
import type { World } from '../system/world.ts';

/** A request with one worst text in it. */
export interface LongText {
  readonly name: string;
  readonly send: () => Promise<Answer>;
  /** Whether the answer is what the API promises. */
  readonly isRight: (answer: Answer) => boolean;
}

export interface Existing {
  readonly jobId: number;
  readonly categoryId: number;
}

/** One request for each kind of text and each text field of each body. */
export function textsInBodies(
  { companyId, api, metrics }: World,
  existing: Existing,
  bytes: number,
): LongText[] {
  const { jobId, categoryId } = existing;
  const company = { id: companyId };
  const bodies: [Operation, Client, string, string, object][] = [
    [createJob, api, 'POST', '/jobs', jobBody(companyId)],
    [updateJob, api, 'PUT', `/jobs/${jobId}`, { descriptionFormat: 'html' }],
    [putJob, api, 'PUT', '/jobs', jobBody(companyId, { referenceId: newReference() })],
    [deleteJobByReference, api, 'DELETE', '/jobs', { company }],
    [createCategory, api, 'POST', '/jobcategories', { company }],
    [updateCategory, api, 'PUT', `/jobcategories/${categoryId}`, {}],
    [recordEvents, metrics, 'POST', '/metrics/events', { events: [{ id: 'a', jobId, type: 'view' }] }],
  ];
  return bodies.flatMap(([operation, client, method, path, base]) =>
    textFieldsOf(operation.body as TextSchema).flatMap((field) =>
      Object.entries(worstTexts).map(([kind, text]) => ({
        name: `${kind} as ${field.path.join('.')} of ${method} ${path}`,
        send: () => client.send(path, { method, body: withText(base, field.path, text(bytes)) }),
        isRight: isRightFor(field),
      })),
    ),
  );
}

const ACCEPTED = [200, 201];
const TOO_LARGE = 413;

/**
 * A text is refused at its own field, or its event is rejected by itself. Descriptions have no limit below that of a
 * body.
 */
const isRightFor =
  ({ path: [name] }: TextField) =>
  ({ status, json }: Answer): boolean => {
    const faults: { pointer?: string }[] = status === 422 ? json?.errors : (json?.data?.rejected ?? []);
    const isRefused = faults.some(({ pointer }) => String(pointer).split('/')[1] === name);
    return isRefused || (name === 'description' && [...ACCEPTED, TOO_LARGE].includes(status));
  };

/** Node takes 16 KiB of request line and headers together. */
const HEAD_BYTES = 14 * 1024;
const headTexts: Readonly<Record<string, string>> = {
  'percent signs': '%'.repeat(HEAD_BYTES),
  'encoded bytes': '%cc%81'.repeat(HEAD_BYTES / 6),
  'nested tags': '<b>'.repeat(HEAD_BYTES / 3),
  'entity tags': '"1-a",'.repeat(HEAD_BYTES / 6),
  'unfinished entity tags': '"1-a'.repeat(HEAD_BYTES / 4),
  commas: ' ,'.repeat(HEAD_BYTES / 2),
  parameters: 'a/b;q=0,'.repeat(HEAD_BYTES / 8),
  hyphens: '00-'.repeat(HEAD_BYTES / 3),
};
const headers = [
  'Accept',
  'Authorization',
  'Consumer-API-Key',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'Origin',
  'Prefer',
  'Request-Id',
  'traceparent',
  'User-API-Key',
  'X-Forwarded-For',
  'X-HTTP-Method-Override',
];

/** The same for headers, paths and queries. */
export function textsInHeads({ companyId, api }: World, { jobId }: Existing): LongText[] {
  const isRight = ({ status }: Answer): boolean => status < 500;
  return Object.entries(headTexts).flatMap(([kind, text]) => {
    const inHeader = headers.flatMap((header) =>
      ['GET', 'POST', 'PUT'].map((method) => ({
        name: `${kind} as ${header} of ${method}`,
        send: () =>
          api.send(`/jobs/${method === 'POST' ? '' : jobId}`, {
            method,
            headers: { [header]: text },
            ...(method !== 'GET' && { body: {} }),
          }),
        isRight,
      })),
    );
    const escaped = text.replaceAll(/[<>" ]/g, '-');
    const targets = [
      `/jobs/${escaped}`,
      `/jobs?company.id=${escaped}`,
      `/jobs?company.id=${companyId}&${escaped}`,
    ];
    const inTarget = targets.map((path) => ({
      name: `${kind} in ${path.slice(0, 20)}`,
      send: () => api.get(path),
      isRight,
    }));
    return inHeader.concat(inTarget);
  });
}
