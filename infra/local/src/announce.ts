import { relative } from 'node:path';
import type { Demo } from './seed/keys.ts';
import type { Settings } from './settings.ts';

export type Times = {
  readonly startedInMs: number;
  /** The real time, in epoch milliseconds. */
  readonly now: number;
};

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
  ['ms', 1],
] as const;

const mailText = {
  files: (directory: string) => `copies of applications become files in ${directory}/mail`,
  server: () => 'copies of applications go to the server of SMTP_URL',
  off: () => 'off, copies of applications stay queued',
};

/** The text that `npm start` prints when everything runs. */
export function announcement(
  settings: Settings,
  demo: Demo,
  metrics: ReadonlyMap<string, string>,
  { startedInMs, now }: Times,
): string {
  const { publicUrl, dataDir } = settings;
  const [company] = demo.companies;
  const path = relative(process.cwd(), dataDir);
  const directory = path === '' || path.startsWith('..') ? dataDir : path;
  return [
    '',
    `The job listing service is ready (${(startedInMs / 1000).toFixed(1)} s).`,
    '',
    `  Base URL      ${demo.baseUrl}`,
    `  Docs          ${publicUrl}/docs`,
    `  Job search    ${settings.searchUrl}`,
    `  Consumer key  ${demo.consumerKey}  (jobs, categories, applications, events)`,
    `  Metrics key   ${demo.metricsKey}  (metrics events)`,
    ...demo.companies.map(({ id, name, userKey }) => `  User key      ${userKey}  (company ${id}, ${name})`),
    `  Data          ${directory} (keys in ${directory}/demo.json, processes in ${directory}/run.json, logs)`,
    `  Mail          ${mailText[settings.mail](directory)}`,
    `  Metrics       ${[...metrics]
      .map(([name, address]) => `${name} ${address}`)
      .toSorted((one, other) => one.localeCompare(other))
      .join(', ')}, each at /metrics`,
    ...(settings.tracesUrl === undefined ? [] : [`  Traces        to ${settings.tracesUrl}`]),
    ...(settings.clockOffsetMs === 0
      ? []
      : [`  Clock         ${describeOffset(settings.clockOffsetMs, now)}`]),
    '',
    'Try it:',
    `  curl -H 'Consumer-API-Key: ${demo.consumerKey}' -H 'User-API-Key: ${company?.userKey}' \\`,
    `    '${demo.baseUrl}/jobs?company.id=${company?.id}&pageSize=5'`,
    '  npm run -s cli -- events follow',
    '',
    'Stop it with Ctrl-C. The data stays for the next start.',
  ].join('\n');
}

/** How far the clock is moved, and its time. */
function describeOffset(offsetMs: number, now: number): string {
  let rest = Math.abs(offsetMs);
  const parts = units.flatMap(([unit, length]) => {
    const count = Math.floor(rest / length);
    rest %= length;
    return count === 0 ? [] : [`${count} ${unit}`];
  });
  const [date, time] = new Date(now + offsetMs).toISOString().split('T');
  return `moved by ${offsetMs < 0 ? '-' : '+'}${parts.join(' ')}: it is ${date} ${time?.slice(0, 8)} UTC`;
}
