import { problemsOfSettings } from '../settings.mjs';
import { ofKind, unless } from '../objects.mjs';

const settingsOfService = ({ settings, services }) =>
  settings.filter(({ service }) => services.includes(service));
const configMap = ({ objects }, name) =>
  ofKind(objects, 'ConfigMap').find(({ metadata }) => metadata.name.startsWith(`${name}-`)).data;

export const settingsRules = [
  {
    name: 'each service knows every setting that it is given, and accepts it',
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
    name: 'each service is told where everything is',
    problems: (rendered) =>
      settingsOfService(rendered).flatMap(({ name, service, env }) => {
        const needed = [
          'NODE_ENV',
          'NATS_URL',
          'HEALTH_HOST',
          'HEALTH_PORT',
          ...(rendered.owners.includes(service) ? ['MONGODB_URI'] : []),
          // Whoever has an address in its answers, and says so.
          ...['PUBLIC_URL', 'SEARCH_URL'].filter((each) => Object.hasOwn(rendered.schemas[service], each)),
        ];
        return needed.filter((each) => !env[each]).map((each) => `${name} is not told ${each}`);
      }),
    breaks: (rendered) => {
      delete configMap(rendered, 'common').NATS_URL;
    },
  },
];

export const productionSettingsRules = [
  {
    name: 'each service is itself on the bus and in the database, by a password of its own',
    problems: (rendered) =>
      settingsOfService(rendered).flatMap(({ name, service, env }) =>
        unless({
          [`${name} is not run as in production`]: env.NODE_ENV === 'production',
          [`${name} is ${env.NATS_USER} on the bus`]:
            env.NATS_USER === service && Boolean(env.NATS_PASSWORD_FILE),
          [`${name} is ${env.MONGODB_USER} in the database`]:
            !rendered.owners.includes(service) ||
            (env.MONGODB_USER === service && Boolean(env.MONGODB_PASSWORD_FILE)),
        }),
      ),
    breaks: (rendered) => {
      configMap(rendered, 'metrics').NATS_USER = 'jobs';
    },
  },
  {
    name: 'the gateway believes its proxies, and tells its public address',
    problems: ({ objects, settings }) => {
      const { env } = settings.find(({ name }) => name === 'gateway');
      const hosts = ofKind(objects, 'Ingress').flatMap(({ spec }) => spec.rules.map(({ host }) => host));
      return unless({
        'it believes nobody': Boolean(env.TRUSTED_PROXIES) && !env.TRUSTED_PROXIES.includes('0.0.0.0'),
        'it has another address': env.PUBLIC_URL === `https://${hosts[0]}` && hosts.length === 1,
      });
    },
    breaks: (rendered) => {
      delete configMap(rendered, 'gateway').TRUSTED_PROXIES;
    },
  },
];
