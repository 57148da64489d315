import type { Api } from './api.ts';
import { breaking, type Finding, judge, note, type Use } from './change.ts';
import { type Json, type JsonObject, namesOf, objectIn, under } from './json.ts';

/** Changes of what an operation takes. */
export function compareRequestBodies(
  before: Json | undefined,
  after: Json | undefined,
  pointer: string,
  api: Api,
): Finding[] {
  const [old, today] = [api.before(before), api.after(after)];
  const found: Finding[] = [];
  if (old['required'] !== true && today['required'] === true) {
    found.push(judge({ pointer, effect: 'narrowed', what: 'a body is required now' }, 'request'));
  }
  if (before !== undefined && after === undefined) {
    return [judge({ pointer, effect: 'removed', what: 'there is no body any more' }, 'request')];
  }
  return [...found, ...compareContent(old, today, pointer, 'request', api)];
}

/** Changes of media types and the schema of each. */
export function compareContent(
  before: JsonObject,
  after: JsonObject,
  pointer: string,
  use: Use,
  { compare }: Api,
): Finding[] {
  const [old, today] = [objectIn(before['content']), objectIn(after['content'])];
  return namesOf(old, today).flatMap((type) => {
    const place = under(pointer, 'content', type);
    if (old[type] === undefined) return [note(place, `${type} is new`, 'clients go on with the others')];
    if (today[type] === undefined) {
      return [breaking(place, `${type} is gone`, 'clients of the last release send it or ask for it')];
    }
    const [was, is] = [objectIn(old[type]), objectIn(today[type])];
    return compare(was['schema'], is['schema'], `${place}/schema`).map((change) => judge(change, use));
  });
}
