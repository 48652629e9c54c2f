import type { Operation, Scene } from '../account.ts';
import { type Expected, near } from '../expected.ts';
import { forceUnlock, granted, holdsIn, notesOf, plainUnlock, ttlOf } from '../holds.ts';
import { channelOf, nameOf } from '../names.ts';
import { lockNamed } from '../plain-commands.ts';
import type { Copy } from '../replay.ts';

/** Scripts of fair locks. `Q`: the queue, head first. `Z`: the deadline of each waiter (ms since the epoch). */
export const FAIR: Readonly<Record<string, Operation>> = {
  'fair-lock': (scene) => withEvictions(scene, clientNow(scene, 3), attempt),
  'fair-try': (scene) => withEvictions(scene, clientNow(scene, 2), attempt),
  'fair-unlock': (scene) => withEvictions(scene, clientNow(scene, 3), (each) => plainUnlock(each, each.args[2] ?? '')),
  'fair-force-unlock': (scene) => withEvictions(scene, clientNow(scene, 1), (each) => forceUnlock(each, KIND)),
  'fair-give-up': giveUp,
};

const KIND = 'fair-lock';
/** A client's clock that differs by less than this is right, in ms. */
const CLOCKS_AGREE = 1000;

function clientNow({ args }: Scene, n: number): number {
  return Number(args[n]);
}

type Work = (scene: Scene, clock: Expected['fields']) => Expected[];

/** Every script first evicts heads of the queue whose deadline is over by the clock of its client. */
function withEvictions(scene: Scene, now: number, work: Work): Expected[] {
  const [lock = '', queue = '', deadlines = ''] = scene.keys;
  notesOf(scene, lock).kind = KIND;
  const ahead = Math.round(now - scene.head.at / 1000);
  const clock = Math.abs(ahead) < CLOCKS_AGREE ? {} : { clockAheadMs: near(ahead, 2) };
  const scores = scoresIn(scene.before(deadlines));
  const evicted = scene.lines.flatMap(({ words }, n) => {
    const isEviction = nameOf(words) === 'zrem' && nameOf(scene.lines[n + 1]?.words ?? []) === 'lpop';
    return isEviction && scene.lines[n + 1]?.words[1] === queue ? [words[2] ?? ''] : [];
  });
  const events = evicted.map((holder) => {
    const deadline = scores.get(holder);
    const fields = {
      holder,
      reason: 'evicted',
      ...(deadline === undefined ? {} : { deadline: deadline * 1000 }),
      ...clock,
    };
    return scene.expect(lock, 'waiter.dequeued', fields, { wait: { role: 'eviction' } });
  });
  return [...events, ...work(scene, clock)];
}

function attempt(scene: Scene, clock: Expected['fields']): Expected[] {
  const [lock = '', queue = '', deadlines = ''] = scene.keys;
  const holder = scene.args[1] ?? '';
  scene.tracker.date(holder, scene);
  const count = holdsIn(scene.after(lock)).get(holder) ?? 0;
  const countBefore = holdsIn(scene.before(lock)).get(holder) ?? 0;
  if (count > countBefore) {
    const isNew = countBefore === 0;
    const more = isNew ? { ...shiftOf(scene), ...clock } : {};
    return [granted(scene, lock, { holder, field: holder, mode: 'exclusive', count, isNew, more })];
  }
  const isQueued = scene.lines.some(({ words }) => nameOf(words) === 'rpush' && words[1] === queue);
  const refusal = refused(scene, holder, isQueued, clock);
  if (!isQueued) return [refusal];
  const deadline = scoresIn(scene.after(deadlines)).get(holder) ?? 0;
  const fields = { holder, position: itemsIn(scene.after(queue)).indexOf(holder) + 1, deadline: deadline * 1000 };
  return [refusal, scene.expect(lock, 'waiter.queued', fields, { because: [refusal] })];
}

function refused(scene: Scene, holder: string, isQueued: boolean, clock: Expected['fields']): Expected {
  const [lock = '', , deadlines = ''] = scene.keys;
  const isTry = scene.script.operation === 'fair-try';
  const reported = isTry ? null : reportedMs(scene, holder);
  const score = scoresIn(scene.after(deadlines)).get(holder);
  const last = nameOf(scene.lines.at(-1)?.words ?? []);
  const isOwn = scene.args.includes('NON_REENTRANT_REACQUIRE') && holdsIn(scene.before(lock)).has(holder);
  const isAnswered = isTry
    ? last === 'hexists'
    : ['pttl', 'rpush', 'zadd'].includes(last) || (last === 'zscore' && score !== undefined);
  const held = scene.before(lock) ? 'held' : 'not-head';
  return scene.expect(
    lock,
    'lock.refused',
    {
      ...{ holder, mode: 'exclusive', ttlMs: reported === null ? null : near(reported, 1), ...clock },
      reason: isOwn ? 'own-hold' : isAnswered ? held : 'error',
      ...(score === undefined || isQueued ? undefined : { deadline: score * 1000 }),
    },
    {
      because: [...notesOf(scene, lock).holds.values()].slice(0, 1),
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
function reportedMs(scene: Scene, holder: string): number | null {
  const [lock = '', , deadlines = ''] = scene.keys;
  const [, , wait = '', now = ''] = scene.args;
  const last = scene.lines.at(-1);
  const score = scoresIn(scene.after(deadlines)).get(holder);
  if (!last || score === undefined) return null;
  if (nameOf(last.words) === 'pttl') return scene.before(lock) ? ttlOf(scene.before(lock), last) : 0;
  // Until 3.11.0 the third argument was `now + wait`.
  return Number(wait) > Number(now) ? score - Number(wait) : score - Number(wait) - Number(now);
}

function giveUp(scene: Scene): Expected[] {
  const [holder = ''] = scene.args;
  const lock = lockNamed(scene, (scene.keys[0] ?? '').replace('redisson_lock_queue:', ''));
  scene.tracker.date(holder, scene);
  return [
    scene.expect(
      lock,
      'waiter.dequeued',
      { holder, reason: 'gave-up', ...shiftOf(scene) },
      { wait: { role: 'leave' } },
    ),
  ];
}

/** By how much the script moved the deadlines of waiters. */
function shiftOf({ lines }: Scene): Expected['fields'] {
  const move = lines.find(({ words }) => nameOf(words) === 'zincrby');
  return move ? { shiftMs: Number(move.words[2]) } : {};
}

function scoresIn(copy: Copy | undefined): ReadonlyMap<string, number> {
  return copy?.content.type === 'zset' ? copy.content.scores : new Map();
}

function itemsIn(copy: Copy | undefined): readonly string[] {
  return copy?.content.type === 'list' ? copy.content.items : [];
}
