import { readFileSync } from 'node:fs';
import { type ConnectionOptions, ErrorCode, nkeyAuthenticator, usernamePasswordAuthenticator } from 'nats';

/** How a connection authenticates to the bus, and how it is protected. Files are read again with each connection. */
export interface BusAccess {
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  /** File with the password, in place of `password`. */
  readonly passwordFile?: string | undefined;
  /** File with the seed of an nkey, in place of user and password. */
  readonly nkeySeedFile?: string | undefined;
  /** PEM files: the authority that must have signed the server's certificate; the client's certificate and its key. */
  readonly tlsCaFile?: string | undefined;
  readonly tlsCertFile?: string | undefined;
  readonly tlsKeyFile?: string | undefined;
}

/** The server answers and rejects this connection, or cannot be trusted. The message gives the reason in one line. */
export class BusRefused extends Error {
  override readonly name = 'BusRefused';
}

/** Access to the bus from the environment variables that every service reads. */
export const accessFrom = (env: Readonly<Record<string, string | undefined>>): BusAccess => ({
  user: env['NATS_USER'] || undefined,
  password: env['NATS_PASSWORD'] || undefined,
  passwordFile: env['NATS_PASSWORD_FILE'] || undefined,
  nkeySeedFile: env['NATS_NKEY_SEED_FILE'] || undefined,
  tlsCaFile: env['NATS_TLS_CA_FILE'] || undefined,
  tlsCertFile: env['NATS_TLS_CERT_FILE'] || undefined,
  tlsKeyFile: env['NATS_TLS_KEY_FILE'] || undefined,
});

/** The client's options for this access. Throws if a file cannot be read. */
export function accessOptions(access: BusAccess): ConnectionOptions {
  const { tlsCaFile: caFile, tlsCertFile: certFile, tlsKeyFile: keyFile } = access;
  const tls = { ...(caFile && { caFile }), ...(certFile && { certFile }), ...(keyFile && { keyFile }) };
  const authenticator = authenticatorOf(access);
  return {
    ...(authenticator && { authenticator }),
    // With this option the client refuses a server without TLS.
    ...(Object.keys(tls).length > 0 && { tls }),
  };
}

function authenticatorOf({ user, password, passwordFile, nkeySeedFile }: BusAccess) {
  if (nkeySeedFile) {
    const seed = secretIn(nkeySeedFile);
    return nkeyAuthenticator(() => new TextEncoder().encode(seed()));
  }
  if (user === undefined) return undefined;
  return usernamePasswordAuthenticator(user, passwordFile ? secretIn(passwordFile) : (password ?? ''));
}

/** Reads a secret again at each use, as it may have been rotated; falls back to the last one read. */
function secretIn(file: string): () => string {
  const read = () => readFileSync(file, 'utf8').trimEnd();
  let last = read();
  return () => {
    try {
      last = read();
    } catch {
      // The file is being replaced: a reconnect must not fail for that.
    }
    return last;
  };
}

const refusals = new Map<string, string>([
  [ErrorCode.AuthorizationViolation, 'wrong password or key, or no such user'],
  [ErrorCode.AuthenticationExpired, 'the credentials have expired'],
  [ErrorCode.ServerOptionNotAvailable, 'TLS is asked for, and the server has none'],
]);

/** Codes of OpenSSL's and Node's errors about certificates. */
const TLS_CODE = /^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_)/;

/** Converts the error of a failed connection: BusRefused if access is the reason, else the error itself. */
export function refusalOf(error: unknown, { user, nkeySeedFile }: BusAccess): unknown {
  if (!Error.isError(error)) return error;
  const code = 'code' in error ? String(error.code) : '';
  const why = refusals.get(code) ?? (TLS_CODE.test(code) ? error.message : undefined);
  if (why === undefined) return error;
  const who = nkeySeedFile ? 'this nkey' : user === undefined ? 'a connection without user' : `user ${user}`;
  return new BusRefused(`The bus rejected ${who}: ${why}.`, { cause: error });
}
