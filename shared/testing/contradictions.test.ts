import { describe, expect, test } from 'vitest';
import { contradictionsIn } from './contradictions.ts';
import { goldens } from './read-trace.ts';
import { signalsFromTrace, stepsFromSignals } from './trace-file.ts';

/** Whatever went wrong in them: what is told of it must make sense. */
describe.each(goldens())('$folder', ({ name, isPushFirst, trace }) => {
  test(`${name}: nothing that is told contradicts itself`, () => {
    expect(contradictionsIn(stepsFromSignals(signalsFromTrace(trace()), isPushFirst))).toEqual([]);
  });
});
