import { expect, test } from 'vitest';
import { redisTime } from '../../../shared/base/time.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import type { LineSignal, PushSignal } from '../../../shared/signals/signal.ts';
import type { CommandStep } from '../../../shared/signals/step.ts';
import { StepArchive } from './step-archive.ts';

function push(message: string): PushSignal {
  return { kind: 'push', at: redisTime(1), channel: 'c', message };
}

function event(seq: number): LockEvent {
  const head = { seq, at: redisTime(1), source: 'redis', db: 0, lock: 'orders:42', kind: 'lock' } as const;
  return { ...head, certainty: 'observed', type: 'wakeup.published', channel: 'c', message: '0' };
}

test('the newest events keep their lines, older events do not', () => {
  const steps = new StepArchive(() => undefined, 3);
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

test('if the number of events that may keep lines changes, the newest that fit keep theirs', () => {
  const steps = new StepArchive(() => undefined, 5);
  for (let seq = 1; seq <= 7; seq++) steps.remember(push(String(seq)), [event(seq)]);
  const kept = () => [1, 2, 3, 4, 5, 6, 7, 8, 9].filter((seq) => steps.linesOf(seq)?.[0] === `> c ${seq}`);
  expect(kept()).toEqual([3, 4, 5, 6, 7]);
  steps.setRoom(8);
  expect(kept()).toEqual([3, 4, 5, 6, 7]);
  steps.remember(push('8'), [event(8)]);
  steps.setRoom(2);
  expect(kept()).toEqual([7, 8]);
  steps.remember(push('9'), [event(9)]);
  expect(kept()).toEqual([8, 9]);
});

test('events of one step share its lines', () => {
  const steps = new StepArchive(() => undefined);
  steps.remember(push('a'), [event(7), event(8)]);
  expect(steps.linesOf(8)).toEqual(steps.linesOf(7));
  expect(steps.linesOf(6)).toBeUndefined();
});

test('if one read has many keys, an event shows only the read of its lock', () => {
  const steps = new StepArchive(() => undefined);
  const reads = Array.from({ length: 50 }, (_, n) => ({
    ...{ db: 0, name: `orders:${n}`, type: 'hash', fields: { '01234567-a552-4cac-b9ed-4a986a0325f9:7': `${n}` } },
    ...{ pttl: 1000 + n, hasChanged: false, subscribers: null, companions: { queue: [] } },
  }));
  steps.remember({ kind: 'bookmark', at: redisTime(1), reads }, [event(1)]);
  expect(steps.linesOf(1)).toEqual([
    'snapshot db0 "orders:42": hash {"01234567-a552-4cac-b9ed-4a986a0325f9:7":"42"}, pttl 1042, queue []',
  ]);
});

test('lines that another store keeps are fetched from there', () => {
  const line = (words: string[], place?: number): LineSignal => {
    const head = { kind: 'line', at: redisTime(1), db: 0, client: 'c:1', words } as const;
    return place === undefined ? head : { ...head, place };
  };
  const step: CommandStep = { kind: 'command', head: line([], 70), inner: [line([], 71)], pushes: [push('0')] };
  const kept = [line(['EVALSHA', 'orders:42']), line(['del', 'orders:42'])];
  let isKept = true;
  const steps = new StepArchive((place, count) => (isKept && place === 70 ? kept.slice(0, count) : undefined));
  steps.remember(step, [event(1)]);
  expect(steps.linesOf(1)?.map((shown) => shown.split('] ').at(-1))).toEqual([
    '"EVALSHA" "orders:42"',
    '"del" "orders:42"',
  ]);
  isKept = false;
  expect(steps.linesOf(1)).toBeUndefined();
});
