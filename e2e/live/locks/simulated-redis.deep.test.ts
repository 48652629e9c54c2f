import { expect, test } from 'vitest';
import { endsAfterEach } from '../../support/random/ends-after-each.ts';
import { seedOfRun } from '../../support/random/seeded.ts';
import {
  differenceOf,
  entriesOf,
  isSameValue,
  withEarlyExpiries,
} from '../../support/simulation/same/compare-traces.ts';
import { runSequence } from '../../support/simulation/same/sequence.ts';
import { modelRedis, realRedis } from '../../support/simulation/same/tried-redis.ts';

const CALLS = 3000;
const seed = seedOfRun();
const keep = endsAfterEach();

test('one random sequence of calls has the same replies, lines and key events on a real Redis as on the simulated one', {
  timeout: 120_000,
}, async () => {
  console.log(`the model beside Redis: SEED=${seed}`);
  const real = keep(await realRedis(), (redis) => redis.end());
  const model = modelRedis();
  const [realRun, modelRun] = [await runSequence(real, seed, CALLS), await runSequence(model, seed, CALLS)];
  const firstOther = realRun.replies.findIndex((reply, n) => !isSameValue(reply, modelRun.replies[n]));
  const [ofReal, ofModel] = [entriesOf(await real.trace()), entriesOf(await model.trace())].map(withEarlyExpiries);
  expect(differenceOf(ofReal?.entries ?? [], ofModel?.entries ?? []), `SEED=${seed}`).toBeUndefined();
  expect(firstOther, `SEED=${seed}: ${realRun.replies[firstOther]} and ${modelRun.replies[firstOther]}`).toBe(-1);
  expect(ofReal?.entries.length).toBeGreaterThan(CALLS * 5);
  // Redis itself finds some expired keys before a script does, but a script finds most of them.
  expect(Math.abs((ofReal?.moved ?? 0) - (ofModel?.moved ?? 0))).toBeLessThan(realRun.expiries / 4);
});
