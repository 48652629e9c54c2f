import { expect, test } from 'vitest';
import { seconds } from '../../../testing/stories/story.ts';
import { RELEASE, runOf, SHOW } from '../testing/runs.ts';
import { beatsFromEvents } from './beats-from-events.ts';
import { turningPoint } from './turning-point.ts';

test('for a crash, the lock page opens at the missing renewal, and without a problem it opens at now', () => {
  expect(Math.round((turningPoint(beatsFromEvents(SHOW())) ?? 0) / 1000)).toBe(seconds(15) / 1000);
  expect(turningPoint(beatsFromEvents(runOf(RELEASE)))).toBeNull();
});
