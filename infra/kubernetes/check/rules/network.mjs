import { ofKind, selects, unless, workloadsOf } from '../objects.mjs';

const policiesFor = (objects, labels, direction) =>
  ofKind(objects, 'NetworkPolicy').filter(
    ({ spec }) => spec.policyTypes.includes(direction) && selects(spec.podSelector, labels),
  );

const hasPort = (rule, port) => rule.ports === undefined || rule.ports.some((each) => each.port === port);

/** Whether the labels match a peer in the same namespace. */
const isPeer = (peers, labels) =>
  peers === undefined ||
  peers.some(
    ({ podSelector, namespaceSelector }) => namespaceSelector === undefined && selects(podSelector, labels),
  );

/** Whether the policies let pods of `from` reach `port` on pods of `to`. */
function reaches(objects, from, to, port) {
  const out = policiesFor(objects, from.labels, 'Egress');
  const into = policiesFor(objects, to.labels, 'Ingress');
  const allows = (policies, direction, peers, labels) =>
    policies.length === 0 ||
    policies.some(({ spec }) =>
      spec[direction]?.some((rule) => isPeer(rule[peers], labels) && hasPort(rule, port)),
    );
  return allows(out, 'egress', 'to', to.labels) && allows(into, 'ingress', 'from', from.labels);
}

/** Every port that a pod listens on. */
const ports = [4222, 6222, 8080, 8081, 8222, 27017];

/** Every allowed connection, such as `jobs > nats:4222`. */
function connectionsOf(objects) {
  const workloads = workloadsOf(objects);
  return workloads.flatMap((from) =>
    workloads.flatMap((to) =>
      ports
        .filter((port) => reaches(objects, from, to, port))
        .map((port) => `${from.name} > ${to.name}:${port}`),
    ),
  );
}

function expectedConnections({ objects, services, owners }) {
  const names = new Set(workloadsOf(objects).map(({ name }) => name));
  const prepares = owners.map((name) => `${name}-prepare`);
  return [
    ...[...services, ...prepares, 'streams'].map((name) => `${name} > nats:4222`),
    'nats > nats:6222',
    'site > gateway:8080',
    ...[...owners, ...prepares, 'mongodb'].map((name) => `${name} > mongodb:27017`),
  ].filter((connection) =>
    connection
      .split(/ > |:/)
      .slice(0, 2)
      .every((name) => names.has(name)),
  );
}

/** The other namespaces that can reach a port. */
const namespacesFor = (objects, labels, port) =>
  policiesFor(objects, labels, 'Ingress').flatMap(({ spec }) =>
    (spec.ingress ?? [])
      .filter((rule) => hasPort(rule, port))
      .flatMap((rule) => rule.from ?? [{}])
      .filter(({ podSelector }) => podSelector === undefined)
      .map(
        ({ namespaceSelector }) =>
          namespaceSelector?.matchLabels?.['kubernetes.io/metadata.name'] ?? 'everywhere',
      ),
  );

export const networkRules = [
  {
    name: 'traffic is denied by default',
    problems: ({ objects }) => {
      const denies = ({ podSelector, policyTypes, ingress, egress }) =>
        Object.keys(podSelector).length === 0 && policyTypes.length === 2 && !ingress && !egress;
      return unless({
        'there is no default-deny policy': ofKind(objects, 'NetworkPolicy').some(({ spec }) => denies(spec)),
      });
    },
    breaks: (rendered) => {
      rendered.objects = rendered.objects.filter(({ metadata }) => metadata.name !== 'default-deny');
    },
  },
  {
    name: 'services reach NATS, owners their database, the site the gateway, and no pod any other',
    problems: (rendered) => {
      // A single server has no cluster connections.
      const single = rendered.isProduction ? [] : ['nats > nats:6222'];
      const expected = expectedConnections(rendered).filter((connection) => !single.includes(connection));
      const connections = connectionsOf(rendered.objects);
      return [
        ...expected
          .filter((connection) => !connections.includes(connection))
          .map((connection) => `missing: ${connection}`),
        ...connections
          .filter((connection) => !expected.includes(connection))
          .map((connection) => `unexpected: ${connection}`),
      ];
    },
    breaks: (rendered) => {
      const database = ofKind(rendered.objects, 'NetworkPolicy').filter(({ metadata }) =>
        ['mongodb', 'mongodb-clients'].includes(metadata.name),
      );
      for (const { spec } of database) Object.assign(spec, { podSelector: {}, egress: [{}], ingress: [{}] });
    },
  },
  {
    name: 'only the ingress controller reaches HTTP, and only Prometheus metrics',
    problems: ({ objects }) =>
      workloadsOf(objects).flatMap(({ name, kind, labels }) => {
        const from = (port) => namespacesFor(objects, labels, port).join();
        return unless({
          [`${name}:8080 is open to ${from(8080)}`]:
            from(8080) === (['gateway', 'site'].includes(name) ? 'ingress' : ''),
          [`${name}:8081 is open to ${from(8081)}`]:
            from(8081) === (kind === 'Deployment' ? 'monitoring' : ''),
          [`${name}:8222 is open to ${from(8222)}`]: from(8222) === (name === 'nats' ? 'monitoring' : ''),
          [`${name}:27017 is open to ${from(27017)}`]:
            from(27017) === (name === 'mongodb' ? 'monitoring' : ''),
          [`${name} is open to other namespaces`]: [4222, 6222].every((port) => from(port) === ''),
        });
      }),
    breaks: ({ objects }) => {
      const gateway = ofKind(objects, 'NetworkPolicy').find(({ metadata }) => metadata.name === 'gateway');
      delete gateway.spec.ingress[0].from;
    },
  },
];
