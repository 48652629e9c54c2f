import type { Chance } from '../../random/seeded.ts';

/** How long a message usually takes, in µs. */
const USUAL = [100, 900] as const;
/** One message in this many is late. */
const LATE_IN = 400;
/** How long a late message takes, in µs. */
const LATE = [1000, 30_000] as const;

/**
 * The state of the network: how long messages take, whether they arrive in one piece, and whether the end of a
 * connection loses data. Faults change `slowness` for a while.
 */
export class NetworkState {
  /** Everything takes longer by this factor. */
  slowness = 1;
  readonly #chance: Chance;

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  /** How long the next message is on its way, in µs. */
  delay(): number {
    const [least, most] = this.#chance.next() * LATE_IN < 1 ? LATE : USUAL;
    return this.#chance.whole(least, most) * this.slowness;
  }

  /** The longest time that a message is on its way now, in ms. */
  get longestMs(): number {
    return (LATE[1] / 1000) * this.slowness;
  }

  /** Where the next bytes are cut into two parts; `undefined`: they arrive together. */
  cutIn(bytes: number): number | undefined {
    return bytes > 1 && this.#chance.isTrue(0.05) ? this.#chance.whole(1, bytes - 1) : undefined;
  }

  /** Whether a connection that ends loses data that is on its way. */
  losesRest(): boolean {
    return this.#chance.isTrue(0.5);
  }
}
