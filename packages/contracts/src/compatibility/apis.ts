import { type Api, compareParameters, compareRequestBodies, compareResponses } from './api-operations.ts';
import { breaking, type Finding, note } from './findings.ts';
import {
  isEqual,
  isObject,
  joinPointer,
  type Json,
  type JsonObject,
  listIn,
  namesOf,
  objectIn,
  textIn,
} from './json.ts';
import { dereference, resolverOf } from './references.ts';
import { compareSchemasOf } from './schemas.ts';
import { compareSunsets, judgeRemoval, todayInUtc } from './sunset.ts';

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/**
 * Lists all changes of an OpenAPI 3.1 document since the last release, as its clients see them. Pointers lead into the
 * released document, or into the current one for additions. A changed component is reported where it is used.
 */
export function compareApis(before: JsonObject, after: JsonObject, today = todayInUtc()): Finding[] {
  const resolvers = [resolverOf(before), resolverOf(after)] as const;
  const api: Api = {
    compare: compareSchemasOf(...resolvers),
    before: (value) => objectIn(dereference(value, resolvers[0])),
    after: (value) => objectIn(dereference(value, resolvers[1])),
  };
  return [
    ...compareServers(before, after),
    ...comparePaths(before, after, api, today),
    ...compareSchemes(before, after),
  ];
}

function comparePaths(before: JsonObject, after: JsonObject, api: Api, today: string): Finding[] {
  const [old, current] = [objectIn(before['paths']), objectIn(after['paths'])];
  return namesOf(old, current).flatMap((path) => {
    const items = { before: objectIn(old[path]), after: objectIn(current[path]) };
    return methods.flatMap((method) => {
      const pointer = joinPointer('/paths', path, method);
      const [was, is] = [items.before[method], items.after[method]];
      const title = `${method.toUpperCase()} ${path}`;
      if (!isObject(was))
        return isObject(is) ? [note(pointer, `${title} is new`, 'no client calls it yet')] : [];
      if (!isObject(is)) return [judgeRemoval({ pointer, ...removalOf(title, was) }, today)];
      const inherit = (item: JsonObject, operation: JsonObject, document: JsonObject): JsonObject => ({
        ...operation,
        parameters: [...listIn(item['parameters']), ...listIn(operation['parameters'])],
        security: operation['security'] ?? document['security'] ?? [],
      });
      return compareOperations(
        inherit(items.before, was, before),
        inherit(items.after, is, after),
        pointer,
        api,
      );
    });
  });
}

const removalOf = (title: string, operation: JsonObject) => ({
  what: `${title} is removed`,
  why: 'clients of the last release call it',
  sunset: sunsetOf(operation),
});

/** OpenAPI says only that an operation is deprecated, so the date is an extension. */
const sunsetOf = (operation: JsonObject): string | undefined => textIn(operation['x-sunset']) || undefined;

const compareOperations = (before: JsonObject, after: JsonObject, pointer: string, api: Api): Finding[] => [
  ...compareNames(before, after, pointer),
  ...compareSunsets(sunsetOf(before), sunsetOf(after), `${pointer}/x-sunset`),
  ...compareSecurity(before['security'], after['security'], `${pointer}/security`),
  ...compareParameters(before['parameters'], after['parameters'], `${pointer}/parameters`, api),
  ...compareRequestBodies(before['requestBody'], after['requestBody'], `${pointer}/requestBody`, api),
  ...compareResponses(before['responses'], after['responses'], `${pointer}/responses`, api),
];

function compareNames(before: JsonObject, after: JsonObject, pointer: string): Finding[] {
  const [old, current] = [textIn(before['operationId']), textIn(after['operationId'])];
  if (old === '' || old === current) return [];
  const what = `the operation's name went from ${old} to ${current || 'none'}`;
  return [breaking(`${pointer}/operationId`, what, 'generated clients name their functions after it')];
}

const basePathsOf = (document: JsonObject): string[] =>
  listIn(document['servers']).map(
    (server) => new URL(textIn(objectIn(server)['url']), 'http://localhost').pathname,
  );

/** Origins differ between installations, base paths must not. */
function compareServers(before: JsonObject, after: JsonObject): Finding[] {
  const current = basePathsOf(after);
  return basePathsOf(before)
    .filter((path) => !current.includes(path))
    .map((path) =>
      breaking('/servers', `the base path ${path} is removed`, 'clients of the last release call it'),
    );
}

const schemesOf = (document: JsonObject): JsonObject =>
  objectIn(objectIn(document['components'])['securitySchemes']);

const withoutDescription = (scheme: Json | undefined): JsonObject => {
  const { description: _, ...rest } = objectIn(scheme);
  return rest;
};

function compareSchemes(before: JsonObject, after: JsonObject): Finding[] {
  const [old, current] = [schemesOf(before), schemesOf(after)];
  return Object.keys(old)
    .filter((name) => !isEqual(withoutDescription(old[name]), withoutDescription(current[name])))
    .map((name) =>
      breaking(
        joinPointer('/components/securitySchemes', name),
        `the security scheme ${name} changed`,
        'clients of the last release send the keys in the old way',
      ),
    );
}

/** Each set of keys that gave access must still do so. */
function compareSecurity(before: Json | undefined, after: Json | undefined, pointer: string): Finding[] {
  const choices = choicesOf(after);
  return choicesOf(before)
    .filter((keys) => !choices.some((required) => givesAccess(keys, required)))
    .map((keys) => {
      const what = `${Object.keys(keys).join(' and ') || 'no key'} no longer gives access`;
      return breaking(pointer, what, 'clients of the last release send only this');
    });
}

/** No list means public. */
function choicesOf(security: Json | undefined): readonly JsonObject[] {
  const choices = listIn(security).map(objectIn);
  return choices.length === 0 ? [{}] : choices;
}

const givesAccess = (keys: JsonObject, required: JsonObject): boolean =>
  Object.entries(required).every(([name, scopes]) => {
    const sent = listIn(keys[name]);
    return keys[name] !== undefined && listIn(scopes).every((scope) => sent.includes(scope));
  });
