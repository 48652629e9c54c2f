import type { JudgedRun, Operation } from '../account.ts';
import type { Expected } from '../expected.ts';
import { near } from '../expected.ts';
import { acquisition, forceUnlock, holdsIn, leaseOf, notesOf, refused, unlocked } from '../holds.ts';
import { renewed } from '../leases.ts';
import { nameOf } from '../names.ts';
import { reasonOf, reasonsOf } from '../refusals.ts';
import type { Copy } from '../replay.ts';

/** Scripts of read-write locks. The field of a reader is `h`, that of a writer `h:write`. */
export const READ_WRITE: Readonly<Record<string, Operation>> = {
  'read-lock': (run) => attempt(run, 'read', run.args[1] ?? ''),
  'write-lock': (run) => attempt(run, 'write', holderOf(run.args[1] ?? '')),
  'read-unlock': readUnlock,
  'write-unlock': writeUnlock,
  'read-force-unlock': (run) => forceUnlock(run, KIND),
  'write-force-unlock': (run) => forceUnlock(run, KIND),
  'read-renew': readRenew,
};

const KIND = 'read-write-lock';

function attempt(run: JudgedRun, mode: 'read' | 'write', holder: string): Expected[] {
  const [lock = ''] = run.keys;
  notesOf(run, lock).kind = KIND;
  run.tracker.noteRelease(holder, run);
  const field = mode === 'write' ? `${holder}:write` : holder;
  const before = run.before(lock);
  const count = holdsIn(run.after(lock)).get(field) ?? 0;
  const countBefore = holdsIn(before).get(field) ?? 0;
  if (count === countBefore) return [refused(run, holder, mode, heldFor(before))];
  const more = mode === 'read' ? readTimeouts(run) : undefined;
  return [
    acquisition(run, lock, { holder, field, mode, count, isNew: countBefore === 0, ...(more ? { more } : undefined) }),
  ];
}

function heldFor(copy: Copy | undefined): Expected['fields'] {
  const mode = copy?.content.type === 'hash' ? copy.content.fields.get('mode') : undefined;
  return mode === undefined ? {} : { heldFor: mode };
}

/** The ends of the timeout keys that a script set, moved or deleted: all keys of each affected reader. */
function readTimeouts(run: JudgedRun, only?: string, lock = run.keys[0] ?? ''): Expected['fields'] {
  const holders = new Map<string, string>();
  for (const { words } of run.lines) {
    const [, key = ''] = words;
    const match = /^(.*:([^:{}]+:-?\d+):rwlock_timeout):\d+$/.exec(key);
    if (only !== undefined && match?.[2] !== only) continue;
    // releases 3.44.0 to 3.52.0 also name keys of another lock, which has no such reader
    if (!key.startsWith(`{${lock}}:`) && !key.startsWith(`${lock}:`)) continue;
    if (match && ['set', 'pexpire', 'del'].includes(nameOf(words))) holders.set(match[2] ?? '', match[1] ?? '');
  }
  if (holders.size === 0) return {};
  const all = [...holders].map(([holder, prefix]) => ({ holder, ends: endsOf(run, lock, holder, prefix) }));
  return {
    readTimeouts: (reported: unknown) =>
      Array.isArray(reported) && reported.length === all.length && all.every((right) => isReported(reported, right)),
  };
}

type Ends = { readonly holder: string; readonly ends: readonly (number | null)[] };

function endsOf(run: JudgedRun, lock: string, holder: string, prefix: string): (number | null)[] {
  const count = holdsIn(run.after(lock)).get(holder) ?? 0;
  return Array.from({ length: count }, (_, n) => run.after(`${prefix}:${n + 1}`)?.expiresAt ?? null);
}

/** A timeout key that has expired may be reported with the end that it had. */
function isReported(reported: readonly Ends[], right: Ends): boolean {
  const found = reported.find(({ holder }) => holder === right.holder);
  return (
    found?.ends.length === right.ends.length &&
    right.ends.every((end, n) => (end === null ? true : near(end, 1000)(found.ends[n])))
  );
}

function readUnlock(run: JudgedRun): Expected[] {
  const [lock = ''] = run.keys;
  const holder = run.args[1] ?? '';
  notesOf(run, lock).kind = KIND;
  run.tracker.noteRelease(holder, run);
  return withRest(run, lock, holder, unlocked(run, { holder, field: holder, mode: 'read' }), readTimeouts(run));
}

function writeUnlock(run: JudgedRun): Expected[] {
  const [lock = ''] = run.keys;
  const holder = holderOf(run.args[2] ?? '');
  notesOf(run, lock).kind = KIND;
  run.tracker.noteRelease(holder, run);
  const isDowngrade = run.lines.some(({ words }) => nameOf(words) === 'hset' && words[2] === 'mode');
  const events = unlocked(run, { holder, field: `${holder}:write`, mode: 'write' });
  return withRest(run, lock, holder, events, isDowngrade ? { isDowngrade: true } : {});
}

/** Adds what a release reports about the remaining holders, and the end of holds that it also ended. */
function withRest(
  run: JudgedRun,
  lock: string,
  holder: string,
  events: Expected[],
  more: Expected['fields'],
): Expected[] {
  const [first, ...rest] = events;
  if (!first || first.type === 'unlock.refused' || first.type === 'wakeup.published') return events;
  const left = run.after(lock);
  const end = left && first.type === 'lock.released' ? { expiresAt: near(left.expiresAt ?? 0, 1000) } : {};
  const partly = left && first.type === 'lock.partially-released' ? leaseAfter(run, lock, left) : {};
  Object.assign(first.fields, more, end, partly);
  return [first, ...endedReaders(run, lock, holder), ...rest];
}

/** A read unlock sets the longest remaining lease; a write unlock sets the caller's. */
function leaseAfter(run: JudgedRun, lock: string, left: Copy): Expected['fields'] {
  if (run.script.operation === 'write-unlock') return leaseOf(run, lock);
  return { leaseMs: () => true, expiresAt: near(left.expiresAt ?? 0, 1000) };
}

/** Readers whose timeout keys had run out lose their hold when the last other reader leaves. */
function endedReaders(run: JudgedRun, lock: string, holder: string): Expected[] {
  if (run.after(lock)) return [];
  const notes = notesOf(run, lock);
  const lost = [...holdsIn(run.before(lock)).keys()].filter((field) => holderOf(field) !== holder);
  return lost.map((field) => {
    const because = [notes.holds.get(field)].filter((event) => event !== undefined);
    notes.holds.delete(field);
    notes.ended.set(field, 'expired');
    const fields = { holder: field, mode: 'read', expiresAt: () => true };
    const event = run.expect(lock, 'lease.expired', fields, {
      because,
      certainty: ['inferred'],
      wait: { role: 'loss' },
    });
    return { ...event, by: undefined, between: [0, event.between[1]], isUnheard: true };
  });
}

/** Renewals of readers: a lock whose `pexpire` is missing was not renewed. */
function readRenew(run: JudgedRun): Expected[] {
  const locks = run.keys.filter((_, n) => n % 2 === 0);
  return locks.flatMap((lock) => {
    const notes = notesOf(run, lock);
    notes.kind = KIND;
    const asked = run.lines.filter(
      ({ words }) =>
        nameOf(words) === 'hget' && words[1] === lock && words[2] !== '' && run.args.includes(words[2] ?? ''),
    );
    const batch = locks.length > 1 ? { batch: locks.length } : undefined;
    const holders = [...new Set(asked.map(({ words }) => words[2] ?? ''))];
    return holders.map((holder) => {
      run.tracker.noteRelease(holder, run);
      if (!holdsIn(run.before(lock)).has(holder)) {
        const fields = { holder, mode: 'read', reason: reasonsOf(run, lock, reasonOf(run, lock, holder)) };
        return run.expect(lock, 'renewal.refused', fields);
      }
      // Scripts of one lock and one reader move the keys of all readers.
      const only = locks.length > 1 || holders.length > 1 ? holder : undefined;
      const fields = { holder, mode: 'read', ...batch, ...leaseOf(run, lock), ...readTimeouts(run, only, lock) };
      return renewed(run, lock, fields);
    });
  });
}

function holderOf(field: string): string {
  return field.replace(/:write$/, '');
}
