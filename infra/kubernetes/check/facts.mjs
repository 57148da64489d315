import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commonConfig, ConfigError, loadConfig, mongoConfig, STOP_LIMIT_MS } from '@joblisting/service-kit';
import { root } from '../../local/bootstrap/paths.mjs';

/** Names, database owners and settings of the services, from their code, and texts that the objects must match. */
export async function readFacts() {
  const services = readdirSync(join(root, 'services'));
  const definitions = await Promise.all(services.map(definitionOf));
  const schemas = definitions.map(({ name, mongo, config }) => [
    name,
    { ...commonConfig, ...(mongo && mongoConfig), ...config },
  ]);
  return {
    services,
    owners: definitions.filter(({ mongo }) => mongo).map(({ name }) => name),
    schemas: Object.fromEntries(schemas),
    stopLimitMs: STOP_LIMIT_MS,
    kit: { loadConfig, ConfigError },
    readme: readFileSync(new URL('../README.md', import.meta.url), 'utf8'),
    alerts: readFileSync(new URL('../../observability/prometheus/alerts.yml', import.meta.url), 'utf8'),
  };
}

async function definitionOf(name) {
  const exported = await import(`@joblisting/${name}`);
  return exported[`${name}Service`];
}
