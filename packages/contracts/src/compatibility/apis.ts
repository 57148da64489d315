import { breaking, type Finding, note } from './change.ts';
import {
  isObject,
  type Json,
  type JsonObject,
  listIn,
  namesOf,
  objectIn,
  same,
  textIn,
  under,
} from './json.ts';
import { compareParameters } from './api-parameters.ts';
import { compareRequestBodies } from './api-bodies.ts';
import { compareResponses } from './api-responses.ts';
import { compareSecurity } from './api-security.ts';
import { followed, within } from './references.ts';
import { compareSchemasOf } from './schemas.ts';
import type { Api } from './api.ts';

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/**
 * Everything that has changed in an OpenAPI 3.1 document since the last release, as clients of the last release
 * see it. Pointers lead into the document of the release, or into that of today for what is new; a component is
 * pointed to where it is used.
 */
export function compareApis(before: JsonObject, after: JsonObject): Finding[] {
  const resolvers = [within(before), within(after)] as const;
  const api: Api = {
    compare: compareSchemasOf(...resolvers),
    before: (value) => objectIn(followed(value, resolvers[0])),
    after: (value) => objectIn(followed(value, resolvers[1])),
  };
  return [
    ...compareServers(before, after),
    ...comparePaths(before, after, api),
    ...compareSchemes(before, after),
  ];
}

function comparePaths(before: JsonObject, after: JsonObject, api: Api): Finding[] {
  const [old, today] = [objectIn(before['paths']), objectIn(after['paths'])];
  return namesOf(old, today).flatMap((path) => {
    const items = { before: objectIn(old[path]), after: objectIn(today[path]) };
    return methods.flatMap((method) => {
      const pointer = under('/paths', path, method);
      const [was, is] = [items.before[method], items.after[method]];
      const title = `${method.toUpperCase()} ${path}`;
      if (!isObject(was))
        return isObject(is) ? [note(pointer, `${title} is new`, 'nobody calls it yet')] : [];
      if (!isObject(is))
        return [breaking(pointer, `${title} is gone`, 'clients of the last release call it')];
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

const compareOperations = (before: JsonObject, after: JsonObject, pointer: string, api: Api): Finding[] => [
  ...compareNames(before, after, pointer),
  ...compareSecurity(before['security'], after['security'], `${pointer}/security`),
  ...compareParameters(before['parameters'], after['parameters'], `${pointer}/parameters`, api),
  ...compareRequestBodies(before['requestBody'], after['requestBody'], `${pointer}/requestBody`, api),
  ...compareResponses(before['responses'], after['responses'], `${pointer}/responses`, api),
];

function compareNames(before: JsonObject, after: JsonObject, pointer: string): Finding[] {
  const [old, today] = [textIn(before['operationId']), textIn(after['operationId'])];
  if (old === '' || old === today) return [];
  const what = `the operation's name went from ${old} to ${today || 'none'}`;
  return [breaking(`${pointer}/operationId`, what, 'generated clients name their functions after it')];
}

const basePathsOf = (document: JsonObject): string[] =>
  listIn(document['servers']).map(
    (server) => new URL(textIn(objectIn(server)['url']), 'http://localhost').pathname,
  );

/** Origins differ from one installation to the next, paths must not. */
function compareServers(before: JsonObject, after: JsonObject): Finding[] {
  const today = basePathsOf(after);
  return basePathsOf(before)
    .filter((path) => !today.includes(path))
    .map((path) =>
      breaking('/servers', `nothing is served at ${path} any more`, 'clients of the last release call it'),
    );
}

const schemesOf = (document: JsonObject): JsonObject =>
  objectIn(objectIn(document['components'])['securitySchemes']);

const nameless = (scheme: Json | undefined): JsonObject => {
  const { description: _, ...rest } = objectIn(scheme);
  return rest;
};

function compareSchemes(before: JsonObject, after: JsonObject): Finding[] {
  const [old, today] = [schemesOf(before), schemesOf(after)];
  return Object.keys(old)
    .filter((name) => !same(nameless(old[name]), nameless(today[name])))
    .map((name) =>
      breaking(
        under('/components/securitySchemes', name),
        `how ${name} is sent has changed`,
        'clients of the last release send it as it was',
      ),
    );
}
