import fc from 'fast-check';
import { beforeEach, vi } from 'vitest';

/*
 * Runs before each file of unit tests: the clock stands still, and fast-check draws the same values each time. The deep
 * tier sets a clock that goes on (`UNIT_CLOCK`, local time) and another seed (`SEED`).
 */

const { SEED = '1', UNIT_CLOCK } = process.env;

fc.configureGlobal({ seed: Number(SEED) | 0 });

beforeEach(() => {
  if (UNIT_CLOCK === undefined) vi.setSystemTime('2026-03-05T10:20:30.456Z');
  else vi.useFakeTimers({ toFake: ['Date'], now: new Date(UNIT_CLOCK), shouldAdvanceTime: true });
});
