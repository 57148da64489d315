import { type PartyName, partyNames } from './services.ts';
import { type Permissions, permissionsOf } from './permissions.ts';

/** How a user shows who it is: the words of the server's configuration, such as `password: "..."`. */
export type CredentialOf = (party: PartyName) => string;

const variable = (prefix: string, party: PartyName): string =>
  `$${prefix}_${party.toUpperCase().replaceAll('-', '_')}`;

/** The password, plain or as a bcrypt hash, is in `NATS_PASSWORD_<PARTY>` of the server's environment. */
export const byPassword: CredentialOf = (party) =>
  `user: "${party}", password: ${variable('NATS_PASSWORD', party)}`;

/** The public key is in `NATS_NKEY_<PARTY>` of the server's environment. */
export const byNkey: CredentialOf = (party) => `nkey: ${variable('NATS_NKEY', party)}`;

/** One user for each party, each with a credential and what it may do, as nats-server reads it. */
export function usersConf(credentialOf: CredentialOf): string {
  return partyNames.map((party) => userConf(credentialOf(party), permissionsOf(party))).join('\n');
}

function userConf(credential: string, { publish, subscribe, answers }: Permissions): string {
  return [
    '  {',
    `    ${credential}`,
    '    permissions: {',
    `      publish: { ${list(publish)} }`,
    `      subscribe: { ${list(subscribe)} }`,
    ...(answers ? ['      allow_responses: { max: 1, expires: "65s" }'] : []),
    '    }',
    '  }',
  ].join('\n');
}

/** An empty allow list would allow everything. */
const list = (subjects: readonly string[]): string =>
  subjects.length === 0
    ? 'deny: [">"]'
    : `allow: [\n${subjects.map((subject) => `        "${subject}"`).join('\n')}\n      ]`;
