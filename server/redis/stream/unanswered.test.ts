import { expect, test } from 'vitest';
import { redisTime } from '../../../shared/base/time.ts';
import { signalFromJson } from '../../../shared/recording/parse-signal-line.ts';
import { lineFromSignal } from '../../../shared/recording/signal-line.ts';
import { PLAIN_SERVER } from '../../../testing/stories/server-story.ts';
import { seconds } from '../../../testing/stories/story.ts';
import type { Answer } from '../connection/reply.ts';
import { Heartbeat } from './heartbeat.ts';
import type { OrderedFeed } from './ordered-feed.ts';
import { Unanswered } from './unanswered.ts';

/**
 * A heartbeat whose beats are answered or refused (BUSY) when the test does that. By the clock of Redis, a beat is sent
 * `partOfMicro` µs after a whole microsecond.
 */
function beating(partOfMicro = 0) {
  let s = 0;
  let answer: (answer: Answer) => void = () => undefined;
  const clock = () => 1000 * s;
  const heart = new Heartbeat('token', false, clock());
  const feed = {
    ...{ at: seconds(0), timeOf: (ms: number) => redisTime(seconds(ms / 1000) + partOfMicro) },
    unansweredSince: (ms: number) => heart.unansweredSince(clock(), ms),
    get heardAt() {
      return heart.heardAt;
    },
  } as unknown as OrderedFeed; // the code under test uses only these parts
  const unanswered = new Unanswered();
  return {
    unanswered,
    /** Beats every 200 ms until second `to`; returns what is reported. */
    until(to: number) {
      const reports = [];
      for (; s < to; s = Math.round((s + 0.2) * 10) / 10) {
        const send = () =>
          new Promise<Answer>((done) => {
            answer = done;
          });
        heart.tick(clock(), send, clock);
        reports.push(unanswered.look(feed) ?? []);
      }
      return reports.flat();
    },
    async answer(given: Answer = 'done') {
      answer(given);
      await Promise.resolve();
      await Promise.resolve();
    },
  };
}

test('reports can be recorded, even if beats are sent between two microseconds', async () => {
  const { unanswered, until, answer } = beating(0.25);
  unanswered.with({ kind: 'server', at: seconds(0), since: null, facts: PLAIN_SERVER });
  const [began] = until(2);
  await answer();
  until(2.2);
  await answer();
  const [ended] = until(2.4);
  for (const report of [began, ended]) {
    const line = lineFromSignal(report ?? { kind: 'server', at: seconds(0), since: null });
    expect(signalFromJson(JSON.parse(line))).toEqual({ ok: true, value: report });
  }
});

test('a beat without an answer is reported after a second, with the time it was sent, until a later one is answered', async () => {
  const beats = beating();
  beats.unanswered.with({ kind: 'server', at: seconds(0), since: null, facts: PLAIN_SERVER });
  beats.until(0.2);
  await beats.answer();
  const [report, ...more] = beats.until(6);
  expect(more).toEqual([]);
  expect(report).toMatchObject({ at: seconds(0.2), facts: { role: 'master', unansweredSince: seconds(0.2) } });
  expect(report?.facts).not.toHaveProperty('unansweredUntil');
  await beats.answer('busy');
  expect(beats.until(8)).toEqual([]); // BUSY is not an answer
  await beats.answer();
  expect(beats.until(8.2)).toEqual([]);
  await beats.answer();
  expect(beats.until(8.4)).toMatchObject([
    { at: seconds(8), facts: { unansweredSince: seconds(0.2), unansweredUntil: seconds(8) } },
  ]);
  const next = beats.unanswered.with({ kind: 'server', at: seconds(9), since: seconds(7), facts: PLAIN_SERVER });
  expect(next.facts).toMatchObject({ unansweredUntil: seconds(8) });
});
