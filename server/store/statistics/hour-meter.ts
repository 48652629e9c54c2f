import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import { isOfLock, type LockEvent } from '../../../shared/events/event.ts';
import { clientOf } from '../../../shared/events/names/names.ts';
import { WaitDivider, type WaitPart } from '../../../shared/spans/divide-waits.ts';
import type { Hold } from '../../../shared/spans/holds-from-events.ts';
import { WaitRanking } from '../../../shared/spans/rank-waits.ts';
import type { Wait } from '../../../shared/spans/wait.ts';
import { isWholeWait } from '../../../shared/spans/whole-spans.ts';
import { lockIdOf } from '../../../shared/state/lock-state.ts';
import type { Source } from '../../../shared/wire/source.ts';
import { WatchLog } from '../../watch/history/watch-log.ts';
import { parseStreamLine } from '../stream-lines.ts';
import { HOUR_MICROS, type HourRows, HourSums, hourOf, LENGTH_BOUNDS, type LockHour } from './hour-rows.ts';
import { MeteredLock } from './metered-lock.ts';

/**
 * Holds and waits are counted this often, and this long after they happened: an attempt becomes a wait only when it is
 * repeated.
 */
const EVERY_MICROS = 10_000_000;
const LATE_MICROS = 5_000_000;
/** How many locks are metered at the same time; beyond that, the lock that was met first is dropped. */
const MOST_LOCKS = 50_000;
/** How many holds of an hour are kept: those that cost most. */
export const MOST_HOLDS = 200;

/**
 * Adds up holds, waits and what they cost, by lock, client and hold, for each hour, and how long each server was
 * watched.
 *
 *   counted until ────────────┐              ┌── newest event
 *   ══════════════════════════╪══════════════╪
 *                             └─ at least 5 s ┘
 */
export class HourMeter {
  readonly #locks = new Map<string, MeteredLock>();
  readonly #sights = new WatchLog();
  #countedTo: number | undefined;
  #newest = 0;

  /** Takes the lines of a block. */
  takeLines(text: string): void {
    for (const row of text.split('\n')) {
      if (row === '') continue;
      const line = parseStreamLine(row);
      if ('seq' in line) this.take(line);
      else if ('gone' in line) this.#forget(line.gone);
      else this.#see(line.sources, redisTime(line.at));
    }
  }

  take(event: LockEvent): void {
    this.passTo(event.at);
    this.#sights.take(event);
    if (event.type === 'blind-spot.began') {
      for (const lock of this.#locks.values()) if (lock.of.server === event.source) lock.take(event);
    }
    if (!isOfLock(event)) return;
    this.#countedTo ??= event.at;
    const id = lockIdOf(event);
    const lock = this.#locks.get(id) ?? new MeteredLock(id, event, this.#countedTo);
    this.#locks.set(id, lock);
    lock.take(event);
    if (this.#locks.size > MOST_LOCKS) for (const oldest of this.#locks.keys()) return void this.#locks.delete(oldest);
  }

  /** Nothing further has happened until `at`. */
  passTo(at: number): void {
    if (at > this.#newest) this.#newest = at;
  }

  /** What can be counted now, if that is at least 10 s. */
  due(): HourRows[] {
    const to = this.#newest - LATE_MICROS;
    const isDue = this.#countedTo !== undefined && to - this.#countedTo >= EVERY_MICROS;
    return isDue ? this.#countTo(to, false) : [];
  }

  /** Everything that is not counted yet. */
  rest(): HourRows[] {
    return this.#countTo(this.#newest, true);
  }

  #see(sources: readonly Source[], at: RedisTime): void {
    this.passTo(at);
    this.#countedTo ??= at;
    this.#sights.see(sources, () => at);
  }

  #forget(ids: readonly string[]): void {
    for (const id of ids) this.#locks.get(id)?.end(redisTime(this.#newest));
  }

  /**
   * `isLast`: also counts the holds of locks without waits and without new events. Otherwise they are counted at the
   * end of the hour.
   */
  #countTo(to: number, isLast: boolean): HourRows[] {
    const rows: HourRows[] = [];
    while (this.#countedTo !== undefined && this.#countedTo < to) {
      const from = this.#countedTo;
      const end = (hourOf(from) + 1) * HOUR_MICROS;
      const until = Math.min(end, to);
      rows.push(this.#count(from, until, isLast || until === end));
      this.#countedTo = until;
    }
    return rows;
  }

  /** Counts a range within one hour. */
  #count(from: number, to: number, isAll: boolean): HourRows {
    const sums = new HourSums(hourOf(from));
    const spans = new Map([...this.#locks.values()].map((lock) => [lock, lock.spans()]));
    const waitedFor = [...spans.values()].filter(({ waits }) => waits.length > 0);
    const divider = new WaitDivider(waitedFor, from, to);
    for (const _ of divider.prepare()) {
      // no other work waits in this thread
    }
    const ranking = new WaitRanking(from);
    for (const [lock, each] of spans) {
      const { holds, waits } = each;
      if (waits.length > 0 || lock.hasNews || isAll) {
        const held = holds.filter((hold) => hold.from < to);
        const begun = waits.filter((wait) => wait.from < to);
        if (held.length + begun.length > 0) {
          const sum = sums.lock(lock.id, lock.of);
          for (const hold of held) countHold(sum, lock, hold, to);
          for (const wait of begun) {
            const parts = divider.divide(each, wait);
            ranking.add(each, wait, parts);
            countWait(sums, lock, wait, from, to);
            if (wait.isOpenStart && lock.isFirst(wait, 'begin')) this.#addOpenStart(sums, lock.id, parts);
          }
        }
        lock.countedTo = to;
      }
    }
    this.#addCosts(sums, ranking);
    this.#addWatched(sums, from, to);
    for (const lock of this.#locks.values()) {
      lock.dropUntil(lock.countedTo);
      if (lock.isIdle) this.#locks.delete(lock.id);
    }
    return sums.rows();
  }

  /** Counts a wait that began unseen, for its own lock, and for other locks whose holds it was spent on. */
  #addOpenStart(sums: HourSums, id: string, parts: readonly WaitPart[]): void {
    for (const each of new Set([id, ...parts.flatMap(({ hold, lock }) => (hold ? [lock] : []))])) {
      const of = this.#locks.get(each)?.of;
      if (of) sums.lock(each, of).openStarts++;
    }
  }

  #addCosts(sums: HourSums, ranking: WaitRanking): void {
    const place = (id: string) => this.#locks.get(id)?.of;
    for (const [id, { waited, caused }] of ranking.locks) {
      const of = place(id);
      if (!of) continue;
      const sum = sums.lock(id, of);
      sum.waited += Math.round(waited);
      sum.lost += Math.round(caused);
    }
    for (const [client, { waited, caused }] of ranking.clients) {
      const sum = sums.client(client);
      sum.waited += Math.round(waited);
      sum.lost += Math.round(caused);
    }
    const holds = [...ranking.holds.values()].sort((a, b) => b.micros - a.micros).slice(0, MOST_HOLDS);
    for (const { lock, hold, micros } of holds) {
      const of = place(lock);
      const { holder, fromSeq: seq, from, to, isOpenStart } = hold;
      if (of) sums.holds.push({ ...of, hour: sums.hour, holder, seq, from, to, isOpenStart, lost: Math.round(micros) });
    }
  }

  #addWatched(sums: HourSums, from: number, to: number): void {
    const hidden = this.#sights.unseenWaits(redisTime(from), redisTime(to));
    for (const { source: server } of this.#sights.all()) {
      const unseen = (why: 'unwatched' | 'level') =>
        hidden.find(({ source, reason }) => source === server && reason === why)?.micros ?? 0;
      const watched = to - from - unseen('unwatched');
      if (watched > 0) sums.watched.push({ server, hour: sums.hour, watched, waitsSeen: watched - unseen('level') });
    }
  }
}

function countHold(sum: LockHour, lock: MeteredLock, hold: Hold, to: number): void {
  const isFirst = lock.isFirst(hold, 'hold');
  if (isFirst) sum.holds++;
  if (isFirst && hold.isOpenStart) sum.openStarts++;
  const from = isFirst ? hold.from : Math.max(hold.from, lock.countedTo);
  sum.held += Math.max(0, Math.min(hold.to ?? to, to) - from);
}

/**
 * Counts a wait, and its length if it has ended and its beginning was seen. `#addCosts` adds its time. Here, only the
 * time before `from` is added, in which it was not yet known to be a wait.
 */
function countWait(sums: HourSums, lock: MeteredLock, wait: Wait, from: number, to: number): void {
  const sum = sums.lock(lock.id, lock.of);
  const client = sums.client(clientOf(wait.holder));
  if (lock.isFirst(wait, 'wait')) {
    const before = Math.max(0, Math.min(from, wait.to ?? from) - wait.from);
    for (const each of [sum, client]) {
      each.waits++;
      each.waited += before;
    }
  }
  if (wait.to === null || wait.to > to || !isWholeWait(wait)) return;
  const length = wait.to - wait.from;
  const place = LENGTH_BOUNDS.findIndex((bound) => length < bound);
  const at = place === -1 ? LENGTH_BOUNDS.length : place;
  sum.lengths[at] = (sum.lengths[at] ?? 0) + 1;
}
