import { wantedBy } from '../../../shared/insights/attention.ts';
import type { Report } from '../../../shared/insights/insight.ts';
import { InsightTracker } from '../../../shared/insights/insight-tracker.ts';
import { reportBodyFrom } from '../../../shared/wire/insights/insights-from-report.ts';
import type { Lock } from '../../../shared/wire/locks/lock.ts';
import { oldestHold, seesAllWaiters, waiterCount } from '../../../shared/wire/locks/lock-facts.ts';
import type { TopLine } from '../../../shared/wire/top.ts';
import { mayMoreBeWanted, type Sight, type SourceSight, whyHidden } from '../sight.ts';

const MOST_HOLDERS = 10;

type Of<E extends TopLine['event']> = Extract<TopLine, { event: E }>;

/** Compares each sight with the one before, and returns what changed: sources, then locks, then verdicts. */
export class LineReport {
  readonly #tracker = new InsightTracker();
  readonly #sources = new Map<string, string>();
  #locks = '';

  /** `report`: all verdicts, also those that have ended. */
  take(sight: Sight, report: Report): TopLine[] {
    const { sources, at } = sight;
    const isAnyWatched = sources.some(({ isWatched }) => isWatched);
    return [
      ...sources.flatMap((source) => this.#sourceLine(source)),
      // While no source is watched, no change can be seen.
      ...(isAnyWatched ? this.#locksLine(sight) : []),
      ...this.#verdictLines(report, at),
    ];
  }

  #sourceLine({ source, isWatched, now }: SourceSight): TopLine[] {
    const { id, url, redisVersion, role, status, level, cannotSee, unseen, problem } = source;
    const shown = { id, url, redisVersion, role, status, level, cannotSee, ...(problem ? { problem } : {}) };
    // Texts count seconds and percents, so their codes are compared.
    const key = JSON.stringify([status, level, isWatched, unseen.map(({ code }) => code), problem?.code]);
    if (this.#sources.get(id) === key) return [];
    this.#sources.set(id, key);
    return [{ v: 1, at: now, event: 'source', source: shown, isWatched }];
  }

  #locksLine(sight: Sight): TopLine[] {
    const { locks, total, held, verdicts, at, sources } = sight;
    const wanted = locks.filter((lock) => wantedBy(lock) > 0);
    // If a lock is waited for, but no waiter is known, its waiters began before they could be seen.
    const seesAll =
      total === locks.length &&
      sources.every(({ isWatched }) => isWatched) &&
      seesAllWaiters(
        locks,
        sources.map(({ source }) => source),
      ) &&
      wanted.every((lock) => waiterCount(lock) > 0);
    const first = locks.find((lock) => lock.held || wantedBy(lock) > 0);
    const line: Omit<Of<'locks'>, 'at'> = {
      ...{ v: 1, event: 'locks', held, wanted: wanted.length },
      ...(mayMoreBeWanted(sight) ? { isWantedAtLeast: true } : {}),
      waiters: seesAll ? wanted.reduce((sum, lock) => sum + waiterCount(lock), 0) : null,
      verdicts: {
        critical: verdicts.insights.filter(({ severity }) => severity === 'critical').length,
        warning: verdicts.insights.filter(({ severity }) => severity === 'warning').length,
        hint: verdicts.insights.filter(({ severity }) => severity === 'hint').length,
      },
      ...(verdicts.more === undefined ? {} : { moreVerdicts: verdicts.more }),
      first: first ? firstOf(first, whyHidden(sight, first) === null) : null,
    };
    const key = JSON.stringify(line);
    if (key === this.#locks) return [];
    this.#locks = key;
    return [{ ...line, at }];
  }

  #verdictLines(report: Report, at: number): TopLine[] {
    const news = this.#tracker.take(report);
    const { insights } = reportBodyFrom({ ...report, insights: news.map(({ insight }) => insight) });
    return insights.map((insight, index) => {
      const detail = news[index]?.detail;
      const isClosed = detail?.type === 'insight.closed';
      const state = isClosed ? (detail.isUnknown ? 'unknown' : 'closed') : 'opened';
      return { v: 1, at, event: 'verdict', state, insight };
    });
  }
}

function firstOf(lock: Lock, seesAll: boolean): Of<'locks'>['first'] {
  const { source, db, name, kind, holders } = lock;
  const count = waiterCount(lock);
  const held = oldestHold(lock);
  return {
    ...{ source, db, lock: name, kind },
    holders: holders.slice(0, MOST_HOLDERS).map(({ id }) => id),
    since: held?.at ?? null,
    ...(held?.isAtLeast ? { isAtLeast: true } : {}),
    waiters: count > 0 || (seesAll && wantedBy(lock) === 0) ? count : null,
  };
}
