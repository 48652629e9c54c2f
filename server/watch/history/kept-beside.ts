import { isOfHolder, type LockEvent } from '../../../shared/events/event.ts';
import { losersOf } from '../../../shared/insights/detectors/lost/overlap.ts';

/** How many earlier events of its holder stay beside a wanted event: a hold, its end, and what the holder did since. */
const MOST_BEFORE = 4;
/** How many wanted events of a lock are followed: the newest. */
const MOST_FOLLOWED = 50;

/** A wanted event, with the holders that have neither acquired the lock again nor been refused an unlock since. */
type Followed = { readonly seq: number; readonly holders: Set<string>; isAcquired: boolean; isTaken: boolean };

/**
 * When events are dropped, keeps those that a detector needs beside a wanted event. Without them, a known thread would
 * seem to be new, and a loss that its holder noticed would seem to go on.
 *
 *   before           wanted     after
 *   the newest of ── a loss ──► the first acquisition or read of a holder, the first acquisition by another thread,
 *   its holder                  and the next acquisition or refused unlock of the holder
 */
export class KeptBeside {
  /** By the `seq` of a wanted event: the `seq`s of the events that stay beside it. */
  readonly #kept = new Map<number, number[]>();
  /** Events that stay although all around them were dropped, by `seq`. */
  readonly #alone = new Set<number>();
  readonly #followed = new Map<string, Followed[]>();

  /** Takes the next event of a lock, wanted or not. `before`: the events of the lock so far, oldest first. */
  take(event: LockEvent, lockId: string, isWanted: boolean, before: readonly LockEvent[]): void {
    this.#follow(event, lockId);
    if (isWanted) this.#begin(event, lockId, before);
  }

  /** Returns the `seq`s that are gone now, of these events and of those that stayed beside them. */
  drop(dropped: readonly LockEvent[], lockIdOf: (event: LockEvent) => string): ReadonlySet<number> {
    const gone = new Set<number>();
    for (const event of dropped) {
      const { seq } = event;
      gone.add(seq);
      const kept = this.#kept.get(seq);
      if (!kept) continue;
      this.#kept.delete(seq);
      for (const each of kept) if (this.#alone.delete(each)) gone.add(each);
      this.#setFollowed(lockIdOf(event), (each) => each.seq !== seq);
    }
    for (const kept of this.#kept.values()) for (const seq of kept) if (gone.delete(seq)) this.#alone.add(seq);
    return gone;
  }

  #begin(event: LockEvent, lockId: string, before: readonly LockEvent[]): void {
    const holders = losersOf(event);
    const kept: number[] = [];
    const [holder] = holders;
    for (let place = before.length - 1; holder !== undefined && place >= 0 && kept.length < MOST_BEFORE; place--) {
      const each = before[place];
      if (each && isOfHolder(each, holder)) kept.push(each.seq);
    }
    this.#kept.set(event.seq, kept);
    if (holder === undefined) return;
    const followed = this.#followed.get(lockId) ?? [];
    followed.push({ seq: event.seq, holders: new Set(holders), isAcquired: false, isTaken: false });
    this.#followed.set(lockId, followed.slice(-MOST_FOLLOWED));
  }

  #follow(event: LockEvent, lockId: string): void {
    const followed = this.#followed.get(lockId);
    if (!followed) return;
    for (const each of followed) if (isAftermath(each, event)) this.#kept.get(each.seq)?.push(event.seq);
    this.#setFollowed(lockId, ({ holders }) => holders.size > 0);
  }

  #setFollowed(lockId: string, isFollowed: (each: Followed) => boolean): void {
    const left = (this.#followed.get(lockId) ?? []).filter(isFollowed);
    if (left.length > 0) this.#followed.set(lockId, left);
    else this.#followed.delete(lockId);
  }
}

/** Whether an event stays beside the wanted event. Also notes that it occurred. */
function isAftermath(after: Followed, event: LockEvent): boolean {
  const isAcquisition = event.type === 'lock.acquired';
  const isFirst = !after.isAcquired && (isAcquisition || event.type === 'lock.found');
  after.isAcquired ||= isFirst;
  const holder = 'holder' in event ? event.holder : undefined;
  if (holder !== undefined && after.holders.has(holder)) {
    const isNoticed = isAcquisition || event.type === 'unlock.refused';
    if (isNoticed) after.holders.delete(holder);
    return isFirst || isNoticed;
  }
  const isTaker = isAcquisition && !after.isTaken;
  after.isTaken ||= isTaker;
  return isFirst || isTaker;
}
