import { nameOf, ofKind, unless } from '../objects.mjs';

const endpointsOf = (objects) =>
  ofKind(objects, 'PodMonitor').flatMap(({ spec }) => spec.podMetricsEndpoints);

/** What Prometheus calls what it scrapes has to be what alerts and dashboard ask for. */
export const metricsRules = [
  {
    name: 'services are scraped under the job that the alerts ask for, each by its name',
    problems: ({ objects, alerts }) => {
      const asked = new Set([...alerts.matchAll(/\bjob="([^"]+)"/g)].map(([, job]) => job));
      const endpoints = endpointsOf(objects);
      const relabeled = (target) =>
        endpoints.map(({ relabelings }) => relabelings?.find(({ targetLabel }) => targetLabel === target));
      return [
        ...unless({
          'nothing is scraped': endpoints.length > 0,
          'the alerts ask for no job': asked.size > 0,
          'a service is scraped without its name': relabeled('service').every(Boolean),
        }),
        ...relabeled('job')
          .filter((to) => [...asked].some((job) => job !== to?.replacement))
          .map((to) => `${ofKind(objects, 'PodMonitor').map(nameOf).join()}: the job is ${to?.replacement}`),
      ];
    },
    breaks: ({ objects }) => {
      const [endpoint] = endpointsOf(objects);
      endpoint.relabelings = endpoint.relabelings.filter(({ targetLabel }) => targetLabel !== 'job');
    },
  },
];
