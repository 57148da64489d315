import { eachContainer, eachWorkload, unless, workloadsOf } from '../objects.mjs';

const own = ['Deployment', 'StatefulSet', 'Job'];
const every = [...own, 'MongoDBCommunity'];
const deployment = ({ objects }, name = 'jobs') =>
  objects.find((object) => object.kind === 'Deployment' && object.metadata.name === name).spec;
const firstContainer = (rendered) => deployment(rendered).template.spec.containers[0];

/** `problems` finds violations; `breaks` causes one, to test the rule itself. */
export const podRules = [
  {
    name: 'no container runs as root, gains privileges or writes to its file system',
    problems: eachContainer(every, (container, { pod }) => {
      const [ofPod, own] = [pod.securityContext ?? {}, container.securityContext ?? {}];
      return unless({
        'may run as root': ofPod.runAsNonRoot === true && ofPod.runAsUser > 0,
        'has no seccomp profile': ofPod.seccompProfile?.type === 'RuntimeDefault',
        'may gain privileges': own.allowPrivilegeEscalation === false,
        'may write to its root file system': own.readOnlyRootFilesystem === true,
        'has capabilities': own.capabilities?.drop?.includes('ALL') && own.capabilities.add === undefined,
      });
    }),
    breaks: (rendered) => {
      firstContainer(rendered).securityContext.readOnlyRootFilesystem = false;
    },
  },
  {
    name: 'no pod gets a service account token or Service variables',
    problems: eachWorkload(own, ({ pod }) =>
      unless({
        'mounts a service account token': pod.automountServiceAccountToken === false,
        'gets variables for Services': pod.enableServiceLinks === false,
      }),
    ),
    breaks: (rendered) => {
      delete deployment(rendered).template.spec.enableServiceLinks;
    },
  },
  {
    name: 'each container has requests and limits for CPU and memory',
    problems: eachContainer(every, ({ resources }) =>
      ['requests', 'limits'].flatMap((kind) =>
        ['cpu', 'memory']
          .filter((name) => resources?.[kind]?.[name] === undefined)
          .map((name) => `has no ${kind}.${name}`),
      ),
    ),
    breaks: (rendered) => {
      delete firstContainer(rendered).resources.limits.memory;
    },
  },
  {
    name: 'each image has a version',
    problems: eachContainer(own, ({ image }) =>
      unless({ [`runs ${image}`]: /:v?\d+\.\d+\.\d+(-[\w.]+)?$|@sha256:[0-9a-f]{64}$/.test(image) }),
    ),
    breaks: (rendered) => {
      firstContainer(rendered).image = 'job-listing/jobs:latest';
    },
  },
  {
    name: 'each server has startup, readiness and liveness probes',
    problems: eachContainer(['Deployment', 'StatefulSet'], (container) =>
      ['startupProbe', 'readinessProbe', 'livenessProbe']
        .filter((probe) => container[probe] === undefined)
        .map((probe) => `has no ${probe}`),
    ),
    breaks: (rendered) => {
      delete firstContainer(rendered).startupProbe;
    },
  },
  {
    name: 'service probes use the health port',
    problems: eachContainer(['Deployment'], (container) => {
      const port = container.ports.find(({ name }) => name === 'health')?.containerPort;
      const probes = (probe, path) => probe?.httpGet?.path === path && probe.httpGet.port === 'health';
      return unless({
        'has no port 8081 named health': port === 8081,
        'has startup or liveness probes elsewhere':
          probes(container.startupProbe, '/healthz') && probes(container.livenessProbe, '/healthz'),
        'has a readiness probe elsewhere': probes(container.readinessProbe, '/readyz'),
        'fails the liveness probe before a frozen server times out':
          container.livenessProbe?.timeoutSeconds >= 3,
      });
    }),
    breaks: (rendered) => {
      firstContainer(rendered).readinessProbe.httpGet.path = '/healthz';
    },
  },
  {
    name: 'the grace period is longer than a service needs to stop',
    problems: (rendered) =>
      eachWorkload(['Deployment'], ({ pod }) => {
        const before = pod.containers[0].lifecycle?.preStop?.sleep?.seconds ?? 0;
        return unless({
          'is killed before it has stopped':
            pod.terminationGracePeriodSeconds > before + rendered.stopLimitMs / 1000,
        });
      })(rendered),
    breaks: (rendered) => {
      deployment(rendered).template.spec.terminationGracePeriodSeconds = 10;
    },
  },
  {
    name: 'the gateway waits until load balancers stop sending requests',
    problems: eachWorkload(['Deployment'], ({ name, pod }) =>
      name === 'gateway'
        ? unless({ 'has no preStop sleep of 5 s': pod.containers[0].lifecycle?.preStop?.sleep?.seconds >= 5 })
        : [],
    ),
    breaks: (rendered) => {
      delete deployment(rendered, 'gateway').template.spec.containers[0].lifecycle;
    },
  },
  {
    name: 'a new pod is ready before an old one stops',
    problems: eachWorkload(['Deployment'], ({ object: { spec } }) =>
      unless({ 'may stop old pods first': spec.strategy.rollingUpdate?.maxUnavailable === 0 }),
    ),
    breaks: (rendered) => {
      deployment(rendered).strategy.rollingUpdate.maxUnavailable = 1;
    },
  },
  {
    name: 'exactly the services are deployed',
    problems: ({ objects, services }) => {
      const deployed = workloadsOf(objects)
        .filter(({ kind }) => kind === 'Deployment')
        .map(({ name }) => name);
      return [
        ...services.filter((name) => !deployed.includes(name)).map((name) => `${name} is not deployed`),
        ...deployed.filter((name) => !services.includes(name)).map((name) => `${name} is not a service`),
      ];
    },
    breaks: (rendered) => {
      rendered.services.push('another');
    },
  },
];
