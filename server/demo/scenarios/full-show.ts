import type { Director, ScenarioScript } from '../scenario.ts';
import { holderCrash } from './holder-crash.ts';
import { twoThreads } from './two-threads.ts';

/** Pause between the two scenarios. */
const BETWEEN_MS = 1000;

/** Two scenarios, one after the other: a waiter woken by a release, and a waiter whose holder has crashed. */
export const fullShow: ScenarioScript = {
  id: 'full-show',
  title: 'The show: a release, then a crash',
  summary: 'A releases and B is woken by its message. Then A is killed, and B is woken by its own timer.',
  lock: twoThreads.lock,
  steps: [...twoThreads.steps, ...holderCrash.steps],
  async play(director) {
    await twoThreads.play(director);
    await director.pause(BETWEEN_MS);
    await holderCrash.play(afterSteps(director, twoThreads.steps.length));
  },
};

/** The director for the second scenario, which counts its steps from 1. */
function afterSteps(director: Director, before: number): Director {
  return { ...director, reached: (step) => director.reached(before + step) };
}
