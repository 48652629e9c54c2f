import { describe, expect, test } from 'vitest';
import { SC, semaphoreOf, Watched } from '../../testing/stories/counter-story.ts';
import { redisTime } from '../base/time.ts';
import type { LockEvent } from './event.ts';
import { companionsOf } from './kinds/kinds.ts';

const CD = 'redisson_countdownlatch__channel__{boot}';

test('[M1] an acquisition lowers the number of free permits, and a release raises it', () => {
  const watched = semaphoreOf(5);
  expect(watched.script('a:1', ['gate'], ['2'], 'get gate', 'decrby gate 2')).toMatchObject([
    { type: 'permits.acquired', permits: 2, available: 3, total: 5, holder: 'a:1', by: 'a:1' },
  ]);
  expect(watched.script('b:1', ['gate'], ['4'], 'get gate')).toMatchObject([{ type: 'permits.refused', permits: 4 }]);
  expect(watched.state).toMatchObject({ kind: 'semaphore', permits: { available: 3, total: 5 }, isKindKnown: true });
  const release = watched.script('a:1', ['gate', SC], ['2', 'PUBLISH'], 'incrby gate 2', `PUBLISH ${SC} 5`);
  expect(release).toMatchObject([
    { type: 'permits.released', permits: 2, available: 5 },
    { type: 'wakeup.published', message: '5', because: [release[0]?.seq] },
  ]);
  expect(watched.state?.holders).toEqual([]);
});

test('[M2] a release returns the caller’s own permits first, then the oldest', () => {
  const watched = semaphoreOf(5);
  watched.script('a:1', ['gate'], ['2'], 'get gate', 'decrby gate 2');
  watched.script('b:1', ['gate'], ['1'], 'get gate', 'decrby gate 1');
  watched.script('b:1', ['gate', SC], ['2', 'PUBLISH'], 'incrby gate 2', `PUBLISH ${SC} 4`);
  expect(watched.state?.holders).toMatchObject([{ id: 'a:1', holdCount: 1, mode: 'permit' }]);
});

test('[M10] releasing more permits than were acquired raises the total, and the event has the difference', () => {
  const watched = semaphoreOf(2);
  watched.script('a:1', ['gate'], ['1'], 'get gate', 'decrby gate 1');
  const [first] = watched.script('a:1', ['gate', SC], ['1', 'PUBLISH'], 'incrby gate 1', `PUBLISH ${SC} 2`);
  expect(first).toMatchObject({ available: 2, total: 2 });
  expect(first).not.toHaveProperty('raisedBy');
  const [second] = watched.script('a:1', ['gate', SC], ['3', 'PUBLISH'], 'incrby gate 3', `PUBLISH ${SC} 5`);
  expect(second).toMatchObject({ type: 'permits.released', permits: 3, available: 5, total: 5, raisedBy: 3 });
});

test('[M2] a permit names the client of its connection if the connection has sent a lock script', () => {
  const [A, B] = ['0000000a-0000-4000-8000-000000000000', '0000000b-0000-4000-8000-000000000000'];
  const watched = semaphoreOf(5);
  const takes = (by: string) => watched.script(by, ['gate'], ['1'], 'get gate', 'decrby gate 1');
  const locks = (by: string, client: string) =>
    watched.script(by, ['x'], ['30000', `${client}:1`], 'exists x', `hincrby x ${client}:1 1`, 'pexpire x 30000');
  expect(takes('a:1')[0]).not.toHaveProperty('client');
  expect(watched.state?.holders).toEqual([expect.not.objectContaining({ uuid: A })]);
  for (const by of ['a:1', 'b:1', 'c:1']) watched.command(by, 'CLIENT', 'SETNAME', by === 'a:1' ? 'one' : 'two');
  locks('a:1', A);
  locks('b:1', B);
  locks('c:1', A);
  expect(takes('a:1')[0]).toMatchObject({ type: 'permits.acquired', holder: 'one', client: A });
  takes('b:1');
  takes('b:1');
  const uuids = () => watched.ofGate()?.holders.map(({ id, uuid }) => [id, uuid]);
  expect(uuids()).toEqual([
    ['a:1', undefined],
    ['one', A],
    ['two', B],
  ]);
  takes('c:1');
  expect(uuids()).toEqual([
    ['a:1', undefined],
    ['one', A],
    ['two', undefined],
  ]);
});

test('[M11] releases beyond the permits that were taken are counted until the number of permits is set', () => {
  const watched = semaphoreOf(2);
  expect(watched.state?.raised).toBeUndefined();
  watched.script('a:1', ['gate', SC], ['1', 'PUBLISH'], 'incrby gate 1', `PUBLISH ${SC} 3`);
  watched.script('b:1', ['gate', SC], ['2', 'PUBLISH'], 'incrby gate 2', `PUBLISH ${SC} 5`);
  expect(watched.state).toMatchObject({ raised: { permits: 3, before: 2, by: 'b:1' }, totalSetAt: expect.any(Number) });
  watched.script('a:1', ['gate', SC], ['-3', 'PUBLISH'], 'get gate', 'set gate 2', `PUBLISH ${SC} 2`);
  expect(watched.state?.raised).toBeUndefined();
  expect(watched.state).toHaveProperty('totalSetAt');
});

test('[M3] a key with a number is not a semaphore until a client subscribes to its channel', () => {
  const watched = new Watched();
  expect(watched.script('a:1', ['stock:42'], ['2'], 'get stock:42', 'decrby stock:42 2')).toEqual([]);
  expect(watched.script('a:1', ['stock:42'], ['2'], 'get stock:42')).toEqual([]);
  expect(watched.read('stock:42', { permits: ['7'] })).toEqual([]);
  expect(watched.interpreter.keys.find(0, 'stock:42')).toBeUndefined();
  watched.command('a:1', 'SUBSCRIBE', 'redisson_sc:{stock:42}');
  expect(watched.script('a:1', ['stock:42'], ['2'], 'get stock:42', 'decrby stock:42 2')).toHaveLength(1);
});

test('[M4] drainPermits() acquires all free permits, and addPermits() and reducePermits() change the total', () => {
  const watched = semaphoreOf(3);
  expect(
    watched.script('a:1', ['gate', SC], ['2', 'PUBLISH'], 'get gate', 'set gate 5', `PUBLISH ${SC} 5`),
  ).toMatchObject([{ type: 'permits.set', changedBy: 2, available: 5, total: 5 }, { type: 'wakeup.published' }]);
  watched.script('a:1', ['gate', SC], ['-1', 'PUBLISH'], 'get gate', 'set gate 4', `PUBLISH ${SC} 4`);
  expect(watched.state?.permits).toEqual({ available: 4, total: 4 });
  const [drained] = watched.take({
    kind: 'command',
    head: watched.line('b:1', ['EVALSHA', 'c87766d572855e9461c4ecd453db5d1cbab6119e', '1', 'gate']),
    inner: [watched.line(null, ['get', 'gate']), watched.line(null, ['set', 'gate', '0'])],
    pushes: [],
  });
  expect(drained).toMatchObject({ type: 'permits.acquired', isDrain: true, permits: 4, available: 0, total: 4 });
});

test('[M5] a client waits from SUBSCRIBE to UNSUBSCRIBE, and its acquisition names the message that woke it', () => {
  const watched = semaphoreOf(1);
  watched.command('b:1', 'CLIENT', 'SETNAME', 'app2');
  watched.command('b:2', 'CLIENT', 'SETNAME', 'app2');
  watched.script('a:1', ['gate'], ['1'], 'get gate', 'decrby gate 1');
  watched.script('b:1', ['gate'], ['1'], 'get gate');
  watched.command('b:2', 'SUBSCRIBE', SC);
  watched.script('b:1', ['gate'], ['1'], 'get gate');
  expect(watched.state?.waiters).toMatchObject([{ id: 'app2', mode: 'permit', attempts: 2, isAsleep: true }]);
  const [, message] = watched.script('a:1', ['gate', SC], ['1', 'PUBLISH'], 'incrby gate 1', `PUBLISH ${SC} 1`);
  const [woken] = watched.script('b:1', ['gate'], ['1'], 'get gate', 'decrby gate 1');
  expect(woken).toMatchObject({ wokenBy: 'message', because: [message?.seq] });
  watched.command('b:2', 'UNSUBSCRIBE', SC);
  expect(watched.state?.waiters).toEqual([]);
});

test('[M5] a refused attempt before an UNSUBSCRIBE does not belong to the next wait', () => {
  const watched = semaphoreOf(1);
  watched.command('b:1', 'CLIENT', 'SETNAME', 'app2');
  watched.command('b:2', 'CLIENT', 'SETNAME', 'app2');
  watched.script('a:1', ['gate'], ['1'], 'get gate', 'decrby gate 1');
  watched.command('b:2', 'SUBSCRIBE', SC);
  watched.script('b:1', ['gate'], ['1'], 'get gate');
  watched.command('b:2', 'UNSUBSCRIBE', SC);
  watched.command('b:2', 'SUBSCRIBE', SC);
  watched.script('a:1', ['gate', SC], ['1', 'PUBLISH'], 'incrby gate 1', `PUBLISH ${SC} 1`);
  const [taken] = watched.script('b:1', ['gate'], ['1'], 'get gate', 'decrby gate 1');
  expect(taken).toMatchObject({ type: 'permits.acquired', holder: 'app2' });
  expect(taken).not.toHaveProperty('wokenBy');
  expect(taken).not.toHaveProperty('because');
});

test('[M6] a read that finds another number in a semaphore reports drift, and a read of a new semaphore reports it as found', () => {
  const watched = semaphoreOf(5);
  expect(watched.read('gate', { permits: ['5'] })).toEqual([]);
  expect(watched.read('gate', { permits: ['4'] })).toMatchObject([
    { type: 'drift.healed', expected: { value: 5 }, found: { value: 4 }, cause: 'unexplained' },
  ]);
  expect(watched.state?.permits).toEqual({ available: 4, total: 5 });
  const late = new Watched();
  late.read('gate', {}, SC);
  expect(late.read('gate', { permits: ['2'] }, SC)).toMatchObject([
    { type: 'permits.set', isFound: true, available: 2, certainty: 'inferred' },
  ]);
  expect(late.state?.permits).toEqual({ available: 2, total: null });
});

test('[M6] a semaphore without ids stays a semaphore, also beside a sorted set of the application with that name', () => {
  const late = new Watched();
  late.read('gate', {}, SC);
  expect(late.read('gate', { permits: ['2'], deadlines: ['user', '1760000009000'] }, SC)).toMatchObject([
    { type: 'permits.set', kind: 'semaphore', available: 2 },
  ]);
  expect(companionsOf(late.interpreter.keys.find(0, 'gate')).map(({ role }) => role)).toEqual(['permits']);
});

test('[M6] a counter that disappeared is read again on a new connection, because it may be back', () => {
  const watched = new Watched();
  watched.script('a:1', ['boot', CD], ['1', '2', 'PUBLISH'], 'exists boot', 'set boot 2', `PUBLISH ${CD} 1`);
  watched.script('a:1', ['boot', CD], ['1', 'PUBLISH'], 'del boot', `PUBLISH ${CD} 1`);
  watched.read('boot', { count: [] });
  const readInRounds = () => [...watched.interpreter.keys.counters].map(({ name }) => name);
  expect(readInRounds()).toEqual([]);
  const at = redisTime(watched.now * 1000);
  watched.take({ kind: 'blind-spot', at, phase: 'began', reason: 'connection-lost' });
  watched.take({ kind: 'watch', at, level: 'monitor', isPushFirst: true });
  watched.take({ kind: 'blind-spot', at, phase: 'ended', reason: 'watching-again' });
  expect(readInRounds()).toEqual(['boot']);
  expect(watched.read('boot', { count: ['2'] })).toMatchObject([{ type: 'drift.healed', cause: 'blind-spot' }]);
  expect(watched.state?.latch).toEqual({ count: 2 });
});

test('[M7] the counter of a bounded queue is not reported as a semaphore', () => {
  const watched = new Watched();
  const channel = 'redisson_sc:redisson_bqs:{jobs}';
  const key = 'redisson_bqs:{jobs}';
  expect(
    watched.script('a:1', [key, channel], ['5', 'PUBLISH'], `get ${key}`, `set ${key} 5`, `PUBLISH ${channel} 5`),
  ).toEqual([]);
  expect(watched.command('a:1', 'SUBSCRIBE', channel)).toEqual([]);
});

describe('a read without commands that finds another number', () => {
  const types = (events: readonly LockEvent[]) => events.map(({ type, certainty }) => `${type} ${certainty}`);

  test('[K1] without commands, a read that finds another number in a semaphore reports the most likely cause', () => {
    const watched = new Watched(false);
    watched.read('gate', { permits: ['3'] }, SC);
    expect(watched.read('gate', { permits: ['1'] }, SC)).toMatchObject([
      { type: 'permits.acquired', certainty: 'inferred', permits: 2, available: 1 },
    ]);
    expect(watched.read('gate', { permits: ['2'] }, SC)).toMatchObject([
      { type: 'permits.released', certainty: 'inferred', permits: 1, available: 2 },
    ]);
    expect(watched.read('gate', { permits: ['2'] }, SC)).toEqual([]);
    expect(types(watched.read('gate', { permits: [] }, SC))).toEqual(['lock.deleted inferred']);
    expect(types(watched.read('gate', { permits: ['5'] }, SC))).toEqual(['permits.set inferred']);
    expect(watched.events.filter(({ type }) => type === 'drift.healed')).toEqual([]);
  });

  test('[K1] without commands, a read that finds another count in a latch reports the most likely cause', () => {
    const watched = new Watched(false);
    watched.read('boot', { count: ['3'] }, CD);
    expect(watched.read('boot', { count: ['1'] }, CD)).toMatchObject([
      { type: 'latch.counted-down', certainty: 'inferred', count: 1 },
    ]);
    watched.push(CD, '0');
    expect(types(watched.read('boot', { count: [] }, CD))).toEqual([
      'latch.counted-down inferred',
      'latch.opened inferred',
    ]);
    expect(types(watched.read('boot', { count: ['2'] }, CD))).toEqual(['latch.set inferred']);
    // DEL sends no message
    expect(types(watched.read('boot', { count: [] }, CD))).toEqual(['latch.deleted inferred']);
    watched.read('boot', { count: ['2'] }, CD);
    watched.push(CD, '1');
    expect(types(watched.read('boot', { count: [] }, CD)), '[C2] delete() sends 1').toEqual(['latch.deleted inferred']);
  });
});

test('[H6] PEXPIRE with 0 deletes a semaphore', () => {
  const watched = semaphoreOf(3);
  expect(watched.command('ops:1', 'PEXPIRE', 'gate', '0')).toMatchObject([
    { type: 'lock.deleted', command: 'PEXPIRE', by: 'ops:1' },
  ]);
  expect(watched.state?.permits).toBeNull();
});

test('[M1] an attempt for 2,147,483,647 permits by Redisson’s own script is reported as refused', () => {
  const watched = semaphoreOf(1);
  const head = watched.line('a:1', ['EVALSHA', 'c7dc9d189c1715465a31a06ddbc008585e0c20be', '1', 'gate', '2147483647']);
  const events = watched.take({ kind: 'command', head, inner: [watched.line(null, ['get', 'gate'])], pushes: [] });
  expect(events).toMatchObject([{ type: 'permits.refused', permits: 2_147_483_647 }]);
});

test('[M1] a semaphore that was never set ends when a command deletes its key or a read does not find it', () => {
  const addPermitsStory = () => {
    const watched = new Watched();
    watched.script('a:1', ['u', 'redisson_sc:{u}'], ['1', 'PUBLISH'], 'incrby u 1', 'PUBLISH redisson_sc:{u} 1');
    watched.script('b:1', ['u'], ['1'], 'get u', 'decrby u 1');
    expect(watched.state?.holders).toHaveLength(1);
    return watched;
  };
  const seen = addPermitsStory();
  expect(seen.command('a:1', 'DEL', 'u')).toMatchObject([{ type: 'lock.deleted', command: 'DEL' }]);
  expect(seen.state?.holders).toEqual([]);
  expect(seen.command('a:1', 'DEL', 'u')).toEqual([]);
  const read = addPermitsStory();
  expect(read.read('u', { permits: [] })).toMatchObject([{ type: 'lock.deleted', certainty: 'inferred' }]);
  expect(read.state?.holders).toEqual([]);
  expect([...read.interpreter.keys.counters]).toEqual([]);
  read.script('a:1', ['u', 'redisson_sc:{u}'], ['1', 'PUBLISH'], 'incrby u 1', 'PUBLISH redisson_sc:{u} 1');
  expect([...read.interpreter.keys.counters]).toHaveLength(1);
});

test('[X5] a semaphore that moved to another shard and comes back is found and is not drift', () => {
  const watched = new Watched();
  const number = { permits: ['2'] };
  watched.read('gate', number, SC);
  const moved = { db: 0, name: 'gate', type: 'none', fields: {}, pttl: -2, hasChanged: false, subscribers: null };
  watched.take({ kind: 'bookmark', at: redisTime(watched.now * 1000), reads: [{ ...moved, movedTo: 'b:7001' }] });
  expect(watched.events.at(-1)).toMatchObject({ type: 'lock.moved' });
  expect(watched.command('b:1', 'RESTORE-ASKING', 'gate', '0', 'dump')).toEqual([]);
  expect(watched.read('gate', number, SC)).toMatchObject([{ type: 'permits.set', available: 2, isFound: true }]);
  expect(watched.read('gate', { permits: ['1'] }, SC)).toMatchObject([{ type: 'drift.healed', cause: 'unexplained' }]);
});
