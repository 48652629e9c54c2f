import { forgetOldest } from '../base/forget-oldest.ts';
import type { EventDetail } from '../events/event.ts';
import type { InsightDetail } from '../events/types/insight-event.ts';
import { type Insight, type Report, SEVERITIES, type UnseenReason } from './insight.ts';

/**
 * How many ended insights are remembered, the newest. A remembered insight that a report still lists is not news again.
 */
const MOST_REPORTED = 10_000;
/**
 * How many causes an event about an insight names, the newest; and how many holders, the first of the insight's list.
 */
const MOST_CAUSES = 20;

/**
 * If one of these reasons is about a whole source, it hides only new incidents. The end of a known incident is still
 * seen, also with `unanswered`: while Redis does not answer, time does not count, so only an event ends an incident.
 */
const ABOUT_OTHERS: ReadonlySet<UnseenReason> = new Set(['presence', 'key-events', 'locks', 'unanswered']);

/** What changed about an insight from one report to the next. */
export type InsightNews = { readonly insight: Insight; readonly detail: EventDetail & InsightDetail };

/**
 * Compares each report with the one before:
 *
 *   report      A B          A B C         A
 *   news        A, B opened  C opened      B, C closed
 *
 * - An insight that gets worse is opened again, with its new severity, also if it ends at that moment.
 * - An insight that has already ended in the first report with it is only opened.
 * - If it can no longer be known whether an insight is still true, it is closed as unknown.
 */
export class InsightTracker {
  readonly #open = new Map<string, Insight>();
  readonly #reported = new Set<string>();
  #last: Pick<Report, 'insights' | 'cannotTell'> | undefined;

  /** Takes the next report, which must not be filtered; returns what changed. */
  take({ insights, more, cannotTell }: Report): InsightNews[] {
    if (this.#last?.insights === insights && this.#last.cannotTell === cannotTell) return [];
    this.#last = { insights, cannotTell };
    const news: InsightNews[] = [];
    const seen = new Map<string, Insight>();
    for (const insight of insights) {
      if (!seen.has(insight.id)) seen.set(insight.id, insight);
      const before = this.#open.get(insight.id);
      if (insight.to !== null) {
        if (!before) news.push(...this.#reportedOnce(insight));
        else if (isWorse(insight, before)) {
          this.#open.set(insight.id, insight);
          news.push({ insight, detail: detailOf('insight.opened', insight) });
        }
        continue;
      }
      this.#open.set(insight.id, insight);
      if (!before || isWorse(insight, before)) news.push({ insight, detail: detailOf('insight.opened', insight) });
    }
    // an insight beyond the limit of the list may still be open
    if (more > 0) return news;
    const unseenOfOpen = cannotTell.filter(({ reason, locks }) => locks > 0 || !ABOUT_OTHERS.has(reason));
    const unknown = new Set(unseenOfOpen.map(({ incident, source }) => `${incident} ${source}`));
    for (const [id, insight] of this.#open) {
      const current = seen.get(id);
      if (current?.to === null) continue;
      this.#open.delete(id);
      this.#note(id);
      const isUnknown = !current && unknown.has(`${insight.incident} ${insight.source}`);
      const ended = { ...insight, to: current?.to ?? null };
      news.push({ insight: current ?? insight, detail: detailOf('insight.closed', ended, isUnknown) });
    }
    return news;
  }

  #reportedOnce(insight: Insight): InsightNews[] {
    if (this.#reported.has(insight.id)) return [];
    this.#note(insight.id);
    return [{ insight, detail: detailOf('insight.opened', insight) }];
  }

  #note(id: string): void {
    this.#reported.add(id);
    forgetOldest(this.#reported, MOST_REPORTED);
  }
}

function isWorse(current: Insight, before: Insight): boolean {
  return SEVERITIES.indexOf(current.severity) < SEVERITIES.indexOf(before.severity);
}

function detailOf(type: InsightDetail['type'], insight: Insight, isUnknown = false): EventDetail & InsightDetail {
  const { id, incident, severity, confidence, holders, from, isAtLeast, to } = insight;
  return {
    ...{ type, insight: id, incident, severity, confidence, holders: holders.slice(0, MOST_CAUSES), from },
    ...(isAtLeast ? { isAtLeast } : {}),
    ...(to === null ? {} : { to }),
    ...(isUnknown ? ({ isUnknown } as const) : {}),
  };
}

/** The causes of an event about an insight: the newest events that show the insight. */
export function causesOf({ events }: Insight): readonly number[] {
  return events.slice(-MOST_CAUSES);
}
