import { expect, test } from 'vitest';
import { redisTime } from '../base/time.ts';
import type { LineSignal, PushSignal, Signal } from './signal.ts';
import { type Step, StepAssembler } from './step.ts';

const HEAD = line('c:1', 'EVALSHA', 'a'.repeat(40), '1', 'orders:42', '10', 'h');
const EXISTS = line(null, 'exists', 'orders:42');
const HINCRBY = line(null, 'hincrby', 'orders:42', 'h', '1');
const EXPIRED = push('expired', 'orders:42');

function line(client: string | null, ...words: string[]): LineSignal {
  return { kind: 'line', at: redisTime(1), db: 0, client, words };
}

function push(event: string, key: string): PushSignal {
  return { kind: 'push', at: redisTime(1), channel: `__keyevent@0__:${event}`, message: key };
}

/** Each step in short: the number of its lines and pushes, or `push` for one alone. */
function inShort(isPushFirst: boolean, ...signals: Signal[]): string[] {
  const assembler = new StepAssembler(isPushFirst);
  const steps: Step[] = [...signals.flatMap((signal) => assembler.add(signal)), ...assembler.settle()];
  return steps.map((step) =>
    step.kind === 'command' ? `${step.inner.length + 1} lines, ${step.pushes.length} pushes` : step.kind,
  );
}

test('line first: what ran out before a script is told behind its first line about the key', () => {
  expect(inShort(false, HEAD, EXISTS, EXPIRED, HINCRBY)).toEqual(['3 lines, 1 pushes']);
});

test.each(['expired', 'evicted'])('line first: a key used by a script is %s after it', (event) => {
  expect(inShort(false, HEAD, EXISTS, HINCRBY, push(event, 'orders:42'))).toEqual(['3 lines, 0 pushes', 'push']);
});

test('line first: the loss of another key stays with the script, whose place it does not change', () => {
  expect(inShort(false, HEAD, EXISTS, HINCRBY, push('expired', 'other'))).toEqual(['3 lines, 1 pushes']);
});

test('push first: a push behind a script and before the next one stands alone', () => {
  expect(inShort(true, HEAD, EXISTS, HINCRBY, EXPIRED, HEAD)).toEqual([
    '3 lines, 0 pushes',
    'push',
    '1 lines, 0 pushes',
  ]);
});

test('push first: a push behind a head, or between two lines of a script, is of the script', () => {
  expect(inShort(true, HEAD, EXPIRED, EXISTS, HINCRBY)).toEqual(['3 lines, 1 pushes']);
});

test.each([true, false])(
  'who is connected is heard elsewhere, and cuts no script in two (push first: %s)',
  (isPushFirst) => {
    const clients: Signal = { kind: 'clients', at: redisTime(1), clients: [] };
    expect(inShort(isPushFirst, HEAD, EXISTS, clients, HINCRBY, HEAD)).toEqual([
      '3 lines, 0 pushes',
      'clients',
      '1 lines, 0 pushes',
    ]);
    expect(inShort(isPushFirst, HEAD, EXISTS, clients)).toEqual(['2 lines, 0 pushes', 'clients']);
    expect(inShort(isPushFirst, clients, HEAD)).toEqual(['clients', '1 lines, 0 pushes']);
  },
);

test('push first: nor does it part a push from the command that caused it', () => {
  const clients: Signal = { kind: 'clients', at: redisTime(1), clients: [] };
  expect(inShort(true, EXPIRED, clients, line('c:1', 'GET', 'orders:42'))).toEqual(['1 lines, 1 pushes', 'clients']);
});
