import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import { nameInId } from '../../../shared/state/lock-state.ts';
import type { LiveStore } from '../../data/live/live-store.ts';
import { EventWindow } from '../../data/window/event-window.ts';
import type { TimeSpan } from '../../data/window/time-span.ts';
import { TimelineStore } from './timeline-store.ts';

/** A timeline of one lock that is not on screen: it does not follow now, and has its own window of events. */
export class StillTimeline extends TimelineStore {
  #span: TimeSpan;
  readonly #lockId: string;

  constructor(live: LiveStore, lockId: string, span: TimeSpan) {
    super(live, new EventWindow());
    this.#span = span;
    this.#lockId = lockId;
    this.set({ onlyLock: nameInId(lockId) });
  }

  override isLive(): boolean {
    return false;
  }

  override view(): TimeSpan {
    return this.#span;
  }

  /** The window may also have locks of the same name in other databases, or on other servers. */
  override arrange(): void {
    super.arrange();
    this.set({ order: this.get().order.filter((id) => id === this.#lockId) });
  }

  /** Leaves out the time before the memory, except for a twentieth of the rest: nothing can be drawn there. */
  fitToMemory(): void {
    const { to } = this.#span;
    const { from } = this.extent();
    if (from < to) this.#span = { from: redisTime(Math.max(this.#span.from, from - (to - from) / 20)), to };
  }

  override cursorAt(): RedisTime {
    return this.#span.to;
  }
}
