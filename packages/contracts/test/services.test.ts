import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { generatedFiles } from '../../../infra/generate/files.mjs';
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

// Compares what each party declares with the contracts that its source names.
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

/** Contracts whose export name occurs in the text. */
const namedIn = <T extends Operation | Event>(text: string, all: readonly T[]): T[] =>
  all.filter((one) => new RegExp(String.raw`\b${nameOf.get(one)}\b`).test(text));

const subjectsOf = (list: readonly { readonly subject: string }[]): string[] =>
  list.map(({ subject }) => subject).toSorted();

describe.each(sourcesOf)('%s, compared with src/permissions/services.ts,', (name, folders) => {
  const text = textOf(folders);
  const party: Party = parties[name];
  const { calls = [], publishes = [], consumes = [], notifies = [], listens = [] } = party;
  const { reads = [], readsLast = [] } = party;
  const ofStreams = events.filter(({ stream }) => reads.some((read) => read.name === stream));

  it('calls exactly the declared operations of others', () => {
    const called = namedIn(text, operations).filter(({ owner }) => owner !== name);
    expect(subjectsOf(calls)).toEqual(subjectsOf(called));
  });

  it('uses exactly the declared events', () => {
    const consumed = [...consumes.map(({ event }) => event), ...ofStreams];
    const declared = new Set([...publishes, ...notifies, ...listens, ...consumed]);
    expect(subjectsOf([...declared])).toEqual(subjectsOf(namedIn(text, events)));
    expect([...declared]).toEqual(expect.arrayContaining([...readsLast]));
  });

  it('has exactly the declared durable consumers', () => {
    const durables = [...text.matchAll(/\bdurable: '([^']+)'/g)].map(([, durable]) => durable);
    expect(durables).toEqual(consumes.map(({ durable }) => durable));
  });

  it('serves all its own operations', () => {
    const owned = operations.filter(({ owner }) => owner === name);
    expect(subjectsOf(namedIn(text, owned))).toEqual(subjectsOf(owned));
  });
});

describe('the list of services', () => {
  it('contains exactly the folders of services/', () => {
    expect(serviceNames.toSorted()).toEqual(readdirSync(`${repository}services`).toSorted());
  });

  it.each(Object.entries(generatedFiles()))(
    'matches %s (to update it: npm run generate)',
    (path, content) => {
      const file = repository + path;
      expect(existsSync(file) ? readFileSync(file, 'utf8') : undefined).toBe(content);
    },
  );
});
