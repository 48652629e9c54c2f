import { expect, test } from 'vitest';
import { merged, reportAt, verdictAt } from '../../../../testing/goldens/report-from-events.ts';
import { command, eventsAt, type SentAt, script } from '../../../../testing/stories/script-story.ts';
import { seconds, story } from '../../../../testing/stories/story.ts';
import { reportBodyFrom } from '../../../wire/insights/insights-from-report.ts';

const CHANNEL = 'redisson_countdownlatch__channel__{boot}';
const set = (atMs: number) => ({
  atMs,
  sent: script('a:1', `boot ${CHANNEL}`, '1 2 PUBLISH', 'exists boot', 'set boot 2', `PUBLISH ${CHANNEL} 1`),
});
const countDown = (atMs: number, ...last: string[]) => ({
  atMs,
  sent: script('a:1', `boot ${CHANNEL}`, '0 PUBLISH', 'decr boot', ...last),
});
const waits = (atMs: number) => ({ atMs, sent: command('b:1', `SUBSCRIBE ${CHANNEL}`) });
const at = (atMs: number, text: string) => ({ atMs, sent: command('ops:1', text) });

const verdict = (sent: SentAt, when: number) => verdictAt('silent-release', eventsAt(sent), seconds(when));

test('silent-release fires for a thread that waits for a latch whose key was deleted or flushed without a message', () => {
  const deleted = [set(0), waits(1000), countDown(1500), at(2000, 'DEL boot')];
  expect(verdict(deleted, 3)).toEqual([]);
  expect(verdict(deleted, 4.1)).toMatchObject([
    {
      ...{ severity: 'warning', confidence: 'likely', from: seconds(2), selfHealsAt: null },
      values: { by: 'deleted', asleep: 1, until: null, channel: CHANNEL, isLatch: true },
    },
  ]);
  expect(verdict([set(0), waits(1000), at(2000, 'FLUSHALL')], 4.1)).toMatchObject([{ values: { by: 'flushed' } }]);
});

test('silent-release fires for a latch that delete() removed, unless a message other than 1 followed', () => {
  const own = { atMs: 2000, sent: script('a:2', `boot ${CHANNEL}`, '1 PUBLISH', 'del boot', `PUBLISH ${CHANNEL} 1`) };
  const deleted = [set(0), waits(1000), own];
  expect(verdict(deleted, 3)).toEqual([]);
  expect(verdict(deleted, 4.1)).toMatchObject([{ from: seconds(2), values: { by: 'deleted', asleep: 1 } }]);
  const woken = (message: string) => [...deleted, at(3000, `PUBLISH ${CHANNEL} ${message}`)];
  expect(verdict(woken('1'), 9)).toHaveLength(1);
  expect(verdict(woken('0'), 9)).toEqual([]);
  expect(verdict(woken('open'), 9)).toEqual([]);
});

test('silent-release does not fire if the latch opened or is set again, if no thread waits, or if a message 0 followed', () => {
  const opened = countDown(2000, 'del boot', `PUBLISH ${CHANNEL} 0`);
  expect(verdict([set(0), countDown(500), waits(1000), opened], 9)).toEqual([]);
  expect(verdict([set(0), at(2000, 'DEL boot')], 9)).toEqual([]);
  expect(verdict([set(0), waits(1000), at(2000, 'DEL boot'), set(2500)], 9)).toEqual([]);
  const left = at(3000, `PUBLISH ${CHANNEL} 0`);
  expect(verdict([set(0), waits(1000), at(2000, 'DEL boot'), left], 9)).toEqual([]);
});

test('silent-release cannot know whether a waiter of a lost latch was woken in a blind spot', () => {
  const blind = story('orders:42 lease 6s\n 2.500 - loses sight\n 2.800 - sees again');
  const verdictAfter = (sent: SentAt) => verdictAt('silent-release', merged(eventsAt(sent), blind), seconds(9));
  const deleted = [set(0), waits(1000), at(2000, 'DEL boot')];
  expect(verdictAfter(deleted)).toBe('cannot know: blind-spot');
  expect(verdictAfter([...deleted, at(3000, `PUBLISH ${CHANNEL} 0`)])).toEqual([]);
  expect(verdictAfter([set(0), at(2000, 'DEL boot')])).toEqual([]);
});

/** `delete()` of a latch publishes 1, as setting its count does. Redisson wakes waiters of a latch only by 0. */
test('the texts about a latch without its key do not claim that delete() wakes waiters', () => {
  const events = eventsAt([set(0), waits(1000), countDown(1500), at(2000, 'DEL boot')]);
  const { insights } = reportBodyFrom(reportAt(events, seconds(4.1), { level: 'monitor' }));
  const [latch] = insights.filter(({ incident }) => incident === 'silent-release');
  expect(latch?.explanation).toContain(
    'Only the last count-down sends the message that wakes waiters, so b:1 sleeps on.',
  );
  expect(latch?.later).toBe('Let a latch end by its count-downs. The message of its delete() does not wake waiters.');
});
