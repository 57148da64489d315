import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { announcement } from './announce.ts';
import { readSettings } from './settings.ts';

const demo = { baseUrl: 'http://localhost:8080/v1.0', consumerKey: 'c', metricsKey: 'm', companies: [] };
const metrics = new Map([
  ['jobs', '127.0.0.1:1'],
  ['gateway', '127.0.0.1:2'],
]);
const now = Date.UTC(2026, 10, 21, 14, 20, 35, 999);

const announced = (environment: NodeJS.ProcessEnv): string =>
  announcement(readSettings(environment), demo, metrics, { startedInMs: 111_040, now });

describe('announcement', () => {
  it('says how long the start took', () => {
    expect(announced({})).toContain('The job listing service is ready (111.0 s).');
  });

  it('names the addresses of metrics and traces', () => {
    const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://127.0.0.1:4318';
    expect(announced({})).toContain('Metrics       gateway 127.0.0.1:2, jobs 127.0.0.1:1, each at /metrics');
    expect(announced({})).not.toContain('Traces');
    expect(announced({ OTEL_EXPORTER_OTLP_ENDPOINT })).toContain('Traces        to http://127.0.0.1:4318');
  });

  it.each([
    [{}, 'Mail          copies of applications become files in .data/mail'],
    [
      { SMTP_URL: 'smtp://user:secret@localhost' },
      'Mail          copies of applications go to the server of',
    ],
    [{ MAIL: 'off' }, 'Mail          off, copies of applications stay queued'],
  ])('with %j says where mails go, and no password', (environment, line) => {
    const text = announced({ DATA_DIR: join(process.cwd(), '.data'), ...environment });
    expect(text).toContain(line);
    expect(text).not.toContain('secret');
  });

  it('does not mention a clock that is not moved', () => {
    expect(announced({})).not.toContain('Clock');
  });

  it.each([
    ['77940000', 'moved by +21 h 39 min: it is 2026-11-22 11:59:35 UTC'],
    ['-43200000', 'moved by -12 h: it is 2026-11-21 02:20:35 UTC'],
    ['2678401001', 'moved by +31 d 1 s 1 ms: it is 2026-12-22 14:20:37 UTC'],
    ['8000000000000000', expect.stringContaining('UTC')],
  ])('with CLOCK_OFFSET_MS=%s shows the time of the moved clock', (CLOCK_OFFSET_MS, clock) => {
    const [, shown] = /^ {2}Clock {9}(.*)$/m.exec(announced({ CLOCK_OFFSET_MS })) ?? [];
    expect(shown).toEqual(clock);
  });
});
