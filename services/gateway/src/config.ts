import { type Static, type TObject, Type } from 'typebox';

/** What the gateway reads from the environment besides what every service reads. */
export const gatewayConfig = {
  HOST: Type.String({
    default: '127.0.0.1',
    description: 'Address to listen on; 0.0.0.0 for every interface.',
  }),
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
  BODY_LIMIT_BYTES: Type.Integer({
    default: 4 * 1024 * 1024,
    minimum: 1,
    description: 'The largest request body; more is refused with 413.',
  }),
} as const;

export type GatewayConfig = Static<TObject<typeof gatewayConfig>>;
