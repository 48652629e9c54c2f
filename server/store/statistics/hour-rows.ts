export const HOUR_MICROS = 3_600_000_000;

/** The hour (UTC) of a Redis time, counted from 1970. */
export function hourOf(at: number): number {
  return Math.floor(at / HOUR_MICROS);
}

type Place = { readonly server: string; readonly db: number; readonly lock: string };

/**
 * Upper bounds of the counted lengths of waits, in µs. A further count has the waits that are as long as the last bound
 * or longer.
 */
export const LENGTH_BOUNDS = [10_000, 100_000, 1_000_000, 10_000_000, 100_000_000] as const;

/**
 * What happened at a lock in an hour. `server`: the source of its events. A hold or wait is counted in the hour in
 * which it is counted first, and its time in each hour that it was in. `lost`: what others waited because of its holds.
 */
export type LockHour = Place & {
  readonly hour: number;
  holds: number;
  held: number;
  waits: number;
  waited: number;
  lost: number;
  /** Holds and waits that began before they were seen: their time is at least this long. */
  openStarts: number;
  /** How many waits ended, by length. */
  readonly lengths: number[];
};

/** What a client waited in an hour, and what others waited because of its holds. */
export type ClientHour = {
  readonly client: string;
  readonly hour: number;
  waits: number;
  waited: number;
  lost: number;
};

/** What others waited in an hour because of one hold. */
export type HoldHour = Place & {
  readonly hour: number;
  readonly holder: string;
  readonly seq: number;
  readonly from: number;
  readonly to: number | null;
  readonly isOpenStart: boolean;
  readonly lost: number;
};

/** How long a server was watched in an hour, and how long at a level that shows which threads wait. */
export type WatchedHour = {
  readonly server: string;
  readonly hour: number;
  readonly watched: number;
  readonly waitsSeen: number;
};

/** Sums that are added to those in the store. Times are in µs. */
export type HourRows = {
  readonly locks: readonly LockHour[];
  readonly clients: readonly ClientHour[];
  readonly holds: readonly HoldHour[];
  readonly watched: readonly WatchedHour[];
};

export class HourSums {
  readonly hour: number;
  readonly #locks = new Map<string, LockHour>();
  readonly #clients = new Map<string, ClientHour>();
  readonly holds: HoldHour[] = [];
  readonly watched: WatchedHour[] = [];

  constructor(hour: number) {
    this.hour = hour;
  }

  lock(id: string, place: Place): LockHour {
    const none = { holds: 0, held: 0, waits: 0, waited: 0, lost: 0, openStarts: 0 };
    const known = this.#locks.get(id) ?? {
      ...place,
      hour: this.hour,
      ...none,
      lengths: [...LENGTH_BOUNDS, 0].map(() => 0),
    };
    this.#locks.set(id, known);
    return known;
  }

  client(client: string): ClientHour {
    const known = this.#clients.get(client) ?? { client, hour: this.hour, waits: 0, waited: 0, lost: 0 };
    this.#clients.set(client, known);
    return known;
  }

  rows(): HourRows {
    const { holds, watched } = this;
    return { locks: [...this.#locks.values()], clients: [...this.#clients.values()], holds, watched };
  }
}
