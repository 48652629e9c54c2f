import { expect, onTestFinished, test } from 'vitest';
import { type App, connectApp } from '../support/clients/app.ts';
import { type LockscopeProcess, startLockscopeProcess } from '../support/lockscope/lockscope-process.ts';
import { type RunningRedis, startRedis } from '../support/servers/redis.ts';
import { pause, waitFor } from '../support/wait-for.ts';

/* The thread that observes a Redis ends while locks are held. Nothing it knew may be shown as if it still watched. */

const PRELOAD = new URL('./end-threads.mjs', import.meta.url).href;
const LONG_MS = 600_000;

async function start(): Promise<{ redis: RunningRedis; app: App; lockscope: LockscopeProcess }> {
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const app = await connectApp(redis.url);
  onTestFinished(() => app.close());
  const flags = ['--observe', 'monitor', '--configure-notifications'];
  const lockscope = await startLockscopeProcess(redis.url, flags, { NODE_OPTIONS: `--import=${PRELOAD}` });
  onTestFinished(() => lockscope.stop());
  return { redis, app, lockscope };
}

async function source(lockscope: LockscopeProcess) {
  const [first] = (await lockscope.health()).sources;
  if (!first) throw new Error('no source');
  return first;
}

/** Ends the observer's thread, and waits until Lockscope reports this for the `nth` time in a row. */
async function endObserver(lockscope: LockscopeProcess, nth: number): Promise<void> {
  await waitFor('the source to be observed', async (missing) => {
    const { status, problem } = await source(lockscope);
    return status === 'observing' || missing(`${status}: ${problem?.message}`);
  });
  process.kill(lockscope.pid, 'SIGUSR2');
  // The log keeps this report; the health of the source shows it only until the observer has started again.
  await waitFor(`failure ${nth}`, () => lockscope.output().includes(`(${nth} of 8)`));
}

/** Sends three requests that need the observer, and two that do not. Returns the answers. */
async function answersOf(lockscope: LockscopeProcess) {
  const recording = await fetch(`${lockscope.url}/api/recording`);
  return {
    refused: [
      await lockscope.get('/api/events/1/signals'),
      await lockscope.post('/api/sources/redis/observe', { level: 'events' }),
      { status: recording.status, body: await recording.json() },
    ],
    locks: await lockscope.locks(),
    health: await lockscope.health(),
  };
}

/**
 * Calls `answersOf` while the observer is certainly down: the pause after the fifth end is at least 2 s, and each next
 * pause is longer.
 */
async function answersWhileDown(lockscope: LockscopeProcess) {
  for (let nth = 1; nth <= 8; nth++) {
    await endObserver(lockscope, nth);
    if (nth < 5) continue;
    const answers = await answersOf(lockscope);
    const [first] = answers.health.sources;
    if (first?.problem?.hint.includes(`(${nth} of 8)`)) return answers;
  }
  throw new Error('the observer was always back before everything was asked');
}

async function heldNames(lockscope: LockscopeProcess): Promise<string[]> {
  return (await lockscope.locks()).filter(({ held }) => held).map(({ name }) => name);
}

test('when the observer ends, a blind spot begins, it starts again, and only locks held in Redis are shown as held', async () => {
  const { redis, app, lockscope } = await start();
  for (const name of ['kept', 'released']) await app.acquire(name, { leaseMs: LONG_MS });
  await waitFor('both locks', async () => (await heldNames(lockscope)).length === 2);
  // The last event before the end, because the client is known only once CLIENT LIST was read.
  const isClientKnown = async () => (await lockscope.eventsAfter(0, { type: 'client.connected' })).length > 0;
  await waitFor('the client to be known', isClientKnown);
  const before = await lockscope.newestSeq();

  // Redis holds the release back until the observer is gone, and runs it before the next observer can watch
  await redis.freeze();
  await endObserver(lockscope, 1);
  const released = app.release('released', { leaseMs: LONG_MS });
  await pause(50); // until the release has been sent
  await redis.thaw();
  await released;
  await waitFor('the kept lock alone', async () => (await heldNames(lockscope)).join() === 'kept');
  await app.acquire('later', { leaseMs: LONG_MS });
  await waitFor('the later lock', async () => (await heldNames(lockscope)).includes('later'));

  const events = await lockscope.eventsAfter(0);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  const [began, ended, ...more] = events.filter(({ type }) => type.startsWith('blind-spot.'));
  expect([began?.type, ended?.type, more]).toEqual(['blind-spot.began', 'blind-spot.ended', []]);
  expect(began?.seq).toBe(before + 1);
  expect(ended).toMatchObject({ from: began?.at });
  const found = events.find(({ type, lock }) => type === 'lock.found' && lock === 'kept');
  expect(found?.seq).toBeGreaterThan(ended?.seq ?? Number.NaN);
  expect(events.filter(({ lock, seq }) => lock === 'released' && seq > before)).toEqual([]);
  for (const { seq, because = [] } of events.slice(before)) {
    for (const cause of because) expect(cause > before && cause < seq).toBe(true);
  }
  expect(await lockscope.spans('released')).toMatchObject([{ kind: 'hold', ended: 'unseen', to: began?.at }]);

  const last = events.find(({ type, lock }) => type === 'lock.acquired' && lock === 'later');
  const lines = await lockscope.get(`/api/events/${last?.seq}/signals`);
  expect(JSON.stringify(lines.body)).toContain('later');
  expect((await lockscope.get('/api/events/1/signals')).status).toBe(404);
  expect((await source(lockscope)).drift).toBe(0);
  await lockscope.stop();
  expect(await redis.command('CONFIG', 'GET', 'notify-keyspace-events')).toEqual({ 'notify-keyspace-events': '' });
});

test('while the observer is down, no lock is shown as held, requests are answered or refused with the reason, and Redis settings are restored', async () => {
  const { redis, app, lockscope } = await start();
  await app.acquire('held', { leaseMs: LONG_MS });
  await waitFor('the lock', async () => (await heldNames(lockscope)).length === 1);
  const { refused, locks, health } = await answersWhileDown(lockscope);
  for (const answer of refused) {
    expect(answer).toMatchObject({ status: 503, body: { error: { code: 'observer-ended' } } });
  }
  expect(locks).toEqual([]);
  expect(health.sources).toMatchObject([{ status: 'reconnecting', problem: { code: 'observer-ended' } }]);
  expect(health.status).not.toBe('ok');
  await lockscope.stop();
  expect(await redis.command('CONFIG', 'GET', 'notify-keyspace-events')).toEqual({ 'notify-keyspace-events': '' });
});

test('an observer that hangs is reported as silent within seconds, and watching continues when it answers again', async () => {
  const { app, lockscope } = await start();
  await app.acquire('held', { leaseMs: LONG_MS });
  await waitFor('the lock', async () => (await heldNames(lockscope)).length === 1);
  process.kill(lockscope.pid, 'SIGWINCH');
  await waitFor('the silence to be reported', async (missing) => {
    const { status, problem, lagMs } = await source(lockscope);
    const isReported = status === 'reconnecting' && problem?.code === 'observer-silent' && lagMs >= 3000;
    return isReported || missing(JSON.stringify({ status, problem, lagMs }));
  });
  expect((await lockscope.health()).status).not.toBe('ok');
  await app.release('held', { leaseMs: LONG_MS });
  await waitFor('the release', async () => (await heldNames(lockscope)).length === 0);
  await waitFor('the problem to be gone', async () => (await source(lockscope)).problem === undefined);
  expect(await source(lockscope)).toMatchObject({ status: 'observing', drift: 0 });
});
