import { expect, test } from 'vitest';
import { redisTime } from '../base/time.ts';
import type { LineSignal, PushSignal, Signal } from './signal.ts';
import type { Step } from './step.ts';
import { LINE_LOST, MOST_OF_SCRIPT, StepAssembler, TOO_LONG } from './step-assembler.ts';

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

/** A short form of each step: its numbers of lines and pushes, or its kind if it is not a command. */
function inShort(isPushFirst: boolean, ...signals: Signal[]): string[] {
  const assembler = new StepAssembler(isPushFirst);
  const steps: Step[] = [...signals.flatMap((signal) => assembler.add(signal)), ...assembler.settle()];
  return steps.map((step) =>
    step.kind === 'command' ? `${step.inner.length + 1} lines, ${step.pushes.length} pushes` : step.kind,
  );
}

test('if lines arrive before pushes, an expiry after the first line about its key belongs to the script, which found the key gone', () => {
  expect(inShort(false, HEAD, EXISTS, EXPIRED, HINCRBY)).toEqual(['3 lines, 1 pushes']);
});

test.each(['expired', 'evicted'])(
  'if lines arrive before pushes, the push `%s` about a key that the script used is a step after the script',
  (event) => {
    expect(inShort(false, HEAD, EXISTS, HINCRBY, push(event, 'orders:42'))).toEqual(['3 lines, 0 pushes', 'push']);
  },
);

test('if lines arrive before pushes, the expiry of a key that the script did not use belongs to the script', () => {
  expect(inShort(false, HEAD, EXISTS, HINCRBY, push('expired', 'other'))).toEqual(['3 lines, 1 pushes']);
});

test('if pushes arrive before lines, a push between two scripts is a step of its own', () => {
  expect(inShort(true, HEAD, EXISTS, HINCRBY, EXPIRED, HEAD)).toEqual([
    '3 lines, 0 pushes',
    'push',
    '1 lines, 0 pushes',
  ]);
});

test('if pushes arrive before lines, a push after the head of a script belongs to the script', () => {
  expect(inShort(true, HEAD, EXPIRED, EXISTS, HINCRBY)).toEqual(['3 lines, 1 pushes']);
});

test.each([true, false])('a client list does not split a script (pushes before lines: %s)', (isPushFirst) => {
  const clients: Signal = { kind: 'clients', at: redisTime(1), clients: [] };
  expect(inShort(isPushFirst, HEAD, EXISTS, clients, HINCRBY, HEAD)).toEqual([
    '3 lines, 0 pushes',
    'clients',
    '1 lines, 0 pushes',
  ]);
  expect(inShort(isPushFirst, HEAD, EXISTS, clients)).toEqual(['2 lines, 0 pushes', 'clients']);
  expect(inShort(isPushFirst, clients, HEAD)).toEqual(['clients', '1 lines, 0 pushes']);
});

test('if pushes arrive before lines, a client list does not separate a push from its command', () => {
  const clients: Signal = { kind: 'clients', at: redisTime(1), clients: [] };
  expect(inShort(true, EXPIRED, clients, line('c:1', 'GET', 'orders:42'))).toEqual(['1 lines, 1 pushes', 'clients']);
});

test('while a script goes on, the ten newest reports of the server and every one of 30 notes are held back', () => {
  const about = { insight: 'i', db: 0, lock: 'orders:42', author: null, isAcknowledged: false };
  const notes = Array.from({ length: 30 }, (_, n): Signal => {
    return { kind: 'note', at: redisTime(n), text: `note ${n}`, ...about };
  });
  const reports = Array.from({ length: 20 }, (_, n): Signal => ({ kind: 'server', at: redisTime(n) }) as Signal);
  const assembler = new StepAssembler(true);
  for (const signal of [HEAD, ...notes.slice(0, 1), ...reports, ...notes.slice(1)]) {
    expect(assembler.add(signal)).toEqual([]);
  }
  const [, ...held] = assembler.settle();
  expect(held).toEqual([...notes.slice(0, 1), ...reports.slice(10), ...notes.slice(1)]);
});

const LONG_WORD = 'x'.repeat(1_000_000);
const TOO_MANY = MOST_OF_SCRIPT.signals + 10;
const { head, began, ended, other } = {
  head: { ...HEAD, at: redisTime(5) },
  began: { kind: 'blind-spot', at: redisTime(5), phase: 'began', reason: TOO_LONG },
  ended: { kind: 'blind-spot', at: redisTime(1), phase: 'ended', reason: 'watching-again' },
  other: line('c:2', 'GET', 'a'),
} as const;

test.each<[string, boolean, Signal, number]>([
  ['lines', true, HINCRBY, TOO_MANY],
  ['lines', false, HINCRBY, TOO_MANY],
  ['pushes', true, push('expired', 'other'), TOO_MANY],
  ['pushes', false, push('expired', 'other'), TOO_MANY],
  ['long lines', true, line(null, 'set', 'a', LONG_WORD), 20],
  ['long pushes', true, push('expired', LONG_WORD), 20],
])(
  'a script with too many %s is a blind spot from its head to its last line (pushes before lines: %s)',
  (_, isPushFirst, signal, n) => {
    const assembler = new StepAssembler(isPushFirst);
    const steps: Step[] = [...assembler.add(head)];
    for (let count = 0; count < n; count++) steps.push(...assembler.add(signal));
    steps.push(...assembler.add(EXISTS), ...assembler.add(EXISTS));
    expect(steps).toEqual([began]);
    steps.push(...assembler.add(other), ...assembler.settle());
    expect(steps).toEqual([began, ended, { kind: 'command', head: other, inner: [], pushes: [] }]);
    expect(assembler.isOpen).toBe(false);
  },
);

test('a script after a dropped one is complete', () => {
  const assembler = new StepAssembler(true);
  assembler.add(head);
  for (let count = 0; count < TOO_MANY; count++) assembler.add(HINCRBY);
  const steps = [HEAD, EXISTS, HINCRBY].flatMap((signal) => assembler.add(signal));
  expect([...steps, ...assembler.settle()]).toEqual([
    ended,
    { kind: 'command', head: HEAD, inner: [EXISTS, HINCRBY], pushes: [] },
  ]);
});

test('if pushes arrive before lines, pushes without a command are returned before there are too many', () => {
  const assembler = new StepAssembler(true);
  let passed = 0;
  for (let count = 0; count < TOO_MANY * 2; count++) passed += assembler.add(EXPIRED).length;
  expect(passed).toBeGreaterThanOrEqual(MOST_OF_SCRIPT.signals);
  expect(passed + assembler.settle().length).toBe(TOO_MANY * 2);
});

test('if lines arrive before pushes, pushes of a plain command are returned before there are too many', () => {
  const assembler = new StepAssembler(false);
  const steps: Step[] = [...assembler.add(other)];
  for (let count = 0; count < TOO_MANY; count++) steps.push(...assembler.add(EXPIRED));
  steps.push(...assembler.settle());
  expect(steps.map(({ kind }) => kind).filter((kind) => kind === 'blind-spot')).toEqual([]);
  expect(steps.flatMap((step) => (step.kind === 'command' ? step.pushes : step))).toHaveLength(TOO_MANY);
});

test('a line lost inside a script drops the script; a line lost elsewhere drops the script lines after it', () => {
  const lost = { kind: 'blind-spot', phase: 'began', reason: LINE_LOST } as const;
  const assembler = new StepAssembler(true);
  const inside = [HEAD, EXISTS].flatMap((signal) => assembler.add(signal));
  expect([...inside, ...assembler.addLost(redisTime(2)), ...assembler.add(HINCRBY)]).toEqual([
    { ...lost, at: redisTime(1) },
  ]);
  expect(assembler.add(other)).toEqual([ended, { kind: 'command', head: other, inner: [], pushes: [] }]);
  const after = [...assembler.addLost(redisTime(3)), ...assembler.add(EXISTS), ...assembler.add(HEAD)];
  expect(after).toEqual([{ ...lost, at: redisTime(3) }, ended]);
});

test.each([true, false])(
  '[S7] at the end of the stream, an open script is dropped (pushes before lines: %s)',
  (isPushFirst) => {
    const assembler = new StepAssembler(isPushFirst);
    const before = [other, HEAD, EXISTS, EXPIRED].flatMap((signal) => assembler.add(signal));
    expect(before).toEqual([{ kind: 'command', head: other, inner: [], pushes: [] }]);
    expect(assembler.end()).toEqual({ steps: [], unseenFrom: HEAD.at });
    expect(assembler.isOpen).toBe(false);
  },
);

test('[S7] at the end of the stream, a plain command and pushes are complete', () => {
  const lineFirst = new StepAssembler(false);
  lineFirst.add(other);
  expect(lineFirst.end()).toEqual({
    steps: [{ kind: 'command', head: other, inner: [], pushes: [] }],
    unseenFrom: undefined,
  });
  const pushFirst = new StepAssembler(true);
  pushFirst.add(EXPIRED);
  expect(pushFirst.end()).toEqual({ steps: [EXPIRED], unseenFrom: undefined });
});

test('[S7] a blind spot within a script that was dropped ends before the stream does', () => {
  const assembler = new StepAssembler(true);
  for (const signal of [HEAD, EXISTS]) assembler.add(signal);
  assembler.addLost(redisTime(2));
  assembler.add(HINCRBY);
  expect(assembler.end()).toEqual({ steps: [ended], unseenFrom: undefined });
});
