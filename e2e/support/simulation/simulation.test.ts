import { expect, test } from 'vitest';
import { runTrial } from './run-trial.ts';
import { TRIALS, trialOf } from './trials.ts';

const SEED = '1';
const OPERATIONS = 500;

test.each(TRIALS)('Lockscope reports what the simulated programs did ($name)', async (trial) => {
  const { operations, events, faults } = await runTrial(trial, SEED, OPERATIONS);
  expect(operations).toBeGreaterThanOrEqual(OPERATIONS);
  expect(events).toBeGreaterThan(OPERATIONS / 2);
  expect(faults.length > 0).toBe(trial.faults.length > 0);
});

test('the same seed gives the same run, and another seed a different one', async () => {
  const hashOf = async (seed: string) => (await runTrial(trialOf('chaos'), seed, 300)).hash;
  const first = await hashOf('2');
  expect(await hashOf('2')).toBe(first);
  expect(await hashOf('3')).not.toBe(first);
});

test('with field notifications, holders are observed, more holds are seen, and fewer keys are read', async () => {
  const byKeyEvents = await runTrial(trialOf('key-events'), '2', 300);
  const byFields = await runTrial(trialOf('fields'), '2', 300);
  expect(byKeyEvents.observed).toBe(0);
  expect(byFields.observed).toBeGreaterThan(0.8 * byFields.acquired);
  expect(byFields.acquired).toBeGreaterThan(byKeyEvents.acquired);
  expect(byFields.reads).toBeLessThan(0.8 * byKeyEvents.reads);
});
