import { breaking, type Finding } from './change.ts';
import { type Json, type JsonObject, listIn, objectIn } from './json.ts';

/** Each choice of keys that was enough must be enough still. Keys are enough where fewer are asked for. */
export function compareSecurity(
  before: Json | undefined,
  after: Json | undefined,
  pointer: string,
): Finding[] {
  const choices = choicesOf(after);
  return choicesOf(before)
    .filter((keys) => !choices.some((asked) => isEnough(keys, asked)))
    .map((keys) => {
      const what = `${Object.keys(keys).join(' and ') || 'no key'} is not enough any more`;
      return breaking(pointer, what, 'clients of the last release send no more');
    });
}

/** No list at all: anyone. */
function choicesOf(security: Json | undefined): readonly JsonObject[] {
  const choices = listIn(security).map(objectIn);
  return choices.length === 0 ? [{}] : choices;
}

const isEnough = (keys: JsonObject, asked: JsonObject): boolean =>
  Object.entries(asked).every(([name, scopes]) => {
    const sent = listIn(keys[name]);
    return keys[name] !== undefined && listIn(scopes).every((scope) => sent.includes(scope));
  });
