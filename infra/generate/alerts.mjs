import { indented } from './sections.mjs';

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
