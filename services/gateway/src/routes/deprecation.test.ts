import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { JobType, jobTypes, listJobs, NoParams } from '@joblisting/contracts';
import { jsonBytes } from '@joblisting/service-kit';
import { fastify, type FastifyInstance } from 'fastify';
import { addressesAt } from '../addresses.ts';
import { parseQuery } from '../http/query.ts';
import { trackRequests } from '../http/request-state.ts';
import { describeApi } from '../openapi/document.ts';
import { registerRow } from './register.ts';
import { deprecationOf, type Row } from './row.ts';
import { table } from './table.ts';

const deprecated = { since: '2026-11-01', sunset: '2027-11-01', link: 'https://docs.example.com/things' };
const row: Row = {
  method: 'GET',
  path: '/things',
  name: 'getThings',
  operation: {
    summary: 'Count the things',
    params: NoParams,
    body: undefined,
    reply: JobType,
    errors: [],
    answer: () => jsonBytes(jobTypes[0]),
  },
  access: { keys: 'none' },
  tag: 'Things',
  description: 'How many things there are.',
  examples: { data: jobTypes[0] },
};
const addresses = addressesAt('https://jobs.example.com');

let server: FastifyInstance;
const get = async (path: string) => {
  const { headers, statusCode } = await server.inject(path);
  return {
    status: statusCode,
    deprecation: headers['deprecation'],
    sunset: headers['sunset'],
    link: headers['link'],
  };
};

beforeAll(async () => {
  server = fastify({
    routerOptions: { querystringParser: (query) => parseQuery(query) as unknown as Record<string, string> },
  });
  trackRequests(server, 1000, undefined);
  // A public operation of the gateway itself needs nothing else.
  const deps = { addresses, caches: {} } as Parameters<typeof registerRow>[2];
  registerRow(server, { ...row, deprecated }, deps);
  registerRow(server, { ...row, path: '/others', name: 'getOthers' }, deps);
  await server.ready();
});
afterAll(() => server.close());

describe('a deprecated operation', () => {
  it('is answered with when it was deprecated, when it goes away, and why', async () => {
    expect(await get('/v1.0/things')).toEqual({
      status: 200,
      deprecation: '@1793491200',
      sunset: 'Mon, 01 Nov 2027 00:00:00 GMT',
      link: '<https://docs.example.com/things>; rel="deprecation"; type="text/html"',
    });
  });

  it('is deprecated in the description, with the same headers', () => {
    const { paths } = describeApi([{ ...row, deprecated }], addresses) as {
      paths: Record<string, Record<string, unknown>>;
    };
    expect(paths['/things']?.['get']).toMatchObject({
      deprecated: true,
      'x-sunset': '2027-11-01',
      description:
        'How many things there are. Deprecated since 2026-11-01, removed from 2027-11-01 on: https://docs.example.com/things',
      responses: { 200: { headers: { Deprecation: {}, Sunset: {}, Link: {} } } },
    });
  });

  it('may be deprecated by its contract', () => {
    expect(deprecationOf({ ...row, operation: { ...listJobs, deprecated } })).toBe(deprecated);
  });
});

it('another operation says nothing about that', async () => {
  expect(await get('/v1.0/others')).toEqual({ status: 200 });
  expect(table.map(deprecationOf).filter(Boolean)).toEqual([]);
});
