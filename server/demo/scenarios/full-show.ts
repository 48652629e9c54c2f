import type { Director, ScenarioScript } from '../scenario.ts';
import { holderCrash } from './holder-crash.ts';
import { twoThreads } from './two-threads.ts';

/** Room between the scenes. */
const BETWEEN_MS = 1000;

/** Both scenes of the show, one after the other: what wakes a waiter while all goes well, and what when it does not. */
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

/** The director of a later scene, which counts its steps from 1 again. */
function afterSteps(director: Director, before: number): Director {
  return { ...director, reached: (step) => director.reached(before + step) };
}
