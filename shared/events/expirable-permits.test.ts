import { expect, test } from 'vitest';
import { SC, semaphoreOf, Watched } from '../../testing/stories/counter-story.ts';
import { redisTime } from '../base/time.ts';
import type { LockEvent } from './event.ts';
import { companionsOf } from './kinds/kinds.ts';

const T = '{gate}:timeout';
const ID = 'af94cddcf685578af342ecee02512157';
const OTHER = '886a05982ca5ff22a9ee7e5279a7c8d2';

function take(watched: Watched, id: string, ms: number): LockEvent[] {
  const [now, end] = [String(watched.now), String(watched.now + ms)];
  return watched.script(
    'a:1',
    ['gate', T, SC],
    ['1', end, now, '922337203685477', 'PUBLISH', id],
    `zrangebyscore ${T} 0 ${now} limit 0 1`,
    'get gate',
    'decrby gate 1',
    `zadd ${T} ${end} ${id}`,
    'pttl gate',
  );
}

test('[E1] a permit that expires has an id and a deadline', () => {
  const watched = semaphoreOf(2);
  const [learned, taken] = take(watched, ID, 5000);
  expect(learned).toMatchObject({ type: 'lock.learned', kindBefore: 'semaphore', kind: 'expirable-semaphore' });
  expect(taken).toMatchObject({
    type: 'permits.acquired',
    permitIds: [ID],
    available: 1,
    expiresAt: expect.any(Number),
  });
  expect(watched.state?.holders).toMatchObject([{ id: ID, client: 'a:1', mode: 'permit' }]);
  expect(watched.state?.holders[0]?.expiresAt).toBe(taken && 'expiresAt' in taken ? taken.expiresAt : undefined);
});

test('[T11] the client of a permit is gone when no connection of its host has its name', () => {
  const lists = (watched: Watched, ...addresses: string[]) => {
    const clients = addresses.map((text) => {
      const [address = '', name = ''] = text.split('=');
      return { address, name, library: '', ageSeconds: 60, idleSeconds: 0 };
    });
    watched.command('c:1', 'PING');
    const events = watched.take({ kind: 'clients', at: redisTime((watched.now + 4000) * 1000), clients });
    return events.flatMap((event) => ('client' in event ? [`${event.type} ${event.client}`] : []));
  };
  const taken = (leaseMs: number, name?: string) => {
    const watched = semaphoreOf(2);
    if (name !== undefined) watched.command('a:1', 'CLIENT', 'SETNAME', name);
    take(watched, ID, leaseMs);
    return watched;
  };
  const withName = taken(300_000, 'web');
  expect(lists(withName, 'a:1=web', 'a:2=web', 'a:3=job', 'c:1')).toEqual([`client.connected ${ID}`]);
  expect(lists(withName, 'a:2=web', 'a:3=job', 'b:1=web', 'c:1')).toEqual([`client.unknown ${ID}`]);
  expect(lists(withName, 'a:3=job', 'b:1=web', 'c:1')).toEqual([`client.gone ${ID}`]);
  const withoutName = taken(300_000);
  expect(lists(withoutName, 'a:1', 'c:1')).toEqual([`client.connected ${ID}`]);
  expect(lists(withoutName, 'c:1')).toEqual([`client.gone ${ID}`]);
  const short = taken(30_000);
  expect(lists(short, 'a:1', 'c:1')).toEqual([]);
});

test('[E2] an expired permit stays acquired until a script takes it back, and a later release is refused', () => {
  const watched = semaphoreOf(1);
  take(watched, ID, 100);
  expect(watched.state?.permits).toEqual({ available: 0, total: 1 });
  const now = String(watched.now);
  const expired = watched.script(
    'b:1',
    ['gate', T, SC],
    ['1', now, now, '922337203685477', 'PUBLISH', OTHER],
    `zrangebyscore ${T} 0 ${now} limit 0 1`,
    `zrem ${T} ${ID}`,
    'incrby gate 1',
    `PUBLISH ${SC} 1`,
    'get gate',
    'decrby gate 1',
    `zadd ${T} 922337203685477 ${OTHER}`,
    'pttl gate',
  );
  expect(expired.map(({ type }) => type)).toEqual(['permits.expired', 'wakeup.published', 'permits.acquired']);
  const late = watched.script(
    'a:1',
    ['gate', SC, T],
    [ID, '1', now, 'PUBLISH'],
    `zscore ${T} ${ID}`,
    `zrem ${T} ${ID}`,
  );
  expect(late).toMatchObject([{ type: 'unlock.refused', holder: ID, mode: 'permit', reason: 'expired' }]);
  expect(watched.state?.holders).toMatchObject([{ id: OTHER, expiresAt: null }]);
});

test('[E3] a release after an unnoticed deadline returns the permit, although its reply is a refusal', () => {
  const watched = semaphoreOf(1);
  take(watched, ID, 100);
  const zrem = `zrem ${T} ${ID}`;
  const args = [ID, '1', String(watched.now), 'PUBLISH'];
  const late = watched.script(
    'a:1',
    ['gate', SC, T],
    args,
    `zscore ${T} ${ID}`,
    zrem,
    'incrby gate 1',
    `PUBLISH ${SC} 1`,
  );
  expect(late[0]).toMatchObject({ type: 'permits.released', isLate: true, available: 1 });
});

test('[E3] the clock of the releasing client decides whether a release is late', () => {
  const watched = semaphoreOf(1);
  take(watched, ID, 100);
  const zrem = `zrem ${T} ${ID}`;
  const args = [ID, '1', String(watched.now - 5000), 'PUBLISH'];
  const late = watched.script(
    'a:1',
    ['gate', SC, T],
    args,
    `zscore ${T} ${ID}`,
    zrem,
    'incrby gate 1',
    `PUBLISH ${SC} 1`,
  );
  expect(late[0]).toMatchObject({ type: 'permits.released', available: 1 });
  expect(late[0]).not.toHaveProperty('isLate');
});

test('[M6] the first read of a semaphore found by its channel shows whether its permits have ids', () => {
  const late = new Watched();
  late.read('gate', {}, SC);
  const roles = () => companionsOf(late.interpreter.keys.find(0, 'gate')).map(({ role }) => role);
  expect(roles()).toEqual(['permits', 'deadlines']);
  expect(late.read('gate', { permits: ['0'], deadlines: [ID, '1760000009000'] }, SC)).toMatchObject([
    { type: 'lock.learned', kind: 'expirable-semaphore', kindBefore: 'semaphore' },
    { type: 'permits.set', isFound: true, available: 0, total: 1, deadlines: [{ id: ID }] },
  ]);
  expect(late.ofGate()).toMatchObject({ kind: 'expirable-semaphore', holders: [{ id: ID }] });
});

test('[M6] permits that a read finds replace those known before, even if their number is the same', () => {
  const watched = semaphoreOf(2);
  take(watched, ID, 5000);
  const at = redisTime(watched.now * 1000);
  watched.take({ kind: 'blind-spot', at, phase: 'began', reason: 'connection-lost' });
  watched.take({ kind: 'blind-spot', at, phase: 'ended', reason: 'watching-again' });
  const found = watched.read('gate', { permits: ['1'], deadlines: [OTHER, '1760000009000'] });
  expect(found).toMatchObject([{ type: 'permits.set', isFound: true, deadlines: [{ id: OTHER }], available: 1 }]);
  expect(watched.ofGate()?.holders).toMatchObject([{ id: OTHER, since: null, expiresAt: 1_760_000_009_000_000 }]);
  expect(watched.read('gate', { permits: ['1'], deadlines: [OTHER, '1760000009000'] })).toEqual([]);
});

test('[E2] the refused release of a permit that was known as acquired reports how many permits are free', () => {
  const watched = semaphoreOf(2);
  take(watched, ID, 5000);
  take(watched, OTHER, 5000);
  const at = redisTime(watched.now * 1000);
  watched.take({ kind: 'blind-spot', at, phase: 'began', reason: 'connection-lost' });
  watched.take({ kind: 'blind-spot', at, phase: 'ended', reason: 'watching-again' });
  const now = String(watched.now);
  expect(watched.script('a:1', ['gate', SC, T], [ID, '1', now, 'PUBLISH'], `zscore ${T} ${ID}`)).toMatchObject([
    { type: 'unlock.refused', holder: ID, reason: 'no-lock' },
    { type: 'permits.set', certainty: 'inferred', deadlines: [{ id: OTHER }] },
  ]);
  expect(watched.ofGate()?.holders).toMatchObject([{ id: OTHER }]);
});

test('[M6] without commands, a read shows which permits were acquired, released or expired', () => {
  const watched = new Watched(false);
  const [soon, late] = [String(watched.now + 1500), '922337203685477'];
  watched.read('gate', { permits: ['1'], deadlines: [ID, soon, OTHER, late] }, SC);
  const third = ID.replace(/^af/, 'bf');
  expect(watched.read('gate', { permits: ['2'], deadlines: [third, late] }, SC)).toMatchObject([
    { type: 'permits.expired', permits: 1, permitIds: [ID] },
    { type: 'permits.released', permits: 1, permitIds: [OTHER] },
    { type: 'permits.acquired', permits: 1, permitIds: [third], available: 2, total: 3, certainty: 'inferred' },
  ]);
  expect(watched.ofGate()?.holders).toMatchObject([{ id: third, expiresAt: null }]);
});

test('[E2] the release of a permit id of 2 bytes is refused with the reason no-lock', () => {
  const watched = new Watched();
  const keys = ['gate', SC, T];
  expect(watched.script('a:1', keys, ['\\x124', '1', '1760000000000', 'PUBLISH'], `zscore ${T} \\x124`)).toMatchObject([
    { type: 'unlock.refused', holder: '1234', mode: 'permit', reason: 'no-lock' },
  ]);
});

test('[E2] a release of several permits first takes back expired permits', () => {
  const watched = semaphoreOf(3);
  const third = '0123456789abcdef0123456789abcdef';
  for (const [id, ms] of [
    [ID, 100],
    [OTHER, 600_000],
    [third, 600_000],
  ] as const)
    take(watched, id, ms);
  const args = ['2', String(watched.now), 'PUBLISH', OTHER, third];
  const ran = [`zscore ${T} ${OTHER}`, `zscore ${T} ${third}`, `zrangebyscore ${T} 0 1`];
  const reclaim = [`zrem ${T} ${ID}`, 'incrby gate 1', `PUBLISH ${SC} 1`];
  const own = [`zrem ${T} ${OTHER} ${third}`, 'incrby gate 2', `PUBLISH ${SC} 2`];
  const events = watched.script('a:1', ['gate', SC, T], args, ...ran, ...reclaim, ...own);
  expect(events).toMatchObject([
    { type: 'permits.expired', permitIds: [ID], available: 1 },
    { type: 'wakeup.published' },
    { type: 'permits.released', permitIds: [OTHER, third], available: 3 },
    { type: 'wakeup.published' },
  ]);
  expect(watched.state?.holders).toEqual([]);
});

test('[E2] a DEL of the permit ids takes the acquired permit away, and is not drift', () => {
  const watched = semaphoreOf(2);
  take(watched, ID, 60_000);
  const lost = watched.command('ops:1', 'DEL', T);
  expect(lost).toMatchObject([{ type: 'permits.set', isFound: true, available: 1, total: 1, by: 'ops:1' }]);
  expect(watched.state?.holders).toEqual([]);
  expect(watched.read('gate', { permits: ['1'], deadlines: [], permitsOut: ['0'] })).toEqual([]);
  expect(watched.command('ops:1', 'DEL', T)).toEqual([]);
});
