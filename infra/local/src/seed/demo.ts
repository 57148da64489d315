import { join } from 'node:path';
import { readJson, writeJson } from '../data-files.ts';
import { inChildProcess } from '../in-child-process.ts';
import type { Settings } from '../settings.ts';
import type { Demo } from './keys.ts';

/**
 * Returns the demo of this data directory. Seeds it with new keys when `demo.json` is missing or its keys do not work.
 * `environment` holds the operator's credentials for the bus.
 */
export async function ensureDemo(
  settings: Pick<Settings, 'dataDir' | 'publicUrl' | 'clockOffsetMs'>,
  natsUrl: string,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<Demo> {
  const file = join(settings.dataDir, 'demo.json');
  const baseUrl = `${settings.publicUrl}/v1.0`;
  const stored = readJson<Demo>(file);
  if (isComplete(stored) && (await keysWork({ ...stored, baseUrl }))) {
    const demo = { ...stored, baseUrl };
    if (stored.baseUrl !== baseUrl) writeJson(file, demo);
    return demo;
  }
  const now = Date.now() + settings.clockOffsetMs;
  const demo = await inChildProcess('seedDemo', [{ baseUrl, natsUrl, environment, now }], signal);
  writeJson(file, demo);
  return demo;
}

function isComplete(demo: Partial<Demo> | undefined): demo is Demo {
  return (
    demo?.consumerKey !== undefined && demo.metricsKey !== undefined && demo.companies?.[0] !== undefined
  );
}

async function keysWork({ baseUrl, consumerKey, companies: [company] }: Demo): Promise<boolean> {
  const response = await fetch(`${baseUrl}/jobs?company.id=${company?.id}&pageSize=1`, {
    headers: { 'Consumer-API-Key': consumerKey, 'User-API-Key': company?.userKey ?? '' },
  });
  await response.body?.cancel();
  // Any other status says nothing about the keys.
  return response.status !== 401 && response.status !== 403;
}
