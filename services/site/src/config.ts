import type { ConfigOf } from '@joblisting/service-kit';
import { httpConfig } from '@joblisting/service-kit/http';
import { Type } from 'typebox';

/** What this service reads from the environment besides the common settings. */
export const siteConfig = {
  ...httpConfig,
  PORT: Type.Integer({
    default: 8090,
    minimum: 0,
    maximum: 65_535,
    description: 'Port to listen on; 0: any free one.',
  }),
  SEARCH_URL: Type.String({
    default: 'http://localhost:8090',
    pattern: '^https?://[^/?#\\s]+[^?#\\s]*$',
    description: 'Public address of the site: its links and feeds are built from it.',
  }),
  SITE_NAME: Type.String({
    default: 'Job search',
    minLength: 1,
    maxLength: 60,
    description: 'The name of the site, on every page.',
  }),
  FEED_LIMIT_MS: Type.Integer({
    default: 120_000,
    minimum: 1000,
    maximum: 240_000,
    description: 'A client that has not read a feed to its end by then is cut off.',
  }),
  REFRESH_EVERY_MS: Type.Integer({
    default: 3_600_000,
    minimum: 1000,
    description: 'How often all published jobs are read again, for names that changed without an event.',
  }),
  MAX_IN_FLIGHT: Type.Integer({
    default: 200,
    minimum: 1,
    description: 'Maximum concurrent requests; excess gets 503.',
  }),
  MAX_CONNECTIONS: Type.Integer({
    default: 10_000,
    minimum: 1,
    description: 'Connections open at once; more are closed as they come.',
  }),
  MAX_CONNECTIONS_PER_ADDRESS: Type.Integer({
    default: 150,
    minimum: 1,
    description:
      'Connections open at once from one address (of IPv6, one /64); more are closed as they come. Trusted proxies have no limit of their own.',
  }),
  RECEIVE_TIMEOUT_MS: Type.Integer({
    default: 60_000,
    minimum: 100,
    description: 'How long a client may take to send a request with its files; then it is cut off.',
  }),
  API_URL: Type.String({
    default: 'http://127.0.0.1:8080',
    pattern: '^https?://[^/?#\\s]+[^?#\\s]*$',
    description: 'Address of the gateway: applications and counts are sent there.',
  }),
  CONSUMER_KEY_FILE: Type.Optional(
    Type.String({
      description:
        'File with a consumer key with the scopes applications:write and metrics:write, read at each use. Until it exists, no applications are taken and counts wait.',
    }),
  ),
  CONSUMER_KEY: Type.Optional(Type.String({ description: 'The key itself. A file is safer.' })),
  APPLICATIONS_PER_HOUR: Type.Integer({
    default: 20,
    minimum: 1,
    description: 'Applications of one network address in an hour (UTC); more get 429.',
  }),
  MAX_WAITING_REPORTS: Type.Integer({
    default: 1_000_000,
    minimum: 1,
    description: 'Views and click-throughs that wait to be reported; more are not counted.',
  }),
} as const;

export type SiteConfig = ConfigOf<typeof siteConfig>;
