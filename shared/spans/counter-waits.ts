import type { LockEvent } from '../events/event.ts';
import { countedBy, isCounterKind } from '../events/kinds/kinds.ts';
import type { LockState, WaiterState } from '../state/lock-state.ts';
import { type Wait, waitOf } from './wait.ts';

type Moment = Pick<LockEvent, 'at' | 'seq'>;

type Open = Wait & {
  /** Whether the client listens. Only a client that listens is known to wait. */
  isListening: boolean;
  /**
   * The event that gave the client what it waited for. Undefined: none did, or the client was refused again since, so
   * the wait goes on.
   */
  got: { readonly event: Moment; readonly ended: NonNullable<Wait['ended']> } | undefined;
};

/**
 * Waits for permits and latches. Redis sees no threads there: a client waits while it listens. If it got its permits,
 * or the latch opened, the wait has ended with that event.
 *
 *   event   refused   subscribed   refused   acquired   unsubscribed
 *   wait    [================================]                          ended: message
 *
 *   event   subscribed   opened   unsubscribed
 *   wait    [============]                                              ended: message
 */
export class CounterWaits {
  waits: Wait[] = [];
  readonly #open = new Map<string, Open>();

  /** `base`: the state of the semaphore or latch before the first event. */
  constructor(base?: LockState) {
    for (const waiter of base?.waiters ?? []) {
      const wait: Open = {
        ...waitOf(waiter, base?.changedSeq ?? 0),
        isListening: waiter.isConfirmed,
        got: gotAlready(base, waiter),
      };
      this.#open.set(waiter.id, wait);
      if (waiter.isConfirmed) this.waits.push(wait);
    }
  }

  /** Takes the next event; returns whether it was about a semaphore or a latch. */
  take(event: LockEvent): boolean {
    if (event.type === 'blind-spot.began') {
      for (const wait of [...this.#open.values()]) this.#end(wait, event, 'unseen');
      return false;
    }
    if (!isCounterKind(event.kind)) return false;
    switch (event.type) {
      case 'permits.refused':
        if (event.holder !== undefined) this.#refused(event.holder, event);
        break;
      case 'permits.acquired':
        this.#acquired(event.holder, event, event.wokenBy ?? 'acquired');
        break;
      case 'latch.opened':
        for (const wait of this.#open.values()) wait.got = { event, ended: 'message' };
        break;
      case 'waiter.subscribed':
        if (event.holder !== undefined) this.#listens(event.holder, event);
        break;
      case 'waiter.unsubscribed': {
        const left = [...this.#open.values()].filter(
          ({ holder }) => event.subscribers === 0 || holder === event.holder,
        );
        for (const wait of left) this.#end(wait, wait.got?.event ?? event, wait.got?.ended ?? 'gave-up');
        break;
      }
      default: // the other events change no wait
    }
    return true;
  }

  get isOpen(): boolean {
    return this.#open.size > 0;
  }

  openOf(holder: string): Wait | undefined {
    return this.#open.get(holder);
  }

  /** Removes the waits that have ended, and returns them. */
  drain(): Wait[] {
    if (this.waits.length === 0) return [];
    const done = this.waits.filter(({ ended }) => ended !== null);
    this.waits = this.waits.filter(({ ended }) => ended === null);
    return done;
  }

  /** The open waits of clients that listen; with their end, if they got their permits or the latch opened. */
  openWaits(): Wait[] {
    const listening = [...this.#open.values()].filter(({ isListening }) => isListening);
    return listening.map((wait) => (wait.got ? { ...wait, to: wait.got.event.at } : wait));
  }

  /** Ends the waits of clients that still listen after they got their permits or the latch opened. */
  settle(): void {
    for (const wait of [...this.#open.values()]) if (wait.got) this.#end(wait, wait.got.event, wait.got.ended);
  }

  #refused(holder: string, event: LockEvent): void {
    const known = this.#open.get(holder);
    if (!known?.isListening) {
      this.#open.set(holder, begin(holder, 'permit', event));
      return;
    }
    known.attempts++;
    known.got = undefined;
  }

  #acquired(holder: string | undefined, event: LockEvent, ended: NonNullable<Wait['ended']>): void {
    const wait = holder === undefined ? undefined : this.#open.get(holder);
    if (!wait) return;
    if (wait.isListening) wait.got = { event, ended };
    else this.#open.delete(wait.holder);
  }

  #listens(holder: string, event: LockEvent): void {
    const mode = countedBy(event.kind) ?? 'permit';
    const wait = this.#open.get(holder) ?? begin(holder, mode, event);
    if (wait.isListening) return;
    wait.isListening = true;
    this.#open.set(holder, wait);
    this.waits.push(wait);
  }

  #end(wait: Open, event: Moment, ended: NonNullable<Wait['ended']>): void {
    this.#open.delete(wait.holder);
    wait.to = event.at;
    wait.ended = ended;
    wait.toSeq = event.seq;
  }
}

/** What a client that still listens already got, from the state of its lock. */
function gotAlready(base: LockState | undefined, { id, since }: WaiterState): Open['got'] {
  if (base?.latch?.count === 0) return { event: { at: base.changedAt, seq: base.changedSeq }, ended: 'message' };
  const permit = base?.holders.findLast(
    (holder) => (holder.client ?? holder.id) === id && (holder.since ?? 0) >= since,
  );
  if (!permit) return undefined;
  return { event: { at: permit.since ?? since, seq: permit.firstSeq ?? 0 }, ended: 'acquired' };
}

function begin(holder: string, mode: Wait['mode'], event: LockEvent): Open {
  const attempts = mode === 'permit' && event.type === 'permits.refused' ? 1 : 0;
  return {
    holder,
    mode,
    from: event.at,
    isOpenStart: false,
    to: null,
    ended: null,
    attempts,
    fromSeq: event.seq,
    toSeq: null,
    isListening: false,
    got: undefined,
  };
}
