import { expect, test } from 'vitest';
import { seconds } from '../../../testing/stories/story.ts';
import { RELEASE, runOf, SHOW } from '../testing/runs.ts';
import { beatsFromEvents } from './beats-from-events.ts';
import { turningPoint } from './turning-point.ts';

test('the turning point of a crash is the missing renewal, and a run without a problem has none', () => {
  expect(Math.round((turningPoint(beatsFromEvents(SHOW())) ?? 0) / 1000)).toBe(seconds(15) / 1000);
  expect(turningPoint(beatsFromEvents(runOf(RELEASE)))).toBeNull();
});
