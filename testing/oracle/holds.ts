import type { LineSignal } from '../../shared/signals/signal.ts';
import type { Operation, Scene } from './account.ts';
import { type Expected, near, oneOf } from './expected.ts';
import { fencingToken } from './kinds/fence.ts';
import { channelOf, nameOf } from './names.ts';
import { isHeldMaybe, reasonOf, reasonsOf, sureOf } from './refusals.ts';
import type { Copy } from './replay.ts';

/** Scripts of plain, fenced and spin locks. `L`: the lock's hash, `h`: the holder. */
export const HOLDS: Readonly<Record<string, Operation>> = {
  lock: (scene) => attempt(scene, scene.args[1] ?? ''),
  'fenced-lock': (scene) => {
    const notes = notesOf(scene);
    notes.kind = 'fenced-lock';
    const holder = scene.args[1] ?? '';
    return attempt(scene, holder, fencingToken(scene, notes, holder));
  },
  unlock: (scene) => plainUnlock(scene, scene.args[2] ?? ''),
  'spin-unlock': (scene) => {
    notesOf(scene).kind = 'spin-lock';
    return plainUnlock(scene, scene.args[1] ?? '');
  },
  'force-unlock': (scene) => forceUnlock(scene, notesOf(scene).kind),
  'spin-force-unlock': (scene) => forceUnlock(scene, 'spin-lock'),
};

/** The lock's notes. A lock without one is a plain lock so far. */
export function notesOf({ tracker, head, keys }: Scene, lock = keys[0] ?? '') {
  return tracker.notes(head.db, lock, 'lock');
}

/** Holds of a lock's hash by field; of a read-write lock without its `mode`. */
export function holdsIn(copy: Copy | undefined): Map<string, number> {
  if (copy?.content.type !== 'hash') return new Map();
  const holds = [...copy.content.fields].map(([field, count]): [string, number] => [field, Number(count)]);
  return new Map(holds.filter(([field]) => field !== 'mode'));
}

/** An attempt: the change of the hash shows whether it acquired. */
function attempt(scene: Scene, holder: string, more: Expected['fields'] = {}): Expected[] {
  const [lock = ''] = scene.keys;
  const notes = notesOf(scene, lock);
  scene.tracker.date(holder, scene);
  const [before, after] = [scene.before(lock), scene.after(lock)];
  const count = holdsIn(after).get(holder) ?? 0;
  const countBefore = holdsIn(before).get(holder) ?? 0;
  if (count === countBefore) return [refused(scene, holder)];
  if (!before && notes.kind !== 'fenced-lock') notes.kind = 'lock';
  const grant = { holder, field: holder, mode: 'exclusive', count, isNew: countBefore === 0, more };
  return [granted(scene, lock, grant)];
}

type Grant = {
  readonly holder: string;
  readonly field: string;
  readonly mode: string;
  readonly count: number;
  readonly isNew: boolean;
  readonly more?: Expected['fields'];
};

/** An acquisition or a re-entry. The lease is that of the last `pexpire`. */
export function granted(scene: Scene, lock: string, { holder, field, mode, count, isNew, more }: Grant): Expected {
  const notes = notesOf(scene, lock);
  const event = scene.expect(
    lock,
    isNew ? 'lock.acquired' : 'lock.reentered',
    {
      ...{ holder, mode, holdCount: count, ...leaseOf(scene, lock), ...more },
      ...(isNew ? { clientVersion: scene.tracker.versionOf(holder) } : undefined),
    },
    {
      wait: { role: 'acquired', channel: channelOf(notes.kind, lock, holder), ...pollOf(scene) },
      kinds: kindsOf(scene, holder),
    },
  );
  if (isNew) notes.holds.set(field, event);
  notes.ended.delete(field);
  return event;
}

/** Whether the script set the lease of a lock to end earlier than before. */
export function isShortened(scene: Scene, lock: string): boolean {
  const [before, after] = [scene.before(lock), scene.after(lock)];
  if (!before || !after || after.expiresAt === null) return false;
  return before.expiresAt === null || after.expiresAt < before.expiresAt;
}

/** The lease that the script set. */
export function leaseOf(scene: Scene, lock: string): Expected['fields'] {
  const line = scene.lines.findLast(({ words }) => nameOf(words) === 'pexpire' && words[1] === lock);
  const key = scene.after(lock);
  return line && key ? { leaseMs: Number(line.words[2]), expiresAt: near(key.expiresAt ?? 0, 1000) } : {};
}

/** A refused attempt of a lock whose script ends with `pttl`. */
export function refused(scene: Scene, holder: string, mode = 'exclusive', more: Expected['fields'] = {}): Expected {
  const [lock = ''] = scene.keys;
  const notes = notesOf(scene, lock);
  const before = scene.before(lock);
  const last = scene.lines.at(-1);
  const isOwn = scene.args.includes('NON_REENTRANT_REACQUIRE') && holdsIn(before).has(holder);
  const isAnswered = last !== undefined && nameOf(last.words) === 'pttl';
  const reported = isAnswered ? ttlOf(before, last) : null;
  return scene.expect(
    lock,
    'lock.refused',
    {
      ...{ holder, mode, ttlMs: reported === null ? null : near(reported, 1), ...more },
      reason: isOwn ? 'own-hold' : isAnswered ? 'held' : 'error',
    },
    {
      because: [...notes.holds.values()].slice(0, 1),
      wait: {
        role: 'refused',
        channel: channelOf(notes.kind, lock, holder),
        reported,
        isTry: !isAnswered,
        ...pollOf(scene),
      },
      kinds: kindsOf(scene, holder),
    },
  );
}

/** The TTL of a lease when a line read it, in ms; -1 if it has no end. */
export function ttlOf(copy: Copy | undefined, { at }: LineSignal): number {
  return copy?.expiresAt == null ? -1 : Math.max(0, Math.round((copy.expiresAt - at) / 1000));
}

type Unlock = { readonly holder: string; readonly field: string; readonly mode: string };

/** An unlock of an exclusive hold. */
export function plainUnlock(scene: Scene, holder: string): Expected[] {
  scene.tracker.date(holder, scene);
  return unlocked(scene, { holder, field: holder, mode: 'exclusive' });
}

/** An unlock, by how often the caller holds the lock before and after it. */
export function unlocked(scene: Scene, { holder, field, mode }: Unlock): Expected[] {
  const [lock = ''] = scene.keys;
  const notes = notesOf(scene, lock);
  const before = holdsIn(scene.before(lock)).get(field) ?? 0;
  const after = holdsIn(scene.after(lock)).get(field) ?? 0;
  if (before === after) return refusedUnlock(scene, { holder, field, mode });
  if (after > 0) {
    const fields = { holder, mode, holdCount: after, ...leaseOf(scene, lock) };
    return [scene.expect(lock, 'lock.partially-released', fields)];
  }
  const because = [notes.holds.get(field)].filter((event) => event !== undefined);
  notes.holds.delete(field);
  const role = notes.kind === 'spin-lock' ? 'loss' : 'quiet';
  // A reader that leaves others behind frees nothing.
  const wait = mode === 'read' && scene.after(lock) ? {} : { wait: { role } as const };
  const released = scene.expect(lock, 'lock.released', { holder, mode, holdCount: 0 }, { because, ...wait });
  return [released, ...messages(scene, lock, [released])];
}

/** A refused unlock. Scripts that only looked at the latch repeat an unlock that took effect: no event. */
export function refusedUnlock(scene: Scene, { holder, field, mode }: Unlock): Expected[] {
  const [lock = ''] = scene.keys;
  if (scene.lines.length === 1 && nameOf(scene.lines[0]?.words ?? []) === 'get') return [];
  const sent = messages(scene, lock, []);
  const hasLooked = scene.lines.some(({ words }) => nameOf(words) === 'hexists' && words[1] === lock);
  const isSuccess = !scene.before(lock) && !hasLooked && reportedSuccess(scene);
  const reason = reasonOf(scene, lock, field);
  const event = scene.expect(
    lock,
    'unlock.refused',
    {
      ...{ holder, reason: reasonsOf(scene, lock, reason) },
      ...(mode === 'exclusive' ? undefined : { mode }),
      ...(isSuccess ? { callerSawSuccess: true } : undefined),
      ...answerTime(scene),
      ...(reason === 'not-owner'
        ? otherHolder(scene, lock, holder)
        : isHeldMaybe(scene, lock, reason)
          ? possibleHolder(scene, lock, holder)
          : undefined),
    },
    sureOf(scene, lock, reason),
  );
  return [event, ...sent];
}

/** Another thread in the hash, if there is one, and when the caller was last refused the lock. */
function otherHolder(scene: Scene, lock: string, caller: string): Expected['fields'] {
  const holders = [...holdsIn(scene.before(lock)).keys()].map(threadOf).filter((thread) => thread !== caller);
  const refusedAt = notesOf(scene, lock).tries.get(caller);
  return { heldBy: holders.length > 0 ? oneOf(...holders) : undefined, triedAt: refusedAt };
}

/** The same of a lock whose lease has ended, while that may not be known yet. */
function possibleHolder(scene: Scene, lock: string, caller: string): Expected['fields'] {
  const { ended, tries } = notesOf(scene, lock);
  const holders = [...ended].filter(([, how]) => how === 'expired').map(([field]) => threadOf(field));
  return { heldBy: oneOf(undefined, ...holders), triedAt: oneOf(undefined, tries.get(caller)) };
}

function threadOf(field: string): string {
  return field.replace(/:write$/, '');
}

/** How long a client waits for the answer: a third of the life of a latch, its last argument. */
function answerTime({ keys, args }: Scene): Expected['fields'] {
  if (!keys.at(-1)?.startsWith('redisson_unlock_latch:')) return {};
  const life = Number(args.at(-1));
  return { answerMs: life >= 100 ? Math.max(1000, Math.round(life / 3)) : 6000 };
}

/** For an unlock of a missing lock, read-write scripts since 3.44.0 return an error, fair and old plain ones success. */
function reportedSuccess({ script }: Scene): boolean {
  const isOld = script.releases !== undefined && script.releases[0] !== '3.44.0';
  return !['read-unlock', 'write-unlock'].includes(script.operation) || isOld;
}

/** The messages that a script published. */
export function messages(scene: Scene, lock: string, because: readonly Expected[]): Expected[] {
  return scene.lines
    .filter(({ words }) => ['publish', 'spublish'].includes(nameOf(words)))
    .map(({ words: [, channel = '', message = ''] }) => {
      const waiter = /:([^:]+:-?\d+)$/.exec(channel.slice(channel.indexOf('}') + 1))?.[1];
      const holder = channel.startsWith('redisson_lock__channel') && waiter ? { holder: waiter } : undefined;
      return scene.expect(
        lock,
        'wakeup.published',
        { channel, message, ...holder },
        { because, wait: { role: 'message', channel } },
      );
    });
}

/** A force-unlock. If it finds no key, it is not an event. */
export function forceUnlock(scene: Scene, kind: string): Expected[] {
  const [lock = ''] = scene.keys;
  notesOf(scene, lock).kind = kind;
  const before = scene.before(lock);
  if (!before || scene.after(lock)) return messages(scene, lock, []);
  const event = scene.expect(lock, 'lock.force-released', holdersOf(before), { wait: { role: 'loss' } });
  endAll(scene, lock, 'gone');
  return [event, ...messages(scene, lock, [event])];
}

/** The holders of a lock, as events list them when they lose it. */
export function holdersOf(copy: Copy): Expected['fields'] {
  const holders = [...new Set([...holdsIn(copy).keys()].map((field) => field.replace(/:write$/, '')))];
  return holders.length === 0 ? {} : { holder: holders[0], holders };
}

/** Closes every hold of a lock. */
export function endAll(scene: Pick<Scene, 'tracker' | 'head'>, lock: string, how: 'expired' | 'gone'): void {
  const notes = scene.tracker.notes(scene.head.db, lock, 'lock');
  for (const field of notes.holds.keys()) notes.ended.set(field, how);
  notes.holds.clear();
}

/** Plain and spin locks shared a script until 3.18.1. For older clients, only polls or an unlock show which lock it is. */
function kindsOf(scene: Scene, holder: string): readonly string[] {
  const { operation, releases } = scene.script;
  const isShared = operation === 'lock' && (releases === undefined || releases[0] === '3.12.3');
  const isNew = isShared && notesOf(scene).kind === 'lock' && scene.tracker.isSince(holder, '3.19.0');
  return isNew ? ['spin-lock'] : scene.tracker.kindsOf(scene.head.db, scene.keys[0] ?? '');
}

function isSpin({ tracker, keys: [lock = ''] }: Scene): boolean {
  return tracker.spinNames.has(lock);
}

/** Waiters of a spin lock never sleep: they retry within 2 s. */
function pollOf(scene: Scene): { pollsWithin?: number } {
  return isSpin(scene) ? { pollsWithin: 2000 } : {};
}
