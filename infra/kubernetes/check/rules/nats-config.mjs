import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { capture } from '../../../local/bootstrap/command.mjs';
import { ofKind } from '../objects.mjs';

/** The files in ConfigMaps that the pod mounts, by name. */
function filesOf(objects, { volumes }) {
  const mounted = JSON.stringify(volumes);
  const maps = ofKind(objects, 'ConfigMap').filter(({ metadata }) => mounted.includes(`"${metadata.name}"`));
  return Object.assign({}, ...maps.map(({ data }) => data));
}

/** Expands references to earlier variables, as Kubernetes does. */
function environmentOf({ env = [] }) {
  const values = {};
  for (const { name, value, valueFrom } of env) {
    values[name] = valueFrom
      ? valueFrom.fieldRef
        ? 'nats-0'
        : 'p4ssword'
      : value.replaceAll(/\$\((\w+)\)/g, (_, other) => values[other]);
  }
  return values;
}

export const natsConfigRule = {
  name: 'nats-server accepts its configuration',
  problems: async ({ objects, natsServer }) => {
    const nats = ofKind(objects, 'StatefulSet').find(({ metadata }) => metadata.name === 'nats');
    const pod = nats.spec.template.spec;
    const folder = mkdtempSync(join(tmpdir(), 'nats-config-'));
    try {
      for (const [name, content] of Object.entries(filesOf(objects, pod)))
        writeFileSync(join(folder, name), content);
      const [container] = pod.containers;
      const file = join(folder, basename(container.args.at(-1)));
      const { code, output } = await capture(natsServer, ['-t', '-c', file], {
        env: environmentOf(container),
      });
      return code === 0 ? [] : [output.trim()];
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  breaks: ({ objects }) => {
    const nats = ofKind(objects, 'StatefulSet').find(({ metadata }) => metadata.name === 'nats');
    nats.spec.template.spec.containers[0].env = [];
  },
};
