import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import { dbInId, nameInId, sourceInId } from '../../../shared/state/lock-state.ts';
import type { EventWindow } from './event-window.ts';
import { joined } from './loaded-range.ts';
import type { TimeSpan } from './time-span.ts';
import type { Viewer } from './viewer.ts';
import { ANSWER_MS, readWindow } from './window-request.ts';

/** How much is read beyond each edge of the view, as a share of the view. */
const MORE_SHARE = 0.25;
/** If the range to read probably has more events of a lock than this, the lock is shown as an outline. */
const MOST_EVENTS = 20_000;
const AGAIN_MS = 2000;

/** Reads the events of the viewer's `ownLocks` that the window lacks in the view, one lock after another. */
export class OwnFeed {
  readonly #window: EventWindow;
  readonly #viewer: Viewer;
  readonly #now: () => RedisTime;
  #isReading = false;
  #againAt = 0;
  readonly #ending = new AbortController();

  constructor(window: EventWindow, viewer: Viewer, now: () => RedisTime) {
    this.#window = window;
    this.#viewer = viewer;
    this.#now = now;
  }

  end(): void {
    this.#ending.abort();
  }

  /** Reads the events of each lock that lacks some in the view, one lock after another. */
  readIfNeeded(): void {
    if (this.#isReading || this.#ending.signal.aborted || performance.now() < this.#againAt) return;
    const view = this.#viewer.view();
    const span = { from: redisTime(Math.max(view.from, this.#window.memory?.oldestAt ?? 0)), to: this.#endOf(view.to) };
    if (span.from >= span.to) return;
    const lacking = this.#viewer.ownLocks?.().find((id) => this.#window.lacksEvents(id, span));
    if (lacking === undefined) return;
    this.#isReading = true;
    void this.#read(lacking, span).finally(() => {
      this.#isReading = false;
      this.readIfNeeded();
    });
  }

  #endOf(to: RedisTime): RedisTime {
    return redisTime(Math.min(to, this.#now()));
  }

  async #read(id: string, span: TimeSpan): Promise<void> {
    const more = (span.to - span.from) * MORE_SHARE;
    const oldest = this.#window.memory?.oldestAt ?? 0;
    const [from, to] = [redisTime(Math.max(oldest, span.from - more)), this.#endOf(redisTime(span.to + more))];
    const place = { lock: nameInId(id), source: sourceInId(id), db: dbInId(id) };
    const signal = AbortSignal.any([this.#ending.signal, AbortSignal.timeout(ANSWER_MS)]);
    try {
      let { range } = await readWindow({ from, to, ...place }, signal);
      while (range.to !== null && range.to < to) {
        // the rest is assumed to be as dense
        const share = (range.to - range.from) / (to - range.from);
        if (range.events.length > MOST_EVENTS * share) return this.#window.own.setTooMany(id, span);
        const next = await readWindow({ from: range.to, to, ...place }, signal);
        range = joined(range, next.range);
      }
      this.#window.setOwn(id, range, to);
      this.#viewer.onLiveState(true);
    } catch {
      this.#againAt = performance.now() + AGAIN_MS;
    }
  }
}
