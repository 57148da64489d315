import { readFileSync } from 'node:fs';
import { indented } from './sections.mjs';

/** The same as in the Dockerfile. */
const nodeImage = /^ARG NODE_IMAGE=(.+)$/m.exec(
  readFileSync(new URL('../docker/Dockerfile', import.meta.url), 'utf8'),
)[1];

const defaults = { PUBLIC_URL: 'http://localhost:8080', SEARCH_URL: 'http://localhost:8090' };

function environmentOf({ name, hasDatabase, addresses = [], settings, openSettings }) {
  const variables = {
    NATS_USER: name,
    ...(hasDatabase && { MONGODB_USER: name }),
    ...Object.fromEntries(addresses.map((address) => [address, `'\${${address}:-${defaults[address]}}'`])),
    ...Object.fromEntries(Object.entries(settings?.compose ?? {}).map(([key, value]) => [key, `'${value}'`])),
  };
  // Without a value, Compose takes them from its environment or .env, and leaves out those that are not there.
  const passedThrough = openSettings.filter((setting) => !Object.hasOwn(variables, setting));
  return [
    ...Object.entries(variables).map(([key, value]) => `${key}: ${value}`),
    ...passedThrough.map((setting) => `${setting}:`),
  ];
}

function serviceBlock(service) {
  const { name, version, hasDatabase, http, reachesOutside } = service;
  const networks = [...(http || reachesOutside ? ['outside'] : []), 'bus', ...(hasDatabase ? ['data'] : [])];
  return [
    `${name}:`,
    `  <<: *${hasDatabase ? 'data-service' : 'service'}`,
    `  image: job-listing/${name}:\${VERSION:-${version}}`,
    '  build:',
    '    context: .',
    '    dockerfile: infra/docker/Dockerfile',
    '    args:',
    `      NODE_IMAGE: '\${NODE_IMAGE:-${nodeImage}}'`,
    `      SERVICE: ${name}`,
    ...(http ? ['  # Rejecting overload needs CPU before other work.', '  cpu_shares: 2048'] : []),
    '  environment:',
    `    <<: *${hasDatabase ? 'data' : 'bus'}`,
    ...environmentOf(service).map((line) => `    ${line}`),
    `  networks: [${networks.join(', ')}]`,
    ...(http ? [`  ports: ['\${BIND:-127.0.0.1}:\${${http.setting}:-${http.hostPort}}:8080']`] : []),
    `  volumes: ['${name}-secrets:/run/secrets:ro']`,
  ].join('\n');
}

/** The generated sections of docker-compose.yml by name. */
export function composeSections(services, version) {
  const names = services.map(({ name }) => name);
  const healthUrls = names.map((name) => `http://${name}:8081`).join(',');
  return {
    'setup image': `  image: job-listing/setup:\${VERSION:-${version}}`,
    'command line image': `    image: job-listing/cli:\${VERSION:-${version}}`,
    'volumes of secrets': indented(6, names.map((name) => `- ${name}-secrets:/volumes/${name}`).join('\n')),
    services: indented(2, services.map(serviceBlock).join('\n\n')),
    'health addresses': indented(6, `HEALTH_URLS: >-\n  ${healthUrls}`),
    'services that are started': indented(
      6,
      names.map((name) => `${name}: { condition: service_started }`).join('\n'),
    ),
    'base image of the command line': indented(8, `NODE_IMAGE: '\${NODE_IMAGE:-${nodeImage}}'`),
    secrets: indented(2, names.map((name) => `${name}-secrets:`).join('\n')),
  };
}
