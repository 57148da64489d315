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

/** The same with the nkey of one party. The other users have passwords, which no test uses. */
export const startNkeyNats = (party: PartyName, nkey: string): Promise<TestNats> => {
  const users = file('permissions-nkey.conf').replaceAll(/nkey: \$NATS_NKEY_(\w+)/g, (_, name: string) =>
    name === inVariable(party) ? `nkey: "${nkey}"` : `user: "${name}", password: "unused"`,
  );
  // Signing is slow while many tests run at once.
  return startNats(`authorization { timeout: 60, ${users} }`);
};
