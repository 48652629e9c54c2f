import { expect, test } from 'vitest';
import { redisTime } from '../../shared/base/time.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import type { PushSignal } from '../../shared/signals/signal.ts';
import { RememberedSteps } from './remembered-steps.ts';

function push(message: string): PushSignal {
  return { kind: 'push', at: redisTime(1), channel: 'c', message };
}

function event(seq: number): LockEvent {
  const head = { seq, at: redisTime(1), source: 'redis', db: 0, lock: 'orders:42', kind: 'lock' } as const;
  return { ...head, certainty: 'observed', type: 'wakeup.published', channel: 'c', message: '0' };
}

test('the newest events keep their lines, older ones do not', () => {
  const steps = new RememberedSteps(3);
  for (let seq = 1; seq <= 5; seq++) steps.remember(push(String(seq)), [event(seq)]);
  expect([1, 2, 3, 4, 5, 6].map((seq) => steps.linesOf(seq))).toEqual([
    undefined,
    undefined,
    ['> c 3'],
    ['> c 4'],
    ['> c 5'],
    undefined,
  ]);
});

test('events of one step share its lines', () => {
  const steps = new RememberedSteps();
  steps.remember(push('a'), [event(7), event(8)]);
  expect(steps.linesOf(8)).toEqual(steps.linesOf(7));
  expect(steps.linesOf(6)).toBeUndefined();
});
