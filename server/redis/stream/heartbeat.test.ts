import { expect, test } from 'vitest';
import type { Answer } from '../connection/reply.ts';
import { Heartbeat } from './heartbeat.ts';

/** A heartbeat whose replies and lines arrive when the test lets them; `now` is the clock. */
function beating(isStreamed: boolean) {
  const completed: number[] = [];
  const heart: Heartbeat = new Heartbeat('token', isStreamed, 0, () => completed.push(heart.heardAt));
  const questions: { askedAt: number; answer: (answer: Answer) => void }[] = [];
  let now = 0;
  let readAt = 0;
  const clock = () => now;
  const tick = () =>
    heart.tick(now, () => new Promise<Answer>((answer) => questions.push({ askedAt: now, answer })), clock);
  return {
    sent: () => questions.length,
    completed: () => completed,
    /** Ticks every 200 ms until `at`. */
    until(at: number) {
      while (now < at) {
        now = Math.min(at, now + 200);
        tick();
      }
    },
    /** Moves the clock without a tick in between, as if the thread had been stopped. */
    freezeUntil(at: number) {
      now = at;
      tick();
    },
    begin: tick,
    async answer(answer: Answer = 'done') {
      readAt = now;
      questions.shift()?.answer(answer);
      await Promise.resolve();
      await Promise.resolve();
    },
    line: () => heart.seen('token', clock),
    heardAt: () => heart.heardAt,
    pulse: () => heart.pulse(now, questions[0]?.askedAt, readAt),
  };
}

test('the silence during a beat is measured from when the beat was sent', async () => {
  const heart = beating(false);
  heart.begin();
  await heart.answer();
  expect(heart.pulse()).toEqual({ answerMs: 0, lagMs: 0, silentMs: 0, busyMs: 0, behindMs: 0 });
  heart.until(1000); // the beat was sent at 200
  expect(heart.pulse()).toMatchObject({ answerMs: 800, lagMs: 800, silentMs: 800 });
  heart.until(3200);
  expect(heart.pulse()).toMatchObject({ lagMs: 3000, silentMs: 3000 });
  await heart.answer();
  expect(heart.pulse()).toMatchObject({ answerMs: 3000, lagMs: 3000, silentMs: 0 });
  heart.until(3400);
  await heart.answer();
  expect(heart.pulse()).toMatchObject({ answerMs: 0, lagMs: 0, silentMs: 0 });
});

test('heardAt is when the last complete beat was sent, and a streamed beat is complete only with its line', async () => {
  const heart = beating(true);
  heart.until(1000); // the beat was sent at 200
  await heart.answer();
  expect(heart.heardAt()).toBe(0);
  heart.line();
  expect(heart.heardAt()).toBe(200);
  const unstreamed = beating(false);
  unstreamed.until(1000);
  expect(unstreamed.heardAt()).toBe(0);
  await unstreamed.answer();
  expect(unstreamed.heardAt()).toBe(200);
});

test('a beat is reported as complete when its reply or its line arrives, and not with the next beat', async () => {
  const heart = beating(false);
  heart.until(200);
  expect(heart.completed()).toEqual([]);
  await heart.answer();
  expect(heart.completed()).toEqual([200]);
  const streamed = beating(true);
  streamed.until(200);
  await streamed.answer();
  expect(streamed.completed()).toEqual([]);
  streamed.line();
  expect(streamed.completed()).toEqual([200]);
});

test('no second beat is sent while one is under way', () => {
  const heart = beating(false);
  heart.begin();
  heart.until(10_000);
  expect(heart.sent()).toBe(1);
});

test('an answered command whose line is missing shows how far the stream is behind, and Redis is not treated as silent', async () => {
  const heart = beating(true);
  heart.begin();
  await heart.answer();
  heart.until(1600);
  expect(heart.pulse()).toMatchObject({ lagMs: 1600, behindMs: 1600, silentMs: 0 });
  heart.line();
  expect(heart.pulse()).toMatchObject({ lagMs: 1600, behindMs: 0 });
  heart.until(1800);
  await heart.answer();
  heart.line();
  expect(heart.pulse()).toMatchObject({ lagMs: 0, behindMs: 0 });
});

test('a line that arrives before its reply is not a lag', async () => {
  const heart = beating(true);
  heart.begin();
  heart.line();
  await heart.answer();
  expect(heart.pulse()).toEqual({ answerMs: 0, lagMs: 0, silentMs: 0, busyMs: 0, behindMs: 0 });
});

test('if the thread of Lockscope was stopped, Redis is not reported as silent for that time', () => {
  const heart = beating(false);
  heart.begin();
  heart.freezeUntil(10_000);
  expect(heart.pulse()).toMatchObject({ silentMs: 0, lagMs: 10_000 });
  heart.until(10_800);
  expect(heart.pulse().silentMs).toBe(800);
});

test('a beat that Redis refuses to run is sent again, and measured from the first time', async () => {
  const heart = beating(true);
  heart.begin();
  await heart.answer('busy');
  heart.until(400); // the beat was sent again at 200
  expect(heart.sent()).toBe(1);
  expect(heart.pulse()).toMatchObject({ lagMs: 400, behindMs: 0 });
  await heart.answer();
  heart.line();
  expect(heart.completed()).toEqual([0]);
});

test('from a beat that is refused with BUSY until it is answered, the pulse shows for how long Redis is busy', async () => {
  const heart = beating(false);
  heart.until(200);
  await heart.answer('busy');
  heart.until(6200);
  expect(heart.pulse().busyMs).toBe(6000);
  await heart.answer();
  expect(heart.pulse().busyMs).toBe(0);
});

test('a beat that is refused for another reason, such as LOADING, does not show a busy script', async () => {
  const heart = beating(false);
  heart.until(200);
  await heart.answer('refused');
  heart.until(6200);
  expect(heart.pulse()).toMatchObject({ busyMs: 0, lagMs: 6000 });
  expect(heart.sent()).toBe(1);
});
