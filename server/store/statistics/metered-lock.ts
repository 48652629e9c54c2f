import type { RedisTime } from '../../../shared/base/time.ts';
import { isOfLock, type LockEvent } from '../../../shared/events/event.ts';
import type { LockKind } from '../../../shared/events/types/lock-kind.ts';
import type { LockSpans } from '../../../shared/spans/blockers.ts';
import { type EvictedHead, EvictedHeadReader } from '../../../shared/spans/evicted-heads.ts';
import { type Hold, HoldReader } from '../../../shared/spans/holds-from-events.ts';
import type { Wait } from '../../../shared/spans/wait.ts';
import { WaitReader } from '../../../shared/spans/waits-from-events.ts';

/** The holds and waits of one lock that are not counted yet. */
export class MeteredLock {
  readonly id: string;
  readonly of: { readonly server: string; readonly db: number; readonly lock: string };
  /** Until when its holds are counted. */
  countedTo: number;
  /** Whether an event has arrived since the last count, or an ended hold or wait is not fully counted. */
  hasNews = true;
  #kind: LockKind;
  readonly #holds = new HoldReader();
  readonly #waits = new WaitReader();
  readonly #heads = new EvictedHeadReader();
  #endedHolds: Hold[] = [];
  #endedWaits: Wait[] = [];
  #endedHeads: EvictedHead[] = [];
  /** Which holds and waits are counted: by holder, mode and first event. */
  readonly #counted = new Set<string>();

  constructor(id: string, { source, db, lock, kind }: LockEvent, countedTo: number) {
    this.id = id;
    this.of = { server: source, db, lock };
    this.#kind = kind;
    this.countedTo = countedTo;
  }

  take(event: LockEvent): void {
    if (isOfLock(event)) this.#kind = event.kind;
    this.hasNews = true;
    this.#holds.take(event);
    this.#waits.take(event);
    this.#heads.take(event);
  }

  /** From `at` on, nothing further is known about the lock. */
  end(at: RedisTime): void {
    const { server, db, lock } = this.of;
    const about = { source: server, db, lock, kind: this.#kind, certainty: 'observed', seq: 0 } as const;
    this.take({ ...about, at, type: 'blind-spot.began', reason: 'not-stored' });
  }

  /** Everything that is not counted yet, including open holds and waits. */
  spans(): LockSpans {
    this.#endedHolds.push(...this.#holds.drainAll());
    this.#endedWaits.push(...this.#waits.drain());
    this.#endedHeads.push(...this.#heads.heads.splice(0));
    return {
      id: this.id,
      kind: this.#kind,
      holds: [...this.#endedHolds, ...this.#holds.holds],
      waits: [...this.#endedWaits, ...this.#waits.openWaits()],
      heads: this.#endedHeads,
    };
  }

  /** Notes that this hold, wait, or unseen beginning of a wait is counted. Returns whether it was not counted before. */
  isFirst({ holder, fromSeq, mode }: Hold | Wait, what: 'hold' | 'wait' | 'begin'): boolean {
    const key = `${what} ${mode} ${holder} ${fromSeq}`;
    if (this.#counted.has(key)) return false;
    this.#counted.add(key);
    return true;
  }

  /** Drops what ended until `at`: it is counted. */
  dropUntil(at: number): void {
    this.#endedHolds = this.#endedHolds.filter((hold) => this.#goesOn(hold, 'hold', at));
    this.#endedWaits = this.#endedWaits.filter((wait) => this.#goesOn(wait, 'wait', at));
    this.#endedHeads = this.#endedHeads.filter(({ to }) => to > at);
    this.hasNews = this.#endedHolds.length + this.#endedWaits.length > 0;
  }

  /** Whether no hold or wait is open or uncounted. Then a new `MeteredLock` would count the same. */
  get isIdle(): boolean {
    return this.#holds.isIdle && this.#waits.isIdle && this.#endedHolds.length + this.#endedWaits.length === 0;
  }

  #goesOn(span: Hold | Wait, what: 'hold' | 'wait', at: number): boolean {
    if (span.to === null || span.to > at) return true;
    for (const each of [what, 'begin']) this.#counted.delete(`${each} ${span.mode} ${span.holder} ${span.fromSeq}`);
    return false;
  }
}
