import { forgetOldest } from '../../../base/forget-oldest.ts';
import type { RedisTime } from '../../../base/time.ts';
import { fieldEventFromPush } from '../../../signals/field-message.ts';
import { type KeyEvent, keyEventFromPush } from '../../../signals/keyspace-message.ts';
import type { BookmarkSignal, PushSignal } from '../../../signals/signal.ts';
import type { About, Context } from '../../context.ts';
import type { EventDetail } from '../../event.ts';
import { companionFrom, isTokenKind, KINDS } from '../../kinds/kinds.ts';
import { ARRIVALS } from '../../mirror/births.ts';
import { clearKey, forgetBefore, holderIds, type LockKey } from '../../mirror/lock-key.ts';
import { holderOfField, isDerivedFrom, isLatchKey, lockOfChannel, parseReadTimeoutKey } from '../../names/names.ts';
import { applyAction } from '../apply-action.ts';
import { wasOverForCommand } from '../proof.ts';
import { deleteOwnLock } from '../tokens/own-locks.ts';
import { FieldEvents } from './field-events.ts';
import { loseJobs } from './found-jobs.ts';

/** What became of the key that vanished. */
type Ending = 'force-released' | 'deleted' | 'moved-back';

/** How many renames of held locks are remembered, to see which are undone. */
const MOST_RENAMED = 16;

/** The key events by which a key vanishes, and whether an unlock may cause them. */
const VANISHING: ReadonlyMap<string, { readonly mayUnlock: boolean }> = new Map([
  ['del', { mayUnlock: true }],
  ['unlink', { mayUnlock: true }],
  ['rename_from', { mayUnlock: false }],
  ['move_from', { mayUnlock: false }],
  ['type_changed', { mayUnlock: false }],
]);

/** Events that Redis publishes whenever it publishes deletions: all of these are in the class `g`. */
const GENERIC: ReadonlySet<string> = new Set(['del', 'unlink', 'expire', 'persist']);

/**
 * Interprets pushes at levels without commands: a key event shows that a key changed, but not which client changed it.
 */
export class KeyEvents {
  readonly #to: Context;
  /** A key that vanished, until the next push distinguishes a release from a deletion. */
  #vanished:
    | { key: LockKey; at: RedisTime; isUnlock: boolean; mayUnlock: boolean; field: string | undefined }
    | undefined;
  /** The key whose count the newest key event changed, or whose field it removed. */
  #counted: LockKey | undefined;
  /** Newest renames of held locks: the new name, and the previous one. */
  readonly #renamed = new Map<string, string>();
  readonly #fields: FieldEvents;

  constructor(to: Context) {
    this.#to = to;
    this.#fields = new FieldEvents(to);
  }

  /** A key that is gone for a reason not known yet: the next read decides. */
  get undecided(): LockKey | undefined {
    return this.#vanished?.key;
  }

  /** Applies a push that is not an expiry or eviction. */
  hear(push: PushSignal): void {
    const fields = fieldEventFromPush(push, (db, name) => this.#to.keys.find(db, name) !== undefined);
    if (fields === 'malformed') return; // nothing explains the key event before this push, so the key is read
    if (fields) return this.#fields.heardFields(fields, push.at);
    const target = lockOfChannel(push.channel);
    if (target) {
      this.#fields.heardOther();
      const key = this.#keyOf(target.name);
      const released = this.#vanished && this.#vanished.key === key ? this.settle('force-released') : undefined;
      const { at, channel, message } = push;
      applyAction(this.#to, { do: 'publish', at, channel, message }, { db: key?.db ?? 0, by: undefined, released });
      return;
    }
    const event = keyEventFromPush(push);
    // A fair unlock sets its latch after it deletes the lock, and publishes after both.
    if (!event || isLatchKey(event.key) || this.#isBeside(event.key)) return;
    const key = this.#to.keys.find(event.db, event.key);
    if (!key && !this.#to.ownLocks.isEmpty) this.#loseOwn(event, push.at);
    const isUnlock = key !== undefined && key === this.#counted;
    const field = isUnlock ? this.#fields.fieldOf(key) : undefined;
    const isUndone = event.event === 'rename_to' && this.#isUndone(event);
    this.settle(isUndone ? 'moved-back' : 'deleted');
    this.#counted = event.event === 'hincrby' || event.event === 'hdel' ? key : undefined;
    // Only events of locks are in a recording.
    if (key && GENERIC.has(event.event)) this.#to.hearsDeletions = true;
    if (key && event.event === 'set') this.#setAgain(key, push.at);
    if (key && !this.#to.hearsMessages) return this.#to.onDoubt(key);
    this.#fields.heard(event, key, push.at);
    const vanishing = VANISHING.get(event.event);
    if (key && vanishing && loseJobs(this.#to, key, push.at, isUnlock)) return;
    const place = { db: event.db, by: undefined };
    const gone = key ?? (vanishing?.mayUnlock ? deleteOwnLock(this.#to, event.key, push.at, place) : undefined);
    if (gone && gone.holders.size > 0 && vanishing) {
      const { mayUnlock } = vanishing;
      this.#vanished = { key: gone, at: push.at, isUnlock: isUnlock && mayUnlock, mayUnlock, field };
    }
    // The key arrived here with its content, for example by RENAME, so it was not acquired: the next read finds its
    // holders.
    if (key && key.holders.size === 0 && ARRIVALS.has(event.event)) forgetBefore(key);
  }

  /** Takes a push that is an expiry or eviction. */
  lost(push: PushSignal): void {
    const event = keyEventFromPush(push);
    this.#fields.gone(event && this.#to.keys.find(event.db, event.key));
  }

  /** Takes a bookmark: its reads show the whole content of their keys. */
  read({ reads }: BookmarkSignal): void {
    for (const { db, name, movedTo } of reads)
      if (movedTo === undefined) this.#fields.read(this.#to.keys.find(db, name));
  }

  /** Another connection begins, or another level. */
  forget(): void {
    this.#fields.forget();
  }

  /** Whether a read shows that the vanished key is on another server now, so that it was not deleted. */
  isMoved({ reads }: BookmarkSignal): boolean {
    const { db, name } = this.#vanished?.key ?? {};
    return reads.some((read) => read.movedTo !== undefined && read.db === db && read.name === name);
  }

  /**
   * Reports what happened to the vanished key, and returns the `seq` of the last event; undefined: no held key
   * vanished. An unlock counts down and deletes in one script, so only events of keys beside the lock arrive in
   * between. Fair and spin locks may publish nothing. A force-unlock deletes and publishes.
   *
   *   hincrby k → del k               released
   *   del k → message of k            force-released
   *   del k                           deleted
   *   rename_from k, move_from k      deleted
   *   rename_to k → rename_from k     moved-back, if the next rename_to restores the key's former name: no hold is lost
   *   type_changed k                  deleted: a command like SET replaced it (Redis 8.2, class `c`)
   *
   * A release and a plain command delete a string with a token in the same way: only a message shows a release. The
   * values of a group lock leave the hash by an unlock, by a force-unlock, or after they expired.
   */
  settle(how: Ending = 'deleted'): number | undefined {
    const vanished = this.#vanished;
    this.#vanished = undefined;
    this.#counted = undefined;
    if (!vanished || vanished.key.holders.size === 0) return undefined;
    const { key, at, isUnlock, mayUnlock, field } = vanished;
    const about: About = { db: key.db, lock: key.name, kind: key.kind, at, certainty: 'inferred' };
    const isToken = isTokenKind(key.kind) && mayUnlock;
    // Another thread's hold ended. The hold that was known ended earlier, in a way that was not seen.
    const isOther = field !== undefined && !key.holders.has(field);
    const isUnknown = KINDS[key.kind].hasValues || isOther || (isToken && how === 'deleted');
    const details =
      isUnlock || isToken ? releases(key, isUnknown) : [loss(key, mayUnlock || how === 'moved-back' ? how : 'deleted')];
    let seq: number | undefined;
    for (const detail of details) seq = this.#to.emit(about, detail);
    const isReleased = isUnlock || isToken;
    clearKey(key, isReleased ? 'released' : 'gone');
    if (!isReleased && seq !== undefined) key.lastLoss = seq;
    return seq;
  }

  /**
   * Notes that the key of a held lock was set again, to another value or the same: no client acquires a lock that way.
   */
  #setAgain(key: LockKey, at: RedisTime): void {
    const tokens = key.mirrors?.tokens;
    if (tokens) tokens.isSetAgain = key.holders.size > 0 && !wasOverForCommand(this.#to, key, at);
  }

  /** After any event that leaves the key, the hold of a key that may be a lock is unknown until the next read. */
  #loseOwn({ db, key, event }: KeyEvent, at: RedisTime): void {
    if (!VANISHING.has(event)) this.#to.ownLocks.find(db, key)?.change(at);
  }

  /** Whether this rename gives a held lock its former name back. Otherwise notes the new and the former name. */
  #isUndone({ db, key: to }: { readonly db: number; readonly key: string }): boolean {
    const from = this.#vanished?.key;
    if (!from || from.db !== db) return false;
    if (this.#renamed.get(`${db}/${from.name}`) === to) return this.#renamed.delete(`${db}/${from.name}`);
    this.#renamed.set(`${db}/${to}`, from.name);
    forgetOldest(this.#renamed, MOST_RENAMED);
    return false;
  }

  /**
   * Whether a key belongs to the lock whose key events arrive. An unlock script may touch such a key between two events
   * of the lock.
   */
  #isBeside(name: string): boolean {
    const key = this.#vanished?.key ?? this.#counted;
    if (!key) return false;
    const lock = parseReadTimeoutKey(name)?.lock ?? companionFrom(name)?.lock;
    return lock !== undefined && name !== key.name && isDerivedFrom(key.name, lock);
  }

  #keyOf(name: string): LockKey | undefined {
    if (this.#vanished && isDerivedFrom(this.#vanished.key.name, name)) return this.#vanished.key;
    return this.#to.keys.about(0, name);
  }
}

function releases(key: LockKey, isUnknown: boolean): EventDetail[] {
  const how = isUnknown ? ({ how: 'unknown' } as const) : undefined;
  return [...key.holders].map(([name, { mode }]) => {
    return { type: 'lock.released', holder: holderOfField(name), mode, holdCount: 0, ...how };
  });
}

/** `moved-back`: the event has no holder, because the hold continues under another name. */
function loss(key: LockKey, how: Ending): EventDetail {
  if (how === 'moved-back') return { type: 'lock.deleted' };
  const holders = holderIds(key);
  const [holder] = holders;
  return { type: `lock.${how}`, ...(holder === undefined ? undefined : { holder, holders }) };
}
