import { expect, test } from 'vitest';
import { redisTime } from '../../shared/base/time.ts';
import type { WireInsight } from '../../shared/wire/insights/insight.ts';
import { evidenceLink } from './evidence-link.ts';

const S = 1_000_000;
const FROM = 1_763_726_671 * S;
const link = (part: Partial<WireInsight>, nowS = 100) =>
  evidenceLink(
    { ...{ source: 'redis', db: 0, lock: 'a', from: FROM, to: null, events: [3, 7], values: {} }, ...part },
    redisTime(FROM + nowS * S),
  );

test('the evidence of an open problem of one lock begins 30 s before the problem, with the cursor at now', () => {
  expect(link({})).toMatchObject({
    ...{ lock: 'a', pinned: [], selected: 'e7', at: FROM + 100 * S },
    view: { from: FROM - 30 * S, to: FROM + 110 * S },
  });
});

test('if a problem has ended, its evidence ends shortly after it', () => {
  expect(link({ to: FROM + 20 * S })).toMatchObject({ at: FROM + 20 * S, view: { to: FROM + 22 * S } });
});

test('the evidence of a deadlock includes all locks of the circle, and the time in which it began', () => {
  const values = { path: [{ lockId: 'redis/0/a' }, { lockId: 'other/0/b' }] };
  expect(link({ values })).toMatchObject({
    ...{ lock: '', pinned: ['a', 'b'], at: FROM + 30 * S },
    view: { from: FROM - 30 * S, to: FROM + 30 * S },
  });
  expect(link({ values }, 4)).toMatchObject({ at: FROM + 4 * S, view: { to: FROM + 4 * S } });
});

test('the view of a problem that lasts for hours shows its beginning', () => {
  expect(link({}, 36_000)).toMatchObject({ at: FROM + 900 * S, view: { to: FROM + 900 * S } });
});

test('a problem without events has no evidence', () => {
  expect(link({ events: [] })).toBe(null);
});
