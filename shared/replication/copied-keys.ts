import { forgetOldest } from '../base/forget-oldest.ts';
import { type CopiedKey, NO_KEY, writeTo } from './copied-value.ts';
import type { Effect } from './effects.ts';
import { keysNotShown } from './not-shown.ts';

/** What one effect did to one key. */
export type Change = {
  readonly db: number;
  readonly name: string;
  /** The key event, for example `hincrby`. `vanished`: deleted, evicted or expired, which look the same here. */
  readonly event: string;
  readonly before: CopiedKey | undefined;
  /** `undefined`: the content is not known, so the key must be read. */
  readonly after: CopiedKey | undefined;
  readonly isFlush?: true;
};

type Options = {
  /** Whether a key that was never read or written is known not to exist. */
  isAbsent(db: number, name: string): boolean;
  /** Whether an unknown key must be followed, because this write may make it a lock. */
  mayBecomeLock(effect: Effect): boolean;
  /** Whether the server may evict keys: its replicas receive an eviction as a deletion. */
  mayEvict(): boolean;
  /** By how many ms the time of an effect may be wrong. */
  clockErrorMs(): number;
  mostKeys?: number;
};

/** The place of an effect in its group. */
type InGroup = {
  /** Whether no earlier effect of the group touched this key. */
  isFirst(name: string): boolean;
  /** Whether the effect is the only one of its group. */
  readonly isAlone: boolean;
};

const MOST_KEYS = 200_000;
/** A deletion this close to the end of a key does not show whether the key expired. The error of our clock is added. */
const CLOCK_SLACK_MS = 20;
/**
 * How long an effect may take to arrive. An end that was computed from its arrival may be wrong by this much (Redis 6).
 */
const ARRIVAL_SLACK_MS = 1000;
/**
 * A copy of the keys that locks use, kept up to date by the replication stream.
 *
 *   read of k at offset 700          k = { a: 1 }
 *   offset 760   HINCRBY k a 1       k = { a: 2 }        exact, without another read
 *   offset 790   DEL k               no key
 *
 * A key is known after a read, after a write that replaced or removed it, or if `isAbsent` reports that it did not
 * exist. After a command that is not understood, its key is unknown until it is read again, replaced or removed.
 */
export class CopiedKeys {
  readonly #keys = new Map<string, CopiedKey>();
  /** Keys that are no longer known, so that `isAbsent` does not count for them: they may exist. */
  readonly #doubted = new Set<string>();
  readonly #options: Options;
  #hasDropped = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /** The key; `undefined` if its content is not known. */
  find(db: number, name: string): CopiedKey | undefined {
    const id = `${db}/${name}`;
    const known = this.#keys.get(id);
    if (known) return known;
    const isAbsent = !this.#hasDropped && !this.#doubted.has(id) && this.#options.isAbsent(db, name);
    return isAbsent ? NO_KEY : undefined;
  }

  /** A read found this content. */
  put(db: number, name: string, key: CopiedKey): void {
    const id = `${db}/${name}`;
    this.#doubted.delete(id);
    this.#keys.delete(id);
    this.#keys.set(id, key);
    if (this.#keys.size <= (this.#options.mostKeys ?? MOST_KEYS)) return;
    // A key that is dropped may exist, so from now on an unknown key must be read.
    this.#hasDropped = true;
    forgetOldest(this.#keys, this.#options.mostKeys ?? MOST_KEYS);
  }

  /** The content of a key is no longer known. */
  forget(db: number, name: string): void {
    const id = `${db}/${name}`;
    this.#keys.delete(id);
    this.#doubted.add(id);
    if (this.#doubted.size <= MOST_KEYS) return;
    this.#hasDropped = true;
    this.#doubted.clear();
  }

  /**
   * Applies one effect; returns what changed. A deletion that is the first effect on its key may be an expiry, and one
   * that is alone may also be an eviction.
   */
  apply(effect: Effect, atMs: number, { isFirst, isAlone }: InGroup): Change[] {
    const { db, words } = effect;
    const [command = '', name = '', ...args] = words;
    switch (command) {
      case 'DEL':
      case 'UNLINK':
        return words.slice(1).flatMap((key) => this.#delete(db, key, atMs, isFirst(key) ? { isAlone } : undefined));
      case 'RENAME':
      case 'RENAMENX':
        return this.#rename(db, name, args[0] ?? '');
      case 'FLUSHDB':
        return this.#flush((id) => id.startsWith(`${db}/`));
      case 'FLUSHALL':
        return this.#flush(() => true);
      case 'SWAPDB':
        return this.#loseAll();
    }
    const lost = keysNotShown(effect);
    if (lost) return lost.flatMap((key) => this.#lose(key.db, key.name, 'restore'));
    return this.#write(effect, name, args, atMs);
  }

  #write(effect: Effect, name: string, args: readonly string[], atMs: number): Change[] {
    const { db, words } = effect;
    const before = this.find(db, name);
    const isFollowed = this.#keys.has(`${db}/${name}`);
    if (!isFollowed && !this.#options.mayBecomeLock(effect)) return [];
    const isReplaced = words[0] === 'SET' && !args.some((word) => word.toUpperCase() === 'KEEPTTL');
    const from = before ?? (isReplaced ? NO_KEY : undefined);
    const written = from && writeTo(from, words[0] ?? '', args, atMs);
    if (!written) {
      const event = writeTo(NO_KEY, words[0] ?? '', args, atMs)?.event || (args.length > 0 ? 'expire' : 'del');
      if (isFollowed) return this.#lose(db, name, event);
      return [{ db, name, event, before: undefined, after: undefined }];
    }
    if (written.event === '') return [];
    this.put(db, name, written.key);
    return [{ db, name, event: written.event, before, after: written.key }];
  }

  /** `first`: it is the first effect on this key in its group. */
  #delete(db: number, name: string, atMs: number, first: Pick<InGroup, 'isAlone'> | undefined): Change[] {
    const before = this.#keys.get(`${db}/${name}`);
    if (!before && !this.#doubted.has(`${db}/${name}`)) return [];
    if (before?.value === null) return [];
    this.put(db, name, NO_KEY);
    const ending = first ? endingOf(before, atMs, this.#options.clockErrorMs()) : 'del';
    const event = ending === 'del' && first?.isAlone && this.#options.mayEvict() ? 'vanished' : ending;
    return [{ db, name, event, before, after: NO_KEY }];
  }

  #rename(db: number, from: string, to: string): Change[] {
    const before = this.#keys.get(`${db}/${from}`);
    if (!before) return this.#lose(db, to, 'rename_to');
    const replaced = this.find(db, to);
    this.put(db, from, NO_KEY);
    this.put(db, to, before);
    return [
      { db, name: from, event: 'rename_from', before, after: NO_KEY },
      { db, name: to, event: 'rename_to', before: replaced, after: before },
    ];
  }

  #flush(isIn: (id: string) => boolean): Change[] {
    const changes: Change[] = [];
    for (const [id, before] of [...this.#keys]) {
      if (!isIn(id) || before.value === null) continue;
      const [db, name] = partsOf(id);
      this.put(db, name, NO_KEY);
      changes.push({ db, name, event: 'flush', before, after: NO_KEY, isFlush: true });
    }
    for (const id of [...this.#doubted]) if (isIn(id)) this.#doubted.delete(id);
    return changes;
  }

  #loseAll(): Change[] {
    this.#hasDropped = true;
    return [...this.#keys.keys()].flatMap((id) => this.#lose(...partsOf(id), 'rename_to'));
  }

  #lose(db: number, name: string, event: string): Change[] {
    const before = this.#keys.get(`${db}/${name}`);
    this.forget(db, name);
    return before ? [{ db, name, event, before, after: undefined }] : [];
  }
}

/**
 * The key event of a deletion that is the first effect on its key: `expired` after the end of the key, `vanished` at
 * about its end, `del` before. When a key has expired, the master sends a deletion, never before the end. A client that
 * deletes the key at about that time looks the same.
 */
function endingOf(before: CopiedKey | undefined, atMs: number, clockErrorMs: number): string {
  const overMs = before?.endsAtMs == null ? Number.NEGATIVE_INFINITY : atMs - before.endsAtMs;
  const lateMs = CLOCK_SLACK_MS + clockErrorMs;
  const earlyMs = before?.isEndLate ? ARRIVAL_SLACK_MS + clockErrorMs : lateMs;
  return overMs >= lateMs ? 'expired' : overMs >= -earlyMs ? 'vanished' : 'del';
}

function partsOf(id: string): [number, string] {
  const slash = id.indexOf('/');
  return [Number(id.slice(0, slash)), id.slice(slash + 1)];
}
