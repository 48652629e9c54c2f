import { expect, test } from 'vitest';
import { denseRunsFromEvents } from '../spans/dense-runs.ts';
import { waitsFromEvents } from '../spans/waits-from-events.ts';
import { lockAt } from '../testing/lock-at.ts';
import { goldens } from '../testing/read-trace.ts';
import { eventsFromScripts, script } from '../testing/script-story.ts';
import { holderOf, seconds, story, told } from '../testing/story.ts';
import { eventsFromTrace } from '../testing/trace-file.ts';

const SPUN = `
    orders:42 lease 30s
    0.000  A attempts acquired
    0.100  A releases quietly
    1.000  A attempts acquired
`;
const POLLS = Array.from({ length: 8 }, (_, n) => `${(2 + n * 0.12).toFixed(3)}  B attempts refused`).join('\n');

test('[P1] an unlock without a channel tells that it is a spin lock', () => {
  const events = story(SPUN);
  expect(told(events)).toEqual(['lock.acquired A ×1', 'lock.learned', 'lock.released A ×0', 'lock.acquired A ×1']);
  expect(events.map(({ kind }) => kind)).toEqual(['lock', 'spin-lock', 'spin-lock', 'spin-lock']);
});

test.each([
  ['51b433c3cc9a6ca991b3aefec63d23490c246318', 'spin-lock', 'lock.force-released'],
  ['f'.repeat(40), 'lock', 'lock.deleted'],
])('[P1] [H6] a script that deletes its only key, by its hash %s: of a %s, %s', (sha, kind, type) => {
  const lines = ['exists a', `hincrby a ${holderOf('A')} 1`, 'pexpire a 30000'];
  const deletes = script('ops', 'a', '', 'del a');
  const events = eventsFromScripts([
    script('a', 'a', `30000 ${holderOf('A')}`, ...lines),
    { ...deletes, words: deletes.words.with(1, sha) },
  ]);
  expect(events.at(-1)).toMatchObject({ kind, type, by: 'ops' });
});

test('[P2] who asks again and again is one waiter that never sleeps, and one dense run', () => {
  const events = story(`${SPUN}${POLLS}`);
  expect(denseRunsFromEvents(events)).toMatchObject([{ holder: holderOf('B'), attempts: 8 }]);
  expect(lockAt(events, seconds(3)).waiters).toMatchObject([
    { id: holderOf('B'), attempts: 8, isAsleep: false, isConfirmed: true, deadline: null },
  ]);
});

test('[P2] a poll that a busy machine holds up goes on; who tries once a second does not poll', () => {
  const events = story(`${SPUN}${POLLS}
    4.000  B attempts refused
    4.120  B attempts refused
    4.900  A releases quietly
    4.960  B attempts acquired
  `);
  expect(waitsFromEvents(events)).toMatchObject([{ holder: holderOf('B'), attempts: 10, ended: 'acquired' }]);
  const tries = story(`${SPUN}2.000 B attempts refused\n3.000 B attempts refused\n4.000 B attempts refused`);
  expect(tries.flatMap((event) => (event.type === 'lock.refused' ? [event.attempt] : []))).toEqual([1, 1, 1]);
});

test('[P3] an acquisition after a poll names the release that nobody was told of', () => {
  const events = story(`${SPUN}${POLLS}
    2.900  A releases quietly
    2.960  B attempts acquired
  `);
  const release = events.findLast(({ type }) => type === 'lock.released');
  expect(events.at(-1)).toMatchObject({ type: 'lock.acquired', because: [release?.seq], waitedMs: 959.999 });
  expect(events.at(-1)).not.toHaveProperty('wokenBy');
  expect(waitsFromEvents(events)).toMatchObject([{ holder: holderOf('B'), attempts: 8, ended: 'acquired' }]);
});

test('[P4] who stops asking is presumed gone', () => {
  const events = story(`${SPUN}${POLLS}
    6.000  - command PING
  `);
  expect(told(events).at(-1)).toBe('waiter.dequeued B presumed-gone (inferred)');
});

test.each(['3.16.8', '3.27.2', '3.46.0', '4.7.0'])('[P1] %s: the real client', (version) => {
  const golden = goldens().find(({ folder, name }) => folder === `redisson-${version}` && name === 'spin');
  const events = golden ? eventsFromTrace(golden.trace(), golden.isPushFirst) : [];
  expect(events.at(-1)).toMatchObject({ kind: 'spin-lock', type: 'lock.released' });
  expect(events.filter(({ type }) => type === 'wakeup.published')).toEqual([]);
});
