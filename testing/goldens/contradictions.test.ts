import { describe, expect, test } from 'vitest';
import { goldens } from '../traces/read-trace.ts';
import { signalsFromTrace, stepsFromSignals } from '../traces/trace-file.ts';
import { contradictionsIn } from './contradictions.ts';

/** In every trace the events must be consistent, whatever went wrong in it. */
describe.each(goldens())('$folder', ({ name, isPushFirst, trace }) => {
  test(`${name}: the events do not contradict each other`, () => {
    expect(contradictionsIn(stepsFromSignals(signalsFromTrace(trace()), isPushFirst))).toEqual([]);
  });
});
