import { expect, test } from 'vitest';
import { type LineHole, LineHoles } from './line-holes.ts';

const SECOND = 1_000_000;
const BEGIN = 1_795_225_613 * SECOND;

/** The holes in lines that arrive at these instants, in ms; `waitedMs`: how long a heartbeat has been under way then. */
function holesIn(lines: readonly [ms: number, origin: string][], waitedMs = 10_000): LineHole[] {
  const found: LineHole[] = [];
  const holes = new LineHoles(
    (hole) => found.push(hole),
    () => waitedMs,
  );
  for (const [ms, origin] of lines) {
    const at = BEGIN + ms * 1000;
    const time = `${Math.floor(at / SECOND)}.${String(at % SECOND).padStart(6, '0')}`;
    const bytes = Buffer.from(`xx${time} [0 ${origin}] "EVALSHA" "x"`);
    holes.line(bytes, 2);
    if (origin !== 'lua') holes.script();
  }
  return found;
}

const CLIENT = '127.0.0.1:5000';

test('a second without a line is a hole, and scripts that run at once after it show that clients waited', () => {
  const after: [number, string][] = [
    [3000, CLIENT],
    [3001, CLIENT],
    [3200, CLIENT],
  ];
  const [hole] = holesIn([[0, CLIENT], ...after]);
  expect(hole).toEqual({ from: BEGIN, to: BEGIN + 3 * SECOND, isOfClients: true });
  expect(holesIn([[2500, CLIENT], ...after])).toEqual([]);
});

test('the commands of a script do not fill a hole', () => {
  const [hole] = holesIn([
    [0, CLIENT],
    [900, 'lua'],
    [1800, 'lua'],
    [2700, CLIENT],
    [2900, CLIENT],
  ]);
  expect(hole).toMatchObject({ from: BEGIN, to: BEGIN + 2.7 * SECOND });
});

test('a hole without a heartbeat under way is our own', () => {
  const lines: [number, string][] = [
    [0, CLIENT],
    [3000, CLIENT],
    [3001, CLIENT],
    [3200, CLIENT],
  ];
  expect(holesIn(lines, 200)).toEqual([]);
});

test('quiet lines after a hole do not show that clients waited', () => {
  const [hole] = holesIn([
    [0, CLIENT],
    [3000, CLIENT],
    [3400, CLIENT],
  ]);
  expect(hole?.isOfClients).toBe(false);
});
