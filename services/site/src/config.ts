import type { ConfigOf } from '@joblisting/service-kit';
import { Type } from 'typebox';

/** What this service reads from the environment besides the common settings. */
export const siteConfig = {
  HOST: Type.String({
    default: '127.0.0.1',
    description: 'Address to listen on; 0.0.0.0 for every interface.',
  }),
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
  REFRESH_EVERY_MS: Type.Integer({
    default: 3_600_000,
    minimum: 1000,
    description: 'How often all published jobs are read again, for names that changed without an event.',
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
  TRUSTED_PROXIES: Type.String({
    default: '',
    pattern: '^([0-9a-fA-F.:]+(/[1-9][0-9]{0,2})?(, ?|$))*$',
    description:
      'Addresses and ranges (10.0.0.0/8), comma-separated, of proxies whose X-Forwarded-For says who the visitor is; none: nobody is believed.',
  }),
} as const;

export type SiteConfig = ConfigOf<typeof siteConfig>;
