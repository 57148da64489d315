import { eachWorkload, nameOf, ofKind, selects, unless, workloadsOf } from '../objects.mjs';

/** Services with a fixed number of replicas. */
const fixed = new Set(['scheduler']);
const find = ({ objects }, kind, name) =>
  ofKind(objects, kind).find(({ metadata }) => metadata.name === name);
const autoscalerOf = (objects, name) =>
  ofKind(objects, 'HorizontalPodAutoscaler').find(({ spec }) => spec.scaleTargetRef.name === name);

/** Rules for clusters in which a node may disappear at any time. */
export const availabilityRules = [
  {
    name: 'each serving workload allows one unavailable pod',
    problems: ({ objects }) => {
      const budgets = ofKind(objects, 'PodDisruptionBudget');
      const serving = workloadsOf(objects).filter(({ kind }) => kind !== 'Job');
      return serving.flatMap(({ name, labels }) => {
        const own = budgets.filter(({ spec }) => selects(spec.selector, labels));
        return unless({
          [`${name} has no disruption budget of one`]: own.length === 1 && own[0].spec.maxUnavailable === 1,
        });
      });
    },
    breaks: (rendered) => {
      find(rendered, 'PodDisruptionBudget', 'jobs').spec.maxUnavailable = '50%';
    },
  },
  {
    name: 'each service scales from two replicas on, the scheduler has two',
    problems: ({ objects }) =>
      ofKind(objects, 'Deployment').flatMap(({ metadata: { name }, spec }) => {
        const scaler = autoscalerOf(objects, name)?.spec;
        if (fixed.has(name)) {
          return unless({
            [`${name} does not have two replicas`]: spec.replicas === 2,
            [`${name} has an autoscaler`]: scaler === undefined,
          });
        }
        return unless({
          [`${name} does not scale from two replicas`]:
            scaler?.minReplicas >= 2 && scaler.maxReplicas >= scaler.minReplicas,
          [`${name} has fixed replicas, which each apply resets`]: spec.replicas === undefined,
        });
      }),
    breaks: (rendered) => {
      find(rendered, 'HorizontalPodAutoscaler', 'jobs').spec.minReplicas = 1;
    },
  },
  {
    name: 'replicas spread over nodes and zones',
    problems: eachWorkload(['Deployment', 'StatefulSet', 'MongoDBCommunity'], ({ pod, labels }) => {
      const over = (key) =>
        pod.topologySpreadConstraints?.some(
          ({ topologyKey, labelSelector }) => topologyKey === key && selects(labelSelector, labels),
        );
      return unless({
        'does not spread over nodes': over('kubernetes.io/hostname'),
        'does not spread over zones': over('topology.kubernetes.io/zone'),
      });
    }),
    breaks: (rendered) => {
      find(rendered, 'Deployment', 'jobs').spec.template.spec.topologySpreadConstraints.pop();
    },
  },
  {
    name: 'NATS has three servers, and each stream three replicas',
    problems: ({ objects, settings }) => {
      const nats = find({ objects }, 'StatefulSet', 'nats');
      const routes = nats.spec.template.spec.containers[0].env.filter(({ name }) =>
        name.startsWith('NATS_ROUTE_'),
      );
      return [
        ...unless({
          'NATS does not have three servers': nats.spec.replicas === 3,
          'a server has no route to another': [0, 1, 2].every((index) =>
            routes.some(({ value }) => value.endsWith(`@nats-${index}.${nats.spec.serviceName}:6222`)),
          ),
          'data is lost with a pod': nats.spec.volumeClaimTemplates?.length === 1,
        }),
        ...settings
          .filter(({ env }) => env.NATS_STREAM_REPLICAS !== '3')
          .map(({ name }) => `${name} creates streams with fewer replicas`),
      ];
    },
    breaks: (rendered) => {
      find(rendered, 'StatefulSet', 'nats').spec.replicas = 1;
    },
  },
  {
    name: 'MongoDB has three members, or is managed elsewhere',
    problems: ({ objects }) => {
      const [own] = ofKind(objects, 'MongoDBCommunity');
      const single = find({ objects }, 'StatefulSet', 'mongodb');
      return unless({
        'it does not have three members':
          single === undefined && (own === undefined || own.spec.members === 3),
      });
    },
    breaks: (rendered) => {
      rendered.objects.push({ kind: 'StatefulSet', metadata: { name: 'mongodb' } });
    },
  },
];

/** Development runs one replica of everything. */
export const developmentRules = [
  {
    name: 'every workload has one replica',
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
