import {
  type BitlyServer,
  type ReceivedSpan,
  startBitlyServer,
  startTraceReceiver,
  type TraceReceiver,
  waitFor,
} from '@joblisting/testing';
import { makeWorld, type World } from '../../src/suite.ts';
import { startSystem, type System } from '@joblisting/testing/system';

export type LogLine = Readonly<Record<string, unknown>>;

/** A system that traces every request, with its logs and spans. */
export interface ObservedSystem {
  readonly system: System;
  readonly world: World;
  readonly lines: () => readonly LogLine[];
  /** Waits for the spans of a trace from these services. */
  readonly spansOf: (traceId: string, services: readonly string[]) => Promise<readonly ReceivedSpan[]>;
  readonly metricsOf: (service: string) => Promise<string>;
  readonly stop: () => Promise<void>;
}

export async function startObservedSystem(): Promise<ObservedSystem> {
  const receiver: TraceReceiver = await startTraceReceiver();
  const bitly: BitlyServer = await startBitlyServer();
  let log = '';
  const system = await startSystem({
    env: {
      LOG_LEVEL: 'info',
      // Speed does not matter here.
      REQUEST_TIMEOUT_MS: '15000',
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_TRACES_SAMPLER_ARG: '1',
      SHORTLINK_PROVIDER: 'bitly',
      BITLY_URL: bitly.url,
      BITLY_TOKEN: bitly.token,
    },
    onLog: (text) => (log += text),
  });
  const world = await makeWorld(system);
  return {
    system,
    world,
    lines: () => log.split('\n').flatMap((line) => (line.startsWith('{') ? [readLine(line)] : [])),
    spansOf: (traceId, services) => {
      const spansOfTrace = () => receiver.spans().filter((span) => span.traceId === traceId);
      // Each service sends its ended spans at its own time.
      const isComplete = (spans: readonly ReceivedSpan[]) =>
        services.every((name) => spans.some(({ service, kind }) => service === name && kind === 'server'));
      return waitFor(() => (isComplete(spansOfTrace()) ? spansOfTrace() : undefined), {
        what: `the trace ${traceId}`,
      });
    },
    metricsOf: async (service) => {
      const process = system.services.get(service as 'jobs');
      return (await fetch(String(process?.metricsUrl))).text();
    },
    stop: async () => {
      await world.operator.close();
      await system.stop();
      await bitly.stop();
      await receiver.stop();
    },
  };
}

/** The last line may be incomplete. */
function readLine(line: string): LogLine {
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return {};
  }
}
