import { expect, test } from 'vitest';
import type { LockEvent } from '../../../shared/events/event.ts';
import { Simulation } from './simulation.ts';

const A = '9a92fa0b-27b4-4395-a14c-85668696be8b:1';
const B = '11f3c1b2-27b4-4395-a14c-85668696be8b:7';
const LOCK = 'a:b|c,1:d\ne\u00e9\u0000';

const ACQUIRE = "redis.call('hincrby', KEYS[1], ARGV[1], 1) redis.call('pexpire', KEYS[1], 30000) return nil";
const RELEASE = "redis.call('hincrby', KEYS[1], ARGV[1], -1) redis.call('del', KEYS[1]) return 1";

type Spoil = (channel: string, message: string) => readonly (readonly [string, string])[];

/**
 * What Lockscope reports of a hold of 500 ms, holds of 2 ms and one that goes on, while `spoil` changes the field
 * notifications of the server.
 */
async function reportedWith(spoil: Spoil, name = LOCK): Promise<{ events: LockEvent[]; unseen: string[] }> {
  const simulation = new Simulation({ seed: '1', level: 'events', flags: 'EghxT', version: '8.8.0', sameEndMs: 120 });
  const { lockscope, surroundings } = simulation;
  const { pubSub } = surroundings.host.redis ?? {};
  if (!pubSub) throw new Error('the server does not run');
  const publish = pubSub.publish.bind(pubSub);
  pubSub.publish = (channel, message) => {
    const sent = channel.startsWith('__subkey') ? spoil(channel, message) : [[channel, message] as const];
    return sent.reduce((count, [to, text]) => count + publish(to, text), 0);
  };
  const acquire = (holder: string) => simulation.operate('EVAL', ACQUIRE, '1', name, holder);
  const release = (holder: string) => simulation.operate('EVAL', RELEASE, '1', name, holder);
  await simulation.run(async () => {
    await simulation.untilSame(10_000);
    await acquire(A);
    await simulation.wait(500); // until the name of the client is known
    await release(A);
    await simulation.wait(500);
    for (const holder of [A, B]) {
      await acquire(holder);
      await release(holder);
    }
    await simulation.wait(2000);
    await acquire(B);
    await simulation.untilSame(3000);
    await simulation.wait(6000); // until the source is reported again
  });
  return { events: lockscope.events, unseen: (lockscope.source?.unseen ?? []).map(({ code }) => code) };
}

function observed(events: readonly LockEvent[]): (string | undefined)[] {
  return events.flatMap((event) =>
    event.type === 'lock.acquired' && event.certainty === 'observed' ? [event.holder] : [],
  );
}

const asItIs: Spoil = (channel, message) => [[channel, message]];

test.each([
  ['a plain name', 'orders:42'],
  ['a name of any bytes', LOCK],
])('holds of 2 ms are observed: %s', async (_, name) => {
  const { events, unseen } = await reportedWith(asItIs, name);
  expect(observed(events)).toEqual([A, B, B]);
  expect(unseen).not.toContain('unseen-fields');
});

const SPOILT: readonly (readonly [string, Spoil, boolean])[] = [
  ['is malformed', (channel, message) => [[channel, `0${message}`]], true],
  ['is cut', (channel, message) => [[channel, message.slice(0, -1)]], true],
  ['has a character too many', (channel, message) => [[channel, `${message},`]], true],
  ['is about another key', (channel) => [[channel, `5:other|38:${A}`]], false],
  ['names another event', (_, message) => [['__subkeyevent@0__:hdel', message]], false],
  ['is missing', () => [], false],
];

test.each(SPOILT)(
  'after a notification that %s, nothing is concluded, and the lock is read',
  async (_, spoil, isNamed) => {
    const { events, unseen } = await reportedWith(spoil);
    expect(observed(events)).toEqual([]);
    expect(events.findLast(({ type }) => type === 'lock.acquired')).toMatchObject({ holder: B, certainty: 'inferred' });
    expect(unseen.includes('unseen-fields')).toBe(isNamed);
  },
);
