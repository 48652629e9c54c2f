import { expect } from '../../stage.ts';
import { beatAt, beatsOf, eventsOf, type Show, textIn } from './show.ts';

/** Scenarios with permits and with a count. */
export const COUNTERS: readonly Show[] = [
  {
    id: 'semaphore',
    says: 'a waiter is woken when enough of the five permits are free',
    expect: async (performance) => {
      const beats = await beatsOf(performance, /all 5 are free again/);
      expect(textIn(beats)).toEqual([
        'A sets the number of permits: 5.',
        'A takes 2 permits: 3 still free.',
        'B takes 2 permits: 1 still free.',
        'C wants 2 permits. Free: 1.',
        'C subscribes, checks once more, then sleeps.',
        'A releases 2 and publishes: 3 free.',
        'C wakes, asks again, takes 2: … ms later.',
        'B releases 2 and publishes: 3 free.',
        'C releases 2: all 5 are free again.',
      ]);
      const asleep = beatAt(beats, 'C subscribes');
      expect(asleep.redis).toContain('A A B B 1 of 5 free ✉ 1 listening');
      expect(asleep.cards).toMatchObject({
        A: expect.stringContaining('has 2 permits'),
        C: expect.stringMatching(/asleep listens for permits/),
      });
      expect(beats.at(-1)?.redis).toContain('5 of 5 free');
      const free = (await eventsOf(performance.lockscope, 'pool:mail')).flatMap((event) =>
        event.type === 'permits.acquired' || event.type === 'permits.released' ? [event.available] : [],
      );
      expect(free).toEqual([3, 1, 3, 1, 3, 5]);
    },
  },
  {
    id: 'expirable-semaphore',
    says: 'a waiter takes back an expired permit',
    expect: async (performance) => {
      const beats = await beatsOf(performance, /all 2 are free again/);
      expect(textIn(beats)).toEqual([
        'A sets the number of permits: 2.',
        'A takes a permit for … s: 1 still free.',
        'B takes a permit without an end: 0 free.',
        'C wants 1 permit. Free: 0.',
        'C subscribes, checks once more, then sleeps.',
        'A’s permit expired after … s.',
        'C’s own timer woke it: its script takes that permit.',
        'A’s release is refused: its permit ended … s ago.',
        'B releases 1 and publishes: 1 free.',
        'C releases 1: all 2 are free again.',
      ]);
      expect(beatAt(beats, 'C subscribes').redis).toMatch(/A B 0 of 2 free A expires in .* B without an end/);
      expect(beatAt(beats, 'C’s own timer').redis).toMatch(/B C 0 of 2 free/);
      const events = await eventsOf(performance.lockscope, 'licence:cad');
      const [taken] = events.flatMap((event) => (event.type === 'permits.acquired' ? [event] : []));
      const late = events.find((event) => event.type === 'unlock.refused');
      const seconds = ((late?.at ?? 0) - (taken?.expiresAt ?? 0)) / 1_000_000;
      expect(beatAt(beats, 'A’s release').caption).toContain(`ended ${seconds.toFixed(1).replace(/\.0$/, '')} s ago`);
    },
  },
  {
    id: 'latch',
    says: 'three threads count down, and the waiter continues when the latch opens',
    expect: async (performance) => {
      const beats = await beatsOf(performance, /^C wakes and continues/);
      expect(textIn(beats)).toEqual([
        'C sets the latch to 3.',
        'C finds the latch closed, subscribes and sleeps.',
        'A counts down: 2 to go.',
        'B counts down: 1 to go.',
        'A counts down: 0 to go.',
        'Zero: the key is deleted. One message wakes 1 waiter.',
        'C wakes and continues, … ms later.',
      ]);
      expect(beatAt(beats, 'B counts down').redis).toMatch(/3 2 1 0 Closed: 1 to go\./);
      expect(beatAt(beats, 'A counts down: 2').cards.C).toMatch(/asleep waits for the latch/);
      expect(beats.at(-1)?.redis).toContain('Open: no client has to wait.');
      expect(beats.at(-1)?.cards.C).toContain('not using it');
      await performance.look('an open latch');
      const counts = (await eventsOf(performance.lockscope, 'boot:7')).flatMap((event) =>
        event.type === 'latch.counted-down' ? [event.count] : [],
      );
      expect(counts).toEqual([2, 1, 0]);
    },
  },
];
