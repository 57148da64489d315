import { eachWorkload, nameOf, ofKind, selects, unless, workloadsOf } from '../objects.mjs';

/** What one is enough of at a time. */
const fixed = new Set(['scheduler']);
const find = ({ objects }, kind, name) =>
  ofKind(objects, kind).find(({ metadata }) => metadata.name === name);
const autoscalerOf = (objects, name) =>
  ofKind(objects, 'HorizontalPodAutoscaler').find(({ spec }) => spec.scaleTargetRef.name === name);

/** What there has to be where a node may go at any moment. */
export const availabilityRules = [
  {
    name: 'each workload that serves gives up one pod at a time',
    problems: ({ objects }) => {
      const budgets = ofKind(objects, 'PodDisruptionBudget');
      const serving = workloadsOf(objects).filter(({ kind }) => kind !== 'Job');
      return serving.flatMap(({ name, labels }) => {
        const own = budgets.filter(({ spec }) => selects(spec.selector, labels));
        return unless({
          [`${name} has no budget that allows one`]: own.length === 1 && own[0].spec.maxUnavailable === 1,
        });
      });
    },
    breaks: (rendered) => {
      find(rendered, 'PodDisruptionBudget', 'jobs').spec.maxUnavailable = '50%';
    },
  },
  {
    name: 'each service grows with its load from two on, the scheduler has two',
    problems: ({ objects }) =>
      ofKind(objects, 'Deployment').flatMap(({ metadata: { name }, spec }) => {
        const scaler = autoscalerOf(objects, name)?.spec;
        if (fixed.has(name)) {
          return unless({
            [`${name} has not two`]: spec.replicas === 2,
            [`${name} grows`]: scaler === undefined,
          });
        }
        return unless({
          [`${name} does not grow`]: scaler?.minReplicas >= 2 && scaler.maxReplicas >= scaler.minReplicas,
          [`${name} is set back by each apply`]: spec.replicas === undefined,
        });
      }),
    breaks: (rendered) => {
      find(rendered, 'HorizontalPodAutoscaler', 'jobs').spec.minReplicas = 1;
    },
  },
  {
    name: 'replicas are spread over nodes and zones',
    problems: eachWorkload(['Deployment', 'StatefulSet', 'MongoDBCommunity'], ({ pod, labels }) => {
      const over = (key) =>
        pod.topologySpreadConstraints?.some(
          ({ topologyKey, labelSelector }) => topologyKey === key && selects(labelSelector, labels),
        );
      return unless({
        'is not spread over nodes': over('kubernetes.io/hostname'),
        'is not spread over zones': over('topology.kubernetes.io/zone'),
      });
    }),
    breaks: (rendered) => {
      find(rendered, 'Deployment', 'jobs').spec.template.spec.topologySpreadConstraints.pop();
    },
  },
  {
    name: 'the bus has three servers, and each stream is on all of them',
    problems: ({ objects, settings }) => {
      const nats = find({ objects }, 'StatefulSet', 'nats');
      const routes = nats.spec.template.spec.containers[0].env.filter(({ name }) =>
        name.startsWith('NATS_ROUTE_'),
      );
      return [
        ...unless({
          'the bus has not three servers': nats.spec.replicas === 3,
          'not every server is known to the others': [0, 1, 2].every((index) =>
            routes.some(({ value }) => value.endsWith(`@nats-${index}.${nats.spec.serviceName}:6222`)),
          ),
          'what it keeps is lost with a pod': nats.spec.volumeClaimTemplates?.length === 1,
        }),
        ...settings
          .filter(({ env }) => env.NATS_STREAM_REPLICAS !== '3')
          .map(({ name }) => `${name} makes streams on fewer servers`),
      ];
    },
    breaks: (rendered) => {
      find(rendered, 'StatefulSet', 'nats').spec.replicas = 1;
    },
  },
  {
    name: 'the database has three members, or is somebody else’s',
    problems: ({ objects }) => {
      const [own] = ofKind(objects, 'MongoDBCommunity');
      const single = find({ objects }, 'StatefulSet', 'mongodb');
      return unless({ 'it has not': single === undefined && (own === undefined || own.spec.members === 3) });
    },
    breaks: (rendered) => {
      rendered.objects.push({ kind: 'StatefulSet', metadata: { name: 'mongodb' } });
    },
  },
];

/** What there is one of, and never two where one is enough. */
export const developmentRules = [
  {
    name: 'there is one of each',
    problems: ({ objects }) => [
      ...workloadsOf(objects)
        .filter(({ kind, replicas }) => kind !== 'Job' && replicas !== 1)
        .map(({ name, replicas }) => `${name} has ${replicas}`),
      ...ofKind(objects, 'HorizontalPodAutoscaler', 'PodDisruptionBudget').map(nameOf),
    ],
    breaks: (rendered) => {
      find(rendered, 'Deployment', 'scheduler').spec.replicas = 2;
    },
  },
];
