import type { Api } from './api.ts';
import { breaking, type Finding, judge, note } from './change.ts';
import { type Json, type JsonObject, listIn, namesOf, same, textIn, under } from './json.ts';

/** Parameters by where they are and their name; names of headers know no case. */
function byName(list: Json | undefined, follow: Api['before']): Record<string, JsonObject> {
  const parameters = listIn(list).map(follow);
  return Object.fromEntries(parameters.map((each) => [keyOf(each), each]));
}

function keyOf(parameter: JsonObject): string {
  const [place, name] = [textIn(parameter['in']), textIn(parameter['name'])];
  return `${place} ${place === 'header' ? name.toLowerCase() : name}`;
}

/** Changes of path, query and header parameters. */
export function compareParameters(
  before: Json | undefined,
  after: Json | undefined,
  pointer: string,
  api: Api,
): Finding[] {
  const [old, today] = [byName(before, api.before), byName(after, api.after)];
  return namesOf(old, today).flatMap((key) => {
    const place = under(pointer, key);
    const [was, is] = [old[key], today[key]];
    if (!was) return [fresh(is ?? {}, key, place)];
    if (!is) return [judge({ pointer: place, effect: 'removed', what: `${key} is gone` }, 'request')];
    return compareParameter(was, is, place, api);
  });
}

function fresh({ required }: JsonObject, key: string, pointer: string): Finding {
  return required === true
    ? judge({ pointer, effect: 'narrowed', what: `${key} is required now` }, 'request')
    : note(pointer, `${key} is new`, 'clients may leave it out');
}

function compareParameter(before: JsonObject, after: JsonObject, pointer: string, api: Api): Finding[] {
  const found = api
    .compare(before['schema'], after['schema'], `${pointer}/schema`)
    .map((change) => judge(change, 'request'));
  if (before['required'] !== true && after['required'] === true) {
    found.push(judge({ pointer, effect: 'narrowed', what: 'it is required now' }, 'request'));
  }
  for (const how of ['style', 'explode', 'allowReserved', 'content']) {
    if (same(before[how], after[how])) continue;
    found.push(breaking(`${pointer}/${how}`, `${how} has changed`, 'the same text means another value'));
  }
  return found;
}
