import type { Millis, RedisTime } from '../base/time.ts';
import type { FoundHolder, HoldMode, KeyContent, LockKind } from './event.ts';

/** One holder's field in a lock's hash. `count` null: it was there before anybody watched, so nobody knows. */
export type Field = { count: number | null; readonly mode: HoldMode; readonly acquiredSeq: number | undefined };

/** What we believe Redis holds at one lock's key. No holders: the key is not there. */
export type LockKey = {
  readonly db: number;
  readonly name: string;
  kind: LockKind;
  readonly holders: Map<string, Field>;
  /** Null: no expiry. Undefined: not known. */
  expiresAt: RedisTime | null | undefined;
  leaseMs: Millis | undefined;
  /** The stretch of watching in which this belief was last confirmed. */
  stretch: number;
  /** Holders that lost their hold since they acquired, and how: the reason of a refusal that may follow. */
  readonly lost: Map<string, 'expired' | 'gone'>;
  /** `seq`s of the newest events that may have ended a sleep, by what they were. */
  lastMessage: number;
  lastExpiry: number;
  lastLoss: number;
};

const MOST_LOST = 100;

/**
 * A mirror of the lock keys of one Redis: what the commands seen so far must have left there.
 *
 * Replies are never on the wire, so the count after an `hincrby` or the TTL a client was told is read from here.
 */
export class LockKeys {
  readonly #keys = new Map<string, LockKey>();
  readonly #most: number;
  /** Called with every name that becomes known. */
  onNew: (key: LockKey) => void = () => {};

  constructor(most = 200_000) {
    this.#most = most;
  }

  /** The key, when this name was ever seen as a lock. */
  find(db: number, name: string): LockKey | undefined {
    return this.#keys.get(keyId(db, name));
  }

  /** The key, made empty when it was never seen. The oldest free key is forgotten when there are too many. */
  take(db: number, name: string, kind: LockKind, stretch: number): LockKey {
    const id = keyId(db, name);
    const known = this.#keys.get(id);
    if (known) {
      if (known.kind === 'lock') known.kind = kind;
      return known;
    }
    if (this.#keys.size >= this.#most) this.#forgetOne();
    const key: LockKey = {
      db,
      name,
      kind,
      holders: new Map(),
      expiresAt: undefined,
      leaseMs: undefined,
      stretch,
      lost: new Map(),
      lastMessage: -1,
      lastExpiry: -1,
      lastLoss: -1,
    };
    this.#keys.set(id, key);
    this.onNew(key);
    return key;
  }

  /** Every key with a holder, of one database or of all. */
  *held(db?: number): Generator<LockKey> {
    for (const key of this.#keys.values()) {
      if (key.holders.size > 0 && (db === undefined || key.db === db)) yield key;
    }
  }

  get size(): number {
    return this.#keys.size;
  }

  #forgetOne(): void {
    for (const [id, key] of this.#keys) {
      if (key.holders.size === 0) {
        this.#keys.delete(id);
        return;
      }
    }
  }
}

/** Empties a key, remembering how its holders lost it. */
export function clearKey(key: LockKey, how: 'expired' | 'gone' | 'released'): void {
  if (how !== 'released') {
    for (const holder of key.holders.keys()) rememberLoss(key, holder, how);
  }
  key.holders.clear();
  key.expiresAt = undefined;
}

/** Notes that this holder lost its hold; the oldest note goes when there are too many. */
function rememberLoss(key: LockKey, holder: string, how: 'expired' | 'gone'): void {
  key.lost.delete(holder);
  key.lost.set(holder, how);
  if (key.lost.size > MOST_LOST) {
    const oldest = key.lost.keys().next().value;
    if (oldest !== undefined) key.lost.delete(oldest);
  }
}

/** The key's content in the form events carry; null where there is no key. */
export function contentOf(key: LockKey): KeyContent | null {
  if (key.holders.size === 0) return null;
  const holders: FoundHolder[] = [];
  for (const [holder, field] of key.holders) holders.push({ holder, holdCount: field.count ?? 0, mode: field.mode });
  return { holders, expiresAt: key.expiresAt ?? null };
}

function keyId(db: number, name: string): string {
  return `${db}/${name}`;
}
