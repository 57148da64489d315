import { ofKind, selects, unless, workloadsOf } from '../objects.mjs';

const policiesFor = (objects, labels, direction) =>
  ofKind(objects, 'NetworkPolicy').filter(
    ({ spec }) => spec.policyTypes.includes(direction) && selects(spec.podSelector, labels),
  );

const hasPort = (rule, port) => rule.ports === undefined || rule.ports.some((each) => each.port === port);

/** A peer by its labels in the own namespace. What leads out of the namespace leads to no pod of it. */
const isPeer = (peers, labels) =>
  peers === undefined ||
  peers.some(
    ({ podSelector, namespaceSelector }) => namespaceSelector === undefined && selects(podSelector, labels),
  );

/** Whether the policies let pods of `from` reach `port` on pods of `to`. */
function reaches(objects, from, to, port) {
  const out = policiesFor(objects, from.labels, 'Egress');
  const into = policiesFor(objects, to.labels, 'Ingress');
  const allows = (policies, way, peers, labels) =>
    policies.length === 0 ||
    policies.some(({ spec }) =>
      spec[way]?.some((rule) => isPeer(rule[peers], labels) && hasPort(rule, port)),
    );
  return allows(out, 'egress', 'to', to.labels) && allows(into, 'ingress', 'from', from.labels);
}

/** Every port that anything here listens on. */
const ports = [4222, 6222, 8080, 8081, 8222, 27017];

/** Every way from pod to pod, e.g. `jobs > nats:4222`. */
function waysOf(objects) {
  const workloads = workloadsOf(objects);
  return workloads.flatMap((from) =>
    workloads.flatMap((to) =>
      ports
        .filter((port) => reaches(objects, from, to, port))
        .map((port) => `${from.name} > ${to.name}:${port}`),
    ),
  );
}

function expectedWays({ objects, services, owners }) {
  const names = new Set(workloadsOf(objects).map(({ name }) => name));
  const prepares = owners.map((name) => `${name}-prepare`);
  return [
    ...[...services, ...prepares, 'streams'].map((name) => `${name} > nats:4222`),
    'nats > nats:6222',
    ...[...owners, ...prepares, 'mongodb'].map((name) => `${name} > mongodb:27017`),
  ].filter((way) =>
    way
      .split(/ > |:/)
      .slice(0, 2)
      .every((name) => names.has(name)),
  );
}

/** From where, out of the namespace, a port can be reached. */
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
    name: 'what no policy allows is not allowed',
    problems: ({ objects }) => {
      const denies = ({ podSelector, policyTypes, ingress, egress }) =>
        Object.keys(podSelector).length === 0 && policyTypes.length === 2 && !ingress && !egress;
      return unless({
        'there is no such policy': ofKind(objects, 'NetworkPolicy').some(({ spec }) => denies(spec)),
      });
    },
    breaks: (rendered) => {
      rendered.objects = rendered.objects.filter(({ metadata }) => metadata.name !== 'default-deny');
    },
  },
  {
    name: 'pods reach the bus, the owners their database, and nobody else anybody',
    problems: (rendered) => {
      // One server has no others to speak to.
      const single = rendered.isProduction ? [] : ['nats > nats:6222'];
      const expected = expectedWays(rendered).filter((way) => !single.includes(way));
      const ways = waysOf(rendered.objects);
      return [
        ...expected.filter((way) => !ways.includes(way)).map((way) => `closed: ${way}`),
        ...ways.filter((way) => !expected.includes(way)).map((way) => `open: ${way}`),
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
    name: 'HTTP comes from the ingress controller, and metrics go to Prometheus, alone',
    problems: ({ objects }) =>
      workloadsOf(objects).flatMap(({ name, kind, labels }) => {
        const from = (port) => namespacesFor(objects, labels, port).join();
        return unless({
          [`${name}:8080 is open to ${from(8080)}`]: from(8080) === (name === 'gateway' ? 'ingress' : ''),
          [`${name}:8081 is open to ${from(8081)}`]:
            from(8081) === (kind === 'Deployment' ? 'monitoring' : ''),
          [`${name} is open to others`]: [4222, 6222, 27017].every((port) => from(port) === ''),
        });
      }),
    breaks: ({ objects }) => {
      const gateway = ofKind(objects, 'NetworkPolicy').find(({ metadata }) => metadata.name === 'gateway');
      delete gateway.spec.ingress[0].from;
    },
  },
];
