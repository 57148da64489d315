/** The objects of these kinds. */
export const ofKind = (objects, ...kinds) => objects.filter(({ kind }) => kinds.includes(kind));

export const nameOf = ({ kind, metadata }) => `${kind} ${metadata.name}`;

/** Whatever makes pods: `{name, kind, replicas, labels, pod}`. That of an operator too, as far as it is told here. */
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

/** A rule for each workload of these kinds: `problems` gets one and answers what is wrong with it. */
export const eachWorkload =
  (kinds, problems) =>
  ({ objects }) =>
    workloadsOf(objects)
      .filter(({ kind }) => kinds.includes(kind))
      .flatMap((workload) => problems(workload).map((problem) => `${workload.name}: ${problem}`));

/** The same for each of their containers. */
export const eachContainer = (kinds, problems) =>
  eachWorkload(kinds, (workload) =>
    containersOf(workload).flatMap((container) =>
      problems(container, workload).map((problem) => `${container.name} ${problem}`),
    ),
  );

/** The sentences whose condition does not hold. */
export const unless = (expectations) =>
  Object.entries(expectations)
    .filter(([, holds]) => !holds)
    .map(([sentence]) => sentence);

/** Whether a selector of labels selects these. */
export function selects(selector, labels) {
  if (selector === undefined || selector.matchExpressions !== undefined) return false;
  return Object.entries(selector.matchLabels ?? {}).every(([name, value]) => labels[name] === value);
}
