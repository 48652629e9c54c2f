import type { HrTime } from '@opentelemetry/api';
import type { ReadableLogRecord } from '@opentelemetry/sdk-logs';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { isInsight } from '../../shared/events/event.ts';
import type { Health } from '../../shared/wire/http.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { OtlpTotals } from '../metrics/otlp-metrics.ts';
import { Sights } from '../metrics/sights.ts';
import { inTime } from '../redis/connection/in-time.ts';
import type { Observatory } from '../watch/observatory.ts';
import type { ObservedBatch } from '../watch/terms/observed-batch.ts';
import { factsOf, type SourceFacts } from './attributes.ts';
import type { OtlpConfig } from './config.ts';
import { Drops, type SignalName } from './drops.ts';
import { ExportQueue, type QueueLimits } from './export-queue.ts';
import { LiveSpans } from './live-spans.ts';
import { metricsFrom, SeriesStarts } from './metric-data.ts';
import { Rate } from './rate.ts';
import type { Sdk } from './sdk.ts';
import { type Origin, spanFrom } from './span-from.ts';
import { recordFrom, type VerdictEvent } from './verdict-records.ts';

/** Further traces are not exported: a hold costs about 50 µs. */
const MOST_TRACES_A_SECOND = 500;
/** How many verdicts may wait for their reason, which takes a request. Further ones are exported without the reason. */
const MOST_ASKED = 100;
/** How long the shutdown may take. */
const FLUSH_WITHIN_MS = 2000;

/** What is exported to a receiver of OpenTelemetry. */
export type Otlp = {
  state(): Health['otlp'];
  totals(): OtlpTotals;
  /** Exports these metrics from now on. */
  exportMetrics(metrics: Pick<Metrics, 'values'>): void;
  /** Sends what waits, within two seconds, and ends. Holds and waits that are open have no span. */
  stop(): Promise<void>;
};

export type OtlpOptions = {
  readonly config: OtlpConfig;
  readonly sdk: Sdk;
  readonly observatory: Pick<Observatory, 'onBatch' | 'insights' | 'sources'>;
  readonly version: string;
  readonly warn: (line: string) => void;
};

/** Exports holds and waits, verdicts, and metrics from now on. It never delays the observatory. */
export function startOtlp({ config, sdk, observatory, version, warn }: OtlpOptions): Otlp {
  const exporters = sdk.open(config.urls);
  const drops = new Drops(warn);
  const origin: Origin = {
    resource: sdk.resource({ 'service.name': 'lockscope', 'service.version': version }),
    scope: { name: 'lockscope', version },
  };
  const queueOf = <T>(signal: SignalName, limits: QueueLimits, send: ((items: T[]) => Promise<void>) | undefined) =>
    send &&
    new ExportQueue<T>({ ...limits, send, dropped: (count, reason, error) => drops.add(signal, reason, count, error) });
  const spans = queueOf<ReadableSpan>('spans', config.spans, exporters.spans);
  const logs = queueOf<ReadableLogRecord>('logs', config.logs, exporters.logs);
  const rate = new Rate(MOST_TRACES_A_SECOND);
  const facts = new Map<string, SourceFacts>();
  const followed = new Set<string>();
  const live = new LiveSpans({
    isSampled: () => rate.take(),
    isFull: () => !rate.isLeft(),
    ended: (span) => spans?.add(() => spanFrom(span, factsAbout(span.of.source), origin)),
    skipped: () => drops.add('spans', 'rate', 1),
    dropped: (count) => drops.add('spans', 'open', count),
  });
  let asked = 0;
  let lastVerdict: Promise<void> = Promise.resolve();
  see();

  function factsAbout(source: string): SourceFacts {
    return facts.get(source) ?? { attributes: { 'db.system.name': 'redis', 'lock.source': source } };
  }

  /** Takes the sources as they are watched from now on. */
  function see(): void {
    const sights = new Sights(observatory.sources());
    facts.clear();
    for (const source of sights.sources) {
      facts.set(source.id, factsOf(source));
      // If a source is not watched, a blind spot ends its spans.
      if (!sights.isWatched(source.id)) continue;
      if (sights.hasHolds(source.id)) followed.add(source.id);
      else if (followed.delete(source.id)) live.forgetSource(source.id);
    }
    for (const id of followed) {
      if (facts.has(id)) continue;
      followed.delete(id);
      live.forgetSource(id);
    }
  }

  function take({ events, gone, sourcesChanged }: ObservedBatch): void {
    if (sourcesChanged) see();
    for (const event of events) {
      if (isInsight(event)) {
        if (logs) takeVerdict(event);
      } else if (spans && followed.has(event.source)) live.take(event);
    }
    live.forget(gone);
  }

  /** Verdicts are written one after the other, in their order. */
  function takeVerdict(event: VerdictEvent): void {
    const [only, ...others] = event.holders ?? [];
    const place = only !== undefined && others.length === 0 ? live.holdOf(event, only) : undefined;
    const isAsked = event.type === 'insight.opened' && asked < MOST_ASKED;
    const observedAt = hrTimeNow();
    if (isAsked) asked++;
    lastVerdict = lastVerdict.then(async () => {
      const report = isAsked ? await reportAbout(event) : undefined;
      if (isAsked) asked--;
      logs?.add(() => recordFrom(event, { report, source: factsAbout(event.source), origin, place, observedAt }));
    });
  }

  /** The verdicts about the lock of the event now; `undefined` if they cannot be determined. */
  async function reportAbout({ source, db, lock }: VerdictEvent) {
    try {
      return await observatory.insights(lock === '' ? { source } : { source, db, lock });
    } catch {
      return undefined;
    }
  }

  const points = { sent: 0, waiting: 0 };
  const starts = new SeriesStarts(hrTimeNow());
  let metrics: Pick<Metrics, 'values'> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let sendingMetrics: Promise<void> | undefined;

  async function sendMetrics(): Promise<void> {
    const values = await metrics?.values().catch(() => undefined);
    if (!values || !exporters.metrics) return;
    const count = values.reduce((sum, { points }) => sum + points.length, 0);
    points.waiting = count;
    try {
      await exporters.metrics(metricsFrom(values, { now: hrTimeNow(), starts, origin }));
      points.sent += count;
    } catch (error) {
      drops.add('metrics', 'export', count, error);
    }
    points.waiting = 0;
  }

  /** If the last export is still under way, the next export has the newer values. */
  function exportNow(): Promise<void> {
    sendingMetrics ??= sendMetrics().finally(() => (sendingMetrics = undefined));
    return sendingMetrics;
  }

  const stopListening = observatory.onBatch(take);
  return {
    state() {
      const { problem } = drops;
      const none = { sent: 0, waiting: 0 };
      return {
        spans: { ...(spans?.state() ?? none), dropped: drops.of('spans') },
        logs: { ...(logs?.state() ?? none), dropped: drops.of('logs') },
        metrics: { ...points, dropped: drops.of('metrics') },
        ...(problem === undefined ? {} : { problem }),
      };
    },
    totals: () => ({
      sent: [
        ['spans', spans?.state().sent ?? 0],
        ['logs', logs?.state().sent ?? 0],
        ['metrics', points.sent],
      ],
      dropped: drops.totals(),
    }),
    exportMetrics(of) {
      if (!exporters.metrics) return;
      metrics = of;
      timer = setInterval(() => void exportNow(), config.metricsEveryMs).unref();
    },
    async stop() {
      stopListening();
      clearInterval(timer);
      const all = Promise.all([spans?.flush(), lastVerdict.then(() => logs?.flush()), exportNow()]);
      await inTime(FLUSH_WITHIN_MS, all);
      const left = (spans?.stop() ?? 0) + (logs?.stop() ?? 0);
      if (left > 0) warn(`Lockscope ends: ${left} spans and log records were not exported.`);
    },
  };
}

function hrTimeNow(): HrTime {
  const ms = Date.now();
  return [Math.floor(ms / 1000), (ms % 1000) * 1e6];
}
