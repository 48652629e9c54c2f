import { expect, test } from 'vitest';
import type { WireInsight } from '../../../shared/wire/insights/insight.ts';
import { isPressing, readAgainMs } from './insights.ts';

const NONE: ReadonlySet<string> = new Set();
const insight = (part: Partial<WireInsight>) =>
  ({ id: 'x', severity: 'critical', effect: 'stuck', to: null, ...part }) as WireInsight; // the code under test reads only these fields

test('an open problem needs attention, but a hint or an ended problem does not', () => {
  expect(isPressing(insight({}), NONE)).toBe(true);
  expect(isPressing(insight({ severity: 'hint' }), NONE)).toBe(false);
  expect(isPressing(insight({ to: 5 }), NONE)).toBe(false);
});

test('a problem that lost a lock needs attention even after its end, until it is dismissed', () => {
  const lost = insight({ effect: 'lost', to: 5 });
  expect(isPressing(lost, NONE)).toBe(true);
  expect(isPressing(lost, new Set(['x']))).toBe(false);
  expect(isPressing(insight({ effect: 'lost' }), new Set(['x']))).toBe(true);
});

test('without a problem or a temporary limit, problems are read again less often', () => {
  const unknown = (reason: 'level' | 'unwatched') =>
    ({ incident: 'x', effect: 'stuck', source: 'redis', reason, locks: 0 }) as const;
  const soon = readAgainMs(undefined);
  expect(readAgainMs({ insights: [insight({})], cannotTell: [] })).toBe(soon);
  expect(readAgainMs({ insights: [], cannotTell: [unknown('level'), unknown('unwatched')] })).toBe(soon);
  expect(readAgainMs({ insights: [], cannotTell: [unknown('level')] })).toBeGreaterThan(soon);
});
