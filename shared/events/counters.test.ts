import { describe, expect, test } from 'vitest';
import { redisTime } from '../base/time.ts';
import type { KeyRead, LineSignal } from '../signals/signal.ts';
import type { CommandStep } from '../signals/step.ts';
import type { LockState } from '../state/lock-state.ts';
import { reduceLock } from '../state/reduce.ts';
import type { LockEvent } from './event.ts';
import { Interpreter } from './interpreter.ts';
import { companionsOf } from './kinds/kinds.ts';

const SC = 'redisson_sc:{gate}';
const T = '{gate}:timeout';
const CD = 'redisson_countdownlatch__channel__{boot}';
const ID = 'af94cddcf685578af342ecee02512157';
const OTHER = '886a05982ca5ff22a9ee7e5279a7c8d2';

/** An interpreter that gets one command a second, with its events and the lock state they lead to. */
class Watched {
  readonly interpreter: Interpreter;
  readonly events: LockEvent[] = [];
  #ms = 0;

  constructor(hasCommands = true) {
    this.interpreter = new Interpreter({ source: 'redis', hasCommands });
  }

  get now(): number {
    return 1_760_000_000_000 + this.#ms;
  }

  line(client: string | null, words: readonly string[]): LineSignal {
    return { kind: 'line', at: redisTime(this.now * 1000), db: 0, client, words };
  }

  script(by: string, keys: readonly string[], args: readonly string[], ...inner: string[]): LockEvent[] {
    this.#ms += 1000;
    const head = this.line(by, ['EVALSHA', 'f'.repeat(40), String(keys.length), ...keys, ...args]);
    const lines = inner.map((text) => this.line(null, text.split(' ')));
    return this.take({ kind: 'command', head, inner: lines, pushes: [] });
  }

  command(by: string, ...words: string[]): LockEvent[] {
    this.#ms += 1000;
    return this.take({ kind: 'command', head: this.line(by, words), inner: [], pushes: [] });
  }

  read(name: string, companions: NonNullable<KeyRead['companions']>, channel?: string): LockEvent[] {
    this.#ms += 1000;
    const read = {
      db: 0,
      name,
      type: 'string',
      fields: {},
      pttl: -1,
      hasChanged: false,
      subscribers: null,
      companions,
    };
    const reads = [{ ...read, ...(channel === undefined ? {} : { channel }) }];
    return this.take({ kind: 'bookmark', at: redisTime(this.now * 1000), reads });
  }

  push(channel: string, message: string): LockEvent[] {
    this.#ms += 1000;
    return this.take({ kind: 'push', at: redisTime(this.now * 1000), channel, message });
  }

  take(step: Parameters<Interpreter['interpret']>[0] | CommandStep): LockEvent[] {
    const events = this.interpreter.interpret(step);
    this.events.push(...events);
    return events;
  }

  /** The state of the semaphore, beside events about other locks. */
  ofGate(): LockState | undefined {
    const own = this.events.filter(({ lock }) => lock === 'gate');
    return own.reduce<LockState | undefined>((lock, event) => reduceLock(lock, event), undefined);
  }

  get state(): LockState | undefined {
    return this.events.reduce<LockState | undefined>((lock, event) => reduceLock(lock, event), undefined);
  }
}

function semaphoreOf(count: number): Watched {
  const watched = new Watched();
  const set = `set gate ${count}`;
  watched.script('a:1', ['gate', SC], [String(count), 'PUBLISH'], 'get gate', set, `PUBLISH ${SC} ${count}`);
  return watched;
}

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

test('[M2] a permit names the client of its connection if that has sent a lock script', () => {
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

test('[M3] a number is not a semaphore until its channel or one of its own scripts is seen', () => {
  const watched = new Watched();
  expect(watched.script('a:1', ['stock:42'], ['2'], 'get stock:42', 'decrby stock:42 2')).toEqual([]);
  expect(watched.script('a:1', ['stock:42'], ['2'], 'get stock:42')).toEqual([]);
  expect(watched.read('stock:42', { permits: ['7'] })).toEqual([]);
  expect(watched.interpreter.keys.find(0, 'stock:42')).toBeUndefined();
  watched.command('a:1', 'SUBSCRIBE', 'redisson_sc:{stock:42}');
  expect(watched.script('a:1', ['stock:42'], ['2'], 'get stock:42', 'decrby stock:42 2')).toHaveLength(1);
});

test('[M4] draining acquires all free permits; adding and reducing change the total', () => {
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

test('[M5] a client waits from SUBSCRIBE to UNSUBSCRIBE, and its acquisition names what woke it', () => {
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

test('[M5] a refusal before an UNSUBSCRIBE does not belong to the next wait: it did not sleep', () => {
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
  expect(taken).toMatchObject({ type: 'permits.acquired', permitIds: [ID], available: 1 });
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
  const named = taken(300_000, 'web');
  expect(lists(named, 'a:1=web', 'a:2=web', 'a:3=job', 'c:1')).toEqual([`client.connected ${ID}`]);
  expect(lists(named, 'a:2=web', 'a:3=job', 'b:1=web', 'c:1')).toEqual([`client.unknown ${ID}`]);
  expect(lists(named, 'a:3=job', 'b:1=web', 'c:1')).toEqual([`client.gone ${ID}`]);
  const unnamed = taken(300_000);
  expect(lists(unnamed, 'a:1', 'c:1')).toEqual([`client.connected ${ID}`]);
  expect(lists(unnamed, 'c:1')).toEqual([`client.gone ${ID}`]);
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

test('[C1] a latch opens when its count reaches zero; counting down further changes nothing', () => {
  const watched = new Watched();
  watched.script('a:1', ['boot', CD], ['1', '2', 'PUBLISH'], 'exists boot', 'set boot 2', `PUBLISH ${CD} 1`);
  expect(watched.script('a:1', ['boot', CD], ['0', 'PUBLISH'], 'decr boot')).toMatchObject([
    { type: 'latch.counted-down', count: 1 },
  ]);
  const opened = watched.script('a:1', ['boot', CD], ['0', 'PUBLISH'], 'decr boot', 'del boot', `PUBLISH ${CD} 0`);
  expect(opened.map(({ type }) => type)).toEqual(['latch.counted-down', 'latch.opened', 'wakeup.published']);
  expect(watched.state?.latch).toEqual({ count: 0 });
  expect(watched.script('a:1', ['boot', CD], ['0', 'PUBLISH'], 'decr boot', 'del boot')).toMatchObject([
    { type: 'latch.counted-down', count: 0, wasOpen: true },
  ]);
});

test('[X5] a latch that another shard keeps is reported as moved, and has no count here', () => {
  const watched = new Watched();
  watched.script('a:1', ['boot', CD], ['1', '2', 'PUBLISH'], 'exists boot', 'set boot 2', `PUBLISH ${CD} 1`);
  const read = { db: 0, name: 'boot', type: 'none', fields: {}, pttl: -2, hasChanged: false, subscribers: null };
  const at = redisTime(watched.now * 1000);
  const elsewhere = { kind: 'bookmark', at, reads: [{ ...read, movedTo: '127.0.0.1:7001' }] } as const;
  expect(watched.take(elsewhere)).toMatchObject([{ type: 'lock.moved', lock: 'boot', to: '127.0.0.1:7001' }]);
  expect(watched.state?.latch).toBeNull();
  expect(watched.take(elsewhere)).toEqual([]);
  expect(watched.command('10.0.0.1:7001', 'SET', 'boot', '2')).toEqual([]); // a slot that returns brings it
  expect(watched.take(elsewhere)).toEqual([]); // not served here yet
  expect(watched.read('boot', { count: ['2'] })).toMatchObject([{ type: 'latch.set', count: 2, isFound: true }]);
});

test('[C2] a deleted latch has no count', () => {
  const watched = new Watched();
  watched.script('a:1', ['boot', CD], ['1', '2', 'PUBLISH'], 'exists boot', 'set boot 2', `PUBLISH ${CD} 1`);
  expect(watched.script('a:1', ['boot', CD], ['1', 'PUBLISH'], 'del boot', `PUBLISH ${CD} 1`)[0]?.type).toBe(
    'latch.deleted',
  );
  expect(watched.state?.latch).toBeNull();
  watched.script('a:1', ['boot', CD], ['1', '3', 'PUBLISH'], 'exists boot', 'set boot 3', `PUBLISH ${CD} 1`);
  expect(watched.command('ops:1', 'DEL', 'boot')).toMatchObject([
    { type: 'latch.deleted', command: 'DEL', by: 'ops:1' },
  ]);
});

test('[M6] a read that finds another number reports drift; a read of a new number reports it as found', () => {
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

test('[M6] a semaphore without ids stays one, also beside a sorted set of the application with that name', () => {
  const late = new Watched();
  late.read('gate', {}, SC);
  expect(late.read('gate', { permits: ['2'], deadlines: ['user', '1760000009000'] }, SC)).toMatchObject([
    { type: 'permits.set', kind: 'semaphore', available: 2 },
  ]);
  expect(companionsOf(late.interpreter.keys.find(0, 'gate')).map(({ role }) => role)).toEqual(['permits']);
});

test('[M6] a counter that was gone is read again on each new connection: it may have come back unseen', () => {
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

test('[M6] permits that a read finds replace those that were believed, even if their number is the same', () => {
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

test('[E2] a refused release of a permit that was believed acquired reports the permits that are left', () => {
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

test('[M7] the counter of a bounded queue is not reported as a semaphore', () => {
  const watched = new Watched();
  const channel = 'redisson_sc:redisson_bqs:{jobs}';
  const key = 'redisson_bqs:{jobs}';
  expect(
    watched.script('a:1', [key, channel], ['5', 'PUBLISH'], `get ${key}`, `set ${key} 5`, `PUBLISH ${channel} 5`),
  ).toEqual([]);
  expect(watched.command('a:1', 'SUBSCRIBE', channel)).toEqual([]);
});

describe('without commands, a read with another number reports the most likely cause', () => {
  const types = (events: readonly LockEvent[]) => events.map(({ type, certainty }) => `${type} ${certainty}`);

  test('[K1] for a semaphore', () => {
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

  test('[K1] for a latch', () => {
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
  });
});

test('[H6] PEXPIRE with 0 deletes the number', () => {
  const watched = semaphoreOf(3);
  expect(watched.command('ops:1', 'PEXPIRE', 'gate', '0')).toMatchObject([
    { type: 'lock.deleted', command: 'PEXPIRE', by: 'ops:1' },
  ]);
  expect(watched.state?.permits).toBeNull();
});

test('[E2] the release of an impossible permit id is refused like any other', () => {
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

test('[M1] an attempt for 2,147,483,647 permits by Redisson’s own script is reported as refused', () => {
  const watched = semaphoreOf(1);
  const head = watched.line('a:1', ['EVALSHA', 'c7dc9d189c1715465a31a06ddbc008585e0c20be', '1', 'gate', '2147483647']);
  const events = watched.take({ kind: 'command', head, inner: [watched.line(null, ['get', 'gate'])], pushes: [] });
  expect(events).toMatchObject([{ type: 'permits.refused', permits: 2_147_483_647 }]);
});

test('[M1] a semaphore that was never set ends when its key is deleted, by a command or found by a read', () => {
  const adder = () => {
    const watched = new Watched();
    watched.script('a:1', ['u', 'redisson_sc:{u}'], ['1', 'PUBLISH'], 'incrby u 1', 'PUBLISH redisson_sc:{u} 1');
    watched.script('b:1', ['u'], ['1'], 'get u', 'decrby u 1');
    expect(watched.state?.holders).toHaveLength(1);
    return watched;
  };
  const seen = adder();
  expect(seen.command('a:1', 'DEL', 'u')).toMatchObject([{ type: 'lock.deleted', command: 'DEL' }]);
  expect(seen.state?.holders).toEqual([]);
  expect(seen.command('a:1', 'DEL', 'u')).toEqual([]);
  const read = adder();
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
