import { readFileSync } from 'node:fs';
import type { PartyName } from '@joblisting/contracts/permissions';
import { startNats, type TestNats } from '@joblisting/testing';

const file = (name: string): string =>
  readFileSync(new URL(`../../../infra/nats/${name}`, import.meta.url), 'utf8');

const inVariable = (party: string): string => party.toUpperCase().replaceAll('-', '_');

export const passwordOf = (party: string): string => `test-${inVariable(party)}`;

/** A nats-server with the users of the committed file, which lets in nobody else. */
export const startGuardedNats = (): Promise<TestNats> => {
  const users = file('permissions.conf').replaceAll(/\$NATS_PASSWORD_(\w+)/g, '"test-$1"');
  return startNats(`authorization { ${users} }`);
};

/** The same with nkeys: the public one of each party. */
export const startNkeyNats = (nkeys: ReadonlyMap<PartyName, string>): Promise<TestNats> => {
  const byVariable = new Map([...nkeys].map(([party, nkey]) => [inVariable(party), nkey]));
  const users = file('permissions-nkey.conf').replaceAll(
    /\$NATS_NKEY_(\w+)/g,
    (_, name: string) => `"${byVariable.get(name)}"`,
  );
  return startNats(`authorization { ${users} }`);
};
