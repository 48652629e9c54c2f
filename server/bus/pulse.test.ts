import { expect, test } from 'vitest';
import { redisTime } from '../../shared/base/time.ts';
import { makeMemoryObservatory, type NewEvent } from '../testing/memory-observatory.ts';
import { pulseOf } from './pulse.ts';

const uuid = (n: number) => `0123abcd-0000-4000-8000-${String(n).padStart(12, '0')}`;
const observer = { host: 'h', pid: 1, version: '1', since: 0, standbys: 0, waitingBytes: 0 };
const FACTS = { name: 'one', run: 1, number: 2, after: 1, lastLine: 0, observer };

function connected(n: number, name: string, ...addresses: string[]): NewEvent {
  const about = { name, library: 'redisson', since: redisTime(1) };
  return { type: 'client.connected', lock: '', client: uuid(n), addresses, ...about };
}

const acquired = (lock: string, n: number): NewEvent => {
  return { type: 'lock.acquired', lock, holder: `${uuid(n)}:7`, mode: 'exclusive', holdCount: 1, leaseMs: 30_000 };
};

/** The refusal of a thread. `asleep`: the second refusal, after which the thread sleeps. */
const refused = (lock: string, n: number, asleep = true): NewEvent => {
  const attempt = asleep ? 2 : 1;
  return {
    type: 'lock.refused',
    lock,
    holder: `${uuid(n)}:7`,
    mode: 'exclusive',
    ttlMs: 30_000,
    attempt,
    asleep,
    reason: 'held',
  };
};

test('a pulse shows the host of a client, null if it connects from two, and marks clients with the same host and name', async () => {
  const observatory = makeMemoryObservatory();
  observatory.record(
    connected(1, 'billing', '10.0.0.7:5001', '10.0.0.7:5002'),
    connected(2, 'stock', '10.0.0.8:5001'),
    connected(3, 'stock', '10.0.0.8:5002'),
    connected(4, 'stock', '10.0.0.9:5001', '10.0.0.10:5001'),
    ...[1, 2, 4].map((n) => acquired(`lock:${n}`, n)),
  );
  const { rows } = await pulseOf(observatory, FACTS);
  const holders = rows.flatMap((row) => row.holders).map(({ client, host, hasTwin }) => ({ client, host, hasTwin }));
  expect(holders).toEqual([
    { client: uuid(1), host: '10.0.0.7', hasTwin: false },
    { client: uuid(2), host: '10.0.0.8', hasTwin: true },
    { client: uuid(4), host: null, hasTwin: false },
  ]);
});

test('a pulse has the threads that sleep, and how many it left out', async () => {
  const observatory = makeMemoryObservatory();
  observatory.record(acquired('lock', 1), refused('lock', 2, false), refused('lock', 3), refused('lock', 4));
  const few = await pulseOf(observatory, FACTS);
  expect(few.rows[0]?.sleepers.map(({ client }) => client)).toEqual([uuid(3), uuid(4)]);
  expect(few.moreWaits).toBe(0);
  observatory.record(...Array.from({ length: 250 }, (_, n) => refused('lock', 5 + n)));
  const many = await pulseOf(observatory, FACTS);
  expect(many.rows[0]?.sleepers).toHaveLength(200);
  expect(many.rows[0]?.sleepers[0]?.client).toBe(uuid(3)); // the oldest waits are listed
  expect(many.moreWaits).toBe(52);
});

test('waits for locks that are not listed are counted', async () => {
  const observatory = makeMemoryObservatory();
  for (let n = 0; n < 210; n++) observatory.record(acquired(`lock:${n}`, 1000 + n), refused(`lock:${n}`, n));
  const pulse = await pulseOf(observatory, FACTS);
  expect(pulse.rows).toHaveLength(200);
  expect(pulse.moreWaits).toBe(10);
});

test('a pulse has the reason why waits are not known', async () => {
  const observatory = makeMemoryObservatory();
  observatory.setSource({ level: 'events' });
  observatory.record(acquired('lock', 1));
  expect((await pulseOf(observatory, FACTS)).unseenWaits).toEqual(['level']);
  observatory.setSource({ level: 'monitor' });
  expect((await pulseOf(observatory, FACTS)).unseenWaits).toEqual([]);
});
