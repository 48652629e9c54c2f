import { type RedisTime, redisTime } from '../../shared/base/time.ts';
import { byNeedOf } from '../../shared/wire/insights/by-need.ts';
import { reportBodyFrom } from '../../shared/wire/insights/insights-from-report.ts';
import type { Lock } from '../../shared/wire/locks/lock.ts';
import { partMatcher } from '../../shared/wire/locks/name-parts.ts';
import { isWatched } from '../../shared/wire/watched.ts';
import type { Observatory } from '../watch/observatory.ts';
import type { Sight, SourceSight } from './sight.ts';

/** How many events of an opened lock are shown at most. */
const MOST_EVENTS = 50;

export type Ask = {
  /** A part of the names of the wanted locks; empty: all. */
  readonly filter: string;
  /** How many locks are listed at most. */
  readonly most: number;
  /** The id of the lock that is opened. */
  readonly opened: string | null;
};

export type Observed = Pick<Observatory, 'sources' | 'now' | 'lockPage' | 'lockById' | 'insights' | 'history'>;

/** Collects the shown values from an observatory. Remembers when each source was last watched. */
export class Looker {
  readonly #observatory: Observed;
  readonly #lastWatched = new Map<string, RedisTime>();

  constructor(observatory: Observed) {
    this.#observatory = observatory;
  }

  /** Whether any source that is still known was watched at a look. */
  get hasWatched(): boolean {
    return this.#lastWatched.size > 0;
  }

  /** Everything that is shown now. Throws if the signal aborts. */
  async look({ filter, most, opened }: Ask, signal: AbortSignal): Promise<Sight> {
    const observatory = this.#observatory;
    const isNamed = partMatcher(filter);
    let held = 0;
    const isWanted = (lock: Pick<Lock, 'name' | 'held'>) => {
      const isMatch = isNamed(lock.name);
      if (isMatch && lock.held) held++;
      return isMatch;
    };
    const { locks, total } = await observatory.lockPage({ from: 0, limit: most, isWanted }, signal);
    const report = await observatory.insights({ open: true }, signal);
    const verdicts = reportBodyFrom(report);
    return {
      at: observatory.now(),
      sources: this.#sources(),
      ...{ locks: [...locks].sort(byNeedOf(verdicts.insights)), total, held },
      verdicts,
      opened: opened === null ? null : await this.#openedLock(opened, signal),
    };
  }

  /** The same locks and verdicts, with present sources, at the present instant. Cheap, however many locks there are. */
  refreshed(sight: Sight): Sight {
    return { ...sight, at: this.#observatory.now(), sources: this.#sources() };
  }

  #sources(): SourceSight[] {
    const sources = this.#observatory.sources();
    for (const id of this.#lastWatched.keys()) {
      if (!sources.some((source) => source.id === id)) this.#lastWatched.delete(id);
    }
    return sources.map((source) => {
      const { id } = source;
      const now = this.#observatory.now(id);
      if (isWatched(source)) {
        this.#lastWatched.set(id, now);
        return { source, isWatched: true, now, unwatchedSince: null };
      }
      const reported = source.unwatchedSince;
      const since = reported === undefined ? (this.#lastWatched.get(id) ?? null) : redisTime(reported);
      return { source, isWatched: false, now: since ?? now, unwatchedSince: since };
    });
  }

  async #openedLock(id: string, signal: AbortSignal): Promise<Sight['opened']> {
    const lock = this.#observatory.lockById(id);
    if (lock === undefined) return null;
    const { name, source, db } = lock;
    const query = { lock: name, source, db, dense: true, limit: MOST_EVENTS };
    const { events } = await this.#observatory.history.search(query, signal);
    return { lock, events };
  }
}
