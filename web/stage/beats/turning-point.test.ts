import { expect, test } from 'vitest';
import { seconds } from '../../../testing/stories/story.ts';
import { RELEASE, runOf, SHOW } from '../testing/runs.ts';
import { beatsFromEvents } from './beats-from-events.ts';
import { turningPoint } from './turning-point.ts';

test('the lock page opens at the missing renewal of a crash, and at now if nothing went wrong', () => {
  expect(Math.round((turningPoint(beatsFromEvents(SHOW())) ?? 0) / 1000)).toBe(seconds(15) / 1000);
  expect(turningPoint(beatsFromEvents(runOf(RELEASE)))).toBeNull();
});
