import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { errorCodes, violationCodes, warningCodes } from '@joblisting/contracts';
import { compileBody, productVersion } from '@joblisting/service-kit';
import { publicCodes } from '../src/openapi/public-codes.ts';
import { errorCodesOf } from '../src/openapi/responses.ts';
import { parametersOf } from '../src/routes/row.ts';
import { table } from '../src/routes/table.ts';
import { ask, PUBLIC_URL, startGateway, type TestGateway } from './support/gateway.ts';

interface Operation {
  readonly operationId: string;
  readonly description: string;
  readonly security: object[];
  readonly parameters: { readonly name: string; readonly example?: unknown }[];
  readonly requestBody?: { readonly content: Record<string, { readonly example?: unknown }> };
  readonly responses: Record<
    string,
    { readonly content?: Record<string, { readonly example?: unknown; readonly examples?: object }> }
  >;
}

let gateway: TestGateway;
let answer: Awaited<ReturnType<typeof ask>>;
const operationOf = (path: string, method: string): Operation =>
  answer.body.paths[path][method.toLowerCase()];

beforeAll(async () => {
  gateway = await startGateway();
  answer = await ask(`${gateway.origin}/openapi.json`);
});
afterAll(() => gateway.stop());

describe('GET /openapi.json', () => {
  it('names its version and the address of the API', () => {
    expect(answer.body.info.version).toBe(productVersion);
    expect(answer.body.openapi).toBe('3.1.0');
    expect(answer.body.servers).toEqual([{ url: `${PUBLIC_URL}/v1.0` }]);
  });

  it('has an ETag, and CORS for tools in a page', async () => {
    const etag = answer.headers.get('etag')!;
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    const again = await ask(`${gateway.origin}/openapi.json`, { headers: { 'If-None-Match': etag } });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it('every reference leads somewhere', () => {
    const references = [...answer.text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path ?? '');
    expect(references.length).toBeGreaterThan(100);
    for (const reference of new Set(references)) {
      const found = reference
        .split('/')
        .reduce<Record<string, unknown> | undefined>(
          (at, key) => at?.[key] as Record<string, unknown>,
          answer.body,
        );
      expect([reference, typeof found]).toEqual([reference, 'object']);
    }
  });

  it('names each schema once and has no private format', () => {
    expect(Object.keys(answer.body.components.schemas)).toEqual(
      expect.arrayContaining(['Job', 'JobHeader', 'JobCategory', 'Paging', 'Warning', 'Problem']),
    );
    for (const format of ['visible-text', 'calendar-date', 'email-address', 'web-url']) {
      expect(answer.text).not.toContain(`"format":"${format}"`);
    }
  });

  it('has no default where a body changes something: clients would send it', () => {
    const { schemas } = answer.body.components;
    const bodies = [schemas.JobChanges, schemas.JobByReference, schemas.JobCategoryChanges];
    const referred = [
      'Reference',
      'StatusReference',
      'RoutingTypeReference',
      'ProvinceReference',
      'CategoryReference',
    ];
    const text = JSON.stringify([...bodies, ...referred.map((name) => schemas[name])]);
    expect(text).not.toContain('"default"');
  });

  it('types what a job refers to, and refuses an empty province', () => {
    const { CategoryReference, ProvinceReference } = answer.body.components.schemas;
    expect(CategoryReference.properties).toMatchObject({ id: { type: 'integer' }, name: { type: 'string' } });
    expect(CategoryReference.else).toMatchObject({ required: ['name'] });
    expect(ProvinceReference.else).toMatchObject({ required: ['country'] });
  });

  it('names every answer', () => {
    const content = operationOf('/jobs/{id}', 'GET').responses['200']?.content;
    expect(content?.['application/json']).toMatchObject({
      schema: { $ref: '#/components/schemas/JobAnswer' },
    });
  });

  it('explains every code of violations and warnings', () => {
    const { Violation, Warning } = answer.body.components.schemas;
    for (const code of violationCodes)
      expect(Violation.properties.code.description).toContain(`\`${code}\`: `);
    for (const code of warningCodes) expect(Warning.properties.code.description).toContain(`\`${code}\`: `);
  });

  it('has an example for every error code that clients can meet', () => {
    for (const code of publicCodes) {
      const { value } = answer.body.components.examples[code];
      expect([value.code, value.data, value.warnings]).toEqual([code, null, []]);
      expect(value.type).toBe(`${PUBLIC_URL}/docs/errors#${code}`);
    }
  });

  it.each(table.map((row) => [row.name, row] as const))('describes %s as the table has it', (_name, row) => {
    const operation = operationOf(row.path, row.method);
    expect(operation.operationId).toBe(row.name);
    const names = operation.parameters.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(parametersOf(row)));
    expect(operation.security.length > 0).toBe(row.access.keys !== 'none');
    for (const [status, codes] of errorCodesOf(row)) {
      const content = operation.responses[status]?.content;
      for (const type of ['application/json', 'application/problem+json']) {
        expect(Object.keys(content?.[type]?.examples ?? {})).toEqual(codes);
      }
    }
  });

  it.each(table.map((row) => [row.name, row] as const))('has examples for %s that fit', (_name, row) => {
    const { body, reply } = row.operation;
    if (body) expect(compileBody(body).check(structuredClone(row.examples.body))).toEqual([]);
    if (reply) expect(compileBody(reply).check(structuredClone(row.examples.data))).toEqual([]);
    const required = (row.operation.params as { required?: string[] }).required ?? [];
    expect(Object.keys(row.examples.parameters ?? {})).toEqual(expect.arrayContaining(required));
  });
});

describe('the description of applications', () => {
  it('shows the JSON body without files, and the multipart body with them', () => {
    const { requestBody } = answer.body.paths['/jobs/{jobId}/applications'].post;
    const { 'application/json': plain, 'multipart/form-data': multipart } = requestBody.content;
    expect(requestBody.required).toBe(true);
    expect(plain.schema).toEqual({ $ref: '#/components/schemas/NewApplication' });
    expect(answer.body.components.schemas.NewApplication.properties).not.toHaveProperty('files');
    expect(multipart.encoding).toEqual({ application: { contentType: 'application/json' } });
    expect(multipart.schema).toMatchObject({
      required: ['application'],
      properties: {
        application: plain.schema,
        file: { type: 'array', maxItems: 5, items: { type: 'string', format: 'binary' } },
      },
    });
  });

  it('says that 200 is possible beside 201, and that only the body of copies is optional', () => {
    const { responses, parameters } = operationOf('/jobs/{jobId}/applications', 'POST');
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', '201']));
    expect(parameters.map(({ name }) => name)).toEqual(['jobId', 'Idempotency-Key']);
    const withBody = table.filter(({ operation }) => operation.body);
    const optional = withBody.filter(
      ({ path, method }) => !answer.body.paths[path][method.toLowerCase()].requestBody.required,
    );
    expect(optional.map(({ name }) => name)).toEqual(['queueCopies']);
  });

  it('has bytes for a file, with its headers, and 304', () => {
    const { responses } = answer.body.paths['/applications/{id}/files/{fileId}'].get;
    expect(Object.keys(responses['200'].content)).toEqual(['*/*']);
    expect(Object.keys(responses['200'].headers)).toEqual(
      expect.arrayContaining(['Content-Disposition', 'ETag']),
    );
    expect(responses['304'].content).toBeUndefined();
    expect(responses['409'].headers).toHaveProperty('Retry-After');
  });

  it('has the conflict of its refusals in their examples', () => {
    const { job_not_open, applications_not_collected } = answer.body.components.examples;
    expect(job_not_open.value.conflict).toMatchObject({ status: { id: 2, name: 'Closed' } });
    expect(applications_not_collected.value.conflict).toMatchObject({
      applicationUrl: expect.stringMatching(/^https:/),
    });
  });
});

describe('GET /docs/errors', () => {
  it('has an anchor for every code but those of operators, and loads nothing from elsewhere', async () => {
    const response = await fetch(`${gateway.origin}/docs/errors`);
    const page = await response.text();
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const shown = [...page.matchAll(/<section id="(\w+)">/g)].map(([, code]) => code);
    const ofOperators = [
      'company_not_found',
      'company_name_taken',
      'company_not_empty',
      'key_not_found',
      'rotation_in_progress',
    ];
    expect([...shown, ...ofOperators].toSorted()).toEqual(Object.keys(errorCodes).toSorted());
    expect(page).not.toMatch(/(src|href)="https?:/);
  });
});
