import { join } from 'node:path';
import { inChildProcess } from '../in-child-process.ts';
import { readJson, writeJson } from '../json-file.ts';
import type { Settings } from '../settings.ts';
import type { Demo } from './demo-file.ts';

/**
 * The demo of this data directory. Keys are shown once by the service, so those of the first start are kept;
 * when the file is lost, or its keys are of other data, the demo is seeded again with new ones. `environment` says who
 * the operator is on the bus.
 */
export async function ensureDemo(
  settings: Pick<Settings, 'dataDir' | 'publicUrl' | 'clockOffsetMs'>,
  natsUrl: string,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<Demo> {
  const file = join(settings.dataDir, 'demo.json');
  const baseUrl = `${settings.publicUrl}/v1.0`;
  const kept = readJson<Demo>(file);
  if (isComplete(kept) && (await keysWork({ ...kept, baseUrl }))) {
    const demo = { ...kept, baseUrl };
    if (kept.baseUrl !== baseUrl) writeJson(file, demo);
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
  const answer = await fetch(`${baseUrl}/jobs?company.id=${company?.id}&pageSize=1`, {
    headers: { 'Consumer-API-Key': consumerKey, 'User-API-Key': company?.userKey ?? '' },
  });
  await answer.body?.cancel();
  // Anything but a refusal says nothing against the keys.
  return answer.status !== 401 && answer.status !== 403;
}
