import { type Millis, millisBetween } from '../base/time.ts';
import type { LockEvent } from '../events/event.ts';
import type { HoldMode } from '../events/types/hold-event.ts';
import { FEWEST_IN_RUN } from './dense-runs.ts';

/** A holder waited (or not), acquired a lock, and released it within a second. */
export type QuickTurn = {
  readonly what: 'turn';
  readonly events: readonly LockEvent[];
  readonly holder: string;
  readonly heldMs: Millis;
  /** How long the holder waited; null: it was not refused before, as far as is known. */
  readonly waitedMs: Millis | null;
  /** Whether the wait began, or may have begun, before it was first seen. */
  readonly waitedAtLeast: boolean;
};

/** The events of longer turns keep their own rows: a person can follow them. */
const LONGEST_TURN: Millis = 1000;

type Acquired = LockEvent & { readonly type: 'lock.acquired' | 'lock.reentered' };
type OpenTurn = {
  readonly events: LockEvent[];
  /** The modes in which the holder of the turn has the lock. */
  readonly held: Set<HoldMode>;
  acquired: Acquired | undefined;
  /** True if the turn may have a dense run of attempts, which has its own row. */
  hasRun: boolean;
};

/** Collects the events of each holder at each lock, from its first attempt to its release. */
export class Turns {
  readonly #open = new Map<string, Map<string, OpenTurn>>();
  readonly #onTurn: (turn: QuickTurn) => boolean;
  /** The last folded turn of each lock, with its release: the wake-up message of the release belongs to it. */
  readonly #last = new Map<string, { readonly turn: QuickTurn; readonly seq: number; readonly events: LockEvent[] }>();

  /** `onTurn` is called with each complete turn; it returns whether the turn is folded. */
  constructor(onTurn: (turn: QuickTurn) => boolean) {
    this.#onTurn = onTurn;
  }

  /**
   * Takes an event that does not have the topic `trouble`. `isBusy`: the list has many events at this time. If the
   * event is the wake-up message of the turn that was last folded at its lock, returns that turn.
   */
  add(event: LockEvent, isBusy: boolean): QuickTurn | undefined {
    if (event.type === 'wakeup.published') {
      const last = this.#last.get(lockOf(event));
      if (last === undefined || !event.because?.includes(last.seq)) return undefined;
      last.events.push(event);
      return last.turn;
    }
    if ('holder' in event && event.holder !== undefined) this.#addTo(event, event.holder, isBusy);
    return undefined;
  }

  #addTo(event: LockEvent, holder: string, isBusy: boolean): void {
    const ofLock = this.#ofLock(event);
    const turn = ofLock.get(holder) ?? opened(event);
    if (turn === undefined) return;
    ofLock.set(holder, turn);
    turn.events.push(event);
    if (event.type === 'lock.refused' && event.attempt >= FEWEST_IN_RUN) turn.hasRun = true;
    if (event.type === 'lock.acquired') {
      turn.acquired ??= event;
      turn.held.add(event.mode);
    }
    if (event.type !== 'lock.released') return;
    turn.held.delete(event.mode);
    if (turn.held.size > 0) return;
    ofLock.delete(holder);
    if (isBusy && event.how === undefined && event.groupStep === undefined) this.#finish(turn, event);
  }

  /** Drops all open turns at the lock of an event. */
  clearLock(event: LockEvent): void {
    this.#open.delete(lockOf(event));
  }

  /** Drops all open turns. */
  clear(): void {
    this.#open.clear();
  }

  #ofLock(event: LockEvent): Map<string, OpenTurn> {
    const key = lockOf(event);
    const known = this.#open.get(key) ?? new Map<string, OpenTurn>();
    this.#open.set(key, known);
    return known;
  }

  #finish({ events, acquired, hasRun }: OpenTurn, released: LockEvent & { readonly holder: string }): void {
    const [first] = events;
    if (!acquired || acquired.isOlder || !first) return; // a hold that began before it was seen is not a whole turn
    const heldMs = millisBetween(acquired.at, released.at);
    if (heldMs > LONGEST_TURN) return;
    // if the first attempt was long before the release, attempts keep their rows, and only the hold is folded
    const isLong = millisBetween(first.at, released.at) > LONGEST_TURN;
    if (hasRun && !isLong) return;
    const folded = isLong ? events.slice(events.indexOf(acquired)) : events;
    const { holder, seq } = released;
    const waited = { waitedMs: acquired.waitedMs ?? null, waitedAtLeast: acquired.waitedAtLeast === true };
    const turn: QuickTurn = { what: 'turn', events: folded, holder, heldMs, ...waited };
    if (this.#onTurn(turn)) this.#last.set(lockOf(released), { turn, seq, events: folded });
  }
}

/**
 * A new turn, if the event is an attempt: a turn begins with the first one. Events before that, for example of a wait
 * that is not listed, keep their rows.
 */
function opened(event: LockEvent): OpenTurn | undefined {
  if (event.type !== 'lock.refused' && event.type !== 'lock.acquired') return undefined;
  return { events: [], held: new Set(), acquired: undefined, hasRun: false };
}

function lockOf({ source, db, lock }: LockEvent): string {
  return `${source}/${db}/${lock}`;
}
