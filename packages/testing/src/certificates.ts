import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A certificate for 127.0.0.1 and localhost, its key and its authority, in PEM. */
export interface Certificates {
  readonly ca: string;
  readonly certificate: string;
  readonly key: string;
}

const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc'];

/** Creates an authority and a certificate; undefined without openssl 3. */
export function makeCertificates(): Certificates | undefined {
  const directory = mkdtempSync(join(tmpdir(), 'certificates-'));
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: directory, stdio: 'pipe' });
  const read = (name: string) => readFileSync(join(directory, name), 'utf8');
  try {
    if (!openssl('version').toString().startsWith('OpenSSL 3')) return undefined;
    openssl('req', '-x509', ...newKey, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=test authority');
    openssl('req', ...newKey, '-keyout', 'server.key', '-out', 'server.csr', '-subj', '/CN=localhost');
    writeFileSync(join(directory, 'names'), 'subjectAltName=DNS:localhost,IP:127.0.0.1\n');
    const from = ['-in', 'server.csr', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-extfile', 'names'];
    openssl('x509', '-req', ...from, '-out', 'server.pem');
    return { ca: read('ca.pem'), certificate: read('server.pem'), key: read('server.key') };
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return undefined;
    throw error;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
