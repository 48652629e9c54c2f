import { type Millis, millisBetween } from '../base/time.ts';
import type { LockEvent } from '../events/event.ts';
import type { HoldMode } from '../events/types/hold-event.ts';

/** A holder waited (or not), acquired a lock, and released it within a second. */
export type QuickTurn = {
  readonly what: 'turn';
  readonly events: readonly LockEvent[];
  readonly holder: string;
  readonly heldMs: Millis;
  /** Null: it was not refused before, as far as is known. */
  readonly waitedMs: Millis | null;
};

/** Longer turns keep their rows: a reader follows them. */
const LONGEST: Millis = 1000;

type Acquired = LockEvent & { readonly type: 'lock.acquired' | 'lock.reentered' };
type OpenTurn = {
  readonly events: LockEvent[];
  /** The modes in which it holds the lock. */
  readonly held: Set<HoldMode>;
  acquired: Acquired | undefined;
};

/** Collects the events of each holder at each lock, from its first attempt to its release. */
export class Turns {
  readonly #open = new Map<string, Map<string, OpenTurn>>();
  readonly #done: QuickTurn[] = [];
  /** The turn that each release ended, by the `seq` of the release: its wake-up message belongs to it. */
  readonly #doneBy = new Map<number, LockEvent[]>();

  /** Takes an event that is not in trouble. `isBusy`: the list has many events at this time. */
  add(event: LockEvent, isBusy: boolean): void {
    if (event.type === 'wakeup.published') {
      this.#doneBy.get(event.because?.[0] ?? -1)?.push(event);
      return;
    }
    if (!('holder' in event) || event.holder === undefined) return;
    const ofLock = this.#ofLock(event);
    const turn = ofLock.get(event.holder) ?? opened(event);
    if (turn === undefined) return;
    ofLock.set(event.holder, turn);
    turn.events.push(event);
    if (event.type === 'lock.acquired') {
      turn.acquired ??= event;
      turn.held.add(event.mode);
    }
    if (event.type !== 'lock.released') return;
    turn.held.delete(event.mode);
    if (turn.held.size > 0) return;
    ofLock.delete(event.holder);
    if (isBusy && event.how === undefined && event.groupStep === undefined) this.#finish(turn, event);
  }

  /** Drops the open turn of an event's holder: its events keep their rows. */
  end(event: LockEvent): void {
    if ('holder' in event && event.holder !== undefined) this.#ofLock(event).delete(event.holder);
  }

  /** Drops all open turns at the lock of an event. */
  clearLock(event: LockEvent): void {
    this.#open.delete(lockOf(event));
  }

  /** Drops all open turns. */
  clear(): void {
    this.#open.clear();
  }

  complete(): readonly QuickTurn[] {
    return this.#done;
  }

  #ofLock(event: LockEvent): Map<string, OpenTurn> {
    const key = lockOf(event);
    const known = this.#open.get(key) ?? new Map<string, OpenTurn>();
    this.#open.set(key, known);
    return known;
  }

  #finish({ events, acquired }: OpenTurn, released: LockEvent & { readonly holder: string }): void {
    const [first] = events;
    if (!acquired || !first) return;
    const heldMs = millisBetween(acquired.at, released.at);
    if (heldMs > LONGEST) return;
    // attempts long before are not next to the hold, so they keep their rows
    const isLong = millisBetween(first.at, released.at) > LONGEST;
    const folded = isLong ? events.slice(events.indexOf(acquired)) : events;
    this.#done.push({
      what: 'turn',
      events: folded,
      holder: released.holder,
      heldMs,
      waitedMs: acquired.waitedMs ?? null,
    });
    this.#doneBy.set(released.seq, folded);
  }
}

/** A turn begins with the first attempt. Events before it, for example of a wait that is not listed, keep their rows. */
function opened(event: LockEvent): OpenTurn | undefined {
  if (event.type !== 'lock.refused' && event.type !== 'lock.acquired') return undefined;
  return { events: [], held: new Set(), acquired: undefined };
}

function lockOf({ source, db, lock }: LockEvent): string {
  return `${source}/${db}/${lock}`;
}
