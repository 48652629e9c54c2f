import type { Operation, Scene } from '../account.ts';
import type { Expected } from '../expected.ts';
import { near } from '../expected.ts';
import { forceUnlock, granted, holdsIn, leaseOf, notesOf, refused, unlocked } from '../holds.ts';
import { renewed } from '../leases.ts';
import { nameOf } from '../names.ts';
import { reasonOf, reasonsOf } from '../refusals.ts';
import type { Copy } from '../replay.ts';

/** Scripts of read-write locks. The field of a reader is `h`, that of a writer `h:write`. */
export const READ_WRITE: Readonly<Record<string, Operation>> = {
  'read-lock': (scene) => attempt(scene, 'read', scene.args[1] ?? ''),
  'write-lock': (scene) => attempt(scene, 'write', holderOf(scene.args[1] ?? '')),
  'read-unlock': readUnlock,
  'write-unlock': writeUnlock,
  'read-force-unlock': (scene) => forceUnlock(scene, KIND),
  'write-force-unlock': (scene) => forceUnlock(scene, KIND),
  'read-renew': readRenew,
};

const KIND = 'read-write-lock';

function attempt(scene: Scene, mode: 'read' | 'write', holder: string): Expected[] {
  const [lock = ''] = scene.keys;
  notesOf(scene, lock).kind = KIND;
  scene.tracker.date(holder, scene);
  const field = mode === 'write' ? `${holder}:write` : holder;
  const before = scene.before(lock);
  const count = holdsIn(scene.after(lock)).get(field) ?? 0;
  const countBefore = holdsIn(before).get(field) ?? 0;
  if (count === countBefore) return [refused(scene, holder, mode, heldFor(before))];
  const more = mode === 'read' ? readTimeouts(scene) : undefined;
  return [
    granted(scene, lock, { holder, field, mode, count, isNew: countBefore === 0, ...(more ? { more } : undefined) }),
  ];
}

function heldFor(copy: Copy | undefined): Expected['fields'] {
  const mode = copy?.content.type === 'hash' ? copy.content.fields.get('mode') : undefined;
  return mode === undefined ? {} : { heldFor: mode };
}

/** The ends of the timeout keys that a script set, moved or deleted: all keys of each affected reader. */
function readTimeouts(scene: Scene, only?: string, lock = scene.keys[0] ?? ''): Expected['fields'] {
  const holders = new Map<string, string>();
  for (const { words } of scene.lines) {
    const [, key = ''] = words;
    const match = /^(.*:([^:{}]+:-?\d+):rwlock_timeout):\d+$/.exec(key);
    if (only !== undefined && match?.[2] !== only) continue;
    // releases 3.44.0 to 3.52.0 also name keys of another lock, which has no such reader
    if (!key.startsWith(`{${lock}}:`) && !key.startsWith(`${lock}:`)) continue;
    if (match && ['set', 'pexpire', 'del'].includes(nameOf(words))) holders.set(match[2] ?? '', match[1] ?? '');
  }
  if (holders.size === 0) return {};
  const all = [...holders].map(([holder, prefix]) => ({ holder, ends: endsOf(scene, lock, holder, prefix) }));
  return {
    readTimeouts: (reported: unknown) =>
      Array.isArray(reported) && reported.length === all.length && all.every((right) => isReported(reported, right)),
  };
}

type Ends = { readonly holder: string; readonly ends: readonly (number | null)[] };

function endsOf(scene: Scene, lock: string, holder: string, prefix: string): (number | null)[] {
  const count = holdsIn(scene.after(lock)).get(holder) ?? 0;
  return Array.from({ length: count }, (_, n) => scene.after(`${prefix}:${n + 1}`)?.expiresAt ?? null);
}

/** A timeout key that has expired may be reported with the end that it had. */
function isReported(reported: readonly Ends[], right: Ends): boolean {
  const found = reported.find(({ holder }) => holder === right.holder);
  return (
    found?.ends.length === right.ends.length &&
    right.ends.every((end, n) => (end === null ? true : near(end, 1000)(found.ends[n])))
  );
}

function readUnlock(scene: Scene): Expected[] {
  const [lock = ''] = scene.keys;
  const holder = scene.args[1] ?? '';
  notesOf(scene, lock).kind = KIND;
  scene.tracker.date(holder, scene);
  return withRest(scene, lock, holder, unlocked(scene, { holder, field: holder, mode: 'read' }), readTimeouts(scene));
}

function writeUnlock(scene: Scene): Expected[] {
  const [lock = ''] = scene.keys;
  const holder = holderOf(scene.args[2] ?? '');
  notesOf(scene, lock).kind = KIND;
  scene.tracker.date(holder, scene);
  const isDowngrade = scene.lines.some(({ words }) => nameOf(words) === 'hset' && words[2] === 'mode');
  const events = unlocked(scene, { holder, field: `${holder}:write`, mode: 'write' });
  return withRest(scene, lock, holder, events, isDowngrade ? { isDowngrade: true } : {});
}

/** Adds what a release reports about the remaining holders, and the end of holds that it also ended. */
function withRest(
  scene: Scene,
  lock: string,
  holder: string,
  events: Expected[],
  more: Expected['fields'],
): Expected[] {
  const [first, ...rest] = events;
  if (!first || first.type === 'unlock.refused' || first.type === 'wakeup.published') return events;
  const left = scene.after(lock);
  const end = left && first.type === 'lock.released' ? { expiresAt: near(left.expiresAt ?? 0, 1000) } : {};
  const partly = left && first.type === 'lock.partially-released' ? leaseAfter(scene, lock, left) : {};
  Object.assign(first.fields, more, end, partly);
  return [first, ...strangers(scene, lock, holder), ...rest];
}

/** A read unlock sets the longest remaining lease; a write unlock sets the caller's. */
function leaseAfter(scene: Scene, lock: string, left: Copy): Expected['fields'] {
  if (scene.script.operation === 'write-unlock') return leaseOf(scene, lock);
  return { leaseMs: () => true, expiresAt: near(left.expiresAt ?? 0, 1000) };
}

/** Readers whose timeout keys had run out lose their hold when the last other reader leaves. */
function strangers(scene: Scene, lock: string, holder: string): Expected[] {
  if (scene.after(lock)) return [];
  const notes = notesOf(scene, lock);
  const lost = [...holdsIn(scene.before(lock)).keys()].filter((field) => holderOf(field) !== holder);
  return lost.map((field) => {
    const because = [notes.holds.get(field)].filter((event) => event !== undefined);
    notes.holds.delete(field);
    notes.ended.set(field, 'expired');
    const fields = { holder: field, mode: 'read', expiresAt: () => true };
    const event = scene.expect(lock, 'lease.expired', fields, {
      because,
      certainty: ['inferred'],
      wait: { role: 'loss' },
    });
    return { ...event, by: undefined, between: [0, event.between[1]], isUnheard: true };
  });
}

/** Renewals of readers: a lock whose `pexpire` is missing was not renewed. */
function readRenew(scene: Scene): Expected[] {
  const locks = scene.keys.filter((_, n) => n % 2 === 0);
  return locks.flatMap((lock) => {
    const notes = notesOf(scene, lock);
    notes.kind = KIND;
    const asked = scene.lines.filter(
      ({ words }) =>
        nameOf(words) === 'hget' && words[1] === lock && words[2] !== '' && scene.args.includes(words[2] ?? ''),
    );
    const batch = locks.length > 1 ? { batch: locks.length } : undefined;
    const holders = [...new Set(asked.map(({ words }) => words[2] ?? ''))];
    return holders.map((holder) => {
      scene.tracker.date(holder, scene);
      if (!holdsIn(scene.before(lock)).has(holder)) {
        const fields = { holder, mode: 'read', reason: reasonsOf(scene, lock, reasonOf(scene, lock, holder)) };
        return scene.expect(lock, 'renewal.refused', fields);
      }
      // Scripts of one lock and one reader move the keys of all readers.
      const only = locks.length > 1 || holders.length > 1 ? holder : undefined;
      const fields = { holder, mode: 'read', ...batch, ...leaseOf(scene, lock), ...readTimeouts(scene, only, lock) };
      return renewed(scene, lock, fields);
    });
  });
}

function holderOf(field: string): string {
  return field.replace(/:write$/, '');
}
