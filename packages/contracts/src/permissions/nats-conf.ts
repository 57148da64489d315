import { type PartyName, partyNames } from './services.ts';
import { type Permissions, permissionsOf } from './permissions.ts';

/** Writes a user's credential for nats-server's configuration, such as `password: "..."`. */
type CredentialOf = (party: PartyName) => string;

const variable = (prefix: string, party: PartyName): string =>
  `$${prefix}_${party.toUpperCase().replaceAll('-', '_')}`;

/** The server reads the password, plain or as a bcrypt hash, from `NATS_PASSWORD_<PARTY>`. */
export const byPassword: CredentialOf = (party) =>
  `user: "${party}", password: ${variable('NATS_PASSWORD', party)}`;

/** The server reads the public key from `NATS_NKEY_<PARTY>`. */
export const byNkey: CredentialOf = (party) => `nkey: ${variable('NATS_NKEY', party)}`;

/** Writes the users of nats-server's configuration: one per party, with credential and permissions. */
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
