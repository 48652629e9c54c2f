import { expect, test } from 'vitest';
import { costOfLevel, type LoadWindow } from './level-costs.ts';

/** One second: its level, the share of a core that Redis used, and its commands. */
function second(level: LoadWindow['level'], share: number | null, commands = 1000, outputBytes = 5000): LoadWindow {
  return { level, ms: 1000, cpuSeconds: share, commands, outputBytes };
}

test('the cost of a level is its difference from the mean of the windows before and after it', () => {
  const windows = [
    second(null, 0.1),
    second('monitor', 0.16, 1000, 9000),
    second(null, 0.12),
    second('monitor', 0.2),
    second(null, 0.12),
  ];
  expect(costOfLevel('monitor', windows)).toEqual({
    level: 'monitor',
    verdict: 'measured',
    cpuShare: { low: expect.closeTo(0.05, 6), high: expect.closeTo(0.08, 6) },
    noiseShare: expect.closeTo(0.02, 6),
    outputBytesPerSecond: { low: 0, high: 4000 },
    onMs: 2000,
  });
});

test.each([
  [
    'too-quiet',
    'Redis ran only 5 commands a second',
    [second(null, 0.1, 5), second('events', 0.9, 5), second(null, 0.1, 5)],
  ],
  [
    'unsteady',
    'the load of others changed meanwhile',
    [second(null, 0.1, 1000), second('events', 0.9), second(null, 0.3, 2100)],
  ],
  [
    'below-noise',
    'the windows without it differ by more',
    [second(null, 0.1), second('events', 0.16), second(null, 0.2)],
  ],
  ['no-figures', 'Redis reported no CPU time', [second(null, null), second('events', null), second(null, null)]],
  ['no-figures', 'no window had the level', [second(null, 0.1)]],
  ['measured', 'the level raised the CPU time', [second(null, 0.1), second('events', 0.9)]],
] as const)('the verdict about the cost of a level is "%s" if %s', (verdict, _, windows) => {
  expect(costOfLevel('events', windows).verdict).toBe(verdict);
});

test('the cost of a level is unknown if the window that measures it ended early', () => {
  const cut = { ...second('monitor', 0.3), ms: 250 };
  expect(costOfLevel('monitor', [second(null, 0.1), cut, second(null, 0.1)])).toMatchObject({
    cpuShare: null,
    onMs: 250,
  });
});
