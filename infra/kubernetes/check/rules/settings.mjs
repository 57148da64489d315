import { problemsOfSettings } from '../settings.mjs';
import { ofKind, unless } from '../objects.mjs';

const settingsOfService = ({ settings, services }) =>
  settings.filter(({ service }) => services.includes(service));
const configMap = ({ objects }, name) =>
  ofKind(objects, 'ConfigMap').find(({ metadata }) => metadata.name.startsWith(`${name}-`)).data;

export const settingsRules = [
  {
    name: 'each service knows and accepts its settings',
    problems: (rendered) =>
      settingsOfService(rendered).flatMap((each) =>
        problemsOfSettings(each, rendered.schemas[each.service], rendered.kit).map(
          (problem) => `${each.name}: ${problem}`,
        ),
      ),
    breaks: (rendered) => {
      configMap(rendered, 'jobs').SERACH_URL = 'https://search.example.com';
    },
  },
  {
    name: 'each service has the addresses that it needs',
    problems: (rendered) =>
      settingsOfService(rendered).flatMap(({ name, service, env }) => {
        const needed = [
          'NODE_ENV',
          'NATS_URL',
          'HEALTH_HOST',
          'HEALTH_PORT',
          ...(rendered.owners.includes(service) ? ['MONGODB_URI'] : []),
          // Only services with these settings in their schema.
          ...['PUBLIC_URL', 'SEARCH_URL'].filter((each) => Object.hasOwn(rendered.schemas[service], each)),
        ];
        return needed.filter((each) => !env[each]).map((each) => `${name} has no ${each}`);
      }),
    breaks: (rendered) => {
      delete configMap(rendered, 'common').NATS_URL;
    },
  },
];

export const productionSettingsRules = [
  {
    name: 'each service has its own user and password for NATS and MongoDB',
    problems: (rendered) =>
      settingsOfService(rendered).flatMap(({ name, service, env }) =>
        unless({
          [`${name} has another NODE_ENV than production`]: env.NODE_ENV === 'production',
          [`${name} has the NATS user ${env.NATS_USER} or no password`]:
            env.NATS_USER === service && Boolean(env.NATS_PASSWORD_FILE),
          [`${name} has the MongoDB user ${env.MONGODB_USER} or no password`]:
            !rendered.owners.includes(service) ||
            (env.MONGODB_USER === service && Boolean(env.MONGODB_PASSWORD_FILE)),
        }),
      ),
    breaks: (rendered) => {
      configMap(rendered, 'metrics').NATS_USER = 'jobs';
    },
  },
  {
    name: 'the gateway trusts its proxies and knows its public address',
    problems: ({ objects, settings }) => {
      const { env } = settings.find(({ name }) => name === 'gateway');
      const hosts = ofKind(objects, 'Ingress').flatMap(({ spec }) => spec.rules.map(({ host }) => host));
      return unless({
        'TRUSTED_PROXIES is empty or trusts everybody':
          Boolean(env.TRUSTED_PROXIES) && !env.TRUSTED_PROXIES.includes('0.0.0.0'),
        'PUBLIC_URL is not the host of the Ingress':
          env.PUBLIC_URL === `https://${hosts[0]}` && hosts.length === 1,
      });
    },
    breaks: (rendered) => {
      delete configMap(rendered, 'gateway').TRUSTED_PROXIES;
    },
  },
];
