import { expect, test } from 'vitest';
import { heardStory } from '../../testing/stories/heard-story.ts';
import { lockAt } from '../../testing/stories/lock-at.ts';
import { command, eventsAt, type Sent, stepsAt } from '../../testing/stories/script-story.ts';
import { seconds } from '../../testing/stories/story.ts';
import { HIDDEN } from '../recording/redact/lock-words.ts';
import { redactCommand } from '../recording/redact/redact-command.ts';
import { redactRead } from '../recording/redact/redact-read.ts';
import type { Step } from '../signals/step.ts';
import { Interpreter } from './interpreter.ts';
import { ChangedKeys } from './mirror/changed-keys.ts';
import { recogniseScript } from './recognise/recognise-script.ts';

const [WEB, WORKER] = ['10.0.0.1:1', '10.0.0.2:1'];
const [J1, J2, J3] = [1, 2, 3].map((n) => `a1b2c3d4e5f6a1b2c3d4000${n}`) as [string, string, string];
const D = 'uniquejobs:4b5e';
const H = `${D}:LOCKED`;
/** The keys of sidekiq-unique-jobs 8, and what its scripts write into their log. */
const KEYS = [D, `${D}:QUEUED`, `${D}:PRIMED`, H, `${D}:INFO`, 'uniquejobs:changelog', 'uniquejobs:digests', 'x'];
const LOG = ['zadd uniquejobs:changelog 1 {}', 'zcard uniquejobs:changelog', 'publish uniquejobs:changelog {}'];

const sent = (by: string, keys: readonly string[], args: string, ran: readonly string[]): Sent => ({
  by,
  words: ['EVALSHA', 'f'.repeat(40), String(keys.length), ...keys, ...args.split(' ')],
  ran,
});
const scriptOf8 = (
  by: string,
  job: string,
  ran: readonly string[],
  { limit = 1, ms = 0, name = 'queue_and_lock' } = {},
) => sent(by, KEYS, `${job} ${ms} until_executed ${limit} - 1.5 0 1000 ${name} 7.0.15`, [...ran, ...LOG]);

const acquireBy8 = (job: string, { limit = 1, ms = 0 } = {}) =>
  scriptOf8(
    WEB,
    job,
    [
      ...(limit === 1 ? [`hlen ${H}`, `set ${D} ${job}`] : [`hexists ${H} ${job}`, `set ${D} ${job} NX`, `hlen ${H}`]),
      ...[`zadd uniquejobs:digests 1.5 ${D}`, `hset ${H} ${job} 1.5`],
      ...(ms > 0 ? [`pexpire ${D} ${ms}`, `pexpire ${H} ${ms}`] : []),
    ],
    { limit, ms },
  );
const refusalBy8 = (job: string) => scriptOf8(WEB, job, [`hlen ${H}`, `hexists ${H} ${job}`]);
const queueBy8 = (job: string) =>
  scriptOf8(WORKER, job, [`hexists ${H} ${job}`, `set ${D} ${job} NX`, `lpush ${D}:QUEUED ${job}`], { name: 'queue' });
const unlockBy8 = (job: string, isHeld = true, limit = 1) => {
  const asked = [`hexists ${H} ${job}`];
  const none = [`lrem ${D}:QUEUED -1 ${job}`, `llen ${D}:QUEUED`, `hlen ${H}`];
  const removed = [`hdel ${H} ${job}`, `unlink ${D} ${H}`, `lpush ${D}:QUEUED 1`];
  return scriptOf8(WORKER, job, [...asked, ...(isHeld ? removed : none)], { limit, name: 'unlock' });
};
const scriptOf9 = (by: string, args: string, ...ran: string[]) => sent(by, [H, 'uniquejobs:digests'], args, ran);

const outcomes = (events: ReturnType<typeof eventsAt>) =>
  events.map((event) => [event.type, 'permitIds' in event ? event.permitIds?.[0] : undefined]);
const each = (...commands: Sent[]) => eventsAt(commands.map((one, n) => ({ sent: one, atMs: n * 1000 })));

test('[T16] a job of sidekiq-unique-jobs 8 holds its lock from the client that queues it to the end of the worker that runs it', () => {
  const events = each(acquireBy8(J1), refusalBy8(J2), refusalBy8(J1), unlockBy8(J1), acquireBy8(J2), unlockBy8(J2));
  expect(outcomes(events)).toEqual([
    ['permits.acquired', J1],
    ['permits.refused', undefined],
    ['permits.released', J1],
    ['permits.acquired', J2],
    ['permits.released', J2],
  ]);
  expect(events[0]).toMatchObject({ lock: H, library: 'sidekiq-unique-jobs', holder: J1, by: WEB, total: 1 });
  expect(events[1]).not.toHaveProperty('holder');
  expect(events[2]).toMatchObject({ by: WORKER, available: 1 });
  expect(lockAt(events, seconds(2))).toMatchObject({ waiters: [], holders: [{ id: J1, client: J1, expiresAt: null }] });
});

test('[T16] scripts of sidekiq-unique-jobs 9 show an acquisition, a refusal and a release', () => {
  const rest = '1.5 0 1000 lock 7.0.15';
  const events = each(
    scriptOf9(WEB, `${J1} 0 until_executed 1 {} ${rest}`, `hexists ${H} ${J1}`, `hlen ${H}`, `hset ${H} ${J1} {}`),
    scriptOf9(WEB, `${J2} 0 until_executed 1 {} ${rest}`, `hexists ${H} ${J2}`, `hlen ${H}`),
    scriptOf9(WORKER, `${J2} until_executed ${rest}`, `hexists ${H} ${J2}`, `hlen ${H}`),
    scriptOf9(
      WORKER,
      `${J1} until_executed ${rest}`,
      `hexists ${H} ${J1}`,
      `hdel ${H} ${J1}`,
      `hlen ${H}`,
      `unlink ${H}`,
    ),
  );
  expect(outcomes(events).map(([type]) => type)).toEqual(['permits.acquired', 'permits.refused', 'permits.released']);
});

test('[T16] UNLINK by the only holder is a release; UNLINK by another job or by the reaper deletes the lock', () => {
  const unlink = `unlink ${D} ${D}:INFO ${H} ${D}:PRIMED`;
  const releaseByUnlink = scriptOf8(WORKER, J1, [unlink, `zrem uniquejobs:digests ${D}`], { name: 'unlock' });
  expect(outcomes(each(acquireBy8(J1), releaseByUnlink)).at(-1)).toEqual(['permits.released', J1]);
  const late = each(acquireBy8(J1, { ms: 900 }), acquireBy8(J2), releaseByUnlink);
  expect(outcomes(late).slice(-2)).toEqual([
    ['unlock.refused', undefined],
    ['lock.deleted', undefined],
  ]);
  const deletionByReaper = sent(WORKER, KEYS, '1.5 0 1000 delete_by_digest 7.0.15', [unlink]);
  expect(outcomes(each(acquireBy8(J1), deletionByReaper)).at(-1)).toEqual(['lock.deleted', undefined]);
  expect(outcomes(each(acquireBy8(J1), command(WORKER, `HDEL ${H} ${J1}`))).at(-1)).toEqual(['permits.released', J1]);
});

test('a recording contains the job that a plain HDEL removes', () => {
  for (const words of [`HDEL ${H} ${J1}`, `HGETDEL ${H} FIELDS 1 ${J1}`]) {
    const [step] = stepsAt([{ sent: command('ops', words), atMs: 0 }]);
    const kept = step && redactCommand(step, (_, name) => name === H, false);
    expect(kept?.head.words.at(-1)).toBe(J1);
  }
});

test('[T16] the lease of a job is that of the whole hash, and a late unlock is refused', () => {
  const ms = 2500;
  const events = each(acquireBy8(J1, { ms }), queueBy8(J2), queueBy8(J3), acquireBy8(J2, { ms }), unlockBy8(J1, false));
  expect(outcomes(events).map(([type]) => type)).toEqual([
    ...['permits.acquired', 'lease.expired', 'permits.acquired', 'unlock.refused'],
  ]);
  expect(events[0]).toMatchObject({ expiresAt: seconds(2.5) });
  expect(events[3]).toMatchObject({ holder: J1, reason: 'expired' });
  const limit = 3;
  const renewed = each(acquireBy8(J1, { ms, limit }), acquireBy8(J2, { ms, limit }), unlockBy8(J3, false, limit));
  expect(lockAt(renewed, seconds(2)).holders).toMatchObject([
    { id: J1, expiresAt: seconds(3.5) },
    { id: J2, expiresAt: seconds(3.5) },
  ]);
});

test('[T16] a job that acquires beyond a limit of one shows that the holder before it is gone', () => {
  const events = each(acquireBy8(J1), acquireBy8(J2));
  expect(lockAt(events, seconds(2))).toMatchObject({ holders: [{ id: J2 }], permits: { available: 0, total: 1 } });
});

test('[T16] if no holder was seen, HLEN before HEXISTS does not show whether the job was refused or holds the lock itself', () => {
  expect(each(refusalBy8(J2))).toEqual([]);
  expect(outcomes(each(scriptOf8(WEB, J2, [`hexists ${H} ${J2}`, `hlen ${H}`])))).toEqual([
    ['permits.refused', undefined],
  ]);
});

test('[T16] scripts on other hashes with a limit do not belong to unique jobs', () => {
  const [step] = stepsAt([
    { sent: scriptOf9(WEB, 'a 10 5', 'hexists cache:LOCKED a', 'hset cache:LOCKED a b'), atMs: 0 },
  ]);
  expect(step && recogniseScript(step)).toBeUndefined();
});

const push = (at: number, event: string): Step => {
  return { kind: 'push', at: seconds(at), channel: `__keyevent@0__:${event}`, message: H };
};
function read(at: number, jobs: readonly string[], { pttl = -1, hasChanged = false } = {}): Step {
  const type = jobs.length > 0 ? 'hash' : 'none';
  const fields = Object.fromEntries(jobs.map((job) => [job, '1.5']));
  const key = { db: 0, name: H, subscribers: null, type, fields, pttl: type === 'hash' ? pttl : -2 } as const;
  return { kind: 'bookmark', at: seconds(at), reads: [{ ...key, hasChanged }] };
}

test('[T16] without commands, reads show the jobs, and events of the key show how they end', () => {
  const events = heardStory(
    ...[read(0, [J1], { hasChanged: true }), push(1, 'hdel'), push(1, 'del')],
    ...[read(2, [J2], { pttl: 3000 }), push(5, 'expired'), read(6, [J1]), read(7, [J1, J3])],
    ...[push(8, 'del'), read(9, [])],
  );
  expect(events.map(({ at, type }) => [at, type])).toEqual([
    [seconds(0), 'permits.acquired'],
    [seconds(1), 'permits.released'],
    [seconds(2), 'permits.acquired'],
    [seconds(5), 'lease.expired'],
    [seconds(6), 'permits.acquired'],
    [seconds(7), 'permits.acquired'],
    [seconds(8), 'lock.deleted'],
  ]);
  expect(events[2]).toMatchObject({ permitIds: [J2], expiresAt: seconds(5), library: 'sidekiq-unique-jobs' });
  expect(heardStory(read(0, [J1, J2]))).toMatchObject([{ type: 'permits.set', isFound: true }]);
});

test('[T16] a recording has the jobs in a hash of unique jobs, and not what the application notes about them', () => {
  const [bookmark] = [read(0, [J1])];
  const [first] = bookmark?.kind === 'bookmark' ? bookmark.reads : [];
  expect(first && redactRead(first, () => false)?.fields).toEqual({ [J1]: HIDDEN });
});

test('[T16] the first read of a new hash of jobs is an acquisition', () => {
  const changed = new ChangedKeys(new Interpreter({ source: 'story' }).keys);
  expect(changed.hear({ db: 0, key: H, event: 'hset' }, true)).toBe('changed');
  const [bookmark] = [read(0, [J1])];
  expect(bookmark?.kind === 'bookmark' && changed.taken(bookmark).reads[0]).toMatchObject({ hasChanged: true });
});
