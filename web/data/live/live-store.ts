import { EMPTY_LIVE_STATE, type LiveMessage, type LiveState, reduceLive } from './live-state.ts';
import { bringsOnlyFigures } from './only-figures.ts';
import { RedisClock } from './redis-clock.ts';
import { seconds } from './ticker.ts';

/** As soon as this many messages wait, they are applied. */
const MOST_WAITING = 200;

/**
 * The live state of the page as a store for React.
 *
 * - A message is applied when it arrives: the server sends at most one in 16 ms, and views draw at their own pace.
 * - A message with only figures waits for the next tick of `seconds`, so that an idle page is drawn once a second.
 * - In a hidden page, every message waits for the next tick, or until 200 messages wait.
 */
export class LiveStore {
  readonly clock = new RedisClock();
  #state: LiveState = EMPTY_LIVE_STATE;
  #waiting: LiveMessage[] = [];
  #stopWaiting: (() => void) | null = null;
  #listeners = new Set<() => void>();

  get = (): LiveState => this.#state;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Takes a message. A message that may wait is applied with the next tick or the next message that may not wait. */
  take(message: LiveMessage): void {
    this.#noteTime(message);
    this.#waiting.push(message);
    const mayWait = document.visibilityState === 'hidden' || bringsOnlyFigures(message, this.#state);
    if (!mayWait || this.#waiting.length >= MOST_WAITING) this.flush();
    else this.#stopWaiting ??= seconds.on(() => this.flush());
  }

  /** Returns the newest `seq`, after applying all waiting messages. */
  lastSeq(): number {
    this.flush();
    return this.#state.seq;
  }

  flush(): void {
    this.#stopWaiting?.();
    this.#stopWaiting = null;
    if (this.#waiting.length === 0) return;
    this.#state = reduceLive(this.#state, this.#waiting);
    this.#waiting = [];
    for (const listener of this.#listeners) listener();
  }

  #noteTime(message: LiveMessage): void {
    if (message.type === 'snapshot' || message.type === 'batch') {
      this.clock.go();
      if (message.message.at > 0) this.clock.noteAtLeast(message.message.at, message.heardAt);
      if (message.message.sources) this.clock.noteSources(message.message.sources, message.heardAt);
    } else if (message.type === 'sources') {
      this.clock.noteSources(message.sources, message.heardAt);
    } else if (message.type === 'link') {
      if (message.link === 'lost' || message.link === 'refused') this.clock.stop(Date.now());
      else if (message.link === 'live') this.clock.go();
    }
  }
}
