import { expect, test } from 'vitest';
import { merged, reportAt, verdictAt } from '../../testing/goldens/report-from-events.ts';
import { fairStory } from '../../testing/stories/fair-story.ts';
import { listed } from '../../testing/stories/listed.ts';
import { PLAIN_SERVER, serverStory } from '../../testing/stories/server-story.ts';
import { seconds, story } from '../../testing/stories/story.ts';
import type { LockEvent } from '../events/event.ts';

/** Clients are paused from second `s` on. */
const pausedFrom = (s: number) => serverStory({}, { s, facts: { ...PLAIN_SERVER, pausedSince: seconds(s) } });
const plain = (text: string, lease = 30) => story(`orders:42 lease ${lease}s\n${text}`);

const WAITING = `
  0.000  A attempts acquired
  0.500  redis lists A B
  1.000  B attempts refused
  1.001  B subscribes
  1.002  B attempts refused`;
/** The holder renews, and the waiter asks again whenever its own timer ends. */
const ASKING = [10, 20, 30, 40, 50, 60].reduce(
  (lines, s) => `${lines}\n ${s}.000 A renews${s % 30 === 0 ? `\n ${s}.050 B attempts refused` : ''}`,
  WAITING,
);
const ENDLESS = WAITING.replace('  1.000', '  0.600  operator command PERSIST orders:42\n  1.000');
const FROZEN = '0 A attempts acquired\n 1 - lists A\n 2 A renews\n 8 - hears expired';
const UNSEEN = `${WAITING}\n 4.000 - loses sight\n 5.000 - sees again\n 5.000 redis lists A B\n 5.100 redis snapshot nothing 0 1`;
const QUEUE = '0.000 A waits 300\n 1.000 B waits 300\n 1.001 B subscribes\n 1.002 B waits 300';
const HEAD = [fairStory(`${QUEUE}\n 4.500 A unlocks\n 40.000 D tries`), listed('connected', 2.5, 'A', 'B', 'C')];

/** The events of a semaphore: a client acquires both permits, another client waits, and both permits come back. */
function permits(): LockEvent[] {
  const [grant] = plain('0.000 A attempts acquired');
  const details = [
    { s: 0, type: 'permits.acquired', holder: 'app-1', permits: 2, permitIds: ['p', 'q'], available: 0 },
    { s: 1, type: 'permits.refused', holder: 'app-2', permits: 2, available: 0 },
    { s: 1.1, type: 'waiter.subscribed', holder: 'app-2', channel: 'c', subscribers: 1 },
    { s: 2, type: 'permits.released', permits: 2, permitIds: ['p', 'q'], available: 2 },
  ];
  const { holder: _, ...about } = grant as LockEvent & { holder: string };
  return details.map(
    ({ s, ...detail }, n) =>
      ({ ...about, seq: n + 1, at: seconds(s), kind: 'expirable-semaphore', total: 2, ...detail }) as LockEvent, // each row adds the other fields
  );
}

const CASES = [
  ['renewal-overdue', plain('0.000 A attempts acquired\n 10.000 A renews'), 31, 20],
  ['threads-waited-long', plain(ASKING), 63, 60],
  ['missed-wakeup', plain(`${WAITING}\n 5.000 A releases\n 6.000 redis lists A B`), 12, 5],
  ['waiter-asleep-without-limit', plain(`${ENDLESS}\n 5.000 A releases\n 6.000 redis lists A B`), 12, 5],
  ['silent-release', plain(UNSEEN), 11, 6],
  ['permits-free-waiter-asleep', permits(), 6, 2],
  ['watchdog-starved', plain(FROZEN, 6), 9, 3],
  ['fair-head-dead', merged(...HEAD), 41, 4],
] as const;

test.each(CASES)(
  'while clients are paused, %s is not reported, unless it was reported before the pause',
  (incident, events, at, s) => {
    expect(verdictAt(incident, events, seconds(at))).toHaveLength(1);
    expect(verdictAt(incident, merged(events, pausedFrom(s)), seconds(at))).toEqual([]);
    expect(verdictAt(incident, merged(events, pausedFrom(at + 5)), seconds(at + 6))).toHaveLength(1);
  },
);

/** Redis does not answer from second `s` on; `until`: when it answers again. */
const unansweredFrom = (s: number, until?: number) => {
  const facts = { ...PLAIN_SERVER, unansweredSince: seconds(s) };
  const answers = until === undefined ? [] : [{ s: until, facts: { ...facts, unansweredUntil: seconds(until) } }];
  return serverStory({}, { s, facts }, ...answers);
};

const CIRCLE = [
  story(
    'orders:42 lease 30s\n 0 A attempts acquired\n 1 B attempts refused\n 1.001 B subscribes\n 1.002 B attempts refused',
  ),
  story(
    'stock:7 lease 30s\n 0.5 B attempts acquired\n 2 A attempts refused\n 2.001 A subscribes\n 2.002 A attempts refused',
  ),
];

test.each([
  ...CASES.filter(([incident]) => incident !== 'watchdog-starved'),
  ['abba-deadlock', merged(...CIRCLE), 5, 3],
  ['no-ttl-lock', plain('0 A attempts acquired\n 1 operator command PERSIST orders:42'), 3, 1],
] as const)(
  'while Redis does not answer, and for 3 s after, it is unknown whether %s occurs, unless it was reported before',
  (incident, events, at, s) => {
    const found = (until?: number, t: number = at) =>
      verdictAt(incident, merged(events, unansweredFrom(s, until)), seconds(t)).length;
    expect(verdictAt(incident, events, seconds(at))).toHaveLength(1);
    expect([found(), found(at - 0.1), found(at - 0.1, at + 2.8), found(at - 0.1, at + 3)]).toEqual([0, 0, 0, 1]);
    expect(verdictAt(incident, merged(events, unansweredFrom(at + 1)), seconds(at + 9))).toHaveLength(1);
    const reasons = (until: number, t: number) =>
      reportAt(merged(events, unansweredFrom(s, until)), seconds(t)).cannotTell.map(({ reason }) => reason);
    expect(reasons(at + 9, at)).toContain('unanswered');
    expect(reasons(at, at + 3)).not.toContain('unanswered');
  },
);

test('a watchdog is not blamed for a lease that ended while Redis did not answer', () => {
  const events = plain(FROZEN, 6);
  const found = (...silence: [number, number]) =>
    verdictAt('watchdog-starved', merged(events, unansweredFrom(...silence)), seconds(20));
  expect(found(3, 8)).toEqual([]);
  expect(found(0.5, 1.5)).toHaveLength(1);
});

test('a watchdog is not blamed for a lease that ended in an earlier pause of Redis', () => {
  const events = plain(FROZEN, 6);
  const found = (...times: [number, number][]) =>
    verdictAt('watchdog-starved', merged(events, ...times.map((time) => unansweredFrom(...time))), seconds(70));
  expect(found([0.5, 1.5], [60, 62])).toHaveLength(1);
  expect(found([3, 8], [60, 62])).toEqual([]);
});

test('two times without an answer count as one if Redis answered for less than 3 s between them', () => {
  const events = plain('0.000 A attempts acquired\n 10.000 A renews');
  const found = (until: number, since: number) =>
    verdictAt('renewal-overdue', merged(events, unansweredFrom(15, until), unansweredFrom(since)), seconds(40));
  expect(found(25, 32)).toHaveLength(1);
  expect(found(29, 31)).toEqual([]);
});
