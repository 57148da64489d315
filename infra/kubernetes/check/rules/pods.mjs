import { eachContainer, eachWorkload, unless, workloadsOf } from '../objects.mjs';

const own = ['Deployment', 'StatefulSet', 'Job'];
const every = [...own, 'MongoDBCommunity'];
const deployment = ({ objects }, name = 'jobs') =>
  objects.find((object) => object.kind === 'Deployment' && object.metadata.name === name).spec;
const firstContainer = (rendered) => deployment(rendered).template.spec.containers[0];

/** `problems` tells what is wrong with what was rendered, `breaks` makes it wrong: a rule that sees nothing is none. */
export const podRules = [
  {
    name: 'no container is root, or may become it, or write to its file system',
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
    name: 'no pod is given a token, or settings by the names of Services',
    problems: eachWorkload(own, ({ pod }) =>
      unless({
        'is given the token of a service account': pod.automountServiceAccountToken === false,
        'is given variables for Services': pod.enableServiceLinks === false,
      }),
    ),
    breaks: (rendered) => {
      delete deployment(rendered).template.spec.enableServiceLinks;
    },
  },
  {
    name: 'each container asks for processor and memory, and is limited in both',
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
    name: 'each server is asked whether it has started, is ready, lives',
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
    name: 'services are asked at their health port',
    problems: eachContainer(['Deployment'], (container) => {
      const port = container.ports.find(({ name }) => name === 'health')?.containerPort;
      const asks = (probe, path) => probe?.httpGet?.path === path && probe.httpGet.port === 'health';
      return unless({
        'has no port 8081 named health': port === 8081,
        'is asked elsewhere':
          asks(container.startupProbe, '/healthz') && asks(container.livenessProbe, '/healthz'),
        'is ready without /readyz': asks(container.readinessProbe, '/readyz'),
        'is taken for dead before a frozen server is given up': container.livenessProbe?.timeoutSeconds >= 3,
      });
    }),
    breaks: (rendered) => {
      firstContainer(rendered).readinessProbe.httpGet.path = '/healthz';
    },
  },
  {
    name: 'a service has the time that it takes to stop',
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
    name: 'the gateway outlives what still sends requests to it',
    problems: eachWorkload(['Deployment'], ({ name, pod }) =>
      name === 'gateway'
        ? unless({ 'stops at once': pod.containers[0].lifecycle?.preStop?.sleep?.seconds >= 5 })
        : [],
    ),
    breaks: (rendered) => {
      delete deployment(rendered, 'gateway').template.spec.containers[0].lifecycle;
    },
  },
  {
    name: 'a new version takes over before the old one goes',
    problems: eachWorkload(['Deployment'], ({ object: { spec } }) =>
      unless({ 'is taken away first': spec.strategy.rollingUpdate?.maxUnavailable === 0 }),
    ),
    breaks: (rendered) => {
      deployment(rendered).strategy.rollingUpdate.maxUnavailable = 1;
    },
  },
  {
    name: 'every service is deployed, and nothing else is',
    problems: ({ objects, services }) => {
      const deployed = workloadsOf(objects)
        .filter(({ kind }) => kind === 'Deployment')
        .map(({ name }) => name);
      return [
        ...services.filter((name) => !deployed.includes(name)).map((name) => `${name} is not deployed`),
        ...deployed.filter((name) => !services.includes(name)).map((name) => `${name} is no service`),
      ];
    },
    breaks: (rendered) => {
      rendered.services.push('another');
    },
  },
];
