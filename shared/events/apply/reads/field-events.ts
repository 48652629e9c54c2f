import type { RedisTime } from '../../../base/time.ts';
import type { FieldEvent } from '../../../signals/field-message.ts';
import type { KeyEvent } from '../../../signals/keyspace-message.ts';
import type { Context } from '../../context.ts';
import { KINDS } from '../../kinds/kinds.ts';
import { dropField, type LockKey } from '../../mirror/lock-key.ts';
import {
  fieldOf,
  holderOfField,
  isDerivedFrom,
  isHolder,
  isWriteField,
  parseReadTimeoutKey,
} from '../../names/names.ts';
import type { HoldMode } from '../../types/hold-event.ts';
import { isStateKnown } from '../proof.ts';
import { doubtTwins } from './found-holds.ts';

/** Key events of commands that write fields. */
const WRITES: ReadonlySet<string> = new Set(['hset', 'hincrby']);
/** Key events after which the hash has the same fields as before. */
const EVENTS_OF_LEASE: ReadonlySet<string> = new Set(['expire', 'persist']);
/** Key events after which the key does not exist. */
const GONE: ReadonlySet<string> = new Set(['del', 'unlink']);

/** What the newest script wrote to a lock's hash, as far as field notifications showed it. */
type Written = {
  readonly key: LockKey;
  /** The content of the hash was known before. */
  readonly wasKnown: boolean;
  readonly fields: string[];
  /** The key event whose fields have not arrived: Redis sends them right after it. */
  unheard: string | undefined;
  /** A field was removed. */
  isRemoval: boolean;
};

/**
 * Interprets field notifications (Redis 8.8) at level `events`. Redis sends them right after the key event of the same
 * command, so both have one order. They name the fields, but neither counts nor the lease: a read shows those.
 *
 *   hincrby k · field A · expire k                          A acquired the free lock k
 *   hset k · field mode · hset k · field A · expire k        A acquired it for reading; `A:write`: for writing
 *   hincrby k · field A · expire k, while others read        A reads as well
 *   hincrby k · field A · hdel k · field A, while others read     A released
 *   hincrby k · field A · expire k, while A holds k          re-entered or partially released: the read shows which
 *
 * Anything else is left to the read. A lock counts as free only if the newest event or read showed that its key is
 * gone. After a change that was not understood, the hash may have any content until it is read.
 */
export class FieldEvents {
  readonly #to: Context;
  #written: Written | undefined;
  /** Known locks whose hash may have other fields than the mirror. */
  #unsure = new WeakSet<LockKey>();

  constructor(to: Context) {
    this.#to = to;
  }

  /**
   * The field that the newest script has changed in this lock's hash; undefined if that is not known, or if it changed
   * several.
   */
  fieldOf(key: LockKey): string | undefined {
    const written = this.#written;
    if (written?.key !== key || written.unheard !== undefined) return undefined;
    const [field, ...others] = new Set(written.fields);
    return others.length === 0 ? field : undefined;
  }

  /** Takes a key event, before the fields of the same command. `key`: the known lock with that key. */
  heard(event: KeyEvent, key: LockKey | undefined, at: RedisTime): void {
    const before = this.#written;
    if (before && before.key !== key) {
      // the script of a reader sets or deletes its timeout key in between
      if (isDerivedFrom(before.key.name, parseReadTimeoutKey(event.key)?.lock)) return;
      this.#leave(before);
    }
    if (!key) return;
    const { event: name } = event;
    if (WRITES.has(name) || name === 'hdel') return this.#write(key, name);
    if (EVENTS_OF_LEASE.has(name)) {
      if (key.mirrors?.heardLease !== undefined) key.mirrors.heardLease = at;
      if (this.#written && name === 'expire') this.#complete(this.#written, at);
      return;
    }
    this.#written = undefined;
    if (GONE.has(name)) this.#unsure.delete(key);
    else this.#unsure.add(key);
  }

  /** Takes the fields of the key event before it. */
  heardFields({ db, key: name, event, fields }: FieldEvent, at: RedisTime): void {
    const written = this.#written;
    if (!written || written.key.db !== db || written.key.name !== name || written.unheard !== event) return;
    written.unheard = undefined;
    if (event === 'hdel') return this.#remove(written, fields, at);
    for (const field of fields) written.fields.push(field);
  }

  /** Takes any other push: nothing more belongs to the newest script's changes of this hash. */
  heardOther(): void {
    if (this.#written) this.#leave(this.#written);
  }

  /** Redis deleted an expired or evicted key. */
  gone(key: LockKey | undefined): void {
    if (this.#written) this.#leave(this.#written);
    if (key) this.#unsure.delete(key);
  }

  /** A read has shown the content of this key. */
  read(key: LockKey | undefined): void {
    this.#written = undefined;
    if (key) this.#unsure.delete(key);
  }

  /** Another connection: notifications before it belong to the previous one. */
  forget(): void {
    this.#written = undefined;
  }

  #write(key: LockKey, event: string): void {
    const isSame = this.#written?.key === key && this.#written.unheard === undefined && !this.#written.isRemoval;
    const wasKnown = isStateKnown(this.#to, key) && !this.#unsure.has(key);
    if (!isSame) this.#written = { key, wasKnown, fields: [], unheard: event, isRemoval: false };
    else if (this.#written) this.#written.unheard = event;
    this.#unsure.add(key);
  }

  /**
   * A lease was set right after fields were written, as every acquisition does: reports the acquisition, or asks for a
   * read if the fields do not show one with certainty.
   */
  #complete(written: Written, at: RedisTime): void {
    this.#written = undefined;
    const { key, wasKnown, fields, unheard, isRemoval } = written;
    if (isRemoval) return;
    const begun = wasKnown && unheard === undefined ? begunBy(key, fields) : undefined;
    if (!begun) return this.#to.onDoubt(key);
    this.#unsure.delete(key);
    const { holder, mode } = begun;
    const seq = this.#to.emit(
      { db: key.db, lock: key.name, kind: key.kind, at },
      { type: 'lock.acquired', holder, mode },
    );
    this.#to.keys.hold(key, holder, { count: null, mode, acquiredSeq: seq });
    key.expiresAt = undefined;
    key.foundLeaseMs = undefined;
    key.watchEpoch = this.#to.watchEpoch;
    key.mirrors ??= {};
    key.mirrors.heardLease = at;
    doubtTwins(this.#to, key);
  }

  /**
   * Fields were removed. Reports the release of one of several readers: its unlock counts its field down to 0 and then
   * removes it. The last reader's unlock also deletes the key.
   */
  #remove(written: Written, fields: readonly string[], at: RedisTime): void {
    const { key, wasKnown, fields: counted } = written;
    const [field = ''] = fields;
    const isUnlock = fields.length === 1 && counted.length === 1 && counted[0] === field;
    const holds = [...key.holders.values()];
    written.isRemoval = true;
    if (!wasKnown || !isUnlock || !key.holders.has(field)) return;
    if (holds.length < 2 || holds.some(({ mode }) => mode !== 'read')) return;
    this.#unsure.delete(key);
    dropField(key, field);
    this.#to.emit(
      { db: key.db, lock: key.name, kind: key.kind, at },
      { type: 'lock.released', holder: field, mode: 'read', holdCount: 0 },
    );
  }

  /** What the newest script did to this hash is not understood, or not complete. */
  #leave({ key }: Written): void {
    this.#written = undefined;
    if (this.#unsure.has(key)) this.#to.onDoubt(key);
  }
}

/** The hold that a script began by writing these fields and then a lease; undefined if that is not certain. */
function begunBy(key: LockKey, fields: readonly string[]): { holder: string; mode: HoldMode } | undefined {
  const { isExclusive, hasReaders } = KINDS[key.kind];
  const isFree = key.holders.size === 0;
  const [first = '', second, ...others] = fields;
  if (others.length > 0) return undefined;
  if (isExclusive && isFree && second === undefined && isHolder(first)) return { holder: first, mode: 'exclusive' };
  if (!hasReaders) return undefined;
  if (isFree) {
    if (first !== 'mode' || second === undefined) return undefined;
    if (isWriteField(second)) return { holder: holderOfField(second), mode: 'write' };
    return isHolder(second) ? { holder: second, mode: 'read' } : undefined;
  }
  if (second !== undefined || !isHolder(first) || key.holders.has(fieldOf(first, 'read'))) return undefined;
  return [...key.holders.values()].every(({ mode }) => mode === 'read') ? { holder: first, mode: 'read' } : undefined;
}
