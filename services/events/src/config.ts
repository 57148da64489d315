import { type ConfigOf, ConfigError } from '@joblisting/service-kit';
import { Type } from 'typebox';
import { type Access, readNetworks, readPorts } from './domain/address.ts';

/** What this service reads from the environment besides the common settings. */
export const eventsConfig = {
  EVENT_RETENTION_DAYS: Type.Integer({
    default: 30,
    // Longer than the streams keep their messages: a message that comes again must still be known.
    minimum: 8,
    maximum: 3650,
    description: 'How long the change log keeps events. An older cursor is answered with 410.',
  }),
  MAX_WEBHOOKS: Type.Integer({
    default: 20,
    minimum: 1,
    maximum: 1000,
    description: 'Webhooks of one company. More are refused with 409.',
  }),
  WEBHOOK_PORTS: Type.String({
    default: '443',
    description: 'Ports that webhooks may lead to, comma-separated.',
  }),
  WEBHOOK_ALLOWED_NETWORKS: Type.String({
    default: '',
    description:
      'For trying: networks that webhooks may lead to besides public addresses, as ranges or `loopback`, comma-separated. There any port and http will do.',
  }),
};

export type EventsConfig = ConfigOf<typeof eventsConfig>;

type AccessConfig = Pick<EventsConfig, 'WEBHOOK_PORTS' | 'WEBHOOK_ALLOWED_NETWORKS'>;

/** Where webhooks may lead. Throws ConfigError. */
export function accessOf({ WEBHOOK_PORTS, WEBHOOK_ALLOWED_NETWORKS }: AccessConfig): Access {
  const ports = readPorts(WEBHOOK_PORTS);
  const networks = readNetworks(WEBHOOK_ALLOWED_NETWORKS);
  if (ports && networks) return { ports, networks };
  throw new ConfigError([
    ...(ports ? [] : ['WEBHOOK_PORTS must be ports from 1 to 65535, such as 443,8443']),
    ...(networks ? [] : ['WEBHOOK_ALLOWED_NETWORKS must be ranges or `loopback`, such as 10.1.0.0/16']),
  ]);
}
