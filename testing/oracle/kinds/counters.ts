import { binaryFromText } from '../../../shared/base/bytes-text.ts';
import type { JudgedRun, Operation } from '../account.ts';
import { type Expected, oneOf } from '../expected.ts';
import { messages, notesOf, scoresIn } from '../holds.ts';
import { nameOf } from '../names.ts';
import type { Copy } from '../replay.ts';

/** Scripts of semaphores (with or without deadlines) and of latches. A permit has no owner except its connection. */
export const COUNTERS: Readonly<Record<string, Operation>> = {
  'sem-set': (run) => semaphore(run, 'permits.set'),
  'sem-add': (run) => semaphore(run, 'permits.set'),
  'permit-add': (run) => semaphore(run, 'permits.set'),
  'permit-set': (run) => semaphore(run, 'permits.set'),
  'sem-acquire': (run) => semaphore(run, 'permits.acquired'),
  'sem-drain': (run) => semaphore(run, 'permits.acquired', { isDrain: true }),
  'sem-release': (run) => semaphore(run, 'permits.released'),
  'permit-acquire': expirableAcquire,
  'permit-release': (run) => expirableRelease(run, run.args.slice(0, 1)),
  'permit-release-many': (run) => expirableRelease(run, run.args.slice(3)),
  'permit-renew': permitRenew,
  'latch-set': latchSet,
  'latch-count': latchCount,
  'latch-delete': latchDelete,
};

const WITHOUT_DEADLINES = 'semaphore';
const WITH_DEADLINES = 'expirable-semaphore';

/** The name of the connection, otherwise its address. */
function callerOf({ tracker, head }: JudgedRun): string {
  return tracker.connections.get(head.client ?? '') ?? head.client ?? '';
}

function numberIn(copy: Copy | undefined): number {
  return copy?.content.type === 'string' ? Number(copy.content.text) : 0;
}

/** How many permits there are: the free and the acquired ones. */
function totalOf(run: JudgedRun): unknown {
  return run.tracker.total(run.head.db, run.keys[0] ?? '');
}

/** A script of a semaphore without deadlines: the difference of the counter shows what it did. */
function semaphore(run: JudgedRun, type: string, more: Expected['fields'] = {}): Expected[] {
  const [name = ''] = run.keys;
  const { head, tracker } = run;
  const notes = notesOf(run, name);
  if (notes.kind !== WITH_DEADLINES) notes.kind = WITHOUT_DEADLINES;
  const [copy, left] = [run.before(name), run.after(name)];
  const [before, available] = [numberIn(copy), numberIn(left)];
  const isChanged = before !== available || (!copy && left !== undefined);
  const isSet = type === 'permits.set';
  if (isSet && isChanged) tracker.addToTotal(head.db, name, copy ? available - before : available, !copy);
  if (type === 'permits.released') tracker.noteFree(head.db, name, available);
  const known = { holder: callerOf(run), available, total: totalOf(run) };
  const wait = { role: 'acquired', channel: `redisson_sc:{${name}}` } as const;
  if (!isChanged && !more.isDrain) {
    if (type !== 'permits.acquired') return [];
    return [refusedPermits(run, known, Number(run.args[0]))];
  }
  if (more.isDrain && run.lines.length === 1) return [];
  const permits = isSet ? (copy ? { changedBy: available - before } : {}) : { permits: Math.abs(available - before) };
  const event = run.expect(
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
  return [event, ...messages(run, name, [event])];
}

/**
 * A refused attempt. Commands do not show whether the number was ever set: then it may be reported as 0 or as unknown.
 */
function refusedPermits(run: JudgedRun, known: Expected['fields'], permits: number): Expected {
  const [name = ''] = run.keys;
  const channel = `redisson_sc:{${name}}`;
  const asleep = run.tracker.isListening(callerOf(run), channel);
  const isUnset = run.before(name) === undefined;
  const fields = { ...known, permits, asleep, ...(isUnset ? { available: oneOf(undefined, 0) } : undefined) };
  const event = run.expect(name, 'permits.refused', fields, { wait: { role: 'refused', channel } });
  return isUnset && run.script.releases === undefined ? { ...event, isUnsure: true } : event;
}

/** Permit ids are 16 bytes, shown as hex; until 3.16.8 they were hex in Redis. */
function shown(id: string): string {
  return /^[0-9a-f]{32}$/.test(id) ? id : Buffer.from(binaryFromText(id), 'latin1').toString('hex');
}

/** Expired permits that the script takes back before its own work. */
function reclaimed(run: JudgedRun): Expected[] {
  const [name = ''] = run.keys;
  const isSearch = (n: number) => nameOf(run.lines[n]?.words ?? []) === 'zrangebyscore';
  const n = run.lines.findIndex((_, at) => isSearch(at) && nameOf(run.lines[at + 1]?.words ?? []) === 'zrem');
  if (n === -1) return [];
  const ids = run.lines[n + 1]?.words.slice(2) ?? [];
  const before = numberIn(run.before(name));
  for (const id of ids) run.tracker.expiredPermits.add(id);
  const fields = {
    permits: ids.length,
    permitIds: ids.map(shown),
    available: before + ids.length,
    total: totalOf(run),
  };
  const event = { ...run.expect(name, 'permits.expired', fields, { wait: { role: 'loss' } }), by: undefined };
  return [event, ...messages(run, name, [event])];
}

function expirableAcquire(run: JudgedRun): Expected[] {
  const [name = '', _timeouts = ''] = run.keys;
  notesOf(run, name).kind = WITH_DEADLINES;
  const back = reclaimed(run);
  const available = numberIn(run.after(name));
  const added = run.lines.flatMap(({ words }) =>
    nameOf(words) === 'zadd' ? [[words[2] ?? '', words[3] ?? ''] as const] : [],
  );
  const known = { holder: callerOf(run), available, total: totalOf(run) };
  const wait = { role: 'acquired', channel: `redisson_sc:{${name}}` } as const;
  if (added.length === 0) {
    return [...back, refusedPermits(run, known, run.script.releases?.[0] === '3.23.4' ? Number(run.args[0]) : 1)];
  }
  const deadline = Number(added[0]?.[0]);
  const end = deadline === FOR_EVER ? {} : { expiresAt: deadline * 1000 };
  const fields = { ...known, permits: added.length, permitIds: added.map(([, id]) => shown(id)), ...end };
  return [...back, run.expect(name, 'permits.acquired', fields, { wait })];
}

const FOR_EVER = 922337203685477;

function expirableRelease(run: JudgedRun, ids: readonly string[]): Expected[] {
  const [name = ''] = run.keys;
  const timeouts = run.keys[2] ?? '';
  notesOf(run, name).kind = WITH_DEADLINES;
  const had = scoresIn(run.before(timeouts));
  const has = scoresIn(run.after(timeouts));
  const given = ids.filter((id) => had.has(id) && !has.has(id));
  if (given.length === 0) {
    const [id = ''] = ids;
    const reason = run.tracker.expiredPermits.has(id) ? 'expired' : 'no-lock';
    return [run.expect(name, 'unlock.refused', { holder: shown(id), mode: 'permit', reason })];
  }
  const isLate = given.some((id) => (had.get(id) ?? 0) <= Number(run.args[2] ?? 0)) ? { isLate: true } : {};
  const known = { holder: callerOf(run), available: numberIn(run.after(name)), total: totalOf(run) };
  const fields = { ...known, permits: given.length, permitIds: given.map(shown), ...isLate };
  const event = run.expect(name, 'permits.released', fields);
  return [event, ...messages(run, name, [event])];
}

function permitRenew(run: JudgedRun): Expected[] {
  const [name = '', timeouts = ''] = run.keys;
  const [id = '', deadline = ''] = run.args;
  const back = reclaimed(run);
  if (!scoresIn(run.after(timeouts)).has(id)) return back;
  const expiresAt = Number(deadline) === FOR_EVER ? null : Number(deadline) * 1000;
  return [...back, run.expect(name, 'permits.renewed', { permitIds: [shown(id)], expiresAt })];
}

function latchSet(run: JudgedRun): Expected[] {
  const [name = ''] = run.keys;
  notesOf(run, name).kind = 'latch';
  if (run.before(name)) return [];
  const event = run.expect(name, 'latch.set', { holder: callerOf(run), count: numberIn(run.after(name)) });
  return [event, ...messages(run, name, [event])];
}

/** If the count gets below zero, the script deletes the key that it has just made, so nothing changed. */
function latchCount(run: JudgedRun): Expected[] {
  const [name = ''] = run.keys;
  notesOf(run, name).kind = 'latch';
  const before = numberIn(run.before(name));
  const wasOpen = before === 0 ? { wasOpen: true } : {};
  const counted = run.expect(name, 'latch.counted-down', {
    holder: callerOf(run),
    count: Math.max(0, before - 1),
    ...wasOpen,
  });
  if (before !== 1) return [counted];
  const opened = run.expect(name, 'latch.opened', {}, { because: [counted] });
  return [counted, opened, ...messages(run, name, [opened])];
}

function latchDelete(run: JudgedRun): Expected[] {
  const [name = ''] = run.keys;
  notesOf(run, name).kind = 'latch';
  if (!run.before(name)) return [];
  const event = run.expect(name, 'latch.deleted', { command: oneOf(undefined, 'DEL') });
  return [event, ...messages(run, name, [event])];
}
