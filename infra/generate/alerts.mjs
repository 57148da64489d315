import { indented } from './sections.mjs';

const up = (name) => `up{job="job-listing", service="${name}"}`;

/** A service without a replica has no `up` at all. */
export const absentServices = (names) => names.map((name) => `or absent(${up(name)})`).join('\n');

/** Series for the test of the alerts: services other than those that it describes. */
export const seriesOfOthers = (names) =>
  names
    .filter((name) => !['jobs', 'metrics'].includes(name))
    .map((name) => `- { series: '${up(name)}', values: '1x80' }`)
    .join('\n');

/** The alerts of Prometheus, as its operator reads them. */
export const prometheusRule = (alerts) =>
  [
    '# Generated from infra/observability/prometheus/alerts.yml by `npm run generate`: do not edit.',
    'apiVersion: monitoring.coreos.com/v1',
    'kind: PrometheusRule',
    'metadata:',
    '  name: services',
    'spec:',
    indented(2, alerts.trimEnd()),
    '',
  ].join('\n');
