import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { writePrivate } from '../data-files.ts';
import { inChildProcess } from '../in-child-process.ts';
import { secretsDir, siteKeyFile } from '../servers/secrets.ts';
import type { Settings } from '../settings.ts';

/**
 * Issues the consumer key of the job-search site, unless the one in the data directory works. `environment` holds the
 * operator's credentials for the bus. The site reads the file when it needs it.
 */
export async function ensureSiteKey(
  { dataDir, publicUrl }: Pick<Settings, 'dataDir' | 'publicUrl'>,
  natsUrl: string,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<void> {
  const file = siteKeyFile(dataDir);
  if (existsSync(file) && (await keyWorks(publicUrl, readFileSync(file, 'utf8')))) return;
  const key = await inChildProcess('issueSiteKey', [natsUrl, environment], signal);
  mkdirSync(secretsDir(dataDir), { recursive: true, mode: 0o700 });
  writePrivate(file, key);
}

/** Sends no event: the API looks at the key first. */
async function keyWorks(publicUrl: string, key: string): Promise<boolean> {
  const response = await fetch(`${publicUrl}/v1.0/metrics/events`, {
    method: 'POST',
    headers: { 'Consumer-API-Key': key.trim(), 'Content-Type': 'application/json' },
    body: '{"events":[]}',
  });
  await response.body?.cancel();
  return response.status !== 401 && response.status !== 403;
}
