import { expect, test } from 'vitest';
import { groupEvents, groupsReported } from '../../../testing/stories/group-story.ts';
import { withGroups } from '../../../testing/traces/grouped-trace.ts';
import type { LockEvent } from '../event.ts';

test('[G1] locks that one thread acquires within milliseconds and releases in one batch are a group', () => {
  const text = `
    0.000 a A:1 acquired
    0.002 b A:1 acquired
    0.004 c A:1 acquired
    9.00000 a A:1 released
    9.00007 b A:1 released
    9.00014 c A:1 released
  `;
  expect(groupsReported(text)).toEqual(['g1', 'g1', 'g1', 'g1', 'g1', 'g1 released']);
});

const TWO_TOGETHER = '0.000 a A:1 acquired\n0.002 b A:1 acquired\n9.00000 a A:1 released\n9.00007 b A:1 released';

test('[G1] the event that shows a group names the earlier events of the group', () => {
  const found = withGroups(groupEvents(TWO_TOGETHER));
  expect(found.map(({ group, groupSeqs }) => [group, groupSeqs])).toEqual([
    ...Array.from({ length: 3 }, () => ['g1', undefined]),
    ['g1', [1, 2, 3]],
  ]);
});

test('[G7] eleven locks acquired in a row by one thread are not a group if only time suggests it', () => {
  const taken = Array.from({ length: 11 }, (_, n) => `${(n / 1000).toFixed(3)} order:${n} A:1 acquired`);
  const dead = [...taken, ...Array.from({ length: 11 }, (_, n) => `30.${100 + n} order:${n} A:1 expired`)];
  const kept = [...taken, '5.000 order:0 A:1 released', '7.000 order:1 A:1 released'];
  const nested = [...taken, ...taken.map((_, n) => `1.${100 + n} order:${10 - n} A:1 released`)];
  for (const lines of [taken, dead, kept, nested, [...nested, ...nested.map((line) => line.replace(/^\d/, '8'))]]) {
    expect(new Set(groupsReported(lines.join('\n')))).toEqual(new Set(['–']));
  }
});

/** Eleven locks acquired in a row from second `from` on, and released in this order, `gapMs` apart. */
function elevenLocks(from: number, order: 'first in, first out' | 'last in, first out' | 'kept', gapMs = 1): string {
  const line = (n: number, ms: number, what: string) => `${(from + ms / 1000).toFixed(5)} order:${n} A:1 ${what}`;
  const acquired = Array.from({ length: 11 }, (_, n) => line(n, n, 'acquired'));
  const released = Array.from({ length: 11 }, (_, n) =>
    line(order === 'last in, first out' ? 10 - n : n, 500 + n * gapMs, 'released'),
  );
  return [...acquired, ...(order === 'kept' ? [] : released)].join('\n');
}

test.each([1, 20, 400])(
  '[G7] eleven plain locks released in the order of their acquisition, %d ms apart, are not a group',
  (gapMs) => {
    expect(new Set(groupsReported(elevenLocks(0, 'first in, first out', gapMs)))).toEqual(new Set(['–']));
  },
);

test('[G7] locks acquired and released twice in the same order are a group, unless a nested use contradicts it', () => {
  const twice = `${elevenLocks(0, 'first in, first out')}\n${elevenLocks(20, 'first in, first out')}`;
  expect(new Set(groupsReported(twice).slice(0, 22))).toEqual(new Set(['–']));
  expect(new Set(groupsReported(twice).slice(22, 43))).toEqual(new Set(['gn']));
  const nested = `${elevenLocks(0, 'last in, first out')}\n${elevenLocks(20, 'first in, first out')}\n${elevenLocks(40, 'first in, first out')}`;
  expect(new Set(groupsReported(nested))).toEqual(new Set(['–']));
  const keptThroughout = `${elevenLocks(0, 'kept')}\n${elevenLocks(20, 'kept')}`;
  expect(new Set(groupsReported(keptThroughout))).toEqual(new Set(['–']));
  const inBothOrders = `${TWO_IN_ORDER}\n${TWO_IN_ORDER.replace(/^./gm, '2').replace(/ ([ab]) /g, (_, name) => (name === 'a' ? ' b ' : ' a '))}`;
  const third = TWO_IN_ORDER.replace(/^./gm, '4');
  expect(new Set(groupsReported(`${inBothOrders}\n${third}`))).toEqual(new Set(['–']));
});

test('[G7] a lock that is kept while others are acquired and released one after another is not a group with them', () => {
  const kept = '0.000 kept A:1 acquired';
  const loop = Array.from({ length: 60 }, (_, n) => {
    const at = 0.001 + n * 0.002;
    return `${at.toFixed(3)} order:${n % 10} A:1 acquired\n${(at + 0.001).toFixed(3)} order:${n % 10} A:1 released`;
  });
  expect(new Set(groupsReported([kept, ...loop].join('\n')))).toEqual(new Set(['–']));
});

const TWO_IN_ORDER = '0.000 a A:1 acquired\n0.002 b A:1 acquired\n1.000 a A:1 released\n1.002 b A:1 released';

test('[G7] groups of locks with names of thousands of characters are not remembered', () => {
  const twice = `${TWO_IN_ORDER}\n${TWO_IN_ORDER.replace(/^./gm, '2')}`;
  expect(groupsReported(twice).at(-1)).toBe('g5 released');
  expect(groupsReported(twice.replace(/ a /g, ` ${'a'.repeat(5000)} `)).at(-1)).toBe('–');
});

test('[G7] locks that were a group before are a group again as soon as all of them are acquired', () => {
  const again = '20.000 a B:5 acquired\n20.002 b B:5 acquired\n29.000 b B:5 expired';
  expect(groupsReported(`${TWO_TOGETHER}\n${again}`).slice(4)).toEqual(['g5', 'g5', 'g5']);
  const other = '20.000 a B:5 acquired\n20.002 c B:5 acquired\n20.004 b B:5 acquired';
  expect(groupsReported(`${TWO_TOGETHER}\n${other}`).slice(4)).toEqual(['–', '–', '–']);
  const wrong = '29.000 b B:5 released\n31.000 a B:5 released\n40.000 a B:5 acquired\n40.002 b B:5 acquired';
  const contradicted = `${TWO_TOGETHER}\n20.000 a B:5 acquired\n20.002 b B:5 acquired\n${wrong}`;
  expect(groupsReported(contradicted).slice(4)).toEqual(['–', '–', '–', '–', '–', '–']);
});

test('[G2] a lock acquired half a second later, with another lease or by another thread is not in a group with the lock before', () => {
  expect(
    groupsReported('0.000 a A:1 acquired\n0.500 b A:1 acquired\n1.000 b A:1 released\n1.001 a A:1 released'),
  ).toEqual(['–', '–', '–', '–']);
  expect(groupsReported('0.000 a A:1 acquired\n0.002 b A:1 acquired 5000')).toEqual(['–', '–']);
  expect(groupsReported('0.000 a A:1 acquired\n0.002 b A:2 acquired')).toEqual(['–', '–']);
});

test('[G2] after a client’s very first lock, the second may follow 100 ms later; a release in order shows the group', () => {
  const begun = '0.000 a A:1 acquired\n0.100 b A:1 acquired\n0.102 c A:1 acquired';
  const inOrder = '0.30000 a A:1 released\n0.30007 b A:1 released\n0.30014 c A:1 released';
  expect(groupsReported(`${begun}\n${inOrder}`)).toEqual(['g1', 'g1', 'g1', 'g1', 'g1', 'g1 released']);
  const lastInFirstOut = '0.300 c A:1 released\n0.301 b A:1 released\n0.302 a A:1 released';
  expect(groupsReported(`${begun}\n${lastInFirstOut}`)).toEqual(['–', '–', '–', '–', '–', '–']);
  const two = '0.000 a A:1 acquired\n0.100 b A:1 acquired';
  expect(groupsReported(two)).toEqual(['–', '–']);
  const slow = `${two}\n0.180 c A:1 acquired\n0.30000 a A:1 released\n0.30007 b A:1 released\n0.30014 c A:1 released`;
  expect(groupsReported(slow)).toEqual(['g1', 'g1', 'g1', 'g1', 'g1', 'g1 released']);
  expect(groupsReported(`${two}\n0.30000 a A:1 released\n0.30007 b A:1 released`)[3]).toBe('g1 released');
  expect(groupsReported(`${two}\n0.300 b A:1 released\n0.301 a A:1 released`)).toEqual(['–', '–', '–', '–']);
  const later = '5.000 a A:2 acquired\n5.100 b A:2 acquired\n5.200 a A:2 released\n5.201 b A:2 released';
  expect(groupsReported(`${begun}\n${inOrder}\n${later}`).slice(6)).toEqual(['–', '–', '–', '–']);
});

test('[G2] once two locks are a group, the third may be acquired 80 ms later', () => {
  const text = '0.000 x A:1 acquired\n1.000 x A:1 released\n2.000 a A:1 acquired\n2.002 b A:1 acquired';
  const end = '3.00000 a A:1 released\n3.00007 b A:1 released\n3.00014 c A:1 released';
  expect(groupsReported(`${text}\n2.080 c A:1 acquired\n${end}`).slice(2, 5)).toEqual(['g3', 'g3', 'g3']);
  expect(groupsReported(`${text}\n2.200 c A:1 acquired\n${end}`).slice(2, 5)).toEqual(['g3', 'g3', '–']);
});

test('[G1] the locks of a transaction are not a multi lock', () => {
  const tx = 'd543f4a6100839141962491026c63f45';
  const text = `
    0.000 a A:1:${tx} acquired
    0.002 b A:1:${tx} acquired
    0.100 a A:1:${tx} released
    0.101 b A:1:${tx} released
  `;
  expect(groupsReported(text)).toEqual(['–', '–', '–', '–']);
});

test('[G2] 300 locks that one thread acquires in a row are not a multi lock', () => {
  const lines = Array.from({ length: 300 }, (_, n) => `${(n / 1000).toFixed(3)} l${n} A:1 acquired`);
  const reported = withGroups(groupEvents([...lines, '0.400 l0 A:1 released', '0.401 l1 A:1 released'].join('\n')));
  expect(reported.filter(({ group }) => group !== undefined)).toEqual([]);
});

test('[G1] leases of a group that differ by 2 ms count as the same if one of them was read', () => {
  const end = '1.00000 a A:1 released\n1.00007 b A:1 released';
  const [first, second, ...released] = groupEvents(
    `0.000 a A:1 acquired 30000\n0.002 b A:1 acquired 29998\n${end}`,
  ) as [LockEvent, LockEvent, ...LockEvent[]];
  const read = [first, { ...second, certainty: 'inferred' as const }, ...released];
  expect(withGroups(read).map(({ group }) => group)).toEqual(['g1', 'g1', 'g1', 'g1']);
  expect(new Set(withGroups([first, second, ...released]).map(({ group }) => group))).toEqual(new Set([undefined]));
});

test('[G2] locks of threads that block each other are not a group, also if one gives up and releases', () => {
  const text = `
    0.000 a A:1 acquired
    0.001 b B:1 acquired
    0.012 b A:1 refused
    0.013 a B:1 refused
    0.015 b A:1 sleeps
    0.016 a B:1 sleeps
    2.500 b A:1 gives-up
    2.505 a A:1 released
    2.507 a B:1 acquired
  `;
  expect(new Set(groupsReported(text))).toEqual(new Set(['–']));
});

test('[G2] locks on different servers of a cluster need the same evidence as on one server', () => {
  const taken = '0.000 1/a A:1 acquired\n0.002 2/b A:1 acquired\n0.004 3/c A:1 acquired';
  expect(groupsReported(taken)).toEqual(['–', '–', '–']);
  const end = '1.00000 1/a A:1 released\n1.00007 2/b A:1 released\n1.00014 3/c A:1 released';
  expect(groupsReported(`${taken}\n${end}`)).toEqual(['g1', 'g1', 'g1', 'g1', 'g1', 'g1 released']);
  expect(groupsReported('0.000 1/a A:1 acquired\n0.100 2/b A:1 acquired')).toEqual(['–', '–']);
  expect(groupsReported('0.000 1/a A:1 acquired\n0.011 2/b A:1 refused\n0.013 2/b A:1 sleeps')).toEqual([
    '–',
    '–',
    '–',
  ]);
});

test('[G2] locks released two seconds apart are not a group', () => {
  const text = `
    0.000 a A:1 acquired
    0.002 b A:1 acquired
    1.000 b A:1 released
    3.000 a A:1 released
  `;
  expect(groupsReported(text)).toEqual(['–', '–', '–', '–']);
});

test('[G3] if a member is unavailable, the others are rolled back', () => {
  const text = `
    0.000 d B:1 acquired
    0.002 c B:1 refused
    0.004 d B:1 released
  `;
  expect(groupsReported(text)).toEqual(['g1', 'g1', 'g1 roll-back rolled-back']);
  const slow = text.replace('0.002', '0.009').replace('0.004', '0.016');
  expect(groupsReported(slow)).toEqual(['g1', 'g1', 'g1 roll-back rolled-back']);
});

test('[G3] after a roll-back a second round may acquire all members', () => {
  const text = `
    0.000 a B:1 acquired
    0.002 b B:1 refused
    0.004 b B:1 sleeps
    3.000 b B:1 gives-up
    3.002 a B:1 released
    3.004 a B:1 acquired
    3.006 b B:1 acquired
    4.000 a B:1 released
    4.001 b B:1 released
  `;
  expect(groupsReported(text)).toEqual([
    ...['g1', 'g1', 'g1', 'g1', 'g1 roll-back rolled-back'],
    ...['g1 round 2', 'g1 round 2', 'g1 round 2', 'g1 released round 2'],
  ]);
});

test('[G3] on a slow machine only the second round shows that two locks are a group', () => {
  const text = `
    0.000 a B:1 acquired
    0.012 b B:1 refused
    0.020 b B:1 sleeps
    3.000 b B:1 gives-up
    3.005 a B:1 released
    3.009 a B:1 acquired
    3.020 b B:1 refused
  `;
  expect(groupsReported(text)).toEqual(['g1', 'g1', 'g1', 'g1', 'g1', 'g1 round 2', 'g1 round 2']);
});

test('[G4] a lease set by a plain command after the acquisitions belongs to the group', () => {
  const text = `
    0.000 a A:1 acquired 2000
    0.002 b A:1 acquired 2000
    0.004 a -:- lease-set 3000
    0.006 b -:- lease-set 3000
    5.000 b -:- lease-set 9000
  `;
  expect(groupsReported(text)).toEqual(['g1', 'g1', 'g1 fix-up', 'g1 fix-up', '–']);
});

test('[G1] a group whose last lock expires is lost', () => {
  const text = `
    0.000 a A:1 acquired 800
    0.002 b A:1 acquired 800
    0.800 a A:1 expired
    0.802 b A:1 expired
  `;
  const later = text.replace(/0\./g, '20.');
  expect(groupsReported(`${TWO_TOGETHER}${later}`).slice(4)).toEqual(['g5', 'g5', 'g5', 'g5 lost']);
});

test('[G2] 20,000 locks of one thread, one after the other, are not a group', () => {
  const lines = Array.from({ length: 20_000 }, (_, n) => `${n / 10} lock-${n} A:1 acquired`).join('\n');
  expect(withGroups(groupEvents(lines)).some(({ group }) => group !== undefined)).toBe(false);
});

test('[G1] a group is known at its release, although 50 threads acquired and released 3,000 locks meanwhile', () => {
  const otherLocks = Array.from({ length: 6000 }, (_, n) => {
    const [at, what] = [(1 + n / 1000).toFixed(3), n % 2 === 0 ? 'acquired' : 'released'];
    return `${at} job:${Math.floor(n / 2)} B:${Math.floor(n / 2) % 50} ${what}`;
  });
  const [a, b, ...end] = TWO_TOGETHER.split('\n');
  const reported = groupsReported([a, b, ...otherLocks, ...end].join('\n'));
  expect(reported.filter((each) => each !== '–')).toEqual(['g1', 'g1', 'g1', 'g1 released']);
});
