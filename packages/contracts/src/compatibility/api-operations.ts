import type { Compare } from './change.ts';
import { breaking, type Finding, judge, note, type Use } from './findings.ts';
import {
  type Json,
  type JsonObject,
  isEqual,
  joinPointer,
  listIn,
  namesOf,
  objectIn,
  textIn,
} from './json.ts';

/** Compares schemas of two OpenAPI documents, and follows the references of each. */
export interface Api {
  readonly compare: Compare;
  readonly before: (value: Json | undefined) => JsonObject;
  readonly after: (value: Json | undefined) => JsonObject;
}

/** Parameters by location and name. Header names are case-insensitive. */
function byName(list: Json | undefined, follow: Api['before']): Record<string, JsonObject> {
  const parameters = listIn(list).map(follow);
  return Object.fromEntries(parameters.map((each) => [keyOf(each), each]));
}

function keyOf(parameter: JsonObject): string {
  const [location, name] = [textIn(parameter['in']), textIn(parameter['name'])];
  return `${location} ${location === 'header' ? name.toLowerCase() : name}`;
}

/** Compares path, query and header parameters. */
export function compareParameters(
  before: Json | undefined,
  after: Json | undefined,
  pointer: string,
  api: Api,
): Finding[] {
  const [old, current] = [byName(before, api.before), byName(after, api.after)];
  return namesOf(old, current).flatMap((key) => {
    const childPointer = joinPointer(pointer, key);
    const [was, is] = [old[key], current[key]];
    if (!was) return [addedParameter(is ?? {}, key, childPointer)];
    if (!is)
      return [judge({ pointer: childPointer, effect: 'removed', what: `${key} is removed` }, 'request')];
    return compareParameter(was, is, childPointer, api);
  });
}

function addedParameter({ required }: JsonObject, key: string, pointer: string): Finding {
  return required === true
    ? judge({ pointer, effect: 'narrowed', what: `${key} is required now` }, 'request')
    : note(pointer, `${key} is new`, 'clients may leave it out');
}

function compareParameter(before: JsonObject, after: JsonObject, pointer: string, api: Api): Finding[] {
  const findings = api
    .compare(before['schema'], after['schema'], `${pointer}/schema`)
    .map((change) => judge(change, 'request'));
  if (before['required'] !== true && after['required'] === true) {
    findings.push(judge({ pointer, effect: 'narrowed', what: 'the parameter is required now' }, 'request'));
  }
  for (const keyword of ['style', 'explode', 'allowReserved', 'content']) {
    if (isEqual(before[keyword], after[keyword])) continue;
    findings.push(
      breaking(`${pointer}/${keyword}`, `${keyword} changed`, 'the same text means another value'),
    );
  }
  return findings;
}

/** Compares request bodies. */
export function compareRequestBodies(
  before: Json | undefined,
  after: Json | undefined,
  pointer: string,
  api: Api,
): Finding[] {
  const [old, current] = [api.before(before), api.after(after)];
  const findings: Finding[] = [];
  if (old['required'] !== true && current['required'] === true) {
    findings.push(judge({ pointer, effect: 'narrowed', what: 'a body is required now' }, 'request'));
  }
  if (before !== undefined && after === undefined) {
    return [judge({ pointer, effect: 'removed', what: 'the body is removed' }, 'request')];
  }
  return [...findings, ...compareContent(old, current, pointer, 'request', api)];
}

/** Compares media types and the schema of each. */
function compareContent(
  before: JsonObject,
  after: JsonObject,
  pointer: string,
  use: Use,
  { compare }: Api,
): Finding[] {
  const [old, current] = [objectIn(before['content']), objectIn(after['content'])];
  return namesOf(old, current).flatMap((type) => {
    const childPointer = joinPointer(pointer, 'content', type);
    if (old[type] === undefined)
      return [note(childPointer, `${type} is new`, 'clients keep using the others')];
    if (current[type] === undefined) {
      return [breaking(childPointer, `${type} is removed`, 'clients of the last release use it')];
    }
    const [was, is] = [objectIn(old[type]), objectIn(current[type])];
    return compare(was['schema'], is['schema'], `${childPointer}/schema`).map((change) => judge(change, use));
  });
}

const isErrorStatus = (status: string): boolean => /^[45]/.test(status);

/** Compares responses. */
export function compareResponses(
  before: Json | undefined,
  after: Json | undefined,
  pointer: string,
  api: Api,
): Finding[] {
  const [old, current] = [objectIn(before), objectIn(after)];
  return namesOf(old, current).flatMap((status) => {
    const childPointer = joinPointer(pointer, status);
    if (old[status] === undefined) return [addedStatus(status, childPointer)];
    if (current[status] === undefined) return [removedStatus(status, childPointer)];
    const [was, is] = [api.before(old[status]), api.after(current[status])];
    const content = compareContent(was, is, childPointer, isErrorStatus(status) ? 'refusal' : 'reply', api);
    return content.concat(compareHeaders(was, is, childPointer, api));
  });
}

const addedStatus = (status: string, pointer: string): Finding =>
  isErrorStatus(status)
    ? note(pointer, `${status} is new`, 'clients use the first digit of a status that they do not know')
    : breaking(pointer, `${status} is new`, 'clients of the last release do not expect this success');

const removedStatus = (status: string, pointer: string): Finding =>
  isErrorStatus(status)
    ? note(pointer, `${status} is removed`, 'clients handle one error less')
    : breaking(pointer, `${status} is removed`, 'clients of the last release expect this success');

function compareHeaders(before: JsonObject, after: JsonObject, pointer: string, api: Api): Finding[] {
  const [old, current] = [objectIn(before['headers']), objectIn(after['headers'])];
  return namesOf(old, current).flatMap((name) => {
    const childPointer = joinPointer(pointer, 'headers', name);
    if (old[name] === undefined) return [note(childPointer, `${name} is new`, 'clients ignore it')];
    if (current[name] === undefined) {
      return [judge({ pointer: childPointer, effect: 'removed', what: `${name} is removed` }, 'reply')];
    }
    const [was, is] = [api.before(old[name]), api.after(current[name])];
    return api
      .compare(was['schema'], is['schema'], `${childPointer}/schema`)
      .map((change) => judge(change, 'reply'));
  });
}
