import { expect, test } from 'vitest';
import { causeOf } from '../../../testing/stories/cause-of.ts';
import { holderOf, reported, seconds, story } from '../../../testing/stories/story.ts';

test('[W4] one message wakes one sleeper of a client, and the next sleeper wakes by its own timer', () => {
  const events = story(`
    orders:42 lease 1s
    0.000  A attempts acquired
    0.100  B attempts refused
    0.101  B subscribes
    0.102  B attempts refused
    0.103  B2 attempts refused
    0.104  B2 attempts refused
    0.500  A releases
    0.501  B attempts acquired
    0.600  B renews
    1.700  B2 attempts acquired
  `);
  expect(causeOf(events, 'B')).toEqual({ wokenBy: 'message', because: ['wakeup.published'] });
  expect(causeOf(events, 'B2')).toEqual({ wokenBy: 'own-timer', because: ['lease.expired'] });
});

test('[W4] a sleeper that attempts when its timer ends, long after a message, has missed the message', () => {
  const events = story(`
    orders:42 lease 3s
    0.000  A attempts acquired
    0.100  B attempts refused
    0.101  B subscribes
    0.102  B attempts refused
    0.500  A releases
    3.001  B attempts acquired
  `);
  expect(causeOf(events, 'B')).toEqual({ wokenBy: 'own-timer', because: ['wakeup.published'] });
});

test('[W4] if a shortened lease has expired, the next acquisition by a sleeper names the expiry, even if no timer was due', () => {
  const events = story(`
    orders:42 lease 6s
    0.000  A attempts acquired
    0.100  B attempts refused
    0.101  B subscribes
    0.102  B attempts refused
    1.000  ops command PEXPIRE orders:42 500
    2.000  B attempts acquired
  `);
  expect(causeOf(events, 'B')).toEqual({ wokenBy: 'own-timer', because: ['lease.expired'] });
});

test('[W8] if it was only guessed which sleeper a message woke, the message may still wake another sleeper', () => {
  const events = story(`
    orders:42 lease 6s
    0.000  A attempts acquired
    0.100  B2 attempts refused
    0.101  B2 subscribes
    0.102  B2 attempts refused
    0.200  B attempts refused
    0.240  A releases
    0.241  A2 attempts acquired
    0.250  B attempts refused
    0.290  B attempts refused
    1.000  A2 releases
    1.001  B attempts acquired
  `);
  expect(events.some((event) => event.type === 'waiter.dequeued')).toBe(false);
  const ofB = events.filter((event) => event.type === 'lock.refused' && event.holder === holderOf('B'));
  expect(ofB.at(-1)).toMatchObject({ attempt: 3, wokenBy: 'message' });
});

test('[H5] [L3] a force-unlock that sends no message just after the end of a lease shows that the lease expired', () => {
  const events = story(`
    orders:42 lease 1s
    0.000  A attempts acquired
    1.010  B force-unlocks nothing
  `);
  expect(reported(events)).toEqual(['lock.acquired A ×1', 'lease.expired A (inferred)']);
  expect(events[1]?.at).toBe(seconds(1) + 3);
});

test('[W8] if the timer of a woken sleeper was due as well, its message may also have caused the attempt right after', () => {
  const events = story(`
    orders:42 lease 6s
    0.000  A attempts acquired
    0.010  ops command PEXPIRE orders:42 300
    0.100  B attempts refused
    0.101  B subscribes
    0.102  B attempts refused
    0.110  A renews
    0.111  B2 attempts refused
    0.112  B2 attempts refused
    0.500  A releases
    0.501  C attempts acquired
    0.502  B attempts refused
    0.550  B attempts refused
  `);
  expect(reported(events)).not.toContainEqual(expect.stringContaining('dequeued'));
  expect(events.at(-1)).toMatchObject({ type: 'lock.refused', wokenBy: 'message', asleep: true });
});

test('[W8] a waiter that attempts again right after an assumed wake-up had not slept, so no second message is assumed', () => {
  const events = story(`
    orders:42 lease 6s
    0.000  A attempts acquired
    0.100  B attempts refused
    0.101  B subscribes
    0.102  B attempts refused
    0.410  B2 attempts refused
    0.500  A releases
    0.501  C attempts acquired
    0.502  B attempts refused
    0.515  B2 attempts refused
    0.523  B2 attempts refused
  `);
  expect(events.at(-1)).toMatchObject({ type: 'lock.refused', holder: holderOf('B2') });
  expect(events.at(-1)).not.toHaveProperty('wokenBy');
});
