import { Type } from 'typebox';

/** Settings that mean the same for every HTTP server. */
export const httpConfig = {
  HOST: Type.String({
    default: '127.0.0.1',
    description: 'Address to listen on; 0.0.0.0 for every interface.',
  }),
  KEEP_ALIVE_TIMEOUT_MS: Type.Integer({
    default: 72_000,
    minimum: 0,
    description: 'How long an idle connection is kept; longer than what the load balancer in front keeps it.',
  }),
  DRAIN_MS: Type.Integer({
    default: 1000,
    minimum: 0,
    description:
      'How long requests are still taken after SIGTERM, with /readyz saying 503: longer than a load balancer looks.',
  }),
  TRUSTED_PROXIES: Type.String({
    default: '',
    description:
      'Addresses and ranges (10.0.0.0/8), comma-separated, of proxies whose X-Forwarded-For says who the client is; none: nobody is believed.',
  }),
} as const;
