import type { CommandConnection } from '../../../server/redis/connection/command-connection.ts';

/** The release script of most token locks. */
const RELEASE = "if redis.call('get',KEYS[1])==ARGV[1] then return redis.call('del',KEYS[1]) else return 0 end";
const LEASE_MS = 6 * 3_600_000;

/**
 * One change of a lock: the commands began and ended at these times (µs). `token` is the new holder's; null if the lock
 * was released.
 */
type Change = { readonly beganAt: number; readonly endedAt: number; readonly token: string | null };

/** Acquires and releases locks with tokens on one server, and keeps an account of their holders. */
export class LockAccount {
  readonly #connection: CommandConnection;
  readonly #changes = new Map<string, Change[]>();
  #count = 0;

  constructor(connection: CommandConnection, locks: number) {
    this.#connection = connection;
    for (let n = 0; n < locks; n++) this.#changes.set(`lock:${n}`, []);
  }

  get locks(): string[] {
    return [...this.#changes.keys()];
  }

  /** Acquires the lock if it is free, otherwise releases it. */
  async change(lock: string): Promise<void> {
    const changes = this.#changes.get(lock);
    if (!changes) throw new Error(`no lock ${lock}`);
    const held = changes.at(-1)?.token ?? null;
    const token = held === null ? `token-0123456789abcdef-${++this.#count}` : null;
    const beganAt = nowMicros();
    const reply =
      token === null
        ? await this.#connection.call('EVAL', RELEASE, 1, lock, String(held))
        : await this.#connection.call('SET', lock, token, 'NX', 'PX', LEASE_MS);
    if (reply !== 1 && reply !== 'OK') throw new Error(`${lock}: unexpected reply ${String(reply)}`);
    changes.push({ beganAt, endedAt: nowMicros(), token });
  }

  /** The token of the holder at this instant (µs), null if it was free; undefined if a change was too near. */
  holderAt(lock: string, at: number, nearMicros: number): string | null | undefined {
    const changes = this.#changes.get(lock) ?? [];
    if (changes.some(({ beganAt, endedAt }) => beganAt - nearMicros <= at && at <= endedAt + nearMicros))
      return undefined;
    return changes.findLast(({ endedAt }) => endedAt < at)?.token ?? null;
  }

  /** The changes before and after an instant, for messages. */
  near(lock: string, at: number): string {
    const changes = this.#changes.get(lock) ?? [];
    const next = changes.findIndex(({ beganAt }) => beganAt > at);
    return JSON.stringify(
      changes.slice(Math.max(0, (next < 0 ? changes.length : next) - 2), next < 0 ? undefined : next + 1),
    );
  }
}

/** The time of this machine in µs, which is that of its Redis servers. */
export function nowMicros(): number {
  return Date.now() * 1000;
}
