import { MOST_PER_MINUTE } from '@joblisting/contracts';
import { httpConfig } from '@joblisting/service-kit/http';
import { type Static, type TObject, Type } from 'typebox';

/** The gateway's own settings. */
export const gatewayConfig = {
  ...httpConfig,
  PORT: Type.Integer({
    default: 8080,
    minimum: 0,
    maximum: 65_535,
    description: 'Port to listen on; 0: any free one.',
  }),
  PUBLIC_URL: Type.String({
    default: 'http://localhost:8080',
    pattern: '^https?://[^/?#\\s]+[^?#\\s]*$',
    description:
      'Where consumers reach the origin, without /v1.0: every address in an answer is built from it.',
  }),
  SEARCH_URL: Type.String({
    default: '',
    pattern: '^(https?://[^/?#\\s]+[^?#\\s]*)?$',
    description: 'Public job-search address, to which the first page has a link; none: no link.',
  }),
  REQUEST_TIMEOUT_MS: Type.Integer({
    default: 2500,
    minimum: 1,
    description: 'How long a request may take once its body is here; then 504.',
  }),
  RECEIVE_TIMEOUT_MS: Type.Integer({
    default: 10_000,
    minimum: 100,
    description:
      'How long a client may take to send a request; then it is cut off. One that does not read its answer: twice as long.',
  }),
  MAX_IN_FLIGHT: Type.Integer({
    default: 144,
    minimum: 1,
    description: 'Maximum concurrent requests, three quarters of them for one service; excess gets 503.',
  }),
  BODY_LIMIT_BYTES: Type.Integer({
    default: 4 * 1024 * 1024,
    minimum: 1,
    description: 'The largest request body; more is refused with 413. An application may have 6 MiB.',
  }),
  MAX_BUFFERED_BYTES: Type.Integer({
    default: 48 * 1024 * 1024,
    minimum: 1,
    description:
      'Bodies being received and worked on, and answers that are not read yet, together. From half on slow clients are cut off, from three quarters on large bodies get 503, past it all requests. A client with over a quarter gets 429 for large bodies, and past half for all requests.',
  }),
  MAX_CONNECTIONS: Type.Integer({
    default: 10_000,
    minimum: 1,
    description: 'Connections open at once; from nine tenths on, idle ones give way to new ones.',
  }),
  // Below 1,024: while more connections have data, node reads without a pause.
  MAX_CONNECTIONS_PER_ADDRESS: Type.Integer({
    default: 900,
    minimum: 1,
    description:
      'Connections open at once from one address (of IPv6, one /64); more are closed as they come. Trusted proxies have no limit of their own.',
  }),
  RATE_LIMIT_READS_PER_MINUTE: Type.Integer({
    default: 60_000,
    minimum: 1,
    maximum: MOST_PER_MINUTE,
    description:
      'GET and HEAD requests of a consumer without a limit of its own; then 429. One gateway lets exactly these through, several at most 5 % more and what they do within a second.',
  }),
  RATE_LIMIT_WRITES_PER_MINUTE: Type.Integer({
    default: 12_000,
    minimum: 1,
    maximum: MOST_PER_MINUTE,
    description: 'The same for requests of every other method.',
  }),
  WRITE_BYTES_PER_DAY: Type.Integer({
    default: 8 * 1024 ** 3,
    minimum: 0,
    description:
      'Bytes of bodies, those of metrics apart, that each gateway takes from a consumer in a day (UTC); then 429. 0: any number.',
  }),
  FAILED_AUTH_PER_MINUTE: Type.Integer({
    default: 600,
    minimum: 1,
    description:
      'Requests without valid keys from one address (of IPv6, one /64) that each gateway answers with 401; then 429. Valid keys are not affected.',
  }),
} as const;

export type GatewayConfig = Static<TObject<typeof gatewayConfig>>;
