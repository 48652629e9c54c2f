import { expect, test } from 'vitest';
import { Simulation } from './simulation.ts';

const SECONDS = 60;
/** How many timers may be started in a second, besides ticks. One of the loops runs once a second. */
const MOST_TIMERS = 4;

test('while nothing happens, a source reports its status every 5 s, and its loops rest', async () => {
  const simulation = new Simulation({ seed: '1', level: 'events', flags: 'Eghxe', sameEndMs: 120 });
  const { surroundings, lockscope } = simulation;
  let timers = 0;
  const { startTimer } = surroundings;
  surroundings.startTimer = (run, ms) => {
    timers++;
    return startTimer(run, ms);
  };
  await simulation.run(async () => {
    await simulation.untilSame(10_000);
    await simulation.wait(30_000);
    lockscope.posted.clear();
    timers = 0;
    await simulation.wait(SECONDS * 1000);
  });
  const { posted } = lockscope;
  expect([...posted.keys()].sort()).toEqual(['source', 'source-beat']);
  expect(posted.get('source')).toBeGreaterThanOrEqual(SECONDS / 5);
  expect(posted.get('source')).toBeLessThanOrEqual(SECONDS / 5 + SECONDS / 10 + 1);
  expect(posted.get('source-beat')).toBeLessThanOrEqual(SECONDS * 5 + 1);
  expect(timers).toBeLessThan(SECONDS * MOST_TIMERS);
});
