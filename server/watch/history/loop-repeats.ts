import type { LockEvent } from '../../../shared/events/event.ts';
import { keyOfAttempts } from '../../../shared/spans/dense-runs.ts';

/** Collects events, oldest first. Keeps only the last repeat of each dense run. */
export class RepeatsDropped {
  /** How many events there are, without repeats. */
  count = 0;
  bytes = 0;
  readonly #bytesOf: (event: LockEvent) => number;
  readonly #events: (LockEvent | undefined)[] = [];
  readonly #lastRepeat = new Map<string, number>();

  constructor(bytesOf: (event: LockEvent) => number) {
    this.#bytesOf = bytesOf;
  }

  take(event: LockEvent, isRepeat: boolean): void {
    if (event.type === 'lock.refused') this.#dropEarlier(keyOfAttempts(event), isRepeat);
    this.#events.push(event);
    this.bytes += this.#bytesOf(event);
    if (!isRepeat) this.count++;
  }

  events(): LockEvent[] {
    return this.#events.filter((event) => event !== undefined);
  }

  #dropEarlier(key: string, isRepeat: boolean): void {
    const last = this.#lastRepeat.get(key);
    const event = last === undefined ? undefined : this.#events[last];
    if (!isRepeat) this.#lastRepeat.delete(key);
    else this.#lastRepeat.set(key, this.#events.length);
    if (!isRepeat || last === undefined || !event) return;
    this.bytes -= this.#bytesOf(event);
    this.#events[last] = undefined;
  }
}

/** Finds the first attempt and the last repeat of each dense run. Takes events newest first. */
export class RunEnds {
  readonly #open = new Set<string>();

  /** Whether the next older event is the first or last of its dense run, or does not belong to one. */
  isEnd(event: LockEvent, isRepeat: boolean): boolean {
    if (event.type !== 'lock.refused') return true;
    const key = keyOfAttempts(event);
    if (!isRepeat) {
      this.#open.delete(key);
      return true;
    }
    if (this.#open.has(key)) return false;
    this.#open.add(key);
    return true;
  }
}
