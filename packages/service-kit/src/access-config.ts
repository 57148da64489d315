import { readFileSync } from 'node:fs';
import { type Static, type TObject, Type } from 'typebox';

/** How a service authenticates to the bus, and how the connection is protected. */
export const busAccessConfig = {
  NATS_USER: Type.Optional(Type.String({ description: 'User on the bus.' })),
  NATS_PASSWORD: Type.Optional(Type.String({ description: 'Its password. A file is safer.' })),
  NATS_PASSWORD_FILE: Type.Optional(
    Type.String({ description: 'File with the password; read again with each connection.' }),
  ),
  NATS_NKEY_SEED_FILE: Type.Optional(
    Type.String({ description: 'File with the seed of an nkey, in place of user and password.' }),
  ),
  NATS_TLS_CA_FILE: Type.Optional(
    Type.String({ description: 'PEM file with the certificate authority of the bus; turns TLS on.' }),
  ),
  NATS_TLS_CERT_FILE: Type.Optional(Type.String({ description: 'PEM file with the own certificate.' })),
  NATS_TLS_KEY_FILE: Type.Optional(Type.String({ description: 'PEM file with its key.' })),
} as const;

/** The same for the database. */
export const mongoAccessConfig = {
  MONGODB_USER: Type.Optional(Type.String({ description: 'User of the database, known to `admin`.' })),
  MONGODB_PASSWORD_FILE: Type.Optional(Type.String({ description: 'File with its password.' })),
  MONGODB_TLS_CA_FILE: Type.Optional(
    Type.String({ description: 'PEM file with the certificate authority of the database; turns TLS on.' }),
  ),
} as const;

type Settings = Partial<Static<TObject<typeof busAccessConfig>> & Static<TObject<typeof mongoAccessConfig>>>;

const files = [
  'NATS_PASSWORD_FILE',
  'NATS_NKEY_SEED_FILE',
  'NATS_TLS_CA_FILE',
  'NATS_TLS_CERT_FILE',
  'NATS_TLS_KEY_FILE',
  'MONGODB_PASSWORD_FILE',
  'MONGODB_TLS_CA_FILE',
] as const;

/** The first requires the second. */
const pairs = [
  ['NATS_PASSWORD', 'NATS_USER'],
  ['NATS_PASSWORD_FILE', 'NATS_USER'],
  ['NATS_TLS_CERT_FILE', 'NATS_TLS_KEY_FILE'],
  ['NATS_TLS_KEY_FILE', 'NATS_TLS_CERT_FILE'],
  ['MONGODB_USER', 'MONGODB_PASSWORD_FILE'],
  ['MONGODB_PASSWORD_FILE', 'MONGODB_USER'],
] as const;

/** Mutually exclusive. */
const exclusive = [
  ['NATS_PASSWORD_FILE', 'NATS_PASSWORD'],
  ['NATS_NKEY_SEED_FILE', 'NATS_PASSWORD'],
  ['NATS_NKEY_SEED_FILE', 'NATS_PASSWORD_FILE'],
] as const;

/** Problems of the access settings: missing or exclusive ones, unreadable files. Never shows a value. */
export function accessProblems(settings: Settings): string[] {
  return [
    ...pairs
      .filter(([one, other]) => settings[one] !== undefined && settings[other] === undefined)
      .map(([one, other]) => `${other} is required with ${one}`),
    ...exclusive
      .filter(([one, other]) => settings[one] !== undefined && settings[other] !== undefined)
      .map(([one, other]) => `${one} and ${other} must not both be set`),
    ...files.flatMap((name) => fileProblems(name, settings[name])),
  ];
}

function fileProblems(name: string, file: string | undefined): string[] {
  if (file === undefined) return [];
  try {
    return readFileSync(file, 'utf8').trim() === '' ? [`${name} names an empty file`] : [];
  } catch (error) {
    const code = Error.isError(error) && 'code' in error ? String(error.code) : 'unknown error';
    return [`${name} names a file that cannot be read: ${code}`];
  }
}
