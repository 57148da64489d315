import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';
import { nameOf, ofKind, unless } from '../objects.mjs';

const endpointsOf = (objects) =>
  ofKind(objects, 'PodMonitor').flatMap(({ spec }) => spec.podMetricsEndpoints);

/** Labels of scraped metrics must match those in alerts and dashboard. */
export const metricsRules = [
  {
    name: 'Prometheus scrapes services with the job of the alerts and the label `service`',
    problems: ({ objects, alerts }) => {
      const jobs = new Set([...alerts.matchAll(/\bjob="([^"]+)"/g)].map(([, job]) => job));
      const endpoints = endpointsOf(objects);
      const relabeled = (target) =>
        endpoints.map(({ relabelings }) => relabelings?.find(({ targetLabel }) => targetLabel === target));
      return [
        ...unless({
          'no service is scraped': endpoints.length > 0,
          'the alerts name no job': jobs.size > 0,
          'an endpoint does not set the label `service`': relabeled('service').every(Boolean),
        }),
        ...relabeled('job')
          .filter((to) => [...jobs].some((job) => job !== to?.replacement))
          .map(
            (to) => `${ofKind(objects, 'PodMonitor').map(nameOf).join()}: sets the job ${to?.replacement}`,
          ),
      ];
    },
    breaks: ({ objects }) => {
      const [endpoint] = endpointsOf(objects);
      endpoint.relabelings = endpoint.relabelings.filter(({ targetLabel }) => targetLabel !== 'job');
    },
  },
  {
    name: 'the operator of Prometheus has the alerts of infra/observability',
    problems: ({ objects, alerts }) => {
      const [rule] = ofKind(objects, 'PrometheusRule');
      return unless({
        'the alerts are missing or differ': isDeepStrictEqual(rule?.spec, parse(alerts)),
      });
    },
    breaks: ({ objects }) => {
      ofKind(objects, 'PrometheusRule')[0].spec.groups[0].rules.pop();
    },
  },
];
