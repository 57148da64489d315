import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';

const overlays = new URL('../overlays/', import.meta.url);

/** The objects of an overlay, as they are sent to Kubernetes. Throws with what kustomize said. */
export function render([program, ...args], overlay) {
  const folder = fileURLToPath(new URL(overlay, overlays));
  const { status, stdout, stderr, error } = spawnSync(program, [...args, folder], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`${overlay} cannot be rendered: ${error?.message ?? stderr.trim()}`);
  // Kubernetes reads YAML 1.1, where 0440 is octal.
  return parseAllDocuments(stdout, { version: '1.1' }).map((document) => document.toJS());
}
