import type { More, Operation, Scene } from '../account.ts';
import { type Expected, near } from '../expected.ts';
import { isShortened, messages, notesOf } from '../holds.ts';
import { nameOf } from '../names.ts';
import type { Copy } from '../replay.ts';
import { PROBABLY } from '../tracker.ts';

/** Scripts of other libraries. The lock is a string, and its text, the token, shows the holder. */
export const TOKENS: Readonly<Record<string, Operation>> = {
  'token-acquire': (scene) => ofScript(scene, 'lock.refused'),
  'token-extend': (scene) => ofScript(scene, 'renewal.refused'),
  'token-release': (scene) => ofScript(scene, 'unlock.refused'),
  'token-jobs': ofJobs,
};

type Refusal = 'lock.refused' | 'renewal.refused' | 'unlock.refused';

const KIND = 'token-lock';
/** A refusal that is repeated within this time belongs to the same call (microseconds). */
const SAME_CALL = 1_000_000;
/** Operations of BullMQ that renew locks; the others start or finish jobs. */
const RENEWS = new Set(['c35baf769e5dc3d9194b2bceca04ab59f7c510f7', 'dc9605328a4cc37f68acbf27cdd42e393f7b762e']);
/** Libraries whose clients report a failed release as success. */
const SAYS_SUCCESS = new Set(['aioredlock', 'shedlock', 'redis-semaphore']);

/** The token in a string. Returns `undefined` if there is no key. */
export function tokenIn(copy: Copy | undefined): string | undefined {
  return copy?.content.type === 'string' ? copy.content.text : undefined;
}

function ofScript(scene: Scene, refusal: Refusal): Expected[] {
  scene.tracker.sure.add(scene.script.library ?? '');
  const keys = scene.keys.filter((key) => !key.startsWith('lock-signal:'));
  for (const lock of keys) scene.tracker.used.add(lock);
  const channel = scene.args.find((word) => word.endsWith('-channel') || word.includes('-channel:'));
  const changed = keys.flatMap((lock) => changeOf(scene, lock));
  if (changed.length > 0)
    return changed.flatMap((event) => [
      event,
      ...(channel ? messages(scene, event.lock, [event]) : items(scene, event)),
    ]);
  const isLastOfAll = refusal === 'lock.refused' ? keys.filter((lock) => scene.before(lock)).slice(0, 1) : keys;
  const [first = '', second = ''] = scene.args;
  const token = scene.script.library === 'sesamecare-redlock' ? second : first; // behind the database
  return (isLastOfAll.length > 0 ? isLastOfAll : keys.slice(0, 1)).flatMap((lock) =>
    refused(scene, lock, token, refusal),
  );
}

/** A release of python-redis-lock puts an item into the list at which waiters sleep. */
function items(scene: Scene, because: Expected): Expected[] {
  return scene.lines
    .filter(({ words }) => nameOf(words) === 'lpush' && words[1]?.startsWith('lock-signal:'))
    .map(({ words: [, channel = '', message = ''] }) =>
      tokenEvent(
        scene,
        because.lock,
        'wakeup.published',
        { channel, message },
        { because: [because], wait: { role: 'message', channel } },
      ),
    );
}

/** BullMQ's scripts name the locks of their jobs only in their lines. */
function ofJobs(scene: Scene): Expected[] {
  scene.tracker.sure.add('bullmq');
  const isLock = (name: string | undefined) => name !== undefined && /^bull:.*:lock$/.test(name);
  const locks = [...new Set(scene.lines.map(({ words }) => words[1] ?? '').filter(isLock))];
  return locks.flatMap((lock) => {
    const changed = changeOf(scene, lock);
    const isAsked = scene.lines.some(({ words }) => nameOf(words) === 'get' && words[1] === lock);
    if (changed.length > 0 || !isAsked) return changed;
    const sha = (scene.head.words[1] ?? '').replace(/[<>]|script /g, '');
    return refused(scene, lock, undefined, RENEWS.has(sha) ? 'renewal.refused' : 'unlock.refused');
  });
}

/** What happened to one key, by its token and its lease before and after. */
export function changeOf(scene: Scene, lock: string): Expected[] {
  const [copy, left] = [scene.before(lock), scene.after(lock)];
  const [before, after] = [tokenIn(copy), tokenIn(left)];
  if (after === undefined) return before === undefined ? [] : [released(scene, lock, before)];
  if (before === undefined) return [acquired(scene, lock, after)];
  if (before !== after) return [...overwritten(scene, lock, before, after), acquired(scene, lock, after)];
  const set = scene.lines.find(({ words }) => words.slice(1).includes(lock) && SETS_LEASE.has(nameOf(words)));
  if (!set || scene.hasFailed || (copy?.expiresAt === left?.expiresAt && nameOf(set.words) !== 'pexpire')) return [];
  noteGrant(scene, lock, after);
  const isAgain = scene.script.operation === 'token-acquire' && scene.script.library !== 'aioredlock';
  const lease = leaseOf(scene, lock);
  if (isAgain) return [tokenEvent(scene, lock, 'lock.reentered', { holder: after, mode: 'exclusive', ...lease })];
  if (isShortened(scene, lock))
    return [tokenEvent(scene, lock, 'lease.shortened', { holder: after, cause: 'holder', ...lease })];
  return [tokenEvent(scene, lock, 'lease.renewed', { holder: after, cause: 'watchdog', ...lease })];
}

const SETS_LEASE = new Set(['set', 'mset', 'pexpire', 'expire']);

function acquired(scene: Scene, lock: string, token: string): Expected {
  const notes = notesOf(scene, lock);
  notes.kind = KIND;
  const noEnd = scene.after(lock)?.expiresAt === null ? { expiresAt: null } : {};
  const fields = { holder: token, mode: 'exclusive', holdCount: 1, ...noEnd, ...leaseOf(scene, lock) };
  const event = tokenEvent(scene, lock, 'lock.acquired', fields, { wait: { role: 'acquired' } });
  notes.holds.set(token, event);
  notes.ended.delete(token);
  noteGrant(scene, lock, token);
  return event;
}

/** Stores that the token had the lock, and which connection used it last. */
function noteGrant(scene: Scene, lock: string, token: string): void {
  const notes = notesOf(scene, lock);
  notes.granted.add(token);
  notes.refusals.clear();
  notes.tokenAt.set(scene.head.client ?? '', token);
}

export function released(scene: Scene, lock: string, token: string, more: More = {}): Expected {
  const notes = notesOf(scene, lock);
  const because = [notes.holds.get(token)].filter((event) => event !== undefined);
  notes.holds.delete(token);
  notes.refusals.clear();
  const fields = { holder: token, mode: 'exclusive', holdCount: 0 };
  return tokenEvent(scene, lock, 'lock.released', fields, { because, wait: { role: 'quiet' }, ...more });
}

/** A value was set over the token of another. */
function overwritten(scene: Scene, lock: string, before: string, after: string): Expected[] {
  const notes = notesOf(scene, lock);
  notes.holds.delete(before);
  notes.ended.set(before, 'gone');
  const fields = { command: 'SET', late: after, holder: before, holders: [before] };
  return [tokenEvent(scene, lock, 'lock.deleted', fields, { wait: { role: 'loss' } })];
}

/** An attempt, a renewal or a release that changed nothing. `token` is `undefined` if the script does not show it. */
export function refused(
  scene: Scene,
  lock: string,
  token: string | undefined,
  type: Refusal,
  more: More = {},
): Expected[] {
  const notes = notesOf(scene, lock);
  const isOwn = token !== undefined && notes.granted.has(token);
  // The script of aioredlock that takes a lock renews it as well.
  if (type === 'lock.refused' && isOwn && scene.script.library === 'aioredlock')
    return refused(scene, lock, token, 'renewal.refused');
  if (type === 'lock.refused') return [refusedAttempt(scene, lock, token ?? '')];
  // A token that never had the lock cleans up after a refused attempt.
  if (token !== undefined && !isOwn && type === 'unlock.refused') return [];
  const last = notes.refusals.get(`${type} ${token}`);
  notes.refusals.clear();
  notes.refusals.set(`${type} ${token}`, scene.head.at);
  if (last !== undefined && scene.head.at - last <= SAME_CALL) return [];
  const before = tokenIn(scene.before(lock));
  const reason =
    token !== undefined && notes.ended.get(token) === 'expired'
      ? 'expired'
      : before === undefined
        ? 'no-lock'
        : 'not-owner';
  const success =
    type === 'unlock.refused' && SAYS_SUCCESS.has(scene.script.library ?? '') ? { callerSawSuccess: true } : {};
  const holder = token ?? ((reported: unknown) => notes.granted.has(String(reported)));
  return [
    tokenEvent(scene, lock, type, { holder, reason: token === undefined ? () => true : reason, ...success }, more),
  ];
}

function refusedAttempt(scene: Scene, lock: string, token: string): Expected {
  const notes = notesOf(scene, lock);
  notes.kind = KIND;
  const because = [...notes.holds.values()].slice(0, 1);
  const pollsWithin = scene.script.library === 'spring-integration' ? 65_000 : 3000;
  const fields = { holder: token, mode: 'exclusive', ttlMs: null, reason: 'held' };
  return tokenEvent(scene, lock, 'lock.refused', fields, {
    because,
    wait: { role: 'refused', reported: null, pollsWithin },
  });
}

/** An event of a lock that is a string. Until a script or a name shows its library, it only looks like a lock. */
export function tokenEvent(
  scene: Scene,
  lock: string,
  type: string,
  fields: Expected['fields'],
  more: More = {},
): Expected {
  const isSure = scene.tracker.isSure(scene.script.library, lock);
  const sign = scene.tracker.isUnknownSoFar(lock) ? PROBABLY : isSure ? undefined : { kindKnown: false };
  return scene.expect(lock, type, { ...fields, ...sign }, { kinds: [KIND], ...more });
}

/** The lease that the last command set. */
export function leaseOf(scene: Scene, lock: string): Expected['fields'] {
  const end = scene.after(lock)?.expiresAt;
  if (end == null) return {};
  const line =
    scene.lines.findLast(({ words }) => words.slice(1).includes(lock) && nameOf(words) !== 'get') ?? scene.head;
  return { leaseMs: near((end - line.at) / 1000, 1), expiresAt: near(end, 1000) };
}
