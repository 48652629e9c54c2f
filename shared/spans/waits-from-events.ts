import type { LockEvent } from '../events/event.ts';
import { isCounterKind } from '../events/kinds/kinds.ts';
import type { LockState } from '../state/lock-state.ts';
import { isNewCaller, seemsOlder } from '../state/older-waits.ts';
import { CounterWaits } from './counter-waits.ts';
import { type Wait, waitOf } from './wait.ts';

/**
 * Returns the waits from the events of one lock, in order of their beginning.
 *
 *   event   refused   subscribed   refused (asleep)   ……   acquired (woken by message)
 *   wait    [==============================================]   attempts: 2, ended: message
 *
 * A single refused attempt is not a wait: `tryLock()` runs one attempt and goes on. The exception is a thread that
 * seems to have waited before this attempt. The state lists it as a waiter, so its attempt counts as a wait, unless the
 * thread turns out to have given up. `base` is the state of the lock before the first event: its waits go on with their
 * true beginning.
 */
export function waitsFromEvents(events: readonly LockEvent[], base?: LockState): Wait[] {
  const reader = new WaitReader(base);
  for (const event of events) reader.take(event);
  return reader.finish();
}

/** Finds the same waits as `waitsFromEvents`, one event at a time. */
export class WaitReader {
  #waits: Wait[] = [];
  readonly #open = new Map<string, Wait>();
  readonly #counted: CounterWaits;
  /** `#waits` has waits that have ended, or single attempts that turned out not to be waits. */
  #hasEnded = false;

  constructor(base?: LockState) {
    const isCounter = base !== undefined && isCounterKind(base.kind);
    this.#counted = new CounterWaits(isCounter ? base : undefined);
    for (const waiter of isCounter ? [] : (base?.waiters ?? [])) {
      if (waiter.presumedGoneAt !== null) continue;
      const wait = waitOf(waiter, base?.changedSeq ?? 0);
      this.#waits.push(wait);
      this.#open.set(waiter.id, wait);
    }
  }

  /** Whether a new reader would make the same waits from the events that follow. */
  get isIdle(): boolean {
    return this.#open.size === 0 && !this.#counted.isOpen;
  }

  /** Removes and returns the waits that have ended. */
  drain(): Wait[] {
    if (!this.#hasEnded) return this.#counted.drain();
    this.#hasEnded = false;
    const done = [...this.#waits.filter(isOver), ...this.#counted.drain()];
    this.#waits = this.#waits.filter((wait) => wait.ended === null && this.#open.get(wait.holder) === wait);
    return done;
  }

  /** The open waits. If a client still listens after it got what it waited for, its wait is among them, with an end. */
  openWaits(): Wait[] {
    return [...this.#waits.filter((wait) => wait.ended === null && isWait(wait)), ...this.#counted.openWaits()];
  }

  /** The open wait of a holder; it may be a single attempt so far. */
  openOf(holder: string): Wait | undefined {
    return this.#open.get(holder) ?? this.#counted.openOf(holder);
  }

  /** Drops the oldest open waits for locks, so that `most` remain, and returns them. Many may be single attempts. */
  dropOldest(most: number): Wait[] {
    const dropped: Wait[] = [];
    for (const [holder, wait] of this.#open) {
      if (this.#open.size <= most) break;
      this.#open.delete(holder);
      this.#hasEnded = true;
      dropped.push(wait);
    }
    return dropped;
  }

  /** The waits that were not drained. */
  finish(): Wait[] {
    this.#counted.settle();
    const waits = this.#waits.filter(isWait);
    const counted = this.#counted.waits;
    return counted.length === 0 ? waits : [...waits, ...counted].sort((a, b) => a.fromSeq - b.fromSeq);
  }

  #end(holder: string, event: LockEvent, ended: NonNullable<Wait['ended']>): void {
    const wait = this.#open.get(holder);
    if (!wait) return;
    this.#open.delete(holder);
    this.#hasEnded = true;
    wait.to = event.at;
    wait.ended = ended;
    wait.toSeq = event.seq;
  }

  take(event: LockEvent): void {
    if (this.#counted.take(event)) return;
    switch (event.type) {
      case 'lock.refused': {
        const known = event.attempt > 1 ? this.#open.get(event.holder) : undefined;
        if (known) {
          known.attempts = event.attempt;
          if (event.isOlder) known.isOpenStart = true;
          else if (isNewCaller(event, known.from)) known.isOpenStart = false;
          break;
        }
        if (event.reason === 'error' || event.reason === 'own-hold') break;
        const wait: Wait = {
          holder: event.holder,
          mode: event.mode,
          from: event.at,
          isOpenStart: event.isOlder === true || event.attempt > 1 || seemsOlder(event),
          to: null,
          ended: null,
          attempts: event.attempt,
          fromSeq: event.seq,
          toSeq: null,
        };
        if (this.#open.has(event.holder)) this.#hasEnded = true;
        this.#waits.push(wait);
        this.#open.set(event.holder, wait);
        break;
      }
      case 'waiter.subscribed': {
        const sleeper = event.holder === undefined ? undefined : this.#open.get(event.holder);
        if (event.isOlder && sleeper) sleeper.isOpenStart = true;
        break;
      }
      case 'lock.acquired':
        // a single attempt without a wait: this acquisition belongs to a later call
        if (this.#open.get(event.holder)?.attempts === 1 && event.waitedMs === undefined) {
          this.#open.delete(event.holder);
          this.#hasEnded = true;
        } else this.#end(event.holder, event, event.wokenBy ?? 'acquired');
        break;
      case 'waiter.dequeued':
        // a live waiter that was evicted, or whose queue was deleted, is still waiting
        if (event.reason === 'presumed-gone' || event.reason === 'unseen') this.#end(event.holder, event, event.reason);
        else if (event.reason === 'gave-up' || event.reason === 'left') this.#end(event.holder, event, 'gave-up');
        break;
      case 'blind-spot.began':
        for (const holder of [...this.#open.keys()]) this.#end(holder, event, 'unseen');
        break;
      default: // the other events change no wait
    }
  }
}

/** After these endings, a single attempt may have been a wait, and not just a `tryLock()`. */
const ENDS_OF_WAIT: ReadonlySet<Wait['ended']> = new Set([null, 'message', 'own-timer', 'unseen']);

function isWait({ attempts, ended, isOpenStart }: Wait): boolean {
  return attempts > 1 || ended === 'acquired' || (isOpenStart && ENDS_OF_WAIT.has(ended));
}

function isOver(wait: Wait): boolean {
  return wait.ended !== null && isWait(wait);
}
