import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import * as contracts from '../src/index.ts';
import type { Event, Operation } from '../src/index.ts';
import {
  events,
  operations,
  parties,
  type Party,
  type PartyName,
  serviceNames,
} from '../src/permissions/index.ts';

/** What a party is declared to do, found in what it is made of: nothing undeclared, and nothing that it never does. */
const repository = new URL('../../../', import.meta.url).pathname;
const sourcesOf: readonly (readonly [PartyName, readonly string[]])[] = [
  ...serviceNames.map((name) => [name, [`services/${name}/src`]] as const),
  ['operator', ['packages/cli/src', 'infra/local/src']],
];

function textOf(folders: readonly string[]): string {
  const files = folders.flatMap((folder) => globSync(`${repository}${folder}/**/*.ts`));
  return files
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
}

const nameOf = new Map<unknown, string>(Object.entries(contracts).map(([name, value]) => [value, name]));

/** Those that a text names: contracts are known to others by their names alone. */
const namedIn = <T extends Operation | Event>(text: string, all: readonly T[]): T[] =>
  all.filter((one) => new RegExp(String.raw`\b${nameOf.get(one)}\b`).test(text));

const subjectsOf = (list: readonly { readonly subject: string }[]): string[] =>
  list.map(({ subject }) => subject).toSorted();

describe.each(sourcesOf)('%s', (name, folders) => {
  const text = textOf(folders);
  const party: Party = parties[name];
  const { calls = [], publishes = [], consumes = [], notifies = [], listens = [], looksUp = [] } = party;

  it('calls the operations of others that it declares, and no more', () => {
    const called = namedIn(text, operations).filter(({ owner }) => owner !== name);
    expect(subjectsOf(calls)).toEqual(subjectsOf(called));
  });

  it('has to do with the events that it declares, and no more', () => {
    const declared = new Set([...publishes, ...notifies, ...listens, ...consumes.map(({ event }) => event)]);
    expect(subjectsOf([...declared])).toEqual(subjectsOf(namedIn(text, events)));
    expect([...declared]).toEqual(expect.arrayContaining([...looksUp]));
  });

  it('consumes by the durable names that it declares', () => {
    const durables = [...text.matchAll(/\bdurable: '([^']+)'/g)].map(([, durable]) => durable);
    expect(durables).toEqual(consumes.map(({ durable }) => durable));
  });

  it('serves all operations that it owns', () => {
    const owned = operations.filter(({ owner }) => owner === name);
    expect(subjectsOf(namedIn(text, owned))).toEqual(subjectsOf(owned));
  });
});
