import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { connect, type Gap, type LiveOptions, type LocksAnswer, LockscopeError } from '../../library/client.ts';
import { interpret } from '../../library/interpret.ts';
import { type App, connectApp } from '../support/clients/app.ts';
import { type Lockscope, startLockscope } from '../support/lockscope/lockscope.ts';
import { startCuttingProxy } from '../support/servers/cutting-proxy.ts';
import { type RunningRedis, startRedis } from '../support/servers/redis.ts';
import { waitFor } from '../support/wait-for.ts';
import { startProgram } from './program.ts';

const home = inject('home');
const DEADLOCK = new URL('../../shared/traces/redisson-4.7.0/deadlock.trace', import.meta.url);
const CUTS = 3;
const ROUNDS = 200;

let redis: RunningRedis;
let app: App;
let lockscope: Lockscope;
const ends: (() => Promise<unknown> | unknown)[] = [];

beforeEach(async () => {
  redis = await startRedis();
  ends.push(() => redis.stop());
  app = await connectApp(redis.url);
  ends.push(() => app.close());
  lockscope = await startLockscope(redis.url);
  ends.push(() => lockscope.stop());
});

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** Follows a Lockscope from its first event on. */
function follow(url: string, options: LiveOptions = { after: 0 }) {
  const seqs: number[] = [];
  const gaps: Gap[] = [];
  const live = connect(url).live(
    { events: (events) => seqs.push(...events.map(({ seq }) => seq)), gap: (gap) => gaps.push(gap) },
    options,
  );
  ends.push(() => live.close());
  return { live, seqs, gaps };
}

async function lockAndUnlock(times: number): Promise<void> {
  for (let n = 0; n < times; n++) {
    await app.acquire(`orders:${n % 7}`);
    await app.release(`orders:${n % 7}`);
  }
}

test('a client that loses its connection again and again receives every event once, in order', async () => {
  const proxy = await startCuttingProxy(Number(new URL(lockscope.url).port));
  ends.push(() => proxy.close());
  const { live, seqs, gaps } = follow(`http://127.0.0.1:${proxy.port}`);
  for (let cut = 0; cut < CUTS; cut++) {
    await waitFor('the live channel', () => live.link === 'live');
    await lockAndUnlock(ROUNDS);
    proxy.shut();
    await waitFor('the loss', () => live.link !== 'live');
    await lockAndUnlock(ROUNDS);
    proxy.open();
  }
  await app.acquire('the:last');
  await waitFor('the last lock', () => live.locks.get('redis/0/the:last')?.held === true);
  const newest = await lockscope.newestSeq();
  await waitFor('the newest event', () => (live.seq ?? 0) >= newest);
  expect(seqs).toEqual(Array.from({ length: seqs.length }, (_, n) => n + 1));
  expect(gaps).toEqual([]);
  expect(proxy.cuts()).toBeGreaterThanOrEqual(CUTS);
});

test('an event that happens as soon as the channel is live reaches the client', async () => {
  for (let n = 1; n <= 10; n++) {
    await app.acquire(`orders:${n}`);
    const released: string[] = [];
    const live = connect(lockscope.url).live({
      link: (link) => void (link === 'live' && app.release(`orders:${n}`)),
      events: (events) => {
        for (const { type, lock } of events) if (type === 'lock.released') released.push(lock);
      },
    });
    ends.push(() => live.close());
    await waitFor('the release', () => released.includes(`orders:${n}`));
  }
});

test('a client learns that the server was restarted, and continues with its new events', async () => {
  const { live, seqs, gaps } = follow(lockscope.url);
  await lockAndUnlock(3);
  await waitFor('events', () => seqs.length > 5);
  const { port } = new URL(lockscope.url);
  await lockscope.stop();
  await waitFor('the loss', () => live.link === 'lost');
  const again = ['node_modules/.bin/lockscope', redis.url, '--observe', 'monitor', '--no-open', '--port', port];
  const restarted = startProgram(home, again);
  ends.push(() => restarted.end());
  const before = seqs.length;
  await waitFor('the channel', () => live.link === 'live' && gaps.length > 0);
  // The restarted program may not observe yet.
  await waitFor('new events', async () => {
    await lockAndUnlock(3);
    return seqs.length > before + 5;
  });
  expect(gaps[0]).toMatchObject({ nextSeq: 1, isNewRun: true });
  expect(seqs.slice(before)).toEqual(seqs.slice(before).map((_, n) => n + 1));
});

test('an unknown lock, a server that does not answer and a URL without http:// are reported as errors', async () => {
  const client = connect(lockscope.url);
  const refused = await client.lock('no such lock').catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(LockscopeError);
  expect(refused).toMatchObject({ status: 404, code: 'unknown-lock', field: 'name' });
  await app.acquire('.');
  await waitFor('the lock with a name that no path can have', () =>
    client.lock('.').then(
      ({ held }) => held,
      () => false,
    ),
  );
  const silent = await connect('http://127.0.0.1:1')
    .health()
    .catch((error: unknown) => error);
  expect(silent).toMatchObject({ status: 0, code: 'no-answer', message: 'Nothing answers at http://127.0.0.1:1.' });
  expect(() => connect('127.0.0.1:4680')).toThrow('It begins with http:// or https://.');
});

test('the example of a client prints the held locks and each event', async () => {
  await app.acquire('orders:1');
  await waitFor('the lock', async () => (await lockscope.locks()).length > 0);
  const program = startProgram(home, ['examples/client/follow.mjs', lockscope.url]);
  ends.push(() => program.end());
  await program.prints(new RegExp(`^held orders:1 by ${app.holder()}$`, 'm'));
  await program.prints(/^link live$/m);
  await app.release('orders:1');
  await program.prints(/^event \d+ lock.released orders:1$/m);
});

test('the library makes the same events of a recording as were reported live', async () => {
  await lockAndUnlock(20);
  await app.acquire('orders:1');
  await app.command('PEXPIRE', 'orders:1', '50');
  const live = await waitFor('the end of the lease', async () => {
    const events = await lockscope.eventsAfter(0);
    return events.some(({ type }) => type === 'lease.expired') && events;
  });
  const file = await (await fetch(`${lockscope.url}/api/recording`)).arrayBuffer();
  const night = await interpret(new Uint8Array(file));
  const inShort = (events: readonly { type: string; lock: string; at: number }[]) =>
    events.filter(({ type }) => /^lock|^lease|^wakeup/.test(type)).map(({ type, lock, at }) => `${at} ${type} ${lock}`);
  expect(inShort(night.events)).toEqual(inShort(live));
  const at = live.find(({ type }) => type === 'lock.released')?.at ?? 0;
  const namesIn = ({ locks }: LocksAnswer) => locks.map(({ name, held }) => [name, held]);
  expect(namesIn(await night.locks({ at }))).toEqual(namesIn(await connect(lockscope.url).locks({ at })));
  await expect(night.lock('unknown')).rejects.toMatchObject({ problem: { code: 'unknown-lock' } });
  await expect(interpret('not a recording')).rejects.toThrow(/^the input: /);
});

test('the example of the interpreter finds a deadlock in the text of MONITOR', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lockscope-text-'));
  ends.push(() => rmSync(folder, { recursive: true }));
  const text = readFileSync(DEADLOCK, 'latin1')
    .split('\n')
    .filter((line) => /^\d/.test(line))
    .join('\n');
  writeFileSync(join(folder, 'night.txt'), text, 'latin1');
  const program = startProgram(home, ['examples/interpret/verdicts.mjs', join(folder, 'night.txt')]);
  expect(await program.prints(/critical abba-deadlock .+/)).toContain('abba-deadlock');
  await program.prints(/^hold \S+ [\d.]+ ms by /m);
  await program.prints(/^held at the end: /m);
});
