import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import type { SourceSight } from '../../../shared/insights/detector.ts';
import { LACKS } from '../../../shared/insights/insight.ts';
import type { Gap } from '../../../shared/state/assumed-holds.ts';
import type { BlindSpot } from '../../../shared/state/blind-spots.ts';
import type { ObserveLevel, Source } from '../../../shared/wire/source.ts';
import type { UnseenAt } from '../../../shared/wire/unseen-at.ts';
import { isWholeRead, lacksRights } from '../../../shared/wire/watched.ts';
import { recordedLacks } from '../terms/source-lacks.ts';

/** From `at` on, the source is watched at this level; null: it is not watched. */
type Change = { readonly at: RedisTime; readonly level: ObserveLevel | null };

/** How long a source did not show which threads wait: it was not watched, or only at a lower level. */
export type UnseenWaits = {
  readonly source: string;
  readonly reason: 'unwatched' | 'level';
  readonly micros: number;
};

/** How a source is watched, and since when; `level` null: it is not. */
export type WatchedSince = Change & {
  readonly source: string;
  readonly isBlind: boolean;
  /** Its newest blind spots. Absent: it had none. */
  readonly gaps?: readonly Gap[];
};

/** How one source is watched, now and before. */
type SourceLog = {
  level: ObserveLevel | null;
  isBlind: boolean;
  changes: Change[];
  gaps: Gap[];
  /**
   * What could not be seen, and since when, oldest first. What the first entry lists could not be seen before its
   * instant either.
   */
  lacks: LacksSince[];
  /** The observer is silent: nothing is known from this instant on, although no event reports that. */
  silentSince: RedisTime | undefined;
};

type LacksSince = { readonly at: RedisTime; readonly lacks: readonly string[] };

/** How many changes, and blind spots, are kept for each source: the newest. */
const MOST_CHANGES = 500;

/** How many blind spots of each source a later part of the stream begins with: the newest. */
const MOST_GAPS_RESTORED = 50;

/**
 * How each source was watched, at every instant:
 *
 *   level     events ─────────┬ monitor ──┬ blind spot ┬ monitor ────►
 *   change    at 0: events    at 5        at 8: null   at 9: monitor
 *   lacks     none ────────────────┬ presence ────────┬ none ──────────►
 */
export class WatchLog {
  readonly #logs = new Map<string, SourceLog>();

  /**
   * Takes the current state of all sources; `now` returns the Redis time of each. Returns the sources whose locks must
   * now be marked differently: the observer fell silent or answered again, or all keys have been looked at since the
   * last blind spot.
   */
  see(sources: readonly Source[], now: (source: string) => RedisTime): string[] {
    const changed = new Set<string>();
    for (const source of sources) {
      const { id, status, level, ended, recording } = source;
      const log = this.#log(id);
      if (status === 'observing') noteLacks(log, recordedLacks(source), now(id));
      const silentSince = silenceOf(source);
      if (silentSince !== log.silentSince) changed.add(id);
      log.silentSince = silentSince;
      log.level = status === 'observing' && !ended ? level : null;
      // A recording was made at one level, whenever it is played.
      if (recording && log.changes.length === 0) log.changes.push({ at: redisTime(recording.startedAt), level });
      this.#note(log, now(id));
      if (!isReadSince(log, source)) continue;
      log.gaps = log.gaps.map((gap) => (gap.readAt === undefined ? { ...gap, readAt: now(id) } : gap));
      changed.add(id);
    }
    return [...changed];
  }

  /** Takes the next event. */
  take({ type, source, at }: LockEvent): void {
    if (type !== 'blind-spot.began' && type !== 'blind-spot.ended') return;
    const log = this.#log(source);
    log.isBlind = type === 'blind-spot.began';
    this.#note(log, at);
    const last = log.gaps.at(-1);
    if (log.isBlind) log.gaps.push({ from: at, to: null });
    else if (last?.to === null) log.gaps.splice(-1, 1, { from: last.from, to: at });
    if (log.gaps.length > MOST_CHANGES) log.gaps.shift();
  }

  /** How each source is watched, since when. */
  all(): WatchedSince[] {
    return [...this.#logs].flatMap(([source, { isBlind, changes, gaps }]) => {
      const last = changes.at(-1);
      const newest = gaps.length === 0 ? undefined : { gaps: gaps.slice(-MOST_GAPS_RESTORED) };
      return last ? [{ source, isBlind, ...last, ...newest }] : [];
    });
  }

  /** Goes on from how a source was watched after an earlier part of the stream. */
  restore({ source, isBlind, at, level, gaps = [] }: WatchedSince): void {
    const log = this.#log(source);
    log.isBlind = isBlind;
    log.level = level;
    log.changes = [{ at, level }];
    log.gaps = [...gaps];
  }

  forget(source: string): void {
    this.#logs.delete(source);
  }

  /** How each source is watched now, or was watched at an instant; `undefined`: not at all, or not known. */
  sights(at?: RedisTime): Map<string, SourceSight | undefined> {
    const sights = new Map<string, SourceSight | undefined>();
    for (const [source, log] of this.#logs) {
      const change = changeAt(log, at);
      const known = lacksAt(log, at);
      const lacks = LACKS.filter((lack) => known.includes(lack));
      sights.set(
        source,
        change && change.level !== null
          ? { level: change.level, watchedSince: change.at, ...(lacks.length > 0 ? { lacks } : undefined) }
          : undefined,
      );
    }
    return sights;
  }

  /** Since when the first source was watched; undefined: no source was. */
  watchedFrom(): RedisTime | undefined {
    const first = [...this.#logs.values()].flatMap(
      ({ changes }) => changes.find(({ level }) => level !== null)?.at ?? [],
    );
    return first.length === 0 ? undefined : redisTime(Math.min(...first));
  }

  /** Whether a source was watched at some time before an instant. */
  wasWatchedBefore(source: string, at: RedisTime): boolean {
    return this.#logs.get(source)?.changes.some((change) => change.level !== null && change.at < at) === true;
  }

  /**
   * What could not be seen at an instant, by source. A source is left out if it was watched and showed all, or was not
   * known.
   */
  unseenAt(at: RedisTime): UnseenAt[] {
    return [...this.#logs].flatMap(([source, log]) => {
      const change = changeAt(log, at);
      if (!change) return [];
      if (change.level === null) return [{ source, unwatchedSince: change.at, lacks: [] }];
      const lacks = [...lacksAt(log, at)];
      return lacks.length === 0 ? [] : [{ source, lacks }];
    });
  }

  /** Since when the observer of a source is silent; undefined: it is not, or was not yet at that instant. */
  silentSince(source: string, at?: RedisTime): RedisTime | undefined {
    const since = this.#logs.get(source)?.silentSince;
    return since !== undefined && at !== undefined && at < since ? undefined : since;
  }

  /** The sources whose observer is silent, or already was at the given instant. */
  silent(at?: RedisTime): BlindSpot[] {
    return [...this.#logs.keys()].flatMap((source) => {
      const since = this.silentSince(source, at);
      return since === undefined ? [] : [{ source, since, reason: 'unknown' }];
    });
  }

  /** The blind spots of a source, the oldest first, as they were known at an instant or now. */
  gaps(source: string, at?: RedisTime): readonly Gap[] {
    const { gaps: noted = [], silentSince } = this.#logs.get(source) ?? {};
    const isOpen = silentSince === undefined || noted.at(-1)?.to === null;
    const gaps = isOpen ? noted : [...noted, { from: silentSince, to: null }];
    if (at === undefined) return gaps;
    const begun = gaps.filter(({ from }) => from <= at);
    return begun.map((gap) => asOf(gap, at));
  }

  /** The blind spots of all sources in a range. */
  blindIn(from: RedisTime, to: RedisTime): (Pick<Gap, 'from' | 'to'> & { readonly source: string })[] {
    return [...this.#logs.keys()].flatMap((source) =>
      this.gaps(source)
        .filter((gap) => gap.from <= to && (gap.to === null || gap.to >= from))
        .map((gap) => ({ source, from: gap.from, to: gap.to })),
    );
  }

  /** For how much of a range, in µs, each source did not show which threads wait, and why; left out: all was shown. */
  unseenWaits(from: RedisTime, to: RedisTime): UnseenWaits[] {
    return [...this.#logs].flatMap(([source, log]) => {
      const changes = changesOf(log);
      const micros = { unwatched: 0, level: 0 };
      for (const [n, change] of [{ at: 0, level: null }, ...changes].entries()) {
        const end = Math.min(changes[n]?.at ?? to, to);
        const length = Math.max(0, end - Math.max(change.at, from));
        if (change.level !== 'monitor') micros[change.level === null ? 'unwatched' : 'level'] += length;
      }
      const reasons = ['unwatched', 'level'] as const;
      return reasons.flatMap((reason) => (micros[reason] > 0 ? [{ source, reason, micros: micros[reason] }] : []));
    });
  }

  #log(source: string): SourceLog {
    const log = this.#logs.get(source) ?? newLog();
    this.#logs.set(source, log);
    return log;
  }

  #note(log: SourceLog, at: RedisTime): void {
    const level = log.isBlind ? null : log.level;
    const last = log.changes.at(-1);
    if (last ? last.level === level : level === null) return;
    log.changes.push({ at: redisTime(Math.max(at, last?.at ?? at)), level });
    if (log.changes.length > MOST_CHANGES) log.changes.shift();
  }
}

/**
 * Whether every key has now been looked at for the first time since the last blind spot. A recording does not show
 * that.
 */
function isReadSince({ gaps, isBlind }: SourceLog, source: Source): boolean {
  const last = gaps.at(-1);
  if (!last || last.to === null || last.readAt !== undefined || isBlind || source.recording) return false;
  return isWholeRead(source) && !lacksRights(source) && (source.snapshotAt ?? 0) > last.to;
}

/** A blind spot as it was known at an instant, which is not before its beginning. */
function asOf(gap: Gap, at: RedisTime): Gap {
  const { from, to, readAt } = gap;
  if (to !== null && to > at) return { from, to: null };
  return readAt !== undefined && readAt > at ? { from, to } : gap;
}

function newLog(): SourceLog {
  return { level: null, isBlind: false, changes: [], gaps: [], lacks: [], silentSince: undefined };
}

/** Since when the observer of a source is silent, as its viewer reports it; undefined: it is not. */
function silenceOf({ problem, unwatchedSince }: Source): RedisTime | undefined {
  return problem?.code === 'observer-silent' && unwatchedSince !== undefined ? redisTime(unwatchedSince) : undefined;
}

/** The changes, and the end of watching that a silent observer did not report. */
function changesOf({ changes, silentSince }: SourceLog): readonly Change[] {
  if (silentSince === undefined || changes.length === 0) return changes;
  const before = changes.filter(({ at }) => at < silentSince);
  return before.at(-1)?.level === null ? before : [...before, { at: silentSince, level: null }];
}

function changeAt(log: SourceLog, at: RedisTime | undefined): Change | undefined {
  const changes = changesOf(log);
  return at === undefined ? changes.at(-1) : changes.findLast((each) => each.at <= at);
}

/**
 * Notes what cannot be seen. A viewer reads about a change first in a pulse, and later in a block, which has its exact
 * instant.
 */
function noteLacks({ lacks: noted }: SourceLog, lacks: readonly string[], at: RedisTime): void {
  const last = noted.at(-1);
  if (last && String(last.lacks) === String(lacks)) {
    const from = redisTime(Math.max(at, noted.at(-2)?.at ?? at));
    if (from < last.at) noted.splice(-1, 1, { at: from, lacks });
    return;
  }
  if (last && at < last.at) return;
  noted.push({ at, lacks });
  if (noted.length > MOST_CHANGES) noted.shift();
}

function lacksAt({ lacks: noted }: SourceLog, at: RedisTime | undefined): readonly string[] {
  const then = at === undefined ? noted.at(-1) : (noted.findLast((each) => each.at <= at) ?? noted[0]);
  return then?.lacks ?? [];
}
