import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import protobuf from 'protobufjs';

const MESSAGES = new URL('otlp-messages.json', import.meta.url);
const SIGNALS = {
  '/v1/traces': ['trace', 'TraceService'],
  '/v1/logs': ['logs', 'LogsService'],
  '/v1/metrics': ['metrics', 'MetricsService'],
} as const;

/** A value in the form of OTLP: exactly one of its fields is set. A list is in `arrayValue`. */
type AnyValue = { stringValue?: string; boolValue?: boolean; intValue?: string; doubleValue?: number };
type KeyValue = { key: string; value: AnyValue & { arrayValue?: { values: AnyValue[] } } };
type Attributes = Record<string, string | number | boolean | (string | number | boolean)[]>;

/** A received span; ids in hex digits, times in ns. */
export type ReceivedSpan = {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly start: bigint;
  readonly end: bigint;
  readonly attributes: Attributes;
  readonly events: readonly { readonly name: string; readonly at: bigint }[];
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
};

type ReceivedLog = {
  readonly eventName: string;
  readonly severityText: string;
  readonly body: string;
  readonly attributes: Attributes;
};

/** One series of a metric as it was last received. */
type ReceivedPoint = {
  readonly name: string;
  readonly type: 'gauge' | 'sum' | 'histogram';
  readonly attributes: Attributes;
  readonly start: bigint;
  readonly value: number;
  readonly sum: number;
  readonly counts: readonly number[];
};

/** A receiver of OTLP over HTTP, like a collector. */
export type Receiver = {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  readonly spans: ReceivedSpan[];
  readonly logs: ReceivedLog[];
  /** The points of the newest request with metrics. */
  points(): readonly ReceivedPoint[];
  /** The resources of the spans. */
  readonly resources: Attributes[];
  /** The headers of each request. */
  readonly headers: Record<string, unknown>[];
  /** The statuses of the next answers. Once the list is empty, answers have status 200. */
  readonly statuses: number[];
  stop(): Promise<void>;
};

// biome-ignore lint/suspicious/noExplicitAny: decoded by the definitions, which have no types
type Decoded = any;

/** Starts a receiver that decodes requests with the definitions of OTLP. A path before `/v1/` is ignored. */
export async function startReceiver(): Promise<Receiver> {
  const root = protobuf.Root.fromJSON(JSON.parse(readFileSync(MESSAGES, 'utf8')));
  const spans: ReceivedSpan[] = [];
  const logs: ReceivedLog[] = [];
  const [resources, headers, statuses]: [Attributes[], Record<string, unknown>[], number[]] = [[], [], []];
  let points: ReceivedPoint[] = [];

  function decode(path: string, body: Buffer): void {
    const [, kind = ''] = /(\/v1\/\w+)$/.exec(path) ?? [];
    const [name, service] = SIGNALS[kind as keyof typeof SIGNALS] ?? [];
    if (name === undefined) throw new Error(`no service at ${path}`);
    const type = root.lookupType(`opentelemetry.proto.collector.${name}.v1.Export${service}Request`);
    const request: Decoded = type.toObject(type.decode(body), {
      longs: String,
      bytes: Buffer,
      arrays: true,
      defaults: true,
    });
    for (const { resource, scopeSpans } of request.resourceSpans ?? []) {
      resources.push(attributesOf(resource.attributes));
      for (const scope of scopeSpans) spans.push(...scope.spans.map(spanOf));
    }
    for (const { scopeLogs } of request.resourceLogs ?? [])
      for (const scope of scopeLogs) logs.push(...scope.logRecords.map(logOf));
    for (const { scopeMetrics } of request.resourceMetrics ?? [])
      points = scopeMetrics.flatMap(({ metrics }: Decoded) => metrics.flatMap(pointsOf));
  }

  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    headers.push(request.headers);
    const status = statuses.shift() ?? 200;
    if (status === 200) decode(new URL(request.url ?? '', 'http://x').pathname, Buffer.concat(parts));
    response.writeHead(status, { 'content-type': 'application/x-protobuf' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a server that listens on TCP has an AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    ...{ spans, logs, resources, headers, statuses },
    points: () => points,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function spanOf(span: Decoded): ReceivedSpan {
  return {
    name: span.name,
    ...idsOf(span),
    parentSpanId: span.parentSpanId.toString('hex'),
    start: BigInt(span.startTimeUnixNano),
    end: BigInt(span.endTimeUnixNano),
    attributes: attributesOf(span.attributes),
    events: span.events.map(({ name, timeUnixNano }: Decoded) => ({ name, at: BigInt(timeUnixNano) })),
    links: span.links.map(idsOf),
  };
}

function idsOf({ traceId, spanId }: Decoded) {
  return { traceId: traceId.toString('hex'), spanId: spanId.toString('hex') };
}

function logOf({ eventName, severityText, body, attributes }: Decoded): ReceivedLog {
  return { eventName, severityText, body: body.stringValue, attributes: attributesOf(attributes) };
}

function pointsOf(metric: Decoded): ReceivedPoint[] {
  const type = (['gauge', 'sum', 'histogram'] as const).find((each) => metric[each]) ?? 'gauge';
  return metric[type].dataPoints.map((point: Decoded) => ({
    ...{ name: metric.name, type, attributes: attributesOf(point.attributes), start: BigInt(point.startTimeUnixNano) },
    value: type === 'histogram' ? Number(point.count) : (point.asDouble ?? Number(point.asInt)),
    ...{ sum: point.sum ?? 0, counts: (point.bucketCounts ?? []).map(Number) },
  }));
}

function attributesOf(list: readonly KeyValue[]): Attributes {
  return Object.fromEntries(list.map(({ key, value }) => [key, value.arrayValue?.values.map(plain) ?? plain(value)]));
}

function plain({ stringValue, boolValue, intValue, doubleValue }: AnyValue): string | number | boolean {
  return stringValue ?? boolValue ?? (intValue === undefined ? (doubleValue ?? '') : Number(intValue));
}
