// The files that are generated from the list of services.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  byNkey,
  byPassword,
  partyNames,
  permissionsTable,
  serviceNames,
  services,
  servicesWithDatabase,
  usersConf,
} from '@joblisting/contracts/permissions';
import { root } from '../local/bootstrap/paths.mjs';
import { absentServices, prometheusRule, seriesOfOthers } from './alerts.mjs';
import { composeSections } from './compose.mjs';
import { manifestsOf, mongodbUsers, natsPasswords } from './kubernetes.mjs';
import { indented, markdownTable, withSections } from './sections.mjs';
import { openSettings } from './settings.mjs';

const read = (path) => readFileSync(join(root, path), 'utf8');
const sectionsIn = (path, sections) => [path, withSections(read(path), sections)];

const users = (credential, credentialOf) =>
  [
    '# Generated from packages/contracts by `npm run generate`: do not edit.',
    `# One user for each party, with ${credential} and its permissions.`,
    '',
    'users: [',
    usersConf(credentialOf),
    ']',
    '',
  ].join('\n');

const secretsTable = () => {
  const listed = (prefix, names) => names.map((name) => `\`${prefix}-${name}\``).join(', ');
  const others = partyNames.filter((name) => !serviceNames.includes(name));
  const optional = serviceNames.flatMap((service) =>
    Object.entries(services[service].settings?.secrets ?? {}).map(([setting, { name, key, component }]) => ({
      name,
      key,
      component,
      setting,
      service,
    })),
  );
  return markdownTable(
    ['Name', 'Key', 'For'],
    [
      [listed('nats', serviceNames), '`password`', 'The bus user of that service'],
      [listed('nats', others), '`password`', 'The other bus users'],
      ['`nats-cluster`', '`password`', 'Connections between NATS servers'],
      [listed('mongodb', servicesWithDatabase), '`password`', 'The MongoDB user of that service'],
      ['`mongodb-admin`', '`password`', 'The MongoDB administrator `admin`, for people'],
      ['`gateway-tls`', '`tls.crt`, `tls.key`', 'The Ingress'],
      ...optional.map(({ name, key, setting, service, component }) => [
        `\`${name}\``,
        `\`${key}\``,
        component ? `With \`components/${component}\`` : `\`${setting}\` of \`${service}\``,
      ]),
    ],
  );
};

const servicesTable = () =>
  markdownTable(
    ['Service', 'Does'],
    serviceNames.map((name) => [`\`services/${name}\``, services[name].does]),
  );

/** Content by path from the root of the repository. */
export function generatedFiles() {
  const { version } = JSON.parse(read('package.json'));
  const all = serviceNames.map((name) => ({
    name,
    version,
    openSettings: openSettings[name],
    ...services[name],
  }));
  const kubernetes = 'infra/kubernetes';
  const prometheus = 'infra/observability/prometheus';
  const [alertsFile, alerts] = sectionsIn(`${prometheus}/alerts.yml`, {
    'absent services': indented(12, absentServices(serviceNames)),
  });
  return Object.fromEntries([
    ['infra/nats/permissions.conf', users('the password of NATS_PASSWORD_<USER>', byPassword)],
    ['infra/nats/permissions-nkey.conf', users('the public key of NATS_NKEY_<USER>', byNkey)],
    sectionsIn('infra/nats/README.md', { permissions: `\n${permissionsTable()}\n` }),
    sectionsIn('docker-compose.yml', composeSections(all, version)),
    sectionsIn('infra/docker/Dockerfile', { version: `ARG VERSION=${version}` }),
    sectionsIn(`${prometheus}/prometheus.yml`, {
      targets: indented(8, ['names:', ...serviceNames.map((name) => `  - ${name}`)].join('\n')),
    }),
    ...all.flatMap((service) =>
      Object.entries(manifestsOf(service)).map(([file, content]) => [
        `${kubernetes}/base/${service.name}/${file}`,
        content,
      ]),
    ),
    [`${kubernetes}/components/prometheus-operator/alerts.yaml`, prometheusRule(alerts)],
    [alertsFile, alerts],
    sectionsIn(`${prometheus}/alerts.test.yml`, {
      'services that are up': indented(6, seriesOfOthers(serviceNames)),
    }),
    sectionsIn(`${kubernetes}/base/kustomization.yaml`, {
      services: indented(2, serviceNames.map((name) => `- ${name}`).join('\n')),
    }),
    sectionsIn(`${kubernetes}/components/nats-cluster/kustomization.yaml`, {
      version: indented(4, `newTag: ${version}`),
    }),
    sectionsIn(`${kubernetes}/components/nats-cluster/statefulset.yaml`, {
      passwords: natsPasswords(partyNames),
    }),
    sectionsIn(`${kubernetes}/components/mongodb-operator/mongodb.yaml`, {
      users: mongodbUsers(servicesWithDatabase),
    }),
    sectionsIn(`${kubernetes}/overlays/development/kustomization.yaml`, {
      'services with a database': indented(
        4,
        `target:\n  kind: Deployment|Job\n  name: '(${servicesWithDatabase.join('|')})(-prepare)?'`,
      ),
    }),
    sectionsIn(`${kubernetes}/README.md`, { secrets: `\n${secretsTable()}\n` }),
    sectionsIn('README.md', { services: `\n${servicesTable()}\n` }),
  ]);
}
