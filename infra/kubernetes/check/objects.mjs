/** The objects of these kinds. */
export const ofKind = (objects, ...kinds) => objects.filter(({ kind }) => kinds.includes(kind));

export const nameOf = ({ kind, metadata }) => `${kind} ${metadata.name}`;

/** Everything that creates pods: `{name, kind, replicas, labels, pod}`, including an operator's resources. */
export function workloadsOf(objects) {
  const own = ofKind(objects, 'Deployment', 'StatefulSet', 'Job').map((object) => ({
    object,
    kind: object.kind,
    name: object.metadata.name,
    replicas: object.spec.replicas,
    labels: object.spec.template.metadata.labels,
    pod: object.spec.template.spec,
  }));
  const operated = ofKind(objects, 'MongoDBCommunity').map((object) => ({
    object,
    kind: object.kind,
    name: object.metadata.name,
    replicas: object.spec.members,
    labels: object.spec.statefulSet.spec.template.metadata.labels,
    pod: object.spec.statefulSet.spec.template.spec,
  }));
  return [...own, ...operated];
}

export const containersOf = ({ pod }) => [...(pod.initContainers ?? []), ...pod.containers];

/** Applies `problems` to each workload of these kinds. */
export const eachWorkload =
  (kinds, problems) =>
  ({ objects }) =>
    workloadsOf(objects)
      .filter(({ kind }) => kinds.includes(kind))
      .flatMap((workload) => problems(workload).map((problem) => `${workload.name}: ${problem}`));

/** Applies `problems` to each container of workloads of these kinds. */
export const eachContainer = (kinds, problems) =>
  eachWorkload(kinds, (workload) =>
    containersOf(workload).flatMap((container) =>
      problems(container, workload).map((problem) => `${container.name} ${problem}`),
    ),
  );

/** The keys whose value is false. */
export const unless = (expectations) =>
  Object.entries(expectations)
    .filter(([, holds]) => !holds)
    .map(([sentence]) => sentence);

/** Whether a label selector matches these labels. */
export function selects(selector, labels) {
  if (selector === undefined || selector.matchExpressions !== undefined) return false;
  return Object.entries(selector.matchLabels ?? {}).every(([name, value]) => labels[name] === value);
}
