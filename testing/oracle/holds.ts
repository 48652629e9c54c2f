import type { LineSignal } from '../../shared/signals/signal.ts';
import type { JudgedRun, Operation } from './account.ts';
import { type Check, type Expected, near, oneOf } from './expected.ts';
import { fencingToken } from './kinds/fence.ts';
import { channelOf, nameOf } from './names.ts';
import { isHeldMaybe, reasonOf, reasonsOf, sureOf } from './refusals.ts';
import type { Copy } from './replay.ts';

/** Scripts of plain, fenced and spin locks. */
export const HOLDS: Readonly<Record<string, Operation>> = {
  lock: (run) => attempt(run, run.args[1] ?? ''),
  'fenced-lock': (run) => {
    const notes = notesOf(run);
    notes.kind = 'fenced-lock';
    const holder = run.args[1] ?? '';
    return attempt(run, holder, fencingToken(run, notes, holder));
  },
  unlock: (run) => plainUnlock(run, run.args[2] ?? ''),
  'spin-unlock': (run) => {
    notesOf(run).kind = 'spin-lock';
    return plainUnlock(run, run.args[1] ?? '');
  },
  'force-unlock': (run) => forceUnlock(run, notesOf(run).kind),
  'spin-force-unlock': (run) => forceUnlock(run, 'spin-lock'),
};

/** The notes about a lock. A lock without notes counts as a plain lock. */
export function notesOf({ tracker, head, keys }: JudgedRun, lock = keys[0] ?? '') {
  return tracker.notes(head.db, lock, 'lock');
}

/** The holds in a lock's hash, by field. The field `mode` of a read-write lock is left out. */
export function holdsIn(copy: Copy | undefined): Map<string, number> {
  if (copy?.content.type !== 'hash') return new Map();
  const holds = [...copy.content.fields].map(([field, count]): [string, number] => [field, Number(count)]);
  return new Map(holds.filter(([field]) => field !== 'mode'));
}

/** The members of a sorted set, each with its score. */
export function scoresIn(copy: Copy | undefined): ReadonlyMap<string, number> {
  return copy?.content.type === 'zset' ? copy.content.scores : new Map();
}

/** An attempt: the change of the hash shows whether it acquired. */
function attempt(run: JudgedRun, holder: string, more: Expected['fields'] = {}): Expected[] {
  const [lock = ''] = run.keys;
  const notes = notesOf(run, lock);
  run.tracker.noteRelease(holder, run);
  const [before, after] = [run.before(lock), run.after(lock)];
  const count = holdsIn(after).get(holder) ?? 0;
  const countBefore = holdsIn(before).get(holder) ?? 0;
  if (count === countBefore) return [refused(run, holder)];
  if (!before && notes.kind !== 'fenced-lock') notes.kind = 'lock';
  const acquired = { holder, field: holder, mode: 'exclusive', count, isNew: countBefore === 0, more };
  return [acquisition(run, lock, acquired)];
}

type Acquisition = {
  readonly holder: string;
  readonly field: string;
  readonly mode: string;
  readonly count: number;
  readonly isNew: boolean;
  readonly more?: Expected['fields'];
};

/** An acquisition or a re-entry. The lease is that of the last `pexpire`. */
export function acquisition(
  run: JudgedRun,
  lock: string,
  { holder, field, mode, count, isNew, more }: Acquisition,
): Expected {
  const notes = notesOf(run, lock);
  const event = run.expect(
    lock,
    isNew ? 'lock.acquired' : 'lock.reentered',
    {
      ...{ holder, mode, holdCount: count, ...leaseOf(run, lock), ...more },
      ...(isNew ? { clientVersion: run.tracker.versionOf(holder) } : undefined),
    },
    {
      wait: { role: 'acquired', channel: channelOf(notes.kind, lock, holder), ...pollOf(run) },
      kinds: kindsOf(run, holder),
    },
  );
  if (isNew) notes.holds.set(field, event);
  notes.ended.delete(field);
  return event;
}

/** Whether the script set the lease of a lock to end earlier than before. */
export function isShortened(run: JudgedRun, lock: string): boolean {
  const [before, after] = [run.before(lock), run.after(lock)];
  if (!before || !after || after.expiresAt === null) return false;
  return before.expiresAt === null || after.expiresAt < before.expiresAt;
}

/** The field `hadNoEnd` of an event about a shortened lease, if the lease had no end before. */
export function hadNoEnd(run: JudgedRun, lock: string): { hadNoEnd?: true } {
  return isShortened(run, lock) && run.before(lock)?.expiresAt === null ? { hadNoEnd: true } : {};
}

/** The lease that the script set. */
export function leaseOf(run: JudgedRun, lock: string): Expected['fields'] {
  const line = run.lines.findLast(({ words }) => nameOf(words) === 'pexpire' && words[1] === lock);
  const key = run.after(lock);
  return line && key ? { leaseMs: Number(line.words[2]), expiresAt: near(key.expiresAt ?? 0, 1000) } : {};
}

/** A refused attempt of a lock whose script ends with `pttl`. */
export function refused(run: JudgedRun, holder: string, mode = 'exclusive', more: Expected['fields'] = {}): Expected {
  const [lock = ''] = run.keys;
  const notes = notesOf(run, lock);
  const before = run.before(lock);
  const last = run.lines.at(-1);
  const isOwn = run.args.includes('NON_REENTRANT_REACQUIRE') && holdsIn(before).has(holder);
  const isAnswered = last !== undefined && nameOf(last.words) === 'pttl';
  const reported = isAnswered ? ttlOf(before, last) : null;
  return run.expect(
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
        ...pollOf(run),
      },
      kinds: kindsOf(run, holder),
    },
  );
}

/** The TTL of a lease when a line read it, in ms; -1 if it has no end. */
export function ttlOf(copy: Copy | undefined, { at }: LineSignal): number {
  return copy?.expiresAt == null ? -1 : Math.max(0, Math.round((copy.expiresAt - at) / 1000));
}

type Unlock = { readonly holder: string; readonly field: string; readonly mode: string };

/** An unlock of an exclusive hold. */
export function plainUnlock(run: JudgedRun, holder: string): Expected[] {
  run.tracker.noteRelease(holder, run);
  return unlocked(run, { holder, field: holder, mode: 'exclusive' });
}

/** An unlock, by how often the caller holds the lock before and after it. */
export function unlocked(run: JudgedRun, { holder, field, mode }: Unlock): Expected[] {
  const [lock = ''] = run.keys;
  const notes = notesOf(run, lock);
  const before = holdsIn(run.before(lock)).get(field) ?? 0;
  const after = holdsIn(run.after(lock)).get(field) ?? 0;
  if (before === after) return refusedUnlock(run, { holder, field, mode });
  if (after > 0) {
    const fields = { holder, mode, holdCount: after, ...leaseOf(run, lock) };
    return [run.expect(lock, 'lock.partially-released', fields)];
  }
  const because = [notes.holds.get(field)].filter((event) => event !== undefined);
  notes.holds.delete(field);
  const role = notes.kind === 'spin-lock' ? 'loss' : 'quiet';
  // A reader that leaves other readers behind does not free the lock.
  const wait = mode === 'read' && run.after(lock) ? {} : { wait: { role } as const };
  const released = run.expect(lock, 'lock.released', { holder, mode, holdCount: 0 }, { because, ...wait });
  return [released, ...messages(run, lock, [released])];
}

/** A refused unlock. Scripts that only looked at the latch repeat an unlock that took effect: no event. */
function refusedUnlock(run: JudgedRun, { holder, field, mode }: Unlock): Expected[] {
  const [lock = ''] = run.keys;
  if (run.lines.length === 1 && nameOf(run.lines[0]?.words ?? []) === 'get') return [];
  const sent = messages(run, lock, []);
  const hasLooked = run.lines.some(({ words }) => nameOf(words) === 'hexists' && words[1] === lock);
  const isSuccess = !run.before(lock) && !hasLooked && reportsSuccess(run);
  const reason = reasonOf(run, lock, field);
  const event = run.expect(
    lock,
    'unlock.refused',
    {
      ...{ holder, reason: reasonsOf(run, lock, reason) },
      ...(mode === 'exclusive' ? undefined : { mode }),
      ...(isSuccess ? { callerSawSuccess: true } : undefined),
      backAt: attemptedAgain(run, lock, holder, mode),
      ...answerTime(run),
      ...(reason === 'not-owner'
        ? otherHolder(run, lock, holder)
        : isHeldMaybe(run, lock, reason)
          ? possibleHolder(run, lock, holder)
          : undefined),
    },
    sureOf(run, lock, reason),
  );
  return [event, ...sent];
}

/** When a thread that had lost its hold first attempted the lock again. Whether it had a hold is not checked. */
export function attemptedAgain(run: JudgedRun, lock: string, holder: string, mode: unknown): Check {
  const first = notesOf(run, lock).firstRefusedAt.get(holder);
  return (reported) => reported === undefined || (first?.mode === mode && reported === first?.at);
}

/** Another thread that has a field in the hash, if any, and when the caller was last refused the lock. */
function otherHolder(run: JudgedRun, lock: string, caller: string): Expected['fields'] {
  const holders = [...holdsIn(run.before(lock)).keys()].map(threadOf).filter((thread) => thread !== caller);
  const refusedAt = notesOf(run, lock).refusedAt.get(caller);
  return { heldBy: holders.length > 0 ? oneOf(...holders) : undefined, triedAt: refusedAt };
}

/**
 * The holders whose leases have ended, and when the caller was last refused the lock. The ends may not have been
 * reported yet.
 */
function possibleHolder(run: JudgedRun, lock: string, caller: string): Expected['fields'] {
  const { ended, refusedAt } = notesOf(run, lock);
  const holders = [...ended].filter(([, how]) => how === 'expired').map(([field]) => threadOf(field));
  return { heldBy: oneOf(undefined, ...holders), triedAt: oneOf(undefined, refusedAt.get(caller)) };
}

function threadOf(field: string): string {
  return field.replace(/:write$/, '');
}

/** How long a client waits for the answer: a third of the life of a latch, its last argument. */
function answerTime({ keys, args }: JudgedRun): Expected['fields'] {
  if (!keys.at(-1)?.startsWith('redisson_unlock_latch:')) return {};
  const life = Number(args.at(-1));
  return { answerMs: life >= 100 ? Math.max(1000, Math.round(life / 3)) : 6000 };
}

/**
 * For an unlock of a missing lock, read-write scripts since 3.44.0 return an error, fair and old plain ones success.
 */
function reportsSuccess({ script }: JudgedRun): boolean {
  const isOld = script.releases !== undefined && script.releases[0] !== '3.44.0';
  return !['read-unlock', 'write-unlock'].includes(script.operation) || isOld;
}

/** The messages that a script published. */
export function messages(run: JudgedRun, lock: string, because: readonly Expected[]): Expected[] {
  return run.lines
    .filter(({ words }) => ['publish', 'spublish'].includes(nameOf(words)))
    .map(({ words: [, channel = '', message = ''] }) => {
      const waiter = /:([^:]+:-?\d+)$/.exec(channel.slice(channel.indexOf('}') + 1))?.[1];
      const holder = channel.startsWith('redisson_lock__channel') && waiter ? { holder: waiter } : undefined;
      return run.expect(
        lock,
        'wakeup.published',
        { channel, message, ...holder },
        { because, wait: { role: 'message', channel } },
      );
    });
}

/** A force-unlock. If it finds no key, it is not an event. */
export function forceUnlock(run: JudgedRun, kind: string): Expected[] {
  const [lock = ''] = run.keys;
  notesOf(run, lock).kind = kind;
  const before = run.before(lock);
  if (!before || run.after(lock)) return messages(run, lock, []);
  const event = run.expect(lock, 'lock.force-released', holdersOf(before), { wait: { role: 'loss' } });
  endAll(run, lock, 'gone');
  return [event, ...messages(run, lock, [event])];
}

/** The holders of a lock, as events list them when they lose it. */
export function holdersOf(copy: Copy): Expected['fields'] {
  const holders = [...new Set([...holdsIn(copy).keys()].map((field) => field.replace(/:write$/, '')))];
  return holders.length === 0 ? {} : { holder: holders[0], holders };
}

/** Closes every hold of a lock. */
export function endAll(run: Pick<JudgedRun, 'tracker' | 'head'>, lock: string, how: 'expired' | 'gone'): void {
  const notes = run.tracker.notes(run.head.db, lock, 'lock');
  for (const field of notes.holds.keys()) notes.ended.set(field, how);
  notes.holds.clear();
}

/**
 * Plain and spin locks shared a script until 3.18.1. For older clients, only polls or an unlock show which lock it is.
 */
function kindsOf(run: JudgedRun, holder: string): readonly string[] {
  const { operation, releases } = run.script;
  const isShared = operation === 'lock' && (releases === undefined || releases[0] === '3.12.3');
  const isNew = isShared && notesOf(run).kind === 'lock' && run.tracker.isSince(holder, '3.19.0');
  return isNew ? ['spin-lock'] : run.tracker.kindsOf(run.head.db, run.keys[0] ?? '');
}

function isSpin({ tracker, keys: [lock = ''] }: JudgedRun): boolean {
  return tracker.spinNames.has(lock);
}

/** Waiters of a spin lock never sleep: they retry within 2 s. */
function pollOf(run: JudgedRun): { pollsWithin?: number } {
  return isSpin(run) ? { pollsWithin: 2000 } : {};
}
