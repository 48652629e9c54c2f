import { describe, expect, test } from 'vitest';
import { lockAt } from '../../testing/stories/lock-at.ts';
import { command, eventsFromScripts, script } from '../../testing/stories/script-story.ts';
import { holderOf, reported, seconds, signalsFromStory, story } from '../../testing/stories/story.ts';
import { StepAssembler } from '../signals/step-assembler.ts';
import { waitsFromEvents } from '../spans/waits-from-events.ts';
import { Interpreter } from './interpreter.ts';

/** Another thread of B waits for another lock, and its client reacts at once. */
const onTime = (at: number) => `other lease 30s
  ${at} A attempts acquired
  ${at}.1 B2 attempts refused
  ${at}.101 B2 subscribes
  ${at}.102 B2 attempts refused`;

describe('waiting', () => {
  const ASLEEP = `
    orders:42 lease 6s
    0.000  A attempts acquired
    2.500  B attempts refused
    2.501  B subscribes
    2.502  B attempts refused
  `;

  test('[W3] [W4] an acquisition after a message names the message as its cause', () => {
    const events = story(`${ASLEEP}
      5.000  A releases
      5.001  B attempts acquired
      5.002  B unsubscribes
    `);
    const acquired = events.find((event) => event.type === 'lock.acquired' && event.holder === holderOf('B'));
    const published = events.find((event) => event.type === 'wakeup.published');
    expect(acquired).toMatchObject({
      wokenBy: 'message',
      because: [published?.seq],
      waitedMs: expect.closeTo(2501, 1),
    });
    expect(events.at(-1)).toMatchObject({ type: 'waiter.unsubscribed', holder: holderOf('B') });
  });

  test('[W8] a slow client attempts once for each message since it fell asleep, also on an unknown connection', () => {
    const events = story(`
      orders:42 lease 60s
      0.000  A attempts acquired
      0.100  B attempts refused
      0.100  C attempts refused
      0.101  B subscribes
      0.101  C subscribes
      0.102  B attempts refused
      0.102  C attempts refused
      1.000  A releases
      1.001  D attempts acquired
      1.010  D releases
      1.011  D attempts acquired
      1.020  B attempts refused
      1.100  B attempts refused
      1.200  B attempts refused
    `);
    const last = events.filter((event) => event.type === 'lock.refused' && event.holder === holderOf('B')).slice(-3);
    expect(last.map((event) => ('attempt' in event ? event.attempt : 0))).toEqual([3, 4, 1]);
    expect(last[1]).toMatchObject({ wokenBy: 'message' });
    expect(reported(events).filter((line) => line.includes('gave-up'))).toHaveLength(1);
  });

  test('[W8] an attempt that no message explains does not use up a message that is published later', () => {
    const events = story(`
      orders:42 lease 60s
      0.000  A attempts acquired
      0.100  B attempts refused
      0.100  C attempts refused
      0.101  B subscribes
      0.101  C subscribes
      0.102  B attempts refused
      0.102  C attempts refused
      0.110  B attempts refused
      1.000  A releases
      1.001  D attempts acquired
      1.010  D releases
      1.011  D attempts acquired
      1.020  B attempts refused
      1.100  B attempts refused
    `);
    const last = events.filter((event) => event.type === 'lock.refused' && event.holder === holderOf('B')).slice(-2);
    expect(last).toMatchObject([
      { attempt: 4, wokenBy: 'message' },
      { attempt: 5, wokenBy: 'message' },
    ]);
    expect(reported(events).filter((line) => line.includes('gave-up'))).toEqual([]);
  });

  test('[W10] an UNSUBSCRIBE after a SUBSCRIBE that Redis refused names the client that tried to subscribe', () => {
    const events = story(`
      orders:42 lease 6s
      0.000  A attempts acquired
      2.500  B attempts refused
      2.510  B unsubscribes
    `);
    const [client] = holderOf('B').split(':');
    expect(events.at(-1)).toMatchObject({ type: 'waiter.unsubscribed', holder: holderOf('B'), client, subscribers: 0 });
  });

  test('[W10] a SUBSCRIBE of a thread that has gone on names the only client with the name of its connection', () => {
    const attempt = (lock: string, by: string, holder: string, ...ran: string[]) =>
      script(by, lock, `30000 ${holder}`, ...ran);
    const subscribed = (...names: string[]) => {
      const events = eventsFromScripts(
        [
          ...names.map((name, n) => command(`10.0.0.1:${n + 1}`, `CLIENT SETNAME ${name}`)),
          command('10.0.0.1:9', 'CLIENT SETNAME orders'),
          attempt('a', '10.0.0.1:1', holderOf('A'), 'exists a', `hincrby a ${holderOf('A')} 1`, 'pexpire a 30000'),
          attempt('a', '10.0.0.1:2', holderOf('B'), 'exists a', `hexists a ${holderOf('B')}`, 'pttl a'),
          attempt('b', '10.0.0.1:2', holderOf('B'), 'exists b', `hincrby b ${holderOf('B')} 1`, 'pexpire b 30000'),
          command('10.0.0.1:9', 'SUBSCRIBE redisson_lock__channel:{a}'),
        ],
        1,
      );
      return events.find(({ type }) => type === 'waiter.subscribed');
    };
    expect(subscribed('billing', 'orders')).toMatchObject({ client: holderOf('B').split(':')[0] });
    expect(subscribed('billing', 'orders')).not.toHaveProperty('holder');
    expect(subscribed('orders', 'orders')).not.toHaveProperty('client');
    expect(subscribed('billing', 'stock')).not.toHaveProperty('client');
  });

  test('[W4] an acquisition after the waiter’s own timer names the expiry as its cause', () => {
    const events = story(`${ASLEEP}
      6.010  - hears expired
      6.020  B attempts acquired
    `);
    const expired = events.find((event) => event.type === 'lease.expired');
    expect(events.at(-1)).toMatchObject({ wokenBy: 'own-timer', because: [expired?.seq] });
  });

  test('[W1] a thread refused once was not asleep at its next attempt', () => {
    const events = story(`
      orders:42 lease 6s
      0.000  A attempts acquired
      1.000  B attempts refused
      2.000  A releases
      3.000  B attempts acquired
    `);
    expect(events.at(-1)?.because).toBeUndefined();
    expect(events.at(-1)).not.toHaveProperty('wokenBy');
  });

  test('[W5] an attempt without a wake-up begins a new wait', () => {
    expect(
      reported(
        story(`${ASLEEP}
      3.500  B attempts refused
    `),
      ).slice(-2),
    ).toEqual(['waiter.dequeued B gave-up (inferred)', 'lock.refused B ttl 2500']);
  });

  test('[W6] a client that unsubscribes gave up', () => {
    expect(
      reported(
        story(`${ASLEEP}
      3.500  B unsubscribes
    `),
      ).slice(-2),
    ).toEqual(['waiter.dequeued B gave-up (inferred)', 'waiter.unsubscribed B']);
  });

  test('[W7] a sleeper that misses its timer is presumed gone until its next attempt, if its client is on time', () => {
    const renewed = `${ASLEEP}\n 4.000 A renews`;
    const end = 'orders:42 lease 6s\n 9.600 ops command PING\n 9.700 B attempts refused';
    const left = ['waiter.dequeued B presumed-gone (inferred)', 'lock.refused B ttl 300'];
    expect(reported(story(renewed, onTime(9), end)).slice(-2)).toEqual(left);
    expect(reported(story(renewed, onTime(5), end)).at(-2)).not.toBe(left[0]);
  });

  test('[W7] a sleeper of a client that was late before may be late itself', () => {
    const late =
      'other lease 9s\n 5 A attempts acquired\n 7 B2 attempts refused\n 8.900 B2 subscribes\n 9 B2 attempts refused';
    const events = story(`${ASLEEP}\n 4.000 A renews`, late, 'orders:42 lease 6s\n 9.600 B attempts refused');
    expect(reported(events)).not.toContainEqual(expect.stringContaining('waiter.dequeued'));
    expect(events.at(-1)).toMatchObject({ type: 'lock.refused', wokenBy: 'own-timer', attempt: 3, lateMs: 3600 });
    expect(events).toContainEqual(expect.objectContaining({ type: 'waiter.subscribed', lock: 'other', lateMs: 1900 }));
  });

  test('[W19] a client that was late, but reacts in time a minute later, counts as punctual: its silent sleeper is presumed gone', () => {
    const late = `other lease 300s
      5     A attempts acquired
      7     B2 attempts refused
      8.900 B2 subscribes
      9     B2 attempts refused`;
    const again = (at: number) => `third lease 300s
      ${at}     A attempts acquired
      ${at}.1   B3 attempts refused
      ${at}.101 B3 subscribes
      ${at}.102 B3 attempts refused
      75 ops command PING`;
    const gone = (at: number) =>
      reported(story(`${ASLEEP}\n 4.000 A renews`, late, again(at))).includes(
        'waiter.dequeued B presumed-gone (inferred)',
      );
    expect(gone(67)).toBe(false);
    expect(gone(70)).toBe(true);
  });

  test('[W1] the second attempt of a starved client belongs to the same call, even 9.5 s after the first', () => {
    const starved = `orders:42 lease 30s
      0.000  A attempts acquired
      2.500  B attempts refused
      2.501  B subscribes
      12.000 B attempts refused`;
    const events = story(starved);
    expect(reported(events)).not.toContainEqual(expect.stringContaining('waiter.dequeued'));
    expect(lockAt(events, seconds(13)).waiters).toMatchObject([{ attempts: 2, isAsleep: true, since: events[1]?.at }]);
    // If another attempt follows at once, the late one was the first of a new call: the subscription was left over.
    const again = story(`${starved}\n      12.001 B attempts refused`);
    expect(reported(again).slice(-2)).toEqual(['waiter.dequeued B gave-up (inferred)', 'lock.refused B ttl 17999']);
    expect(lockAt(again, seconds(13)).waiters).toMatchObject([{ attempts: 2, isAsleep: true }]);
  });

  test('[W7] a thread for which its client subscribed, and that is silent for 5 minutes, is not known to wait', () => {
    const events = story(`orders:42 lease 600s
      0.000  A attempts acquired
      2.500  B attempts refused
      2.501  B subscribes
      250    ops command PING
      303    ops command PING`);
    expect(reported(events).slice(-1)).toEqual(['waiter.dequeued B unseen (inferred)']);
  });

  test('[W3] without a count of listeners, an attempt at the end of the timer shows a waiter from before watching', () => {
    const found = (listeners: string, at: number) =>
      story(`orders:42 lease 30s
        0.000  redis snapshot A×1 20000 ${listeners}
        5.000  B attempts refused
        ${at}  B attempts refused`);
    const waitersOf = (listeners: string, at: number) => lockAt(found(listeners, at), seconds(30)).waiters;
    expect(waitersOf('', 20.002)).toMatchObject([{ id: holderOf('B'), attempts: 2, isAsleep: true, isOlder: true }]);
    expect(waitersOf('', 12)).toMatchObject([{ attempts: 1, isAsleep: false, isConfirmed: false }]);
    expect(waitersOf('0', 20.002)).toMatchObject([{ attempts: 1, isAsleep: false, isConfirmed: false }]);
  });

  test('[W21] a thread that slept before watching began has waited at least since its first attempt that was seen', () => {
    const acquiredBy = (text: string) => {
      const events = story(`orders:42 lease 30s
        ${text}`);
      return events.find((event) => event.type === 'lock.acquired' && event.holder === holderOf('B'));
    };
    const found = acquiredBy(`0.000  redis snapshot A×1 20000
      5.000  B attempts refused
      20.002  B attempts refused
      21.000  A releases
      21.001  B attempts acquired`);
    expect(found).toMatchObject({ waitedMs: expect.closeTo(16_001, 1), waitedAtLeast: true });
    const seen = acquiredBy(`0.000  A attempts acquired
      2.500  B attempts refused
      2.501  B subscribes
      2.502  B attempts refused
      5.000  A releases
      5.001  B attempts acquired`);
    expect(seen).toMatchObject({ waitedMs: expect.closeTo(2501, 1) });
    expect(seen).not.toHaveProperty('waitedAtLeast');
  });

  test('[W21] a sleeper whose attempts were not seen for a while has waited at least since the first one after that', () => {
    const unseen = `${ASLEEP}
      4.000  A renews
      5.000  - loses sight
      5.500  - sees again
      5.600  redis snapshot A×1 5000 1
      9.600  ops command PING`;
    const last = (text: string) => story(`${unseen}${text}`).findLast(({ type }) => type === 'lock.acquired');
    const again = last(`
      9.700  B attempts refused
      10.000  A releases
      10.001  B attempts acquired`);
    expect(again).toMatchObject({ holder: holderOf('B'), waitedMs: expect.closeTo(301, 1), waitedAtLeast: true });
    const atOnce = last(`
      9.700  A releases
      9.701  B attempts acquired`);
    expect(atOnce).toMatchObject({ holder: holderOf('B') });
    expect(atOnce).not.toHaveProperty('waitedMs');
  });

  test('[W7] a sleeper whose attempt may have been missed is not presumed gone: it is not known whether it waits', () => {
    const text = `${ASLEEP}
      4.000  A renews
      5.000  - loses sight
      5.500  - sees again
      5.600  redis snapshot A×1 5000 1
      9.600  ops command PING
      9.700  B attempts refused
    `;
    const events = story(text);
    expect(reported(events).slice(-2)).toEqual(['waiter.dequeued B unseen (inferred)', 'lock.refused B ttl 900']);
    expect(lockAt(events, seconds(10)).waiters).toMatchObject([{ id: holderOf('B'), isAsleep: true, isOlder: true }]);
    expect(waitsFromEvents(events)).toMatchObject([{ ended: 'unseen' }, { ended: null, isOpenStart: true }]);
  });

  test('[W7] at a level without commands, no waiter is presumed gone; once no connection listens, no waiter is known', () => {
    const interpreter = new Interpreter({ source: 'story' });
    const assembler = new StepAssembler(true);
    const lines = signalsFromStory(ASLEEP).flatMap((signal) => assembler.add(signal));
    const listening = (s: number, subscribers: number) => ({
      ...({ kind: 'bookmark', at: seconds(s) } as const),
      reads: [
        ...[{ db: 0, name: 'orders:42', type: 'hash', fields: { [holderOf('A')]: '1' }, pttl: 6000, subscribers }],
      ].map((read) => ({ ...read, hasChanged: false })),
    });
    const before = [...lines, ...assembler.settle()].flatMap((step) => interpreter.interpret(step));
    interpreter.interpret({ kind: 'watch', at: seconds(3), level: 'events', isPushFirst: true });
    const soon = [3, 5, 7].flatMap((s) => interpreter.interpret(listening(s, 1)));
    expect(soon.map(({ type }) => type)).not.toContain('waiter.dequeued');
    expect(lockAt([...before, ...soon], seconds(7)).waiters).toHaveLength(1);
    expect(reported(interpreter.interpret(listening(7.5, 0)))).toContain('waiter.dequeued B unseen (inferred)');
  });

  test('[W1] a thread that went on to another lock did not cause its client’s SUBSCRIBE', () => {
    const [A, B, B2] = [holderOf('A'), holderOf('B'), holderOf('B2')];
    const refused = (holder: string) => {
      return script('10.0.0.1:b', 'a', `30000 ${holder}`, 'exists a', `hexists a ${holder}`, 'pttl a');
    };
    const reads = ['hget other mode', 'hset other mode read', `hset other ${B} 1`, 'pexpire other 30000'];
    const events = eventsFromScripts(
      [
        script('a', 'a', `30000 ${A}`, 'exists a', `hincrby a ${A} 1`, 'pexpire a 30000'),
        refused(B),
        script('10.0.0.1:b', `other {other}:${B}:rwlock_timeout`, `30000 ${B} ${B}:write`, ...reads),
        refused(B2),
        command('10.0.0.1:b-pubsub', 'SUBSCRIBE redisson_lock__channel:{a}'),
      ],
      1,
    );
    expect(events.at(-1)).toMatchObject({ type: 'waiter.subscribed', holder: B2 });
  });

  test('[W7] a client’s only sleeper that misses its message but stays subscribed sleeps until its timer', () => {
    const missed = `
      orders:42 lease 30s
      0.000  A attempts acquired
      2.500  B attempts refused
      2.501  B subscribes
      2.502  B attempts refused
      4.000  A releases
      12.000 ops command PING
    `;
    expect(reported(story(missed))).not.toContainEqual(expect.stringContaining('waiter.dequeued'));
    expect(reported(story(`${missed}      30.200 B attempts acquired`)).at(-1)).toContain('lock.acquired B');
    const later = 'orders:42 lease 30s\n 40 ops command PING';
    expect(reported(story(missed, onTime(31), later)).at(-1)).toBe('waiter.dequeued B presumed-gone (inferred)');
    expect(reported(story(missed, later))).not.toContainEqual(expect.stringContaining('waiter.dequeued'));
  });

  test('[W8] a message kept by the client wakes its next sleeper at once', () => {
    const events = story(`
      orders:42 lease 6s
      0.000  A attempts acquired
      1.000  B attempts refused
      1.001  B subscribes
      1.002  A releases
      1.003  C attempts acquired
      1.004  B attempts refused
      1.005  B attempts refused
    `);
    expect(reported(events)).not.toContain('waiter.dequeued B gave-up (inferred)');
    expect(events.at(-1)).toMatchObject({ wokenBy: 'message' });
  });
});
