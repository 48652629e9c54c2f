import { expect, test } from 'vitest';
import { type LineHole, LineHoles } from './line-holes.ts';

const SECOND = 1_000_000;
const BEGIN = 1_795_225_613 * SECOND;

/** The holes in calls of scripts at these instants, in ms; `waitedMs`: how long a heartbeat has been under way then. */
function holesIn(lines: readonly number[], waitedMs = 10_000): LineHole[] {
  const found: LineHole[] = [];
  const holes = new LineHoles(
    (hole) => found.push(hole),
    () => waitedMs,
  );
  for (const ms of lines) {
    holes.line(BEGIN + ms * 1000);
    holes.script();
  }
  return found;
}

test('three seconds without a line are a hole, and scripts that run right after the hole show that clients waited', () => {
  const after = [3000, 3001, 3200];
  const [hole] = holesIn([0, ...after]);
  expect(hole).toEqual({ from: BEGIN, to: BEGIN + 3 * SECOND, isOfClients: true });
  expect(holesIn([2500, ...after])).toEqual([]);
});

test('a hole is not reported if no heartbeat was under way in it: Lockscope itself stood still', () => {
  expect(holesIn([0, 3000, 3001, 3200], 200)).toEqual([]);
});

test('two scripts within 400 ms after a hole do not show that clients waited', () => {
  const [hole] = holesIn([0, 3000, 3400]);
  expect(hole?.isOfClients).toBe(false);
});
