import { plusMillis } from '../../../shared/base/time.ts';
import { nameInId } from '../../../shared/state/lock-state.ts';
import type { TimelineStore } from '../store/timeline-store.ts';
import { readDrops } from './window-request.ts';

/** The live channel reports a drop within this time. */
const RECENT_MS = 60_000;
const ANSWER_MS = 30_000;

/** While the timeline follows live events: asks the server when the locks that left the live state were dropped. */
export class DropFollower {
  readonly #timeline: TimelineStore;
  #known: ReadonlySet<string> = new Set();
  #isAsking = false;

  constructor(timeline: TimelineStore) {
    this.#timeline = timeline;
  }

  /** Checks whether a lock of the timeline has left the live state, and then asks the server. */
  look(): void {
    const { history, live } = this.#timeline;
    const { gone } = live.get();
    if (gone === this.#known || this.#isAsking) return;
    const shown = new Set(history.lockIds());
    const left = [...gone].find((id) => shown.has(id) && !this.#known.has(id));
    this.#known = gone;
    if (left !== undefined) void this.#ask(left);
  }

  /** One request is enough: the response has the drops of all locks. */
  async #ask(id: string): Promise<void> {
    this.#isAsking = true;
    const from = plusMillis(this.#timeline.now(), -RECENT_MS);
    try {
      this.#timeline.history.drop(await readDrops(from, nameInId(id), AbortSignal.timeout(ANSWER_MS)));
      this.#timeline.touch();
    } catch {
      // The next stretch that is read has the drops too.
    } finally {
      this.#isAsking = false;
    }
  }
}
