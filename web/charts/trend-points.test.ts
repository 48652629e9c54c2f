import { expect, test } from 'vitest';
import { pointsOf, type TrendRow } from './trend-points.ts';

const ROW: TrendRow = {
  ...{ at: 0, waiters: 2, waitP95Ms: null, handoversPerSecond: 0 },
  ...{ oldestWaitMs: 1500, oldestIsAtLeast: false, sight: 'watched', seesWaits: true },
};
const oldest = (row: Partial<TrendRow>) => pointsOf([{ ...ROW, ...row }], 'oldestWaitMs')[0];

test('the oldest wait has no point while there is no wait', () => {
  expect(oldest({})).toMatchObject({ value: 1500, sight: 'watched', isAtLeast: false });
  expect(oldest({ oldestIsAtLeast: true })).toMatchObject({ value: 1500, isAtLeast: true });
  expect(oldest({ oldestWaitMs: 0 })).toMatchObject({ value: null, sight: 'watched' });
});

test('an unknown oldest wait is not drawn as no wait', () => {
  expect(oldest({ oldestWaitMs: null, sight: 'partly' })).toMatchObject({ value: null, sight: 'unwatched' });
  expect(oldest({ oldestWaitMs: null, seesWaits: false })).toMatchObject({ value: null, sight: 'hidden' });
  expect(pointsOf([{ ...ROW, oldestWaitMs: null, sight: 'partly' }], 'waiters')[0]).toMatchObject({
    value: 2,
    sight: 'partly',
  });
});
