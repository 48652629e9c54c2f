import { describe, expect, test } from 'vitest';
import { holderOf, seconds, story } from '../../testing/stories/story.ts';
import { redisTime } from '../base/time.ts';
import type { LockEvent } from '../events/event.ts';
import { presenceIn } from '../wire/locks/lock-view.ts';
import { ClientStates } from './client-states.ts';

const A = holderOf('A').split(':')[0] ?? '';
const EVENTS = story(`
  orders:42 lease 30s
  0.000  A attempts  acquired
  1.000  redis lists A=app other
  6.000  redis lists A=app other
  11.000 redis lists other
  20.000 A renews
  30.000 redis loses sight
  31.000 redis fails over
  32.000 redis sees again
`);

function statesOf(events: readonly LockEvent[]): ClientStates {
  const clientStates = new ClientStates();
  for (const event of events) clientStates.take(event);
  return clientStates;
}

describe('states of clients', () => {
  const presenceAt = (at?: number) => presenceIn(statesOf(EVENTS), at === undefined ? undefined : seconds(at));

  test.each([
    [0.5, 'unknown', null],
    [1, 'connected', null],
    [10, 'connected', null],
    [11, 'gone', seconds(6)],
    [19, 'gone', seconds(6)],
    [20, 'connected', null],
    [31, 'unknown', null],
  ])('after %s s, the client is %s', (at, presence, goneSince) => {
    expect(presenceAt(at)('story', A)).toMatchObject({ presence, goneSince });
  });

  test('the address of a client that is gone is the last one known', () => {
    expect(presenceAt(15)('story', A)).toMatchObject({ name: 'app', address: '10.0.0.1:A-commands' });
  });

  test('states at a past instant equal those made from the events until then', () => {
    const whole = statesOf(EVENTS);
    for (let at = 0; at < 40; at += 0.5) {
      const until = statesOf(EVENTS.filter((event) => event.at <= seconds(at)));
      expect(whole.find('story', A, seconds(at))).toEqual(until.find('story', A));
      expect([...whole.clients(seconds(at))]).toEqual([...until.clients()]);
    }
  });

  test('a client is not found under another source', () => {
    expect(statesOf(EVENTS).find('other', A)).toBeUndefined();
  });
});

test('states of clients stay within their limits, and the newest changes are kept', () => {
  const clientStates = new ClientStates();
  const event = EVENTS.find(({ type }) => type === 'client.connected');
  if (!event) throw new Error('the story connects a client');
  for (let n = 0; n < 60_000; n++) {
    clientStates.take({ ...event, client: `c${n % 2 === 0 ? 0 : n}`, at: redisTime(event.at + n) } as LockEvent);
  }
  expect([...clientStates.clients()].length).toBeLessThanOrEqual(50_000);
  expect(clientStates.find('story', 'c59999')).toBeDefined();
  expect(clientStates.find('story', 'c0')?.changedAt).toBe(event.at + 59_998);
  expect(clientStates.find('story', 'c0', redisTime(event.at))).toBeUndefined();
});
