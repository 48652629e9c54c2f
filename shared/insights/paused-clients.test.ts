import { expect, test } from 'vitest';
import { merged, verdictAt } from '../../testing/goldens/report-from-events.ts';
import { PLAIN_SERVER, serverStory } from '../../testing/stories/server-story.ts';
import { seconds, story } from '../../testing/stories/story.ts';

/** Clients are paused from a second on. */
const pausedFrom = (s: number) => serverStory({}, { s, facts: { ...PLAIN_SERVER, pausedSince: seconds(s) } });

const WAITING = `
  0.000  A attempts acquired
  0.500  redis lists A B
  1.000  B attempts refused
  1.001  B subscribes
  1.002  B attempts refused`;

test.each([
  ['renewal-overdue', '0.000 A attempts acquired\n 10.000 A renews', 31, 20],
  ['threads-waited-long', WAITING, 63, 60],
  ['missed-wakeup', `${WAITING}\n 5.000 A releases\n 6.000 redis lists A B`, 12, 5],
] as const)('while clients are paused, %s blames no lock; one from before the pause stays', (incident, text, at, s) => {
  const events = story(`orders:42 lease 30s\n${text}`);
  expect(verdictAt(incident, events, seconds(at))).toHaveLength(1);
  expect(verdictAt(incident, merged(events, pausedFrom(s)), seconds(at))).toEqual([]);
  expect(verdictAt(incident, merged(events, pausedFrom(at + 5)), seconds(at + 6))).toHaveLength(1);
});
