import { binaryFromText } from '../../../shared/base/bytes-text.ts';
import type { Operation, Scene } from '../account.ts';
import { type Expected, oneOf } from '../expected.ts';
import { messages, notesOf } from '../holds.ts';
import { nameOf } from '../names.ts';
import type { Copy } from '../replay.ts';

/** Scripts of semaphores (with or without deadlines) and of latches. A permit has no owner except its connection. */
export const COUNTERS: Readonly<Record<string, Operation>> = {
  'sem-set': (scene) => semaphore(scene, 'permits.set'),
  'sem-add': (scene) => semaphore(scene, 'permits.set'),
  'permit-add': (scene) => semaphore(scene, 'permits.set'),
  'permit-set': (scene) => semaphore(scene, 'permits.set'),
  'sem-acquire': (scene) => semaphore(scene, 'permits.acquired'),
  'sem-drain': (scene) => semaphore(scene, 'permits.acquired', { isDrain: true }),
  'sem-release': (scene) => semaphore(scene, 'permits.released'),
  'permit-acquire': expirableAcquire,
  'permit-release': (scene) => expirableRelease(scene, scene.args.slice(0, 1)),
  'permit-release-many': (scene) => expirableRelease(scene, scene.args.slice(3)),
  'permit-renew': permitRenew,
  'latch-set': latchSet,
  'latch-count': latchCount,
  'latch-delete': latchDelete,
};

const WITHOUT_DEADLINES = 'semaphore';
const WITH_DEADLINES = 'expirable-semaphore';

/** The name of the connection, otherwise its address. */
function callerOf({ tracker, head }: Scene): string {
  return tracker.connections.get(head.client ?? '') ?? head.client ?? '';
}

function numberIn(copy: Copy | undefined): number {
  return copy?.content.type === 'string' ? Number(copy.content.text) : 0;
}

/** How many permits there are: the free and the acquired ones. */
function totalOf(scene: Scene): unknown {
  return scene.tracker.total(scene.head.db, scene.keys[0] ?? '');
}

/** A script of a semaphore without deadlines: the difference of the counter shows what it did. */
function semaphore(scene: Scene, type: string, more: Expected['fields'] = {}): Expected[] {
  const [name = ''] = scene.keys;
  const { head, tracker } = scene;
  const notes = notesOf(scene, name);
  if (notes.kind !== WITH_DEADLINES) notes.kind = WITHOUT_DEADLINES;
  const [copy, left] = [scene.before(name), scene.after(name)];
  const [before, available] = [numberIn(copy), numberIn(left)];
  const isChanged = before !== available || (!copy && left !== undefined);
  const isSet = type === 'permits.set';
  if (isSet && isChanged) tracker.addToTotal(head.db, name, copy ? available - before : available, !copy);
  if (type === 'permits.released') tracker.noteFree(head.db, name, available);
  const known = { holder: callerOf(scene), available, total: totalOf(scene) };
  const wait = { role: 'acquired', channel: `redisson_sc:{${name}}` } as const;
  if (!isChanged && !more.isDrain) {
    if (type !== 'permits.acquired') return [];
    return [refusedPermits(scene, known, Number(scene.args[0]))];
  }
  if (more.isDrain && scene.lines.length === 1) return [];
  const permits = isSet ? (copy ? { changedBy: available - before } : {}) : { permits: Math.abs(available - before) };
  const event = scene.expect(
    name,
    type,
    {
      ...known,
      ...permits,
      ...more,
      ...(type === 'permits.acquired' ? { client: tracker.clientAt(head.client ?? '') } : {}),
    },
    type === 'permits.acquired' ? { wait } : {},
  );
  return [event, ...messages(scene, name, [event])];
}

/** The number is not set yet. Commands do not show that, and an unknown script does not show how many permits it asks for. */
function refusedPermits(scene: Scene, known: Expected['fields'], permits: number): Expected {
  const [name = ''] = scene.keys;
  const channel = `redisson_sc:{${name}}`;
  const asleep = scene.tracker.isListening(callerOf(scene), channel);
  const isUnset = scene.before(name) === undefined;
  const fields = { ...known, permits, asleep, ...(isUnset ? { available: oneOf(undefined, 0) } : undefined) };
  const event = scene.expect(name, 'permits.refused', fields, { wait: { role: 'refused', channel } });
  return isUnset && scene.script.releases === undefined ? { ...event, isUnsure: true } : event;
}

type Permits = ReadonlyMap<string, number>;

function permitsIn(copy: Copy | undefined): Permits {
  return copy?.content.type === 'zset' ? copy.content.scores : new Map();
}

/** Permit ids are 16 bytes, shown as hex; until 3.16.8 they were hex in Redis. */
function shown(id: string): string {
  return /^[0-9a-f]{32}$/.test(id) ? id : Buffer.from(binaryFromText(id), 'latin1').toString('hex');
}

/** Expired permits that the script takes back before its own work. */
function reclaimed(scene: Scene): Expected[] {
  const [name = ''] = scene.keys;
  const isLook = (n: number) => nameOf(scene.lines[n]?.words ?? []) === 'zrangebyscore';
  const n = scene.lines.findIndex((_, at) => isLook(at) && nameOf(scene.lines[at + 1]?.words ?? []) === 'zrem');
  if (n === -1) return [];
  const ids = scene.lines[n + 1]?.words.slice(2) ?? [];
  const before = numberIn(scene.before(name));
  for (const id of ids) scene.tracker.expiredPermits.add(id);
  const fields = {
    permits: ids.length,
    permitIds: ids.map(shown),
    available: before + ids.length,
    total: totalOf(scene),
  };
  const event = { ...scene.expect(name, 'permits.expired', fields, { wait: { role: 'loss' } }), by: undefined };
  return [event, ...messages(scene, name, [event])];
}

function expirableAcquire(scene: Scene): Expected[] {
  const [name = '', _timeouts = ''] = scene.keys;
  notesOf(scene, name).kind = WITH_DEADLINES;
  const back = reclaimed(scene);
  const available = numberIn(scene.after(name));
  const added = scene.lines.flatMap(({ words }) =>
    nameOf(words) === 'zadd' ? [[words[2] ?? '', words[3] ?? ''] as const] : [],
  );
  const known = { holder: callerOf(scene), available, total: totalOf(scene) };
  const wait = { role: 'acquired', channel: `redisson_sc:{${name}}` } as const;
  if (added.length === 0) {
    return [...back, refusedPermits(scene, known, scene.script.releases?.[0] === '3.23.4' ? Number(scene.args[0]) : 1)];
  }
  const deadline = Number(added[0]?.[0]);
  const end = deadline === FOR_EVER ? {} : { expiresAt: deadline * 1000 };
  const fields = { ...known, permits: added.length, permitIds: added.map(([, id]) => shown(id)), ...end };
  return [...back, scene.expect(name, 'permits.acquired', fields, { wait })];
}

const FOR_EVER = 922337203685477;

function expirableRelease(scene: Scene, ids: readonly string[]): Expected[] {
  const [name = ''] = scene.keys;
  const timeouts = scene.keys[2] ?? '';
  notesOf(scene, name).kind = WITH_DEADLINES;
  const had = permitsIn(scene.before(timeouts));
  const has = permitsIn(scene.after(timeouts));
  const given = ids.filter((id) => had.has(id) && !has.has(id));
  if (given.length === 0) {
    const [id = ''] = ids;
    const reason = scene.tracker.expiredPermits.has(id) ? 'expired' : 'no-lock';
    return [scene.expect(name, 'unlock.refused', { holder: shown(id), mode: 'permit', reason })];
  }
  const isLate = given.some((id) => (had.get(id) ?? 0) <= Number(scene.args[2] ?? 0)) ? { isLate: true } : {};
  const known = { holder: callerOf(scene), available: numberIn(scene.after(name)), total: totalOf(scene) };
  const fields = { ...known, permits: given.length, permitIds: given.map(shown), ...isLate };
  const event = scene.expect(name, 'permits.released', fields);
  return [event, ...messages(scene, name, [event])];
}

function permitRenew(scene: Scene): Expected[] {
  const [name = '', timeouts = ''] = scene.keys;
  const [id = '', deadline = ''] = scene.args;
  const back = reclaimed(scene);
  if (!permitsIn(scene.after(timeouts)).has(id)) return back;
  const expiresAt = Number(deadline) === FOR_EVER ? null : Number(deadline) * 1000;
  return [...back, scene.expect(name, 'permits.renewed', { permitIds: [shown(id)], expiresAt })];
}

function latchSet(scene: Scene): Expected[] {
  const [name = ''] = scene.keys;
  notesOf(scene, name).kind = 'latch';
  if (scene.before(name)) return [];
  const event = scene.expect(name, 'latch.set', { holder: callerOf(scene), count: numberIn(scene.after(name)) });
  return [event, ...messages(scene, name, [event])];
}

/** A count below zero deletes the key again, so it changed nothing. */
function latchCount(scene: Scene): Expected[] {
  const [name = ''] = scene.keys;
  notesOf(scene, name).kind = 'latch';
  const before = numberIn(scene.before(name));
  const wasOpen = before === 0 ? { wasOpen: true } : {};
  const counted = scene.expect(name, 'latch.counted-down', {
    holder: callerOf(scene),
    count: Math.max(0, before - 1),
    ...wasOpen,
  });
  if (before !== 1) return [counted];
  const opened = scene.expect(name, 'latch.opened', {}, { because: [counted] });
  return [counted, opened, ...messages(scene, name, [opened])];
}

function latchDelete(scene: Scene): Expected[] {
  const [name = ''] = scene.keys;
  notesOf(scene, name).kind = 'latch';
  if (!scene.before(name)) return [];
  const event = scene.expect(name, 'latch.deleted', { command: oneOf(undefined, 'DEL') });
  return [event, ...messages(scene, name, [event])];
}
