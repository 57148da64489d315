import { nameOf, ofKind, selects, unless, workloadsOf } from '../objects.mjs';

const deployment = ({ objects }, name) =>
  objects.find((object) => object.kind === 'Deployment' && object.metadata.name === name).spec;

/** All values with these keys, at any depth. */
function valuesOf(value, names) {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    names.has(name) ? [inner] : valuesOf(inner, names),
  );
}

const configMapKeys = new Set(['configMap', 'configMapRef', 'configMapKeyRef']);
const secretKeys = new Set(['secret', 'secretRef', 'secretKeyRef', 'passwordSecretRef', 'secretName']);

const secretsOf = (objects) =>
  valuesOf(objects, secretKeys).map((value) =>
    typeof value === 'string' ? value : (value.secretName ?? value.name),
  );

/** Every reference must lead to an existing object. */
export const referenceRules = [
  {
    name: 'each referenced ConfigMap exists',
    problems: ({ objects }) => {
      const existing = new Set(ofKind(objects, 'ConfigMap').map(({ metadata }) => metadata.name));
      return workloadsOf(objects).flatMap((workload) =>
        valuesOf(workload.pod, configMapKeys)
          .filter(({ name }) => !existing.has(name))
          .map(({ name }) => `${workload.name} references ${name}`),
      );
    },
    breaks: (rendered) => {
      rendered.objects = rendered.objects.filter(({ kind }) => kind !== 'ConfigMap');
    },
  },
  {
    name: 'no Secret is in the repository, and the README names each one',
    problems: ({ objects, readme }) => {
      const referenced = new Set(secretsOf(objects));
      const inConfigMaps = ofKind(objects, 'ConfigMap').flatMap(({ metadata, data = {} }) =>
        Object.keys(data)
          .filter((name) => /(PASSWORD|TOKEN|SECRET|SEED)$/.test(name))
          .map((name) => `${metadata.name} contains ${name}`),
      );
      return [
        ...ofKind(objects, 'Secret').map(nameOf),
        ...inConfigMaps,
        ...[...referenced]
          .filter((name) => !readme.includes(`\`${name}\``))
          .map((name) => `the README does not name ${name}`),
      ];
    },
    breaks: (rendered) => {
      rendered.objects.push({ kind: 'Secret', metadata: { name: 'jobs' } });
    },
  },
  {
    name: 'each selector matches only the pods of its own workload',
    problems: ({ objects }) => {
      const workloads = workloadsOf(objects);
      return ofKind(objects, 'Service', 'Deployment', 'StatefulSet', 'PodDisruptionBudget').flatMap(
        (object) => {
          const selector =
            object.kind === 'Service' ? { matchLabels: object.spec.selector } : object.spec.selector;
          const selected = workloads.filter(({ labels }) => selects(selector, labels));
          return unless({
            [`${nameOf(object)} selects ${selected.map(({ name }) => name).join(', ') || 'nothing'}`]:
              selected.length === 1 &&
              selected[0].kind !== 'Job' &&
              object.metadata.name.startsWith(selected[0].name),
          });
        },
      );
    },
    breaks: (rendered) => {
      deployment(rendered, 'jobs').selector.matchLabels = { 'app.kubernetes.io/part-of': 'job-listing' };
    },
  },
  {
    name: 'the label app.kubernetes.io/name is the name of the workload',
    problems: ({ objects, services }) => {
      const isOf = (name, object) => object?.metadata.labels?.['app.kubernetes.io/name'] === name;
      const released = services.flatMap((service) =>
        objects
          .filter(
            ({ kind, metadata: { name } }) =>
              (kind === 'ConfigMap' && name.startsWith(`${service}-`)) ||
              (kind === 'Job' && name === `${service}-prepare`),
          )
          .map((object) => [service, object]),
      );
      const named = ofKind(objects, 'Deployment', 'StatefulSet').map((object) => [
        object.metadata.name,
        object,
      ]);
      return [...named, ...released]
        .filter(([name, object]) => !isOf(name, object))
        .map(([name, object]) => `${nameOf(object)} is not labelled ${name}`);
    },
    breaks: ({ objects }) => {
      // Labels of a component would do this.
      for (const { metadata } of objects)
        Object.assign(metadata.labels, { 'app.kubernetes.io/name': 'nats' });
    },
  },
  {
    name: 'everything is in the namespace job-listing',
    problems: ({ objects }) =>
      objects
        .filter(({ kind, metadata }) => kind !== 'Namespace' && metadata.namespace !== 'job-listing')
        .map(nameOf),
    breaks: ({ objects }) => {
      objects.at(-1).metadata.namespace = 'default';
    },
  },
  {
    name: 'each database owner has a prepare Job with the same image and settings',
    problems: ({ objects, owners, settings }) =>
      owners.flatMap((name) => {
        const job = ofKind(objects, 'Job').find(({ metadata }) => metadata.name === `${name}-prepare`);
        const [container] = job?.spec.template.spec.containers ?? [];
        const envOf = (workload) => JSON.stringify(settings.find((each) => each.name === workload)?.env);
        return unless({
          [`${name} has no prepare Job`]: container?.command?.at(-1) === '--prepare',
          [`${name} has a prepare Job with another image`]:
            container?.image === deployment({ objects }, name).template.spec.containers[0].image,
          [`${name} has a prepare Job with other settings`]: envOf(name) === envOf(`${name}-prepare`),
        });
      }),
    breaks: ({ objects }) => {
      const job = objects.find(({ metadata }) => metadata.name === 'jobs-prepare');
      job.spec.template.spec.containers[0].command.pop();
    },
  },
];
