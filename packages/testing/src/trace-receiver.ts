import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface ReceivedSpan {
  readonly service: string;
  readonly name: string;
  readonly kind: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the first span of a trace. */
  readonly parentId: string;
  readonly linkedTraces: readonly string[];
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly failed: boolean;
  readonly startedAtMs: number;
  readonly durationMs: number;
}

export interface TraceReceiver {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url: string;
  readonly spans: () => readonly ReceivedSpan[];
  readonly stop: () => Promise<void>;
}

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number | string };
}

/** A part of `ExportTraceServiceRequest` (OTLP 1.x, JSON encoding). */
interface ExportRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  }[];
}

interface OtlpSpan {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes?: readonly Attribute[];
  readonly links?: readonly { readonly traceId: string }[];
  readonly status?: { readonly code?: number };
}

const kinds = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'];
const ERROR = 2;

/** Stands in for an OpenTelemetry collector: stores the spans that arrive by OTLP over HTTP. */
export async function startTraceReceiver(): Promise<TraceReceiver> {
  const spans: ReceivedSpan[] = [];
  const server = createServer((request, response) => {
    const receive = async (): Promise<void> => {
      spans.push(...spansOf((await json(request)) as ExportRequest));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    };
    void receive();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    spans: () => spans,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

const spansOf = ({ resourceSpans }: ExportRequest): ReceivedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(valuesOf(resource.attributes)['service.name']);
    return scopeSpans.flatMap((scope) => scope.spans.map((span) => spanOf(service, span)));
  });

function spanOf(service: string, span: OtlpSpan): ReceivedSpan {
  const startedAtMs = Number(span.startTimeUnixNano) / 1e6;
  return {
    service,
    name: span.name,
    kind: kinds[span.kind] ?? 'unspecified',
    traceId: span.traceId,
    spanId: span.spanId,
    parentId: span.parentSpanId ?? '',
    linkedTraces: (span.links ?? []).map(({ traceId }) => traceId),
    attributes: valuesOf(span.attributes ?? []),
    failed: span.status?.code === ERROR,
    startedAtMs,
    durationMs: Number(span.endTimeUnixNano) / 1e6 - startedAtMs,
  };
}

const valuesOf = (attributes: readonly Attribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

export interface TraceTextOptions {
  /** Off by default, because durations differ between runs. */
  readonly withDurations?: boolean;
}

/** A trace as text: one line per span, indented below its parent, ordered by start. */
export function traceAsText(
  spans: readonly ReceivedSpan[],
  { withDurations = false }: TraceTextOptions = {},
): string {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  const inOrder = spans.toSorted((one, other) => one.startedAtMs - other.startedAtMs);
  const below = (parentId: string | undefined, depth: number): string[] =>
    inOrder
      .filter((span) => (parentId === undefined ? !ids.has(span.parentId) : span.parentId === parentId))
      .flatMap((span) => {
        const what = `${'  '.repeat(depth)}${span.service}: ${span.kind} ${span.name}`;
        const howLong = withDurations ? `  ${span.durationMs.toFixed(1)} ms` : '';
        return [what + howLong + (span.failed ? '  FAILED' : '')].concat(below(span.spanId, depth + 1));
      });
  return below(undefined, 0).join('\n');
}
