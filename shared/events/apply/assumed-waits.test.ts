import { describe, expect, test } from 'vitest';
import { causeOf } from '../../../testing/stories/cause-of.ts';
import { holderOf, reported, seconds, story } from '../../../testing/stories/story.ts';

test('[W5] a waiter is not removed if its second attempt was counted as its third', () => {
  const events = story(`
    orders:42 lease 6s
    0.000  A attempts acquired
    0.100  B2 attempts refused
    0.101  B2 subscribes
    0.102  B2 attempts refused
    0.200  B attempts refused
    0.250  B attempts refused
    0.251  B attempts refused
    1.000  A releases
    1.001  B attempts acquired
  `);
  expect(events.some((event) => event.type === 'waiter.dequeued')).toBe(false);
  expect(causeOf(events, 'B')).toEqual({ wokenBy: 'message', because: ['wakeup.published'] });
});

test('[W1] the attempt after a SUBSCRIBE is the second one, even if a message arrives just before', () => {
  const events = story(`
    orders:42 lease 6s
    0.000  A attempts acquired
    0.100  B attempts refused
    0.160  B subscribes
    0.190  A releases
    0.191  A2 attempts acquired
    0.200  B attempts refused
    0.201  B attempts refused
    1.000  A2 releases
    1.001  B attempts acquired
  `);
  expect(events.some((event) => event.type === 'waiter.dequeued')).toBe(false);
  const refusals = events.filter((event) => event.type === 'lock.refused');
  expect(refusals).toMatchObject([{ attempt: 1 }, { attempt: 2, asleep: true }, { attempt: 3, wokenBy: 'message' }]);
  expect(refusals[1]).not.toHaveProperty('wokenBy');
});

test('[W1] attempts of a thread 1 s apart are not one wait, even while another thread of the client listens', () => {
  const events = story(`
    orders:42 lease 6s
    0.000  A attempts acquired
    0.100  B2 attempts refused
    0.101  B2 subscribes
    0.102  B2 attempts refused
    1.000  B attempts refused
    2.000  B attempts refused
    3.000  A releases
    3.500  B attempts acquired
  `);
  const tries = events.filter((event) => event.type === 'lock.refused' && event.holder === holderOf('B'));
  expect(tries).toMatchObject([
    { attempt: 1, asleep: false },
    { attempt: 1, asleep: false },
  ]);
  expect(causeOf(events, 'B')).toEqual({ wokenBy: undefined, because: undefined });
  expect(events.at(-1)).not.toHaveProperty('waitedMs');
});

test('[W7] a waiter whose client has no connection left is presumed gone; a single attempt is not a waiter', () => {
  const events = story(`
    orders:42 lease 6s
    0.000  A attempts acquired
    0.100  B attempts refused
    0.101  B subscribes
    0.102  C attempts refused
    5.000  - leaves
  `);
  expect(reported(events).slice(4)).toEqual(['waiter.dequeued B presumed-gone (inferred)']);
});

test('a SUBSCRIBE is not attributed to a client that is gone', () => {
  const events = story(`
    orders:42 lease 6s
    0.000  A attempts acquired
    0.100  B attempts refused
    5.000  - leaves
    6.000  C attempts refused
    6.001  C subscribes
  `);
  expect(events.at(-1)).toMatchObject({ type: 'waiter.subscribed', holder: holderOf('C') });
});

test('[W1] the attempt after a SUBSCRIBE is the second one, even if it is late on a busy machine', () => {
  const events = story(`
    orders:42 lease 6s
    0.000  A attempts acquired
    0.100  B attempts refused
    0.110  B2 attempts refused
    0.600  B subscribes
    1.000  B attempts refused
    1.100  B2 attempts refused
    2.000  A releases
    2.001  B attempts acquired
  `);
  const refusals = events.filter((event) => event.type === 'lock.refused');
  const [second, third] = [
    { attempt: 2, asleep: true },
    { attempt: 2, asleep: true },
  ];
  expect(refusals).toMatchObject([{ attempt: 1 }, { attempt: 1 }, second, third]);
  expect(causeOf(events, 'B')).toEqual({ wokenBy: 'message', because: ['wakeup.published'] });
});

test('[W1] a SUBSCRIBE does not belong to a thread refused 200 ms before, if another thread was refused 1 ms before', () => {
  const events = story(`
    orders:42 lease 6s
    0.000  A attempts acquired
    0.100  B attempts refused
    0.300  B2 attempts refused
    0.301  B2 subscribes
    0.302  B2 attempts refused
  `);
  expect(events.find(({ type }) => type === 'waiter.subscribed')).toMatchObject({ holder: holderOf('B2') });
  expect(events.some(({ type }) => type === 'waiter.dequeued')).toBe(false);
});

test('[W7] a thread to which a SUBSCRIBE was attributed, and that does not attempt again, is presumed gone', () => {
  const events = story(`
    orders:42 lease 9s
    0.000  A attempts acquired
    0.100  B attempts refused
    0.110  B2 attempts refused
    0.111  B subscribes
    0.112  B2 attempts refused
    4.000  A renews
  `);
  expect(events.find(({ type }) => type === 'waiter.subscribed')).toMatchObject({ holder: holderOf('B') });
  expect(reported(events).at(-2)).toBe('waiter.dequeued B presumed-gone (inferred)');
});

test('[W1] a second attempt 300 ms after the first belongs to the same call', () => {
  const events = story(`
    orders:42 lease 6s
    0.000  A attempts acquired
    0.100  B2 attempts refused
    0.101  B2 subscribes
    0.102  B2 attempts refused
    0.200  B attempts refused
    0.500  B attempts refused
    1.000  A releases
    1.040  B attempts acquired
  `);
  const refusalsOfB = events.filter((event) => event.type === 'lock.refused' && event.holder === holderOf('B'));
  expect(refusalsOfB).toMatchObject([{ attempt: 1 }, { attempt: 2, asleep: true }]);
  expect(causeOf(events, 'B')).toEqual({ wokenBy: 'message', because: ['wakeup.published'] });
});

test('[W1] a thread that calls tryLock() in a loop is assumed asleep at most once', () => {
  const events = story(`
    orders:42 lease 6s
    0.000  A attempts acquired
    0.100  B2 attempts refused
    0.101  B2 subscribes
    0.102  B2 attempts refused
    1.000  B attempts refused
    1.200  B attempts refused
    1.400  B attempts refused
    1.600  B attempts refused
    1.800  B attempts refused
    3.000  A releases
    3.100  B attempts acquired
  `);
  const refusalsOfB = events.filter((event) => event.type === 'lock.refused' && event.holder === holderOf('B'));
  expect(refusalsOfB.map((event) => 'asleep' in event && event.asleep)).toEqual([false, true, false, false, false]);
  expect(reported(events).filter((line) => line.startsWith('waiter.dequeued'))).toEqual([
    'waiter.dequeued B gave-up (inferred)',
  ]);
  expect(causeOf(events, 'B')).toEqual({ wokenBy: undefined, because: undefined });
});

describe('[W5] a sleeper whose timer is not known, since the holder was not seen', () => {
  const gaveUp = (text: string) => story(text).filter(({ type }) => type === 'waiter.dequeued');
  const ASLEEP = `orders:42 lease 30s
    0.000  B attempts refused
    0.001  B subscribes
    0.002  B attempts refused
    0.100  B2 attempts refused
    0.102  B2 attempts refused`;

  test('[W5] a sleeper with an unknown timer goes on waiting at its next attempt', () => {
    const text = `${ASLEEP}
      25.000  B attempts refused
      55.000  B attempts refused
      80.000  B attempts acquired`;
    expect(gaveUp(text)).toEqual([]);
    expect(story(text).at(-1)).toMatchObject({ type: 'lock.acquired', waitedMs: 79_999.999 });
  });

  test('[W5] a sleeper with an unknown timer had given up if two attempts 5 ms apart follow, as in a new call', () => {
    const text = `${ASLEEP}
      25.000  B2 attempts refused
      25.005  B2 attempts refused`;
    expect(gaveUp(text)).toMatchObject([{ holder: holderOf('B2'), reason: 'gave-up', at: seconds(25.000_003) }]);
    expect(story(text).at(-1)).toMatchObject({ attempt: 2, asleep: true });
  });
});
