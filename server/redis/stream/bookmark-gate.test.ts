import { expect, test } from 'vitest';
import { redisTime } from '../../../shared/base/time.ts';
import type { LineSignal } from '../../../shared/signals/signal.ts';
import { BookmarkGate, MOST_HELD, type Streamed } from './bookmark-gate.ts';

function gateInto(emitted: Streamed[]): { gate: BookmarkGate; full: () => number } {
  let full = 0;
  const gate = new BookmarkGate({
    emit: (signal) => emitted.push(signal),
    onLost: () => undefined,
    onFull: () => full++,
  });
  return { gate, full: () => full };
}

function line(characters: number): LineSignal {
  return { kind: 'line', at: redisTime(1), db: 0, client: 'c:1', words: ['SET', 'a', 'x'.repeat(characters)] };
}

test('signals after a mark are held until the reply has arrived', () => {
  const emitted: Streamed[] = [];
  const { gate } = gateInto(emitted);
  gate.expect('mark', () => undefined);
  gate.pass('other');
  gate.mark('mark', redisTime(5));
  gate.pass(line(1));
  expect(emitted).toEqual(['other']);
  gate.reply('mark', () => []);
  expect(emitted).toEqual(['other', { kind: 'bookmark', at: redisTime(5), reads: [] }, line(1)]);
});

test.each<[string, Streamed, number]>([
  ['lines', line(1_000_000), MOST_HELD / 1_000_000 + 1],
  ['small lines', line(10), MOST_HELD / 256 + 1],
  ['lines without interest', 'other', MOST_HELD / 8 + 1],
])('%s are held up to a bound, which is reported once', (_, signal, most) => {
  const emitted: Streamed[] = [];
  const { gate, full } = gateInto(emitted);
  gate.hold();
  for (let n = 0; n < most + 10; n++) gate.pass(signal);
  expect(full()).toBe(1);
  gate.settle();
  expect(emitted.length).toBeLessThanOrEqual(most + 1);
  expect(emitted.length).toBeGreaterThan(0);
});

test('once the gate is empty, the same amount can be held again', () => {
  const { gate, full } = gateInto([]);
  for (let round = 0; round < 3; round++) {
    gate.hold();
    for (let n = 0; n < MOST_HELD / 1_000_000 - 2; n++) gate.pass(line(1_000_000));
    gate.settle();
  }
  expect(full()).toBe(0);
});

test('dropped signals are not emitted', () => {
  const emitted: Streamed[] = [];
  const { gate } = gateInto(emitted);
  gate.hold();
  gate.pass(line(1));
  gate.drop();
  gate.pass('other');
  expect(emitted).toEqual(['other']);
});
