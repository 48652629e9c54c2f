import { describe, expect, test } from 'vitest';
import { reportAt, verdictAt } from '../../../../testing/goldens/report-from-events.ts';
import { command, eventsAt, type Sent, type SentAt, script } from '../../../../testing/stories/script-story.ts';
import { holderOf, seconds } from '../../../../testing/stories/story.ts';

const A = holderOf('A');
const APP = '10.0.0.1:1';

/** An acquisition, and an unlock whose client has the answer after `tookMs`. */
function round(n: number, atMs: number, tookMs: number): SentAt {
  const latch = `redisson_unlock_latch:{a}:${n}`;
  const unlock: Sent = script(
    ...([APP, `a redisson_lock__channel:{a} ${latch}`, `0 30000 ${A} PUBLISH 3300`] as const),
    ...[`get ${latch}`, `hexists a ${A}`, `hincrby a ${A} -1`, 'del a', 'publish redisson_lock__channel:{a} 0'],
    `set ${latch} 1 px 3300`,
  );
  return [
    { atMs, sent: script(APP, 'a', `30000 ${A}`, 'exists a', `hincrby a ${A} 1`, 'pexpire a 30000') },
    { atMs: atMs + 100, sent: unlock },
    { atMs: atMs + 100, sent: command(APP, 'WAIT 1 1000') },
    { atMs: atMs + 100 + tookMs, sent: command(APP, `DEL ${latch}`) },
  ];
}

const rounds = (...lengths: number[]) => eventsAt(lengths.flatMap((tookMs, n) => round(n, n * 2000, tookMs)));
const verdict = (events: ReturnType<typeof rounds>, s: number) => verdictAt('replica-sync-tax', events, seconds(s));

describe('replica-sync-tax', () => {
  test('fires for the third wait that reached its limit, with the lengths of the waits', () => {
    expect(verdict(rounds(1003, 1003), 5)).toEqual([]);
    expect(verdict(rounds(1003, 1010, 1004), 7)).toMatchObject([
      {
        severity: 'warning',
        confidence: 'certain',
        lockId: null,
        holders: [A],
        from: seconds(1.103),
        to: null,
        values: { times: 3, recent: 3, ended: 3, medianMs: 1004, longestMs: 1010, limitMs: 1000, replicas: 1 },
      },
    ]);
  });

  test('is only likely for waits that did not reach their limit, because the client may be slow', () => {
    expect(verdict(rounds(400, 400, 400), 7)).toMatchObject([{ confidence: 'likely', values: { ended: 0 } }]);
  });

  test('does not fire if confirmations take as long as the way to a distant replica', () => {
    expect(verdict(rounds(150, 150, 150, 150), 10)).toEqual([]);
  });

  test('has ended after 30 s without a long wait', () => {
    const events = rounds(1003, 1010, 1004);
    expect(verdict(events, 30)).toMatchObject([{ to: null }]);
    expect(verdict(events, 40)).toMatchObject([{ from: seconds(1.103), to: seconds(5.104) }]);
  });

  test('cannot know without commands', () => {
    const { cannotTell } = reportAt(rounds(1003, 1003, 1003), seconds(7), { level: 'events' });
    expect(cannotTell.filter(({ incident }) => incident === 'replica-sync-tax')).toHaveLength(1);
  });
});
