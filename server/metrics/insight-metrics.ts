import type { LockEvent } from '../../shared/events/event.ts';
import { isInsight } from '../../shared/events/event.ts';
import type { Report } from '../../shared/insights/insight.ts';
import type { Exposition, Series } from './exposition.ts';

/** What is wrong: open verdicts, those that were opened, and what cannot be known. */
export class InsightMetrics {
  readonly #open;
  readonly #unlisted;
  readonly #unknown;
  readonly #failed;
  readonly #opened;

  constructor(to: Exposition) {
    this.#open = to.gauge({
      name: 'lockscope_insights',
      help: 'Open verdicts. Absent: none, or it cannot be known (lockscope_incidents_unknown).',
      labelNames: ['source', 'incident', 'severity'],
    });
    this.#unlisted = to.gauge({
      name: 'lockscope_insights_unlisted',
      help: 'Open verdicts, but not in lockscope_insights, because there are too many.',
    });
    this.#unknown = to.gauge({
      name: 'lockscope_incidents_unknown',
      help: 'Kinds of incidents that cannot be known now, for all or some locks, by the reason.',
      labelNames: ['source', 'reason'],
    });
    this.#failed = to.gauge({
      name: 'lockscope_detectors_failed',
      help: 'Detectors that failed when they looked last.',
    });
    this.#opened = to.counter({
      name: 'lockscope_insights_opened_total',
      help: 'Verdicts that were opened, or opened again because they got worse.',
      labelNames: ['source', 'incident', 'severity'],
    });
  }

  take(event: LockEvent): void {
    if (!isInsight(event) || event.type !== 'insight.opened') return;
    const { source, incident, severity } = event;
    this.#opened.inc({ source, incident, severity });
  }

  /** Sets the gauges from the report about all open verdicts. */
  set({ insights, more, cannotTell, failed }: Report): void {
    this.#open(counted(insights, ({ source, incident, severity }) => ({ source, incident, severity })));
    this.#unlisted([[{}, more]]);
    this.#unknown(counted(cannotTell, ({ source, reason }) => ({ source, reason })));
    this.#failed([[{}, failed.length]]);
  }
}

/** The number of elements for each set of labels. */
function counted<T, L extends string>(all: readonly T[], labelsOf: (each: T) => Record<L, string>): Series<L>[] {
  const counts = new Map<string, { labels: Record<L, string>; count: number }>();
  for (const each of all) {
    const labels = labelsOf(each);
    const key = Object.values(labels).join(' ');
    const known = counts.get(key);
    if (known) known.count++;
    else counts.set(key, { labels, count: 1 });
  }
  return [...counts.values()].map(({ labels, count }) => [labels, count]);
}
