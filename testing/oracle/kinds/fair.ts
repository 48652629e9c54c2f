import type { JudgedRun, Operation } from '../account.ts';
import { type Expected, near } from '../expected.ts';
import { acquisition, forceUnlock, holdsIn, notesOf, plainUnlock, scoresIn, ttlOf } from '../holds.ts';
import { channelOf, nameOf } from '../names.ts';
import { lockNamed } from '../plain-commands.ts';
import type { Copy } from '../replay.ts';

/** Scripts of fair locks. */
export const FAIR: Readonly<Record<string, Operation>> = {
  'fair-lock': (run) => withEvictions(run, clientNow(run, 3), attempt),
  'fair-try': (run) => withEvictions(run, clientNow(run, 2), attempt),
  'fair-unlock': (run) => withEvictions(run, clientNow(run, 3), (each) => plainUnlock(each, each.args[2] ?? '')),
  'fair-force-unlock': (run) => withEvictions(run, clientNow(run, 1), (each) => forceUnlock(each, KIND)),
  'fair-give-up': giveUp,
};

const KIND = 'fair-lock';
/** In ms: a client's clock that differs by less than this is treated as exact. */
const CLOCKS_AGREE = 1000;

function clientNow({ args }: JudgedRun, n: number): number {
  return Number(args[n]);
}

type Work = (run: JudgedRun, clock: Expected['fields']) => Expected[];

/** These scripts first evict heads of the queue whose deadline has passed by the clock of their client. */
function withEvictions(run: JudgedRun, now: number, work: Work): Expected[] {
  const [lock = '', queue = '', deadlines = ''] = run.keys;
  notesOf(run, lock).kind = KIND;
  const ahead = Math.round(now - run.head.at / 1000);
  const clock = Math.abs(ahead) < CLOCKS_AGREE ? {} : { clockAheadMs: near(ahead, 2) };
  const scores = scoresIn(run.before(deadlines));
  const evicted = run.lines.flatMap(({ words }, n) => {
    const isEviction = nameOf(words) === 'zrem' && nameOf(run.lines[n + 1]?.words ?? []) === 'lpop';
    return isEviction && run.lines[n + 1]?.words[1] === queue ? [words[2] ?? ''] : [];
  });
  const events = evicted.map((holder) => {
    const deadline = scores.get(holder);
    const fields = {
      holder,
      reason: 'evicted',
      ...(deadline === undefined ? {} : { deadline: deadline * 1000 }),
      ...clock,
    };
    return run.expect(lock, 'waiter.dequeued', fields, { wait: { role: 'eviction' } });
  });
  return [...events, ...work(run, clock)];
}

function attempt(run: JudgedRun, clock: Expected['fields']): Expected[] {
  const [lock = '', queue = '', deadlines = ''] = run.keys;
  const holder = run.args[1] ?? '';
  run.tracker.noteRelease(holder, run);
  const count = holdsIn(run.after(lock)).get(holder) ?? 0;
  const countBefore = holdsIn(run.before(lock)).get(holder) ?? 0;
  if (count > countBefore) {
    const isNew = countBefore === 0;
    const more = isNew ? { ...shiftOf(run), ...clock } : {};
    return [acquisition(run, lock, { holder, field: holder, mode: 'exclusive', count, isNew, more })];
  }
  const isQueued = run.lines.some(({ words }) => nameOf(words) === 'rpush' && words[1] === queue);
  const refusal = refused(run, holder, isQueued, clock);
  if (!isQueued) return [refusal];
  const deadline = scoresIn(run.after(deadlines)).get(holder) ?? 0;
  const fields = { holder, position: itemsIn(run.after(queue)).indexOf(holder) + 1, deadline: deadline * 1000 };
  return [refusal, run.expect(lock, 'waiter.queued', fields, { because: [refusal] })];
}

function refused(run: JudgedRun, holder: string, isQueued: boolean, clock: Expected['fields']): Expected {
  const [lock = '', , deadlines = ''] = run.keys;
  const isTry = run.script.operation === 'fair-try';
  const reported = isTry ? null : reportedMs(run, holder);
  const score = scoresIn(run.after(deadlines)).get(holder);
  const last = nameOf(run.lines.at(-1)?.words ?? []);
  const isOwn = run.args.includes('NON_REENTRANT_REACQUIRE') && holdsIn(run.before(lock)).has(holder);
  const isAnswered = isTry
    ? last === 'hexists'
    : ['pttl', 'rpush', 'zadd'].includes(last) || (last === 'zscore' && score !== undefined);
  const held = run.before(lock) ? 'held' : 'not-head';
  return run.expect(
    lock,
    'lock.refused',
    {
      ...{ holder, mode: 'exclusive', ttlMs: reported === null ? null : near(reported, 1), ...clock },
      reason: isOwn ? 'own-hold' : isAnswered ? held : 'error',
      ...(score === undefined || isQueued ? undefined : { deadline: score * 1000 }),
    },
    {
      because: [...notesOf(run, lock).holds.values()].slice(0, 1),
      wait: {
        role: 'refused',
        channel: channelOf(KIND, lock, holder),
        reported,
        isTry: isTry || !isAnswered,
      },
    },
  );
}

/** What the script returns to its caller: the ms until it retries. */
function reportedMs(run: JudgedRun, holder: string): number | null {
  const [lock = '', , deadlines = ''] = run.keys;
  const [, , wait = '', now = ''] = run.args;
  const last = run.lines.at(-1);
  const score = scoresIn(run.after(deadlines)).get(holder);
  if (!last || score === undefined) return null;
  if (nameOf(last.words) === 'pttl') return run.before(lock) ? ttlOf(run.before(lock), last) : 0;
  // Until 3.11.0 the third argument was `now + wait`.
  return Number(wait) > Number(now) ? score - Number(wait) : score - Number(wait) - Number(now);
}

function giveUp(run: JudgedRun): Expected[] {
  const [holder = ''] = run.args;
  const lock = lockNamed(run, (run.keys[0] ?? '').replace('redisson_lock_queue:', ''));
  run.tracker.noteRelease(holder, run);
  return [
    run.expect(lock, 'waiter.dequeued', { holder, reason: 'gave-up', ...shiftOf(run) }, { wait: { role: 'leave' } }),
  ];
}

/** By how much the script moved the deadlines of waiters. */
function shiftOf({ lines }: JudgedRun): Expected['fields'] {
  const move = lines.find(({ words }) => nameOf(words) === 'zincrby');
  return move ? { shiftMs: Number(move.words[2]) } : {};
}

function itemsIn(copy: Copy | undefined): readonly string[] {
  return copy?.content.type === 'list' ? copy.content.items : [];
}
