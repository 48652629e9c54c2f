import { expect, test } from 'vitest';
import { lockAt } from '../../testing/stories/lock-at.ts';
import { command, eventsAt, type Sent, script } from '../../testing/stories/script-story.ts';
import { seconds } from '../../testing/stories/story.ts';
import { holdsFromEvents } from '../spans/holds-from-events.ts';

const [A, B] = ['10.0.0.1:1', '10.0.0.2:1'];
const [T1, T2, T3] = [1, 2, 3].map((n) => `c4b8e2f0-1111-4a5b-8c6d-00000000000${n}`) as [string, string, string];
const ACQUIRE = '43ebdb49120d170e08af560cb4e46e36f8585936';
const REFRESH = '999a49a1d07671a8027165641001f5bad44608b3';
const K = 'semaphore:export';
const LEASE = 4000;

/** The time of the stream's second 0, in ms. */
const START = seconds(0) / 1000;

const ofLibrary = (sha: string, by: string, args: string, ...ran: string[]): Sent => ({
  by,
  words: ['evalsha', sha, '1', K, ...args.split(' ')],
  ran,
});
const cut = (now: number) => `zremrangebyscore ${K} -inf ${now - LEASE}`;

/** redis-semaphore: the score is the time of the attempt. */
function acquire(atMs: number, by: string, id: string, isRefused = false) {
  const now = START + atMs;
  const added = isRefused ? [] : [`zadd ${K} ${now} ${id}`, `pexpire ${K} ${LEASE}`];
  return { atMs, sent: ofLibrary(ACQUIRE, by, `2 ${id} ${LEASE} ${now}`, cut(now), `zcard ${K}`, ...added) };
}

function refresh(atMs: number, by: string, id: string, isRefused = false) {
  const now = START + atMs;
  const added = isRefused ? [] : [`zadd ${K} ${now} ${id}`, `pexpire ${K} ${LEASE}`];
  return { atMs, sent: ofLibrary(REFRESH, by, `2 ${id} ${LEASE} ${now}`, cut(now), `zscore ${K} ${id}`, ...added) };
}

const remove = (atMs: number, by: string, id: string) => ({ atMs, sent: command(by, `zrem ${K} ${id}`) });
const reported = (events: ReturnType<typeof eventsAt>) => events.map(({ type }) => type.replace('permits.', ''));

test('[T13] each member of a set of redis-semaphore is a permit with its holder and its lease', () => {
  const events = eventsAt([
    acquire(0, A, T1),
    acquire(100, B, T2),
    acquire(200, B, T3, true),
    refresh(1000, A, T1),
    remove(1500, A, T1),
    acquire(1600, B, T3),
  ]);
  expect(reported(events)).toEqual(['acquired', 'acquired', 'refused', 'renewed', 'released', 'acquired']);
  expect(events[0]).toMatchObject({
    ...{ kind: 'expirable-semaphore', library: 'redis-semaphore', holder: A, by: A, permitIds: [T1], lock: K },
    expiresAt: seconds(LEASE / 1000),
  });
  expect(events[0]).not.toHaveProperty('kindKnown');
  expect(lockAt(events, seconds(1.2)).holders).toMatchObject([
    { id: T1, client: A, expiresAt: seconds(5) },
    { id: T2, client: B, expiresAt: seconds(4.1) },
  ]);
  expect(lockAt(events, seconds(1.55)).holders.map(({ id }) => id)).toEqual([T2]);
});

test('[T13] a permit whose lease ended was taken back by the next script, so its renewal and its release are refused', () => {
  const events = eventsAt([
    acquire(0, A, T1),
    acquire(1000, B, T2),
    acquire(4500, B, T3),
    refresh(4600, A, T1, true),
    remove(4700, A, T1),
  ]);
  expect(reported(events)).toEqual([
    'acquired',
    'acquired',
    'expired',
    'acquired',
    'renewal.refused',
    'unlock.refused',
  ]);
  expect(events[2]).toMatchObject({ permitIds: [T1] });
  expect(events[4]).toMatchObject({ holder: T1, mode: 'permit', reason: 'expired' });
  expect(holdsFromEvents(events).map(({ holder, ended }) => [holder, ended])).toEqual([
    [T1, 'expired'],
    [T2, null],
    [T3, null],
  ]);
});

test('[T13] the set ends with its last lease, and a deletion of the key takes all permits away', () => {
  const later = acquire(9000, B, T2);
  expect(reported(eventsAt([acquire(0, A, T1), later]))).toEqual(['acquired', 'lease.expired', 'acquired']);
  const deleted = eventsAt([acquire(0, A, T1), { atMs: 500, sent: command(B, `DEL ${K}`) }]);
  expect(reported(deleted)).toEqual(['acquired', 'lock.deleted']);
  expect(lockAt(deleted, seconds(1)).holders).toEqual([]);
});

test('[T13] a set whose last permit was released no longer exists, so its lease does not expire', () => {
  const events = eventsAt([acquire(0, A, T1), remove(500, A, T1), acquire(9000, B, T2)]);
  expect(reported(events)).toEqual(['acquired', 'released', 'acquired']);
});

/** A lock made by hand: the score is the end of the lease, and a second member marks a writer. */
function byHand(atMs: number, by: string, id: string, isRefused = false) {
  const now = START + atMs;
  const end = now + LEASE;
  const added = isRefused ? [] : [`zadd lock-set ${end} ${id} ${end} __write__`, `pexpire lock-set ${LEASE}`];
  const asked = isRefused ? ['zcard lock-set', `zscore lock-set ${id}`] : ['zcard lock-set'];
  return {
    atMs,
    sent: script(by, 'lock-set', `${id} ${LEASE} ${now}`, `zremrangebyscore lock-set -inf ${now}`, ...asked, ...added),
  };
}

test('[T13] a set with the ends of leases as scores is probably a semaphore, without a library', () => {
  const release = script(A, 'lock-set', T1, `zscore lock-set ${T1}`, `zrem lock-set ${T1} __write__`);
  const events = eventsAt([
    byHand(0, A, T1),
    byHand(300, B, T2, true),
    { atMs: 900, sent: release },
    byHand(1000, B, T2),
  ]);
  expect(reported(events)).toEqual(['acquired', 'refused', 'released', 'acquired']);
  expect(events[0]).toMatchObject({ permitIds: [T1], expiresAt: seconds(4), kindKnown: false });
  expect(events[0]).not.toHaveProperty('library');
  expect(lockAt(events, seconds(0.5))).toMatchObject({ library: null, isKindKnown: false });
});

test('[T13] rate limits, leaderboards, sessions and queues of times are not semaphores', () => {
  const window = Array.from({ length: 20 }, (_, n) => {
    const now = START + n * 100;
    const ran = [`zremrangebyscore rate:7 -inf ${now - 60_000}`, 'zcard rate:7', `zadd rate:7 ${now} ${T1}${n}`];
    return { atMs: n * 100, sent: script(A, 'rate:7', `${now} ${T1}${n}`, ...ran, 'pexpire rate:7 60000') };
  });
  const board = ['ZADD board 1700000000 anna', 'ZREM board anna', 'ZADD board 17 bert', 'ZREMRANGEBYSCORE board 0 17'];
  const online = [
    `ZADD online ${START} ${T1}`,
    `ZREMRANGEBYSCORE online -inf ${START - 60_000}`,
    'ZCARD online',
    `ZREM online ${T1}`,
  ];
  const later = [`ZADD later ${START + 60_000} ${T1}`, `ZREM later ${T1}`];
  const plain = [...board, ...online, ...later].map((text, n) => ({ atMs: 3000 + n * 100, sent: command(A, text) }));
  const taken = { atMs: 6000, sent: script(A, 'later', T2, `zscore later ${T2}`, `zrem later ${T2}`) };
  expect(eventsAt([...window, ...plain, taken])).toEqual([]);
});

test('[T13] the limit in the arguments is the number of permits; free permits are counted once all members were seen', () => {
  const numbers = (steps: Parameters<typeof eventsAt>[0]) =>
    eventsAt(steps).map((event) => ('available' in event ? event.available : undefined));
  const filled = [acquire(0, A, T1), acquire(100, B, T2), refresh(1000, A, T1), remove(1500, A, T1)];
  expect(eventsAt(filled)).toMatchObject([{ total: 2 }, { total: 2 }, { total: 2 }, { total: 2 }]);
  expect(numbers(filled)).toEqual([undefined, 0, 0, 1]);
  expect(lockAt(eventsAt(filled), seconds(2)).permits).toEqual({ available: 1, total: 2 });
  const older = [acquire(0, A, T1), acquire(100, B, T2, true), refresh(3000, A, T1), refresh(4000, A, T1)];
  expect(numbers(older)).toEqual([undefined, undefined, undefined, 1]);
});

test('[T13] a script that first asks for the time of the server acquires, extends and refuses permits', () => {
  const K = 'pool';
  const ends = (atMs: number) => `${START + atMs + 30_000}.25`;
  const ask = (atMs: number, by: string, id: string, isRefused = false) => {
    const added = isRefused ? [] : [`zadd ${K} ${ends(atMs)} ${id}`, `pttl ${K}`, `pexpire ${K} 90000`];
    const cutNow = `zremrangebyscore ${K} -inf ${START + atMs}.25`;
    return { atMs, sent: script(by, K, `1 30000 ${id} 90000`, 'time', cutNow, `zcard ${K}`, ...added) };
  };
  const prolong = (atMs: number, by: string, id: string) => {
    const ran = ['time', `zadd ${K} XX CH ${ends(atMs)} ${id}`, `pttl ${K}`];
    return { atMs, sent: script(by, K, `30000 ${id} 90000`, ...ran) };
  };
  const removed = (atMs: number) => ({ atMs, sent: command(A, `ZREM ${K} ${T1}`) });
  const asked = {
    atMs: 1500,
    sent: script(A, K, `${T1} 30000`, `zscore ${K} ${T1}`, `zadd ${K} XX ${ends(1500)} ${T1}`),
  };
  const events = eventsAt([
    ...[ask(0, A, T1), ask(100, B, T2, true), prolong(1000, A, T1), prolong(1100, B, T2), asked, removed(2000)],
    ...[prolong(2100, A, T1), ask(2200, B, T2)],
  ]);
  expect(reported(events)).toEqual(['acquired', 'refused', 'renewed', 'renewed', 'released', 'acquired']);
  expect(events[0]).toMatchObject({ lock: K, holder: A, permitIds: [T1], kindKnown: false });
  expect(lockAt(events, seconds(1.4)).holders).toMatchObject([{ id: T1, client: A, expiresAt: seconds(31.000_25) }]);
});

test('[T13] a limiter that keeps members of the current time, and notes in a hash beside them, is a semaphore (sidekiq-throttled)', () => {
  const [set, notes] = ['throttled:mail:concurrency.v2', 'throttled:mail:concurrency.v2.backlog_info'];
  const asks = (atMs: number, by: string, job: string, ...ran: string[]) => {
    const now = (START + atMs) / 1000;
    const noted = [`HGET ${notes} size`, `HSET ${notes} size 0`, `EXPIRE ${notes} 1`];
    const lines = [`ZREMRANGEBYSCORE ${set} -inf (${now}`, ...noted, `ZCARD ${set}`];
    return { atMs, sent: script(by, `${set} ${notes}`, `${job} 1 900 ${now}`, ...lines, ...ran, ...noted) };
  };
  const takes = (atMs: number, by: string, job: string) =>
    asks(atMs, by, job, `ZADD ${set} ${(START + atMs) / 1000 + 900} ${job}`, `EXPIRE ${set} 900`);
  const [J1, J2] = ['e69640a6b4d2fadc67f80584', 'e1544de435ca5e31182112a4'];
  const ends = (atMs: number, by: string, job: string) => ({ atMs, sent: command(by, `ZREM ${set} ${job}`) });
  const refused = asks(100, B, J2, `ZSCORE ${set} ${J2}`);
  const events = eventsAt([takes(0, A, J1), refused, ends(200, A, J1), takes(300, B, J2), ends(400, B, J2)]);
  expect(reported(events)).toEqual(['acquired', 'refused', 'released', 'acquired', 'released']);
  expect(events[0]).toMatchObject({ lock: set, permitIds: [J1], expiresAt: seconds(900), kindKnown: false });
});

test('[T13] a script that counts by ZCOUNT, or sets the score of a member it found, shows a semaphore (redis-semaphore-eval)', () => {
  const [set, signal] = ['export', 'signal_key:export'];
  const ends = (atMs: number) => Math.floor(START / 1000) + Math.floor(atMs / 1000) + 5;
  const asks = (atMs: number, by: string, id: string, ...ran: string[]) => {
    const lines = ['TIME', `zremrangebyscore ${set} -inf ${ends(atMs) - 5}`, `del ${signal}`, `zcount ${set} -inf inf`];
    return { atMs, sent: script(by, `${set} ${signal}`, `${id} 1 5`, ...lines, ...ran) };
  };
  const takes = (atMs: number, by: string, id: string) => asks(atMs, by, id, `zadd ${set} ${ends(atMs)} ${id}`);
  const found = [`zscore ${set} ${T1}`, `zadd ${set} ${ends(1000)} ${T1}`];
  const renews = { atMs: 1000, sent: script(A, set, `${T1} 5`, 'TIME', ...found) };
  const drops = {
    atMs: 2000,
    sent: script(A, `${set} ${signal}`, T1, `zscore ${set} ${T1}`, `zrem ${set} ${T1}`, `lpush ${signal} 1`),
  };
  const events = eventsAt([takes(0, A, T1), asks(100, B, T2), renews, drops, takes(3000, B, T2)]);
  expect(reported(events)).toEqual(['acquired', 'refused', 'renewed', 'released', 'acquired']);
  expect(events[2]).toMatchObject({ permitIds: [T1], expiresAt: seconds(6) });
});

test('[T13] two permits that one client releases at the same instant, or by one command, are each removed by their id', () => {
  const both = [acquire(0, A, T1), acquire(100, A, T2)];
  const holders = (...released: ReturnType<typeof remove>[]) =>
    lockAt(eventsAt([...both, ...released]), seconds(3)).holders.map(({ id }) => id);
  expect(holders()).toEqual([T1, T2]);
  expect(holders(remove(1000, A, T2))).toEqual([T1]);
  expect(holders(remove(1000, A, T2), remove(1000, A, T1))).toEqual([]);
  expect(holders({ atMs: 1000, sent: command(A, `zrem ${K} ${T2} ${T1}`) })).toEqual([]);
});
