import { nameOf } from '../objects.mjs';

/** A rule for each version of Kubernetes: `validate` answers what is wrong with an object, undefined where it knows none. */
export const schemaRule = (version, validate) => ({
  name: `Kubernetes ${version} knows every field`,
  problems: ({ objects }) =>
    objects.flatMap((object) => (validate(object) ?? []).map((problem) => `${nameOf(object)} ${problem}`)),
  breaks: ({ objects }) => {
    objects.find(({ kind }) => kind === 'Deployment').spec.template.spec.containers[0].readyProbe = {};
  },
});

/** The kinds that no schema was there for. */
export const unknownKinds = (objects, validate) => [
  ...new Set(objects.filter((object) => validate(object) === undefined).map(({ kind }) => kind)),
];
