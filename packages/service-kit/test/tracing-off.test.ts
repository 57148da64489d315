import { execFileSync } from 'node:child_process';
import { expect, it } from '@jest/globals';

const telemetry = new URL('../src/telemetry/telemetry.ts', import.meta.url).href;

/** Whether a process that starts its telemetry with these options loads the SDK. */
function loadsSdk(options: { endpoint?: string }): boolean {
  const all = { service: 's', version: '1', ratio: 0, isScraped: false, ...options };
  const script = `
    import { registerHooks } from 'node:module';
    const urls = [];
    registerHooks({ load: (url, context, next) => (urls.push(url), next(url, context)) });
    const { startTelemetry } = await import('${telemetry}');
    const { tracing } = await startTelemetry(${JSON.stringify(all)});
    await tracing?.stop();
    process.stdout.write(String(urls.some((url) => url.includes('@opentelemetry/sdk-trace'))));`;
  const args = ['--conditions=@joblisting/source', '--input-type=module', '--eval', script];
  return execFileSync(process.execPath, args, { encoding: 'utf8' }) === 'true';
}

it('the OpenTelemetry SDK is loaded only where an endpoint is set', () => {
  expect(loadsSdk({})).toBe(false);
  expect(loadsSdk({ endpoint: 'http://127.0.0.1:1' })).toBe(true);
});
