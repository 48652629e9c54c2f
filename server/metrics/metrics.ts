import type { Observatory } from '../watch/observatory.ts';
import { inSlices } from '../watch/slices/in-slices.ts';
import type { ObservedBatch } from '../watch/terms/observed-batch.ts';
import { EventMetrics } from './event-metrics.ts';
import { Exposition, type MetricsFormat, type MetricsText, type MetricValues } from './exposition.ts';
import { InsightMetrics } from './insight-metrics.ts';
import { lockMetrics } from './lock-metrics.ts';
import { NamedLocks } from './named-locks.ts';
import { type OtlpTotals, otlpMetrics } from './otlp-metrics.ts';
import { processMetrics } from './process-metrics.ts';
import { Sights } from './sights.ts';
import { sourceMetrics } from './source-metrics.ts';

export type MetricsOptions = {
  readonly observatory: Observatory;
  readonly version: string;
  /** Memory limit of the whole process, in bytes; absent: unknown. */
  readonly memory?: number | undefined;
  /** Globs: matching locks have metrics of their own. Absent or empty: no metric has the name of a lock. */
  readonly locks?: readonly string[] | undefined;
  /** What was exported over OTLP so far; absent: nothing is exported. */
  readonly otlp?: (() => OtlpTotals) | undefined;
};

/** The metrics of one observatory, for Prometheus. */
export type Metrics = {
  /** All metrics as of now. `signal` ends the work; then it rejects with the reason. */
  text(format: MetricsFormat, signal?: AbortSignal): Promise<MetricsText>;
  values(signal?: AbortSignal): Promise<MetricValues[]>;
  /** The name, type and help of every metric. */
  described: Exposition['described'];
  /** Stops listening to the observatory. */
  stop(): void;
};

/**
 * Counts the events of an observatory from now on. Counters and histograms follow each batch of events; gauges are read
 * when a text is made.
 */
export function createMetrics({ observatory, version, memory, locks = [], otlp }: MetricsOptions): Metrics {
  const to = new Exposition();
  const setProcess = processMetrics(to, version, memory);
  const setSources = sourceMetrics(to);
  const setLocks = lockMetrics(to);
  const setOtlp = otlp && otlpMetrics(to);
  const insights = new InsightMetrics(to);
  const events = new EventMetrics(to, (event, heldMs) => named?.takeHold(event, heldMs));
  const named = locks.length > 0 ? new NamedLocks(to, locks, (source) => events.follows(source)) : undefined;
  events.see(new Sights(observatory.sources()));

  function take({ events: arrived, changed, gone, sourcesChanged }: ObservedBatch): void {
    if (sourcesChanged) events.see(new Sights(observatory.sources()));
    for (const event of arrived) {
      events.take(event);
      insights.take(event);
      named?.take(event);
    }
    events.forget(gone);
    named?.change(changed, gone);
  }

  async function set(signal?: AbortSignal): Promise<void> {
    insights.set(await observatory.insights({ open: true }, signal));
    const sights = new Sights(observatory.sources());
    if (named) await inSlices(named.set(observatory, sights), signal);
    events.set();
    setProcess(observatory);
    setSources(sights);
    setLocks(observatory, sights);
    if (otlp) setOtlp?.(otlp());
  }

  /** Answers are made one after the other: they share the registry. */
  let last: Promise<unknown> = Promise.resolve();
  function inTurn<T>(answer: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const next = last.then(() => set(signal)).then(answer);
    last = next.catch(() => undefined);
    return next;
  }

  const stop = observatory.onBatch(take);
  return {
    text: (format, signal) => inTurn(() => to.text(format), signal),
    values: (signal) => inTurn(() => to.values(), signal),
    described: () => to.described(),
    stop,
  };
}
