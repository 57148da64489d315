import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ofKind, workloadsOf } from './objects.mjs';

/** Stands for the value of a Secret. Keys named `url` hold addresses of mail servers. */
const secretValue = (key) => (key === 'url' ? 'smtps://user:a-secret@mail.example.com' : 'a-secret');

/** The environment of each pod of a service: `[{name, service, env, mounts}]`. */
export function settingsOf(objects) {
  const maps = new Map(ofKind(objects, 'ConfigMap').map(({ metadata, data }) => [metadata.name, data]));
  return workloadsOf(objects).flatMap(({ name, pod }) =>
    pod.containers
      .filter(({ image }) => image?.startsWith('job-listing/'))
      .map(({ image, envFrom = [], env = [], volumeMounts = [] }) => ({
        name,
        service: /^job-listing\/([^:]+)/.exec(image)[1],
        mounts: volumeMounts.map(({ mountPath }) => mountPath),
        env: {
          ...Object.assign({}, ...envFrom.map(({ configMapRef }) => maps.get(configMapRef.name))),
          ...Object.fromEntries(env.map((entry) => [entry.name, valueOf(entry, maps)])),
        },
      })),
  );
}

function valueOf({ value, valueFrom }, maps) {
  if (valueFrom === undefined) return value;
  if (valueFrom.secretKeyRef) return secretValue(valueFrom.secretKeyRef.key);
  const { name, key } = valueFrom.configMapKeyRef;
  return maps.get(name)?.[key];
}

const isFile = (name) => name.endsWith('_FILE');

/**
 * Checks the settings of a service: unknown ones, missing mounts, and its own validation.
 * @param {{loadConfig: Function, ConfigError: Function}} kit
 */
export function problemsOfSettings({ env, mounts }, schemas, { loadConfig, ConfigError }) {
  const unknown = Object.keys(env).filter((name) => !Object.hasOwn(schemas, name));
  const unmounted = Object.entries(env).filter(
    ([name, value]) => isFile(name) && value !== '' && !mounts.some((mount) => value.startsWith(`${mount}/`)),
  );
  const folder = mkdtempSync(join(tmpdir(), 'settings-'));
  try {
    const file = join(folder, 'file');
    writeFileSync(file, 'content');
    const here = Object.entries(env).map(([name, value]) => [name, isFile(name) && value ? file : value]);
    loadConfig(schemas, Object.fromEntries(here));
    return problemLines(unknown, unmounted, []);
  } catch (error) {
    if (error instanceof ConfigError) return problemLines(unknown, unmounted, error.problems);
    throw error;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const problemLines = (unknown, unmounted, problems) => [
  ...unknown.map((name) => `does not know ${name}`),
  ...unmounted.map(([name, value]) => `${name}: ${value} is not mounted`),
  ...problems,
];
