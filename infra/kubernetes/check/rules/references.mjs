import { nameOf, ofKind, selects, unless, workloadsOf } from '../objects.mjs';

const deployment = ({ objects }, name) =>
  objects.find((object) => object.kind === 'Deployment' && object.metadata.name === name).spec;

/** What is said under these names, anywhere. */
function saidUnder(value, names) {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    names.has(name) ? [inner] : saidUnder(inner, names),
  );
}

const askConfigMap = new Set(['configMap', 'configMapRef', 'configMapKeyRef']);
const askSecret = new Set(['secret', 'secretRef', 'secretKeyRef', 'passwordSecretRef', 'secretName']);

const secretsOf = (objects) =>
  saidUnder(objects, askSecret).map((said) =>
    typeof said === 'string' ? said : (said.secretName ?? said.name),
  );

/** What names something has to name what is there. */
export const referenceRules = [
  {
    name: 'each ConfigMap that is asked for is there',
    problems: ({ objects }) => {
      const there = new Set(ofKind(objects, 'ConfigMap').map(({ metadata }) => metadata.name));
      return workloadsOf(objects).flatMap((workload) =>
        saidUnder(workload.pod, askConfigMap)
          .filter(({ name }) => !there.has(name))
          .map(({ name }) => `${workload.name} asks for ${name}`),
      );
    },
    breaks: (rendered) => {
      rendered.objects = rendered.objects.filter(({ kind }) => kind !== 'ConfigMap');
    },
  },
  {
    name: 'no secret is in the tree, and the README names each one',
    problems: ({ objects, readme }) => {
      const asked = new Set(secretsOf(objects));
      const told = ofKind(objects, 'ConfigMap').flatMap(({ metadata, data = {} }) =>
        Object.keys(data)
          .filter((name) => /(PASSWORD|TOKEN|SECRET|SEED)$/.test(name))
          .map((name) => `${metadata.name} has ${name}`),
      );
      return [
        ...ofKind(objects, 'Secret').map(nameOf),
        ...told,
        ...[...asked]
          .filter((name) => !readme.includes(`\`${name}\``))
          .map((name) => `the README does not name ${name}`),
      ];
    },
    breaks: (rendered) => {
      rendered.objects.push({ kind: 'Secret', metadata: { name: 'jobs' } });
    },
  },
  {
    name: 'a selector selects the pods that it is for, and no Job’s',
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
    name: 'the label that a release is applied by is the name of what it is on',
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
      // As a component's labels would do it.
      for (const { metadata } of objects)
        Object.assign(metadata.labels, { 'app.kubernetes.io/name': 'nats' });
    },
  },
  {
    name: 'everything is in one namespace',
    problems: ({ objects }) =>
      objects
        .filter(({ kind, metadata }) => kind !== 'Namespace' && metadata.namespace !== 'job-listing')
        .map(nameOf),
    breaks: ({ objects }) => {
      objects.at(-1).metadata.namespace = 'default';
    },
  },
  {
    name: 'a service that owns collections has a Job that prepares them with the same image and settings',
    problems: ({ objects, owners, settings }) =>
      owners.flatMap((name) => {
        const job = ofKind(objects, 'Job').find(({ metadata }) => metadata.name === `${name}-prepare`);
        const [container] = job?.spec.template.spec.containers ?? [];
        const envOf = (workload) => JSON.stringify(settings.find((each) => each.name === workload)?.env);
        return unless({
          [`${name} is not prepared`]: container?.command?.at(-1) === '--prepare',
          [`${name} is prepared by another image`]:
            container?.image === deployment({ objects }, name).template.spec.containers[0].image,
          [`${name} is prepared with other settings`]: envOf(name) === envOf(`${name}-prepare`),
        });
      }),
    breaks: ({ objects }) => {
      const job = objects.find(({ metadata }) => metadata.name === 'jobs-prepare');
      job.spec.template.spec.containers[0].command.pop();
    },
  },
];
