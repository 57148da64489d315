import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';

export const folder = new URL('../../../../infra/observability/', import.meta.url).pathname;

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}

interface Expression {
  /** Title of its panel or alert. */
  readonly source: string;
  readonly expression: string;
}

const text = (file: string) => readFile(folder + file, 'utf8');

export async function alerts(): Promise<Alert[]> {
  const { groups } = parse(await text('prometheus/alerts.yml')) as { groups: { rules: Alert[] }[] };
  return groups.flatMap(({ rules }) => rules);
}

export async function queries(): Promise<Expression[]> {
  const { panels } = JSON.parse(await text('grafana/dashboards/services.json')) as { panels: Panel[] };
  return panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({ source: title, expression: expr })),
  );
}
