import { expect, test } from 'vitest';
import { groupEvents } from '../../../testing/stories/group-story.ts';
import { beginOperation, noteAttempt } from './operation.ts';
import { OperationTracker } from './operation-tracker.ts';

test('of 20,000 operations of 200 threads, fewer than 2,500 are kept, among them all 200 open operations', () => {
  const tracker = new OperationTracker();
  const holders = new Set<string>();
  for (const [n, event] of groupEvents(
    Array.from({ length: 20_000 }, (_, n) => `${n / 100} job:${n} A:${n % 200} acquired`).join('\n'),
  ).entries()) {
    if (event.type !== 'lock.acquired') throw new Error('only acquisitions are in the story');
    const operation = beginOperation(event, event.holder);
    noteAttempt(operation, event, n < 200 ? 'held' : 'gone');
    operation.isOver = n >= 200;
    tracker.keep(event.holder, operation);
    tracker.sweep(event.at);
    holders.add(event.holder);
  }
  const kept = [...holders].flatMap((holder) => tracker.of(holder) ?? []);
  expect(kept.filter(({ isOver }) => !isOver)).toHaveLength(200);
  expect(kept.length).toBeLessThan(2_500);
});
