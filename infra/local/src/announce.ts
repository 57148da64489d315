import { relative } from 'node:path';
import type { Demo } from './seed/demo-file.ts';
import type { Settings } from './settings.ts';

/** What a newcomer needs to know once everything runs. */
export function announcement(settings: Settings, demo: Demo, startedInMs: number): string {
  const { publicUrl, dataDir } = settings;
  const [company] = demo.companies;
  const below = relative(process.cwd(), dataDir);
  const directory = below === '' || below.startsWith('..') ? dataDir : below;
  return [
    '',
    `The job listing service is ready (${(startedInMs / 1000).toFixed(1)} s).`,
    '',
    `  Base URL      ${demo.baseUrl}`,
    `  Docs          ${publicUrl}/docs`,
    `  Consumer key  ${demo.consumerKey}`,
    `  Metrics key   ${demo.metricsKey}`,
    ...demo.companies.map(({ id, name, userKey }) => `  User key      ${userKey}  (company ${id}, ${name})`),
    `  Data          ${directory} (keys in ${directory}/demo.json, processes in ${directory}/run.json, logs)`,
    ...(settings.clockOffsetMs === 0 ? [] : [`  Clock         moved by ${settings.clockOffsetMs} ms`]),
    '',
    'Try it:',
    `  curl -H 'Consumer-API-Key: ${demo.consumerKey}' -H 'User-API-Key: ${company?.userKey}' \\`,
    `    '${demo.baseUrl}/jobs?company.id=${company?.id}&pageSize=5'`,
    '',
    'Stop it with Ctrl-C. The data stays for the next start.',
  ].join('\n');
}
