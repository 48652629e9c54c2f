import { plusMillis } from '../../../shared/base/time.ts';
import { nameInId } from '../../../shared/state/lock-state.ts';
import type { LiveStore } from '../live/live-store.ts';
import type { EventWindow } from './event-window.ts';
import type { Viewer } from './viewer.ts';
import { redisNow } from './window-of.ts';
import { ANSWER_MS, readDrops } from './window-request.ts';

/** The live channel reports a drop within this time. */
const RECENT_MS = 60_000;

/** While the window follows live events: asks the server when the locks that left the live state were dropped. */
export class DropFollower {
  readonly #live: LiveStore;
  readonly #viewer: Pick<Viewer, 'touch'>;
  readonly #window: EventWindow;
  #known: ReadonlySet<string> = new Set();
  #isAsking = false;

  constructor(live: LiveStore, viewer: Pick<Viewer, 'touch'>, window: EventWindow) {
    this.#live = live;
    this.#viewer = viewer;
    this.#window = window;
  }

  /** Checks whether a lock of the window has left the live state, and then asks the server. */
  readIfNeeded(): void {
    const { gone } = this.#live.get();
    if (gone === this.#known || this.#isAsking) return;
    const shown = new Set(this.#window.lockIds());
    const left = [...gone].find((id) => shown.has(id) && !this.#known.has(id));
    this.#known = gone;
    if (left !== undefined) void this.#ask(left);
  }

  /** One request is enough: the response has the drops of all locks in the last minute. */
  async #ask(id: string): Promise<void> {
    this.#isAsking = true;
    const from = plusMillis(redisNow(this.#live), -RECENT_MS);
    try {
      this.#window.drop(await readDrops(from, nameInId(id), AbortSignal.timeout(ANSWER_MS)));
      this.#viewer.touch();
    } catch {
      // The next range that is read has the drops too.
    } finally {
      this.#isAsking = false;
    }
  }
}
