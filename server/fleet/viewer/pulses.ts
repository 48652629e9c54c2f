import type { Pulse } from '../../../shared/wire/fleet/pulse.ts';
import type { Bus } from '../../bus/bus.ts';
import { idOf, type Place, rawStreamsFrom } from '../../bus/bus-entry.ts';
import { isSafeName, pulseKey, SOURCES_KEY } from '../../bus/bus-keys.ts';
import { pulseFrom } from '../../bus/pulse-writer.ts';
import { startTimer, stopTimer, type Timer, wallMs } from '../../redis/connection/surroundings.ts';

const READ_EVERY_MS = 500;
const LIST_EVERY_MS = 3000;
const MOST_READ = 10;
/** Without a pulse for this time, a source is not live. */
export const SILENT_MS = 4000;

/** The newest pulse of a source. `heardMs`: when it arrived, by the viewer's clock. */
export type Heard = { readonly pulse: Pulse; readonly heardMs: number };

export function isLive({ heardMs }: Pick<Heard, 'heardMs'>, nowMs: number): boolean {
  return nowMs - heardMs < SILENT_MS;
}

/** Reads the newest pulse of every source on the bus, twice a second. */
export class Pulses {
  readonly #bus: Bus;
  readonly #heard = new Map<string, Heard>();
  readonly #listeners = new Set<(areNewest: boolean) => void>();
  #places = new Map<string, Place>();
  #listedMs = 0;
  #isListed = false;
  #timer: Timer | undefined;
  #isOver = false;

  constructor(bus: Bus) {
    this.#bus = bus;
  }

  /** Whether the list of sources was read at least once. */
  get isListed(): boolean {
    return this.#isListed;
  }

  all(): ReadonlyMap<string, Heard> {
    return this.#heard;
  }

  get(name: string): Heard | undefined {
    return this.#heard.get(name);
  }

  /**
   * Calls `listener` after each reading; `areNewest`: the bus had no pulse after those that were read. Returns a
   * function that ends the calls.
   */
  onRead(listener: (areNewest: boolean) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  start(): void {
    void this.#round();
  }

  stop(): void {
    this.#isOver = true;
    stopTimer(this.#timer);
  }

  async #round(): Promise<void> {
    let areNewest = false;
    try {
      await this.#list();
      areNewest = await this.#read();
    } catch {
      // The bus is gone: pulses get old, and the page shows that.
    }
    for (const listener of this.#listeners) listener(areNewest);
    if (!this.#isOver) this.#timer = startTimer(() => void this.#round(), READ_EVERY_MS);
  }

  /** Finds sources that are new, with their newest pulse, and forgets those that are no longer listed. */
  async #list(): Promise<void> {
    if (wallMs() - this.#listedMs < LIST_EVERY_MS) return;
    const reply = await this.#bus.connection.call('ZRANGE', SOURCES_KEY, 0, -1, 'WITHSCORES');
    this.#listedMs = wallMs();
    const words = Array.isArray(reply) ? reply.map(String) : [];
    const names = words.filter((word, n) => n % 2 === 0 && isSafeName(word));
    for (const gone of [...this.#heard.keys()].filter((name) => !names.includes(name))) {
      this.#heard.delete(gone);
      this.#places.delete(gone);
    }
    for (const name of names.filter((each) => !this.#places.has(each))) {
      const [newest] = await this.#bus.newest(pulseKey(name), 1);
      const pulse = newest && (await pulseFrom(newest));
      if (!newest || !pulse) continue;
      this.#places.set(name, newest.place);
      const seenMs = Number(words[words.indexOf(name) + 1]); // by the clock of its observer
      this.#heard.set(name, { pulse, heardMs: Math.min(seenMs, wallMs()) });
    }
    this.#isListed = true;
  }

  /** Returns whether the newest pulse of each source is known: a stream may have more than are read at once. */
  async #read(): Promise<boolean> {
    const names = [...this.#places.keys()];
    if (names.length === 0) return true;
    const ids = names.map((name) => idOf(this.#places.get(name) ?? { run: 0, seq: 0 }));
    const reply = await this.#bus.connection.callRaw(
      'XREAD',
      'COUNT',
      MOST_READ,
      'STREAMS',
      ...names.map(pulseKey),
      ...ids,
    );
    const streams = rawStreamsFrom(reply);
    let areNewest = true;
    for (const name of names) {
      const entries = streams.get(pulseKey(name));
      const last = entries?.at(-1);
      if (!entries || !last) continue;
      this.#places.set(name, last.place);
      const pulse = await pulseFrom(last);
      if (pulse) this.#heard.set(name, { pulse, heardMs: wallMs() });
      areNewest &&= pulse !== undefined && entries.length < MOST_READ;
    }
    return areNewest;
  }
}
