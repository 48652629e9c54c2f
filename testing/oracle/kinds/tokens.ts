import type { JudgedRun, More, Operation } from '../account.ts';
import { type Expected, near } from '../expected.ts';
import { attemptedAgain, isShortened, messages, notesOf } from '../holds.ts';
import { nameOf } from '../names.ts';
import type { Copy } from '../replay.ts';
import { keysOf, UNKNOWN_LIBRARY, UNNAMED } from '../tracker.ts';

/** Scripts of other libraries. The lock is a string, and its text, the token, shows the holder. */
export const TOKENS: Readonly<Record<string, Operation>> = {
  'token-acquire': (run) => eventsOfScript(run, 'lock.refused'),
  'token-extend': (run) => eventsOfScript(run, 'renewal.refused'),
  'token-release': (run) => eventsOfScript(run, 'unlock.refused'),
  'token-jobs': ofJobs,
};

type Refusal = 'lock.refused' | 'renewal.refused' | 'unlock.refused';

const KIND = 'token-lock';
/** A refusal that is repeated within this time belongs to the same call (microseconds). */
const SAME_CALL = 1_000_000;
/** Operations of BullMQ that renew locks; the others start or finish jobs. */
const RENEWS = new Set([
  ...['c35baf769e5dc3d9194b2bceca04ab59f7c510f7', 'dc9605328a4cc37f68acbf27cdd42e393f7b762e'],
  '6a65f96b064fa3b8de709567d25e9d87a8cdcea6', // Bull 4
]);
/** Libraries whose clients report a failed release as success. */
const REPORTS_SUCCESS = new Set(['aioredlock', 'shedlock', 'redis-semaphore']);

/** The token in a string. Returns `undefined` if there is no key. */
export function tokenIn(copy: Copy | undefined): string | undefined {
  return copy?.content.type === 'string' ? copy.content.text : undefined;
}

function eventsOfScript(run: JudgedRun, refusal: Refusal): Expected[] {
  const { library = '' } = run.script;
  if (!UNNAMED.has(library) || run.lines.some(({ words }) => nameOf(words) === 'del')) run.tracker.sure.add(library);
  const keys = keysOf(library, run.keys).filter((key) => !key.startsWith('lock-signal:'));
  for (const lock of keys) run.tracker.used.add(lock);
  const channel = run.args.find((word) => word.endsWith('-channel') || word.includes('-channel:'));
  const changed = keys.flatMap((lock) => changeOf(run, lock));
  if (changed.length > 0)
    return changed.flatMap((event) => [event, ...(channel ? messages(run, event.lock, [event]) : items(run, event))]);
  const isLastOfAll = refusal === 'lock.refused' ? keys.filter((lock) => run.before(lock)).slice(0, 1) : keys;
  const [first = '', second = ''] = [...run.keys.slice(keys.length + 1), ...run.args]; // a key of warlock is the token
  const token = library === 'sesamecare-redlock' ? second : first; // its first argument is the database
  return (isLastOfAll.length > 0 ? isLastOfAll : keys.slice(0, 1)).flatMap((lock) =>
    refused(run, lock, token, refusal),
  );
}

/** A release of python-redis-lock puts an item into the list at which waiters sleep. */
function items(run: JudgedRun, because: Expected): Expected[] {
  return run.lines
    .filter(({ words }) => nameOf(words) === 'lpush' && words[1]?.startsWith('lock-signal:'))
    .map(({ words: [, channel = '', message = ''] }) =>
      tokenEvent(
        run,
        because.lock,
        'wakeup.published',
        { channel, message },
        { because: [because], wait: { role: 'message', channel } },
      ),
    );
}

/** BullMQ's scripts name the locks of their jobs only in their lines. */
function ofJobs(run: JudgedRun): Expected[] {
  run.tracker.sure.add('bullmq');
  const isLock = (name: string | undefined) => name !== undefined && /^bull:.*:lock$/.test(name);
  const locks = [...new Set(run.lines.map(({ words }) => words[1] ?? '').filter(isLock))];
  return locks.flatMap((lock) => {
    const changed = changeOf(run, lock);
    const isAsked = run.lines.some(({ words }) => nameOf(words) === 'get' && words[1] === lock);
    if (changed.length > 0 || !isAsked) return changed;
    const sha = (run.head.words[1] ?? '').replace(/[<>]|script /g, '');
    return refused(run, lock, undefined, RENEWS.has(sha) ? 'renewal.refused' : 'unlock.refused');
  });
}

/** What happened to one key, by its token and its lease before and after. */
export function changeOf(run: JudgedRun, lock: string): Expected[] {
  const [copy, left] = [run.before(lock), run.after(lock)];
  const [before, after] = [tokenIn(copy), tokenIn(left)];
  if (after === undefined) return before === undefined ? [] : [released(run, lock, before)];
  if (before === undefined) return [acquired(run, lock, after)];
  if (before !== after) return [...overwritten(run, lock, before, after), acquired(run, lock, after)];
  const set = run.lines.find(({ words }) => words.slice(1).includes(lock) && SETS_LEASE.has(nameOf(words)));
  if (!set || run.hasFailed || (copy?.expiresAt === left?.expiresAt && nameOf(set.words) !== 'pexpire')) return [];
  noteHold(run, lock, after);
  const isAgain = run.script.operation === 'token-acquire' && run.script.library !== 'aioredlock';
  const lease = leaseOf(run, lock);
  if (isAgain) return [tokenEvent(run, lock, 'lock.reentered', { holder: after, mode: 'exclusive', ...lease })];
  if (isShortened(run, lock))
    return [tokenEvent(run, lock, 'lease.shortened', { holder: after, cause: 'holder', ...lease })];
  return [tokenEvent(run, lock, 'lease.renewed', { holder: after, cause: 'watchdog', ...lease })];
}

const SETS_LEASE = new Set(['set', 'mset', 'pexpire', 'expire']);

function acquired(run: JudgedRun, lock: string, token: string): Expected {
  const notes = notesOf(run, lock);
  notes.kind = KIND;
  const noEnd = run.after(lock)?.expiresAt === null ? { expiresAt: null } : {};
  const fields = { holder: token, mode: 'exclusive', holdCount: 1, ...noEnd, ...leaseOf(run, lock) };
  // The script by which aioredlock acquires a lock renews it as well: the first one seen may be a renewal.
  const isUnsure = run.script.library === 'aioredlock' && notes.everHeld.size === 0;
  const sure = isUnsure ? { certainty: ['observed', 'inferred'] } : undefined;
  const older = isUnsure ? { isOlder: (reported: unknown) => reported === undefined || reported === true } : undefined;
  const event = tokenEvent(
    run,
    lock,
    'lock.acquired',
    { ...fields, ...older },
    { wait: { role: 'acquired' }, ...sure },
  );
  notes.holds.set(token, event);
  notes.ended.delete(token);
  noteHold(run, lock, token);
  return event;
}

/** Stores that the token held the lock, and which connection used it last. */
function noteHold(run: JudgedRun, lock: string, token: string): void {
  const notes = notesOf(run, lock);
  notes.everHeld.add(token);
  notes.refusals.clear();
  notes.tokenAt.set(run.head.client ?? '', token);
}

export function released(run: JudgedRun, lock: string, token: string, more: More = {}): Expected {
  const notes = notesOf(run, lock);
  const because = [notes.holds.get(token)].filter((event) => event !== undefined);
  notes.holds.delete(token);
  notes.refusals.clear();
  const fields = { holder: token, mode: 'exclusive', holdCount: 0 };
  return tokenEvent(run, lock, 'lock.released', fields, { because, wait: { role: 'quiet' }, ...more });
}

/** A value replaced the token of another holder. */
function overwritten(run: JudgedRun, lock: string, before: string, after: string): Expected[] {
  const notes = notesOf(run, lock);
  notes.holds.delete(before);
  notes.ended.set(before, 'gone');
  const fields = { command: 'SET', late: after, holder: before, holders: [before] };
  return [tokenEvent(run, lock, 'lock.deleted', fields, { wait: { role: 'loss' } })];
}

/** An attempt, a renewal or a release that changed nothing. `token` is `undefined` if the script does not show it. */
export function refused(
  run: JudgedRun,
  lock: string,
  token: string | undefined,
  type: Refusal,
  more: More = {},
): Expected[] {
  const notes = notesOf(run, lock);
  const isOwn = token !== undefined && notes.everHeld.has(token);
  // The script by which aioredlock acquires a lock renews it as well.
  if (type === 'lock.refused' && isOwn && run.script.library === 'aioredlock')
    return refused(run, lock, token, 'renewal.refused');
  if (type === 'lock.refused') return [refusedAttempt(run, lock, token ?? '')];
  // A release by a token that never held the lock cleans up after a refused attempt, and is not reported.
  if (token !== undefined && !isOwn && type === 'unlock.refused') return [];
  const last = notes.refusals.get(`${type} ${token}`);
  notes.refusals.clear();
  notes.refusals.set(`${type} ${token}`, run.head.at);
  if (last !== undefined && run.head.at - last <= SAME_CALL) return [];
  const before = tokenIn(run.before(lock));
  const reason =
    token !== undefined && notes.ended.get(token) === 'expired'
      ? 'expired'
      : before === undefined
        ? 'no-lock'
        : 'not-owner';
  const success =
    type === 'unlock.refused' && REPORTS_SUCCESS.has(run.script.library ?? '') ? { callerSawSuccess: true } : {};
  const holder = token ?? ((reported: unknown) => notes.everHeld.has(String(reported)));
  const back =
    type === 'unlock.refused' && token !== undefined ? { backAt: attemptedAgain(run, lock, token, 'exclusive') } : {};
  const why = token === undefined ? () => true : reason;
  return [tokenEvent(run, lock, type, { holder, reason: why, ...success, ...back }, more)];
}

function refusedAttempt(run: JudgedRun, lock: string, token: string): Expected {
  const notes = notesOf(run, lock);
  notes.kind = KIND;
  const because = [...notes.holds.values()].slice(0, 1);
  const pollsWithin = run.script.library === 'spring-integration' ? 65_000 : 3000;
  const fields = { holder: token, mode: 'exclusive', ttlMs: null, reason: 'held' };
  return tokenEvent(run, lock, 'lock.refused', fields, {
    because,
    wait: { role: 'refused', reported: null, pollsWithin },
  });
}

/** An event of a lock that is a string. Until a script or a name shows its library, it only looks like a lock. */
export function tokenEvent(
  run: JudgedRun,
  lock: string,
  type: string,
  fields: Expected['fields'],
  more: More = {},
): Expected {
  const isSure = run.tracker.isSure(run.script.library, lock);
  const sign = run.tracker.isUnknownSoFar(lock) ? UNKNOWN_LIBRARY : isSure ? undefined : { kindKnown: false };
  return run.expect(lock, type, { ...fields, ...sign }, { kinds: [KIND], ...more });
}

/** The lease that the last command set. */
function leaseOf(run: JudgedRun, lock: string): Expected['fields'] {
  const end = run.after(lock)?.expiresAt;
  if (end == null) return {};
  const line = run.lines.findLast(({ words }) => words.slice(1).includes(lock) && nameOf(words) !== 'get') ?? run.head;
  return { leaseMs: near((end - line.at) / 1000, 1), expiresAt: near(end, 1000) };
}
