import { isBefore, type Place } from './bus-entry.ts';

/** How long and how much of a source is kept on the bus. */
export type Keep = { readonly ms: number; readonly bytes: number };

type Kept = Place & { readonly at: number; readonly bytes: number };

/** The bytes around one entry: its id, its fields and a node of Redis. */
const OVERHEAD = 200;

/** The entries of one source on the bus, oldest first. Computes the oldest id that may stay there. */
export class KeptEntries {
  readonly #keep: Keep;
  readonly #entries: Kept[] = [];
  #bytes = 0;

  constructor(keep: Keep) {
    this.#keep = keep;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Notes an entry that was added at `at` (ms). Returns the oldest place that may stay on the bus. */
  add(place: Place, bytes: number, at: number): Place {
    const last = this.#entries.at(-1);
    if (!last || isBefore(last, place)) {
      this.#entries.push({ ...place, bytes: bytes + OVERHEAD, at });
      this.#bytes += bytes + OVERHEAD;
    }
    return this.trim(at);
  }

  /** Drops entries that are too old or too many. The newest entry stays, so that an older run is refused. */
  trim(nowMs: number): Place {
    let drop = 0;
    while (drop < this.#entries.length - 1) {
      const first = this.#entries[drop];
      if (!first || (this.#bytes <= this.#keep.bytes && first.at >= nowMs - this.#keep.ms)) break;
      this.#bytes -= first.bytes;
      drop++;
    }
    this.#entries.splice(0, drop);
    const { run = 0, seq = 0 } = this.#entries[0] ?? {};
    return { run, seq };
  }
}
