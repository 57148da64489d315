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
} as const;

export type SiteConfig = ConfigOf<typeof siteConfig>;
