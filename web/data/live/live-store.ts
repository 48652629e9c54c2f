import { EMPTY_LIVE_STATE, type LiveMessage, type LiveState, reduceLive } from './live-state.ts';
import { bringsOnlyFigures } from './only-figures.ts';
import { RedisClock } from './redis-clock.ts';
import { seconds } from './ticker.ts';

/** If more messages than this wait for the next frame, they are applied at once. A hidden page has no frames. */
const MOST_WAITING = 200;

/**
 * The live state of the page as an external store. It changes at most once per frame, after any number of messages.
 * Messages with nothing but figures wait for the next tick of the clock, so that an idle page is drawn once a second. A
 * hidden page has no frames, so it applies its messages once enough have arrived.
 */
export class LiveStore {
  readonly clock = new RedisClock();
  #state: LiveState = EMPTY_LIVE_STATE;
  #waiting: LiveMessage[] = [];
  #frame: number | null = null;
  #stopWaiting: (() => void) | null = null;
  #listeners = new Set<() => void>();

  get = (): LiveState => this.#state;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Takes a message, which is applied with the next frame, or with the next tick if it brings only figures. */
  take(message: LiveMessage): void {
    this.#noteTime(message);
    this.#waiting.push(message);
    if (this.#waiting.length >= MOST_WAITING) this.flush();
    else if (bringsOnlyFigures(message, this.#state)) this.#stopWaiting ??= seconds.on(() => this.flush());
    else this.#frame ??= requestAnimationFrame(() => this.flush());
  }

  /** Returns the newest `seq`, after applying all waiting messages. */
  lastSeq(): number {
    this.flush();
    return this.#state.seq;
  }

  flush(): void {
    if (this.#frame !== null) cancelAnimationFrame(this.#frame);
    this.#frame = null;
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
