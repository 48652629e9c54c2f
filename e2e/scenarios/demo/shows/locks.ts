import { expect } from '../../stage.ts';
import { beatAt, beatsOf, eventsOf, only, RELEASED, type Show, textIn, textOnceIn, wakeText } from './show.ts';

/** Scenarios with one lock that is not a plain one. */
export const LOCKS: readonly Show[] = [
  {
    id: 'fair-queue',
    says: 'three waiters queue and acquire in that order',
    isInGate: true,
    expect: async (performance) => {
      const beats = await beatsOf(performance, RELEASED);
      expect(textOnceIn(beats)).toEqual([
        'A acquires the lock. Redis grants a 6-second lease.',
        'B is refused and is first in the queue.',
        'B subscribes to a channel of its own, then sleeps.',
        'C is refused and is second in the queue.',
        'C subscribes to a channel of its own, then sleeps.',
        'A2 is refused and is third in the queue.',
        'A2 subscribes to a channel of its own, then sleeps.',
        'A releases. The message goes to B alone: it is first.',
        'B wakes, asks again, gets it: … ms later.',
        'B releases. The message goes to C alone: it is first.',
        'C wakes, asks again, gets it: … ms later.',
        'C releases. The message goes to A2 alone: it is first.',
        'A2 wakes, asks again, gets it: … ms later.',
        'Released. No thread is waiting, so none wakes.',
      ]);
      expect(beatAt(beats, 'A2 subscribes').redis).toMatch(/1\. B 2\. C 3\. A2 ✉ 3 listening/);
      expect(beatAt(beats, 'B releases').redis).toMatch(/Free\. No client holds it\. 1\. C 2\. A2/);
      expect(beatAt(beats, 'C subscribes').cards.C).toContain('second in the queue');
      expect(beats.at(-1)?.redis).toContain('Free. No client holds it.');

      const events = await eventsOf(performance.lockscope, 'invoice:9');
      expect(only(events, 'waiter.queued').map(({ position }) => position)).toEqual([1, 2, 3]);
      const messages = only(events, 'wakeup.published');
      const woken = only(events, 'lock.acquired').slice(1);
      const delays = beats
        .filter(({ caption }) => /wakes, asks/.test(caption))
        .map(({ caption }) => caption.match(/: (.*) later/)?.[1]);
      expect(delays).toEqual(woken.map(({ at }, n) => wakeText(messages[n]?.at ?? 0, at)));
    },
  },
  {
    id: 'fair-dead-head',
    says: 'no waiter acquires the free lock until the dead head’s deadline',
    expect: async (performance) => {
      const { stage, lockscope, look } = performance;
      const beats = await beatsOf(performance, RELEASED);
      const asked = beatAt(beats, 'C has asked').caption;
      expect(textIn(beats)).toEqual([
        'A acquires the lock for … seconds, without a watchdog.',
        'B is refused and is first in the queue.',
        'B subscribes to a channel of its own, then sleeps.',
        'C is refused and is second in the queue.',
        'C subscribes to a channel of its own, then sleeps.',
        'B crashes, but is still first in the queue.',
        'A releases. The message goes to B, which is dead.',
        'Free, but B is first: C asks again and again.',
        '… s after the release, B’s place expires and is removed.',
        asked,
        'Released. No thread is waiting, so none wakes.',
      ]);
      await expect(stage.stage).toContainText('In Redisson: 5 minutes longer.');
      expect(beatAt(beats, 'Free, but').redis).toMatch(
        /Free\. No client holds it\. 1\. B dead place expires in .* 2\. C/,
      );
      expect(beatAt(beats, 'B crashes').cards.B).toContain('crashed');
      expect(beatAt(beats, 'C has asked').redis).toContain('C report-job:1 ×1');
      await look('a dead head');

      const events = await eventsOf(lockscope, 'invoice:9');
      const [firstPoll, ...polls] = only(events, 'lock.refused').filter(({ reason }) => reason === 'not-head');
      const inARow = (polls.at(-1)?.attempt ?? 0) - (firstPoll?.attempt ?? 0) + 1;
      expect(asked).toBe(`C has asked ${inARow} times in a row. Now it acquires.`);
      expect(inARow).toBeGreaterThan(10);
      const evicted = only(events, 'waiter.dequeued').find(({ reason }) => reason === 'evicted');
      const released = only(events, 'lock.released')[0];
      const seconds = ((evicted?.at ?? 0) - (released?.at ?? 0)) / 1_000_000;
      expect(beatAt(beats, `${seconds.toFixed(1).replace(/\.0$/, '')} s after`).caption).toContain(
        'place expires and is removed',
      );
    },
  },
  {
    id: 'read-write',
    says: 'readers share, a writer is alone, and a downgrade wakes no waiter',
    isInGate: true,
    expect: async (performance) => {
      const beats = await beatsOf(performance, RELEASED);
      expect(textOnceIn(beats)).toEqual([
        'A acquires the lock to read. Others may read too.',
        'B reads as well: 2 readers share the lock.',
        'C wants to write and is refused: 2 readers.',
        'C subscribes, checks once more, then sleeps. No polling.',
        'A stops reading. 1 reader remains, so no waiter is woken.',
        'B, the last reader, deletes the key and publishes.',
        'C wakes, asks again, gets it: … ms later.',
        'A wants to read and is refused: C writes.',
        'A subscribes, checks once more, then sleeps. No polling.',
        'C reads too: a writer may read its own lock.',
        'C downgrades to reading. No wake-up is sent.',
        'C, the last reader, deletes the key and publishes.',
        'A wakes, asks again, gets it: … ms later.',
        'Released. No thread is waiting, so none wakes.',
      ]);
      expect(beatAt(beats, 'C wants').redis).toContain('shared by 2 readers');
      expect(beatAt(beats, 'C wakes').redis).toContain('one writer, alone');
      expect(beatAt(beats, 'C reads too').redis).toContain('one writer, which also reads');
      expect(beatAt(beats, 'C downgrades').redis).toContain('shared by 1 reader');
      expect(beatAt(beats, 'C downgrades').cards).toMatchObject({
        A: expect.stringContaining('asleep'),
        C: expect.stringContaining('reads ×1'),
      });
      const released = only(await eventsOf(performance.lockscope, 'catalog:7'), 'lock.released');
      expect(released.map(({ mode, isDowngrade }) => (isDowngrade ? 'downgrade' : mode))).toEqual([
        'read',
        'read',
        'downgrade',
        'read',
        'read',
      ]);
    },
  },
  {
    id: 'fenced',
    says: 'each hold has a higher token, and a late writer has an old one',
    expect: async (performance) => {
      const beats = await beatsOf(performance, RELEASED);
      expect(textIn(beats)).toEqual([
        'A acquires the lock. Redis grants a 6-second lease.',
        'A’s token is 1: each hold gets a higher one.',
        'Released. No thread is waiting, so none wakes.',
        'B acquires it for … s, without watchdog: token 2.',
        'B freezes: its process stops, and all its timers.',
        'C asks: busy, lease left … s.',
        'C subscribes, checks once more, then sleeps. No polling.',
        'The lease expired: Redis deletes B’s key.',
        'C gets the lock with token 3. B still has 2.',
        'B continues with token 2. The newest is 3.',
        'B’s unlock is refused. Token 2 is old: storage can reject it.',
        'Released. No thread is waiting, so none wakes.',
      ]);
      const thawed = beatAt(beats, 'B continues');
      expect(thawed.redis).toContain('token 3');
      expect(thawed.cards.B).toContain('token 2, no longer the newest');
      const events = await eventsOf(performance.lockscope, 'stock:17');
      const learned = only(events, 'lock.learned').map(({ fencingToken }) => fencingToken);
      const acquired = only(events, 'lock.acquired').map(({ fencingToken }) => fencingToken);
      expect([...learned, ...acquired].filter((token) => token !== undefined)).toEqual(['1', '2', '3']);
    },
  },
  {
    id: 'spin',
    says: 'a waiter keeps retrying, and gets no message that the lock is free',
    expect: async (performance) => {
      const beats = await beatsOf(performance, /^B deletes the key and publishes nothing/);
      const events = await eventsOf(performance.lockscope, 'cache:warm');
      const attempts = only(events, 'lock.refused').at(-1)?.attempt;
      const [, released] = only(events, 'lock.released');
      const acquired = only(events, 'lock.acquired').at(-1);
      expect(
        beats.map(({ caption }) => caption).filter((caption) => !/watchdog renews|renewal is refused/.test(caption)),
      ).toEqual([
        'A acquires the lock. Redis grants a 6-second lease.',
        'A deletes the key and publishes nothing.',
        'A acquires it again.',
        'B is refused. It does not subscribe, but asks again and again.',
        `A releases without a message. B has asked ${attempts} times.`,
        `B asks again, ${wakeText(released?.at ?? 0, acquired?.at ?? 0)} after the release: free.`,
        'B deletes the key and publishes nothing.',
      ]);
      const spinning = beatAt(beats, 'A releases');
      expect(spinning.redis).toContain('no channel, so no message');
      expect(spinning.cards.B).toContain(`has asked ${attempts} times in a row`);
      expect(only(events, 'waiter.subscribed')).toEqual([]);
    },
  },
];
