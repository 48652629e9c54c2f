import type { LockState } from '../../../shared/state/lock-state.ts';
import type { LockStep } from '../../../shared/state/replay/lock-replay.ts';
import type { CounterStep } from './marks.ts';

/**
 * How many permits of a semaphore were in use, or the count of a latch, over time.
 *
 *   permits   out 0 ▁▁▁▁ 2 ▄▄▄▄ 3 ▆▆▆ 1 ▂▂▂     limit 3 ─────
 *   latch     ▇▇▇▇ 3 ▆▆▆ 2 ▄▄▄▄ 1 ▂▂ 0
 *
 * Where a blind spot begins, the count becomes null until an event shows it, because a read that finds the same number
 * causes no event. `changes` are the events, each with the lock after it. `base` is the lock before the first event.
 */
export function counterStepsFrom(changes: readonly LockStep[], base?: LockState): CounterStep[] {
  const steps: CounterStep[] = [];
  if (base) addStep(steps, { at: base.changedAt, ...numbersOf(base) });
  let before = base;
  for (const { event, lock } of changes) {
    // an event that shows a number makes a new object, even of the same number
    const isShown = lock?.permits !== before?.permits || lock?.latch !== before?.latch;
    before = lock;
    if (event.type === 'blind-spot.began') {
      addStep(steps, { at: event.at, count: null, limit: steps.at(-1)?.limit ?? null, free: null });
      continue;
    }
    if (lock && isShown) addStep(steps, { at: event.at, ...numbersOf(lock) });
  }
  return steps;
}

function addStep(steps: CounterStep[], step: CounterStep): void {
  const last = steps.at(-1);
  if (last?.count === step.count && last.limit === step.limit && last.free === step.free) return;
  if (!last && step.count === null && step.free === null) return;
  steps.push(step);
}

function numbersOf({ permits, latch }: LockState): Omit<CounterStep, 'at'> {
  if (latch) return { count: latch.count, limit: null, free: null };
  if (!permits) return { count: null, limit: null, free: null };
  const { available, total } = permits;
  if (total === null) return { count: null, limit: null, free: available };
  return { count: Math.max(0, total - available), limit: total, free: null };
}

/** The highest number that the key lane must show: the largest limit or count. */
export function highestOf(steps: readonly CounterStep[]): number {
  return steps.reduce((most, { count, limit }) => Math.max(most, count ?? 0, limit ?? 0), 0);
}
