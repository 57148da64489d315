import type { Api } from './api.ts';
import { compareContent } from './api-bodies.ts';
import { breaking, type Finding, judge, note } from './change.ts';
import { type Json, type JsonObject, namesOf, objectIn, under } from './json.ts';

const isRefusal = (status: string): boolean => /^[45]/.test(status);

/** Changes of what an operation answers. */
export function compareResponses(
  before: Json | undefined,
  after: Json | undefined,
  pointer: string,
  api: Api,
): Finding[] {
  const [old, today] = [objectIn(before), objectIn(after)];
  return namesOf(old, today).flatMap((status) => {
    const place = under(pointer, status);
    if (old[status] === undefined) return [fresh(status, place)];
    if (today[status] === undefined) return [gone(status, place)];
    const [was, is] = [api.before(old[status]), api.after(today[status])];
    const content = compareContent(was, is, place, isRefusal(status) ? 'refusal' : 'reply', api);
    return content.concat(compareHeaders(was, is, place, api));
  });
}

const fresh = (status: string, pointer: string): Finding =>
  isRefusal(status)
    ? note(pointer, `${status} is new`, 'clients go by the first digit of a status that they do not know')
    : breaking(pointer, `${status} is new`, 'clients of the last release do not expect this success');

const gone = (status: string, pointer: string): Finding =>
  isRefusal(status)
    ? note(pointer, `${status} is gone`, 'clients meet one refusal less')
    : breaking(pointer, `${status} is gone`, 'clients of the last release wait for this success');

function compareHeaders(before: JsonObject, after: JsonObject, pointer: string, api: Api): Finding[] {
  const [old, today] = [objectIn(before['headers']), objectIn(after['headers'])];
  return namesOf(old, today).flatMap((name) => {
    const place = under(pointer, 'headers', name);
    if (old[name] === undefined) return [note(place, `${name} is new`, 'clients ignore it')];
    if (today[name] === undefined) {
      return [judge({ pointer: place, effect: 'removed', what: `${name} is gone` }, 'reply')];
    }
    const [was, is] = [api.before(old[name]), api.after(today[name])];
    return api
      .compare(was['schema'], is['schema'], `${place}/schema`)
      .map((change) => judge(change, 'reply'));
  });
}
