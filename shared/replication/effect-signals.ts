import { libraryWords } from '../events/apply/reads/token-reads.ts';
import type { Companions } from '../events/kinds/companion.ts';
import { COMPANIONS, companionFrom, companionsOf, isStringKind, KINDS } from '../events/kinds/kinds.ts';
import { tokenLockFrom } from '../events/libraries/token-found.ts';
import { channelOf, type LockKey } from '../events/mirror/lock-key.ts';
import type { LockKeys } from '../events/mirror/lock-keys.ts';
import { isGroupLockField } from '../events/names/group-lock-names.ts';
import { isLatchKey, isLockField, lockChannel, lockOfChannel } from '../events/names/names.ts';
import type { BookmarkSignal, KeyRead, PushSignal } from '../signals/signal.ts';
import { type Change, CopiedKeys } from './copied-keys.ts';
import {
  companionKeyFrom,
  fieldsOf,
  isSameValue,
  itemsOf,
  lengthOf,
  MOST_ITEMS,
  ownKeyFrom,
  pttlOf,
} from './copied-reads.ts';
import type { CopiedKey } from './copied-value.ts';
import type { Effect, EffectGroup } from './effects.ts';

/**
 * What a group of effects means, as signals that level `events` also has: key events, messages, and the contents of
 * keys after them.
 */
type EffectSignals = {
  readonly signals: readonly (PushSignal | BookmarkSignal)[];
  /** Key events of keys whose content is not known: they must be read. */
  readonly unknown: readonly Unknown[];
};

/**
 * `isWrite`: the effect may belong to an acquisition. By the key event alone, an unlock that leaves a count would look
 * the same.
 */
type Unknown = {
  readonly db: number;
  readonly name: string;
  readonly push: PushSignal;
  readonly isWrite: boolean;
};

type Options = {
  /** The locks that are known. */
  readonly keys: LockKeys;
  /** Whether the user asked for keys by name. */
  readonly isNamed: boolean;
  /** Whether keys of this name are watched. */
  isWanted(name: string): boolean;
  /** Whether a key that was never read or written is known not to exist. */
  isAbsent(db: number, name: string): boolean;
  /** Whether the server may evict keys. */
  mayEvict(): boolean;
  /** By how many ms the time of arrival may be wrong. */
  clockErrorMs(): number;
};

const REMOVING = new Set(['del', 'expired', 'vanished', 'rename_from', 'flush']);
const HASH_WRITES = new Set(['HSET', 'HMSET', 'HINCRBY']);

/**
 * Turns effects into signals: the key events that Redis has for them, and then what each changed lock holds, computed
 * from a copy instead of read. So the interpreter needs no rules for this level.
 *
 *   MULTI · HINCRBY k a 1 · PEXPIREAT k … · EXEC ─► push hincrby k · push expire k · bookmark k { a: 1 }, ends at …
 */
export class EffectsToSignals {
  readonly #copy: CopiedKeys;
  readonly #options: Options;
  /** Keys that the present group has written and whose content is not known: their lease matters too. */
  readonly #unknownNow = new Set<string>();

  constructor(options: Options) {
    this.#options = options;
    this.#copy = new CopiedKeys({
      isAbsent: (db, name) => this.#isAbsent(db, name),
      mayEvict: () => options.mayEvict(),
      clockErrorMs: () => options.clockErrorMs(),
      mayBecomeLock: (effect) => this.#mayBecomeLock(effect),
    });
  }

  /** Takes the effects of one command or script. */
  take({ at, effects }: EffectGroup): EffectSignals {
    const signals: (PushSignal | BookmarkSignal)[] = [];
    const unknown: Unknown[] = [];
    this.#unknownNow.clear();
    const touched = new Set<string>();
    const changed = new Map<string, Change[]>();
    /** Adds the present content of changed locks. */
    const show = (...ids: readonly string[]) => {
      const reads = ids.flatMap((id) => this.#readAfter(changed.get(id) ?? [], at, unknown));
      for (const id of ids) changed.delete(id);
      if (reads.length > 0) signals.push({ kind: 'bookmark', at, reads });
    };
    for (const effect of effects) {
      const [command, channel = '', message = ''] = effect.words;
      if (command === 'PUBLISH' || command === 'SPUBLISH') {
        const target = lockOfChannel(channel);
        if (!target) continue;
        // The content of a changed lock comes before its message. If its key is gone, the message comes first, because
        // it shows how the key went.
        const id = `${effect.db}/${this.#options.keys.nameFrom(effect.db, target.name)}`;
        if (changed.get(id)?.at(-1)?.after?.value) show(id);
        signals.push({ kind: 'push', at, channel, message });
        continue;
      }
      const isFirst = (name: string) => !touched.has(`${effect.db}/${name}`);
      const changes = this.#copy.apply(effect, at / 1000, { isFirst, isAlone: effects.length === 1 });
      for (const change of changes) {
        touched.add(`${change.db}/${change.name}`);
        const lock = this.#lockOf(change);
        if (!this.#options.isWanted(lock)) continue;
        if (change.after === undefined) unknown.push(this.#unknown(change, effect, at));
        if (lock === change.name) signals.push(...eventsOf(change).map((event) => keyEvent(change, event, at)));
        const id = `${change.db}/${lock}`;
        changed.set(id, [...(changed.get(id) ?? []), change]);
        // A script may find an expired lock and acquire it. The effects of both are in one group.
        if (change.event === 'vanished') show(id);
      }
    }
    show(...changed.keys());
    return { signals, unknown };
  }

  #unknown({ db, name, event }: Change, { words }: Effect, at: PushSignal['at']): Unknown {
    const isLess = words[0] === 'HINCRBY' && words[3]?.startsWith('-') === true;
    const id = `${db}/${name}`;
    if (HASH_WRITES.has(words[0] ?? '') && !isLess) this.#unknownNow.add(id);
    return { db, name, push: keyEvent({ db, name }, event, at), isWrite: this.#unknownNow.has(id) };
  }

  /**
   * Whether a key that was never read or written does not exist. Strings are followed only once they are known to be
   * locks, and so are keys with a common name: what was written to them before is not known.
   */
  #isAbsent(db: number, name: string): boolean {
    const { keys, isAbsent } = this.#options;
    const known = keys.find(db, name);
    if ((known && isStringKind(known.kind)) || companionFrom(name)?.isCommonName) return false;
    return isAbsent(db, name);
  }

  /**
   * Takes a read, at its place between the effects. Returns the locks whose copy differed from it: there should be
   * none.
   */
  read({ at, reads }: BookmarkSignal): readonly string[] {
    const different: string[] = [];
    for (const read of reads) {
      if (read.movedTo !== undefined) continue;
      const { db, name, companions = {} } = read;
      const own = ownKeyFrom(read, at / 1000);
      if (own && !this.#isSame(db, name, own, at / 1000)) different.push(name);
      this.#put(db, name, own);
      for (const companion of COMPANIONS) {
        const items = companions[companion.role];
        if (items === undefined || companion.isOwnKey) continue;
        this.#put(db, companion.keyOf(name), companionKeyFrom(companion, items, companions));
      }
    }
    return different;
  }

  #put(db: number, name: string, key: CopiedKey | undefined): void {
    if (key) this.#copy.put(db, name, key);
    else this.#copy.forget(db, name);
  }

  /** Whether a copy equals the key that a read found. A copy past its end counts as equal: the key may have expired. */
  #isSame(db: number, name: string, found: CopiedKey, atMs: number): boolean {
    const copied = this.#copy.find(db, name);
    if (!copied || (copied.endsAtMs !== null && copied.endsAtMs <= atMs + 1)) return true;
    return isSameValue(copied.value, found.value);
  }

  /** The name of the lock that a changed key belongs to; the name of the key if it is the lock's own key. */
  #lockOf({ db, name }: Pick<Change, 'db' | 'name'>): string {
    const { keys } = this.#options;
    const beside = companionFrom(name);
    if (!beside) return name;
    const lock = keys.nameFrom(db, beside.lock);
    return beside.isCommonName && !keys.find(db, lock) ? name : lock;
  }

  /** What a lock holds after these changes of its keys; empty if a part of that is not known. */
  #readAfter(changes: readonly Change[], at: BookmarkSignal['at'], unknown: Unknown[]): KeyRead[] {
    const [first] = changes;
    if (!first) return [];
    const { db } = first;
    const name = this.#lockOf(first);
    const known = this.#options.keys.find(db, name);
    const own = this.#copy.find(db, name);
    const found = own && this.#companionsOf(db, name, known, own);
    if (!own || !found) {
      if (!unknown.some((each) => each.name === first.name)) {
        unknown.push({ db, name: first.name, push: keyEvent(first, first.event, at), isWrite: false });
      }
      return [];
    }
    const changesOfLock = changes.filter((change) => change.name === name);
    const isCreated = changesOfLock.some(({ before }) => before?.value === null) && own.value !== null;
    const isArrived = changesOfLock.some(({ event }) => event === 'rename_to');
    const heardOn = known ? channelOf(known) : lockChannel(name);
    const channel = heardOn === lockChannel(name) ? undefined : { channel: heardOn };
    return [
      {
        ...{ db, name, type: own.value?.type ?? 'none', fields: fieldsOf(own.value), pttl: pttlOf(own, at / 1000) },
        ...{ hasChanged: isCreated && !isArrived, subscribers: null },
        ...(changesOfLock.at(-1)?.isFlush ? { isFlushed: true } : undefined),
        ...channel,
        ...(Object.keys(found).length > 0 ? { companions: found } : undefined),
      },
    ];
  }

  #companionsOf(db: number, name: string, known: LockKey | undefined, own: CopiedKey): Companions | undefined {
    const found: Record<string, readonly string[]> = {};
    const isToken = !known && own.value?.type === 'string';
    for (const companion of isToken ? (KINDS['token-lock'].companions ?? []) : companionsOf(known)) {
      const { role, type, lengthRole, keyOf, isOwnKey } = companion;
      const beside = isOwnKey ? own : this.#copy.find(db, keyOf(name));
      if (!beside) return undefined;
      const { value } = beside;
      if (value !== null && value.type !== type) continue;
      found[role] = itemsOf(value).slice(0, type === 'zset' ? 2 * MOST_ITEMS : MOST_ITEMS);
      const length = lengthOf(value);
      if (lengthRole !== undefined) found[lengthRole] = length === 0 ? [] : [String(length)];
    }
    const lock = isToken && this.#tokenLock(name, own);
    return lock ? { ...found, library: libraryWords(lock) } : found;
  }

  #tokenLock(name: string, { value, endsAtMs }: CopiedKey) {
    const text = value?.type === 'string' ? value.text : '';
    return tokenLockFrom(name, text, endsAtMs !== null, this.#options.isNamed);
  }

  #mayBecomeLock({ db, words }: Effect): boolean {
    const { keys, isNamed } = this.#options;
    const [command = '', name = '', ...args] = words;
    if (isLatchKey(name)) return false;
    if (keys.find(db, name) || this.#unknownNow.has(`${db}/${name}`)) return true;
    const beside = companionFrom(name);
    if (beside) return !beside.isCommonName || keys.find(db, keys.nameFrom(db, beside.lock)) !== undefined;
    if (command === 'SET') return args.length >= 3 && tokenLockFrom(name, args[0] ?? '', true, isNamed) !== undefined;
    if (!HASH_WRITES.has(command)) return false;
    for (let n = 0; n + 1 < args.length; n += 2) {
      const [field = '', value = ''] = args.slice(n, n + 2);
      if (isLockField(field) || isGroupLockField(field, value)) return true;
    }
    return false;
  }
}

function keyEvent({ db, name }: Pick<Change, 'db' | 'name'>, event: string, at: PushSignal['at']): PushSignal {
  return { kind: 'push', at, channel: `__keyevent@${db}__:${event}`, message: name };
}

/**
 * The key events of a change. A flush has none in Redis. If it is not certain how a key vanished, no event is made
 * either: the read that follows shows that the key is gone.
 */
function eventsOf({ event, after }: Change): string[] {
  if (event === 'vanished' || event === 'flush') return [];
  return after?.value === null && !REMOVING.has(event) ? [event, 'del'] : [event];
}
