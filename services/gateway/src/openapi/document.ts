import { productVersion } from '@joblisting/service-kit';
import type { Addresses } from '../addresses.ts';
import { ORIGIN_OF_EXAMPLES } from '../routes/examples.ts';
import { deprecationOf, type Row } from '../routes/row.ts';
import { envelopeSchemas } from './envelopes.ts';
import { describeRow } from './operation.ts';
import { introductionAt } from './introduction.ts';
import { componentHeaders, deprecationComponents, errorExamples } from './responses.ts';
import { componentSchemas, type Json } from './schemas.ts';
import { shortLinkPath } from './short-link.ts';
import { sentEvents } from './webhooks.ts';

/**
 * The description of the API, made from the contracts and the table of routes (OpenAPI 3.1). Its version is the
 * product's; the path names the version of the contract with clients.
 */
export function describeApi(table: readonly Row[], addresses: Addresses): Json {
  const text = JSON.stringify(documentOf(table, addresses));
  return JSON.parse(text.replaceAll(ORIGIN_OF_EXAMPLES, addresses.origin)) as Json;
}

function documentOf(table: readonly Row[], addresses: Addresses): Json {
  const paths = Map.groupBy(table, ({ path }) => path);
  const tags = new Set(table.map(({ tag }) => tag));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Job Listing Service',
      version: productVersion,
      description: introductionAt(addresses),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    externalDocs: { description: 'Every error code', url: `${addresses.origin}/docs/errors` },
    servers: [{ url: addresses.of('') }],
    tags: [...tags, 'Short links'].map((name) => ({ name, description: tagDescriptions[name] })),
    paths: {
      ...Object.fromEntries([...paths].map(([path, rows]) => [path, pathItem(rows)])),
      ...shortLinkPath(addresses),
    },
    webhooks: sentEvents,
    components: {
      schemas: { ...componentSchemas(), ...envelopeSchemas(table) },
      headers: headersOf(table),
      examples: errorExamples(addresses),
      securitySchemes,
    },
  };
}

const tagDescriptions: Readonly<Record<string, string>> = {
  Jobs: 'Job postings of companies.',
  Syncs: 'All jobs of a company at once, with a guard against feeds that are cut off.',
  Events: 'What changed, to follow it.',
  Webhooks: 'Addresses of companies that events are sent to.',
  Applications: 'Applications for jobs, with their files and e-mail copies.',
  'Job categories': 'System categories, and custom ones of companies.',
  'Reference data': 'What jobs refer to by id, the same for everybody.',
  Metrics: 'What happens to jobs on search sites.',
  'Short links': 'The addresses that jobs are shared by.',
};

/** Without those that no operation sends. */
const headersOf = (table: readonly Row[]): Json =>
  table.some(deprecationOf) ? { ...componentHeaders, ...deprecationComponents } : componentHeaders;

const pathItem = (rows: readonly Row[]): Json =>
  Object.fromEntries(rows.map((row) => [row.method.toLowerCase(), describeRow(row)]));

const securitySchemes: Json = {
  consumerKey: {
    type: 'apiKey',
    in: 'header',
    name: 'Consumer-API-Key',
    description: 'Names the integrating application; carries the scopes.',
  },
  userKey: {
    type: 'apiKey',
    in: 'header',
    name: 'User-API-Key',
    description: 'Names a person or system of a company; grants companies.',
  },
  basic: {
    type: 'http',
    scheme: 'basic',
    description: 'GET and HEAD only: the consumer key as user, the user key as password.',
  },
};
