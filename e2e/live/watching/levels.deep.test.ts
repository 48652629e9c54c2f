import { expect, onTestFinished, test } from 'vitest';
import { untilScanned, watchRedis } from '../../support/lockscope/watched-redis.ts';
import { pause, waitFor } from '../../support/wait-for.ts';

const letters = [...'abcdefghijklmnopqrstuvwxyz'];
/** A scan begins every 10 s. */
const PAST_A_SCAN_MS = 11_000;
/** A fast machine could acquire more new locks in that time than Lockscope can keep in memory. */
const NEW_LOCKS = { atOnce: 100, every: 50 };

test('a new lock that a scan reads before the read of its key event is still reported as acquired', async () => {
  const { lockscope, app, end } = await watchRedis({ 'notify-keyspace-events': 'Eghxe' }, ['--observe', 'events']);
  onTestFinished(end);
  await untilScanned(lockscope);
  const names: string[] = [];
  for (const end = performance.now() + PAST_A_SCAN_MS; performance.now() < end; ) {
    const name = `${letters[names.length % letters.length]}-${names.length}`; // the names have many different patterns
    names.push(name);
    await app.acquire(name, { leaseMs: 600_000 });
    if (names.length % NEW_LOCKS.atOnce === 0) await pause(NEW_LOCKS.every);
  }
  const reported = await waitFor('every lock', async (missing) => {
    const events = (await lockscope.eventsAfter(0)).filter(({ lock }) => lock !== '');
    const locks = new Set(events.map(({ lock }) => lock));
    return locks.size === names.length ? events : missing(`${locks.size} of ${names.length}`);
  });
  expect(reported.filter(({ type }) => type !== 'lock.acquired')).toEqual([]);
});

test.each(['KA', 'Eghxe', 'KEA'])(
  'with notify-keyspace-events %s, the end of a known lease is observed',
  async (flags) => {
    const { app, eventsUntil, end } = await watchRedis({ 'notify-keyspace-events': flags }, ['--observe', 'events']);
    onTestFinished(end);
    await app.acquire('runs-out', { leaseMs: 600_000 });
    await eventsUntil('runs-out', 'lock.acquired');
    await app.command('PEXPIRE', 'runs-out', '500');
    expect((await eventsUntil('runs-out', 'lease.expired')).at(-1)).toMatchObject({ certainty: 'observed' });
  },
);
