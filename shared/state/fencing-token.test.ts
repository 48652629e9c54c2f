import { expect, test } from 'vitest';
import { lockAt } from '../../testing/stories/lock-at.ts';
import { seconds, signalsFromStory } from '../../testing/stories/story.ts';
import { goldens } from '../../testing/traces/read-trace.ts';
import { signalsFromTrace, stepsFromSignals } from '../../testing/traces/trace-file.ts';
import type { LockEvent } from '../events/event.ts';
import { Interpreter } from '../events/interpreter.ts';
import type { BookmarkSignal } from '../signals/signal.ts';

const traces = goldens().filter(({ name }) => name === 'fenced');

/** A read of a lock: its holder, if it has one, and the value of its counter. */
function read(at: number, name: string, token: readonly string[], holder?: string): BookmarkSignal {
  const companions = { 'fencing-token': token };
  const isHeld = holder !== undefined;
  const content = isHeld
    ? { type: 'hash', fields: { [holder]: '1' }, pttl: 5000 }
    : { type: 'none', fields: {}, pttl: -2 };
  const read = { db: 0, name, hasChanged: false, subscribers: null, companions, ...content };
  return { kind: 'bookmark', at: seconds(at), reads: [read] };
}

/** The tokens that the clients of a trace received, in order: `< token fenced ledger = 2`. */
function tokensIn(truth: readonly string[]): string[] {
  return truth.flatMap((line) => /< token .* = (\d+)$/.exec(line)?.[1] ?? []);
}

function tokenOf(event: LockEvent): string | undefined {
  return 'fencingToken' in event ? event.fencingToken : undefined;
}

test('there are three traces of fenced locks', () => {
  expect(traces.length).toBe(3);
});

test.each(traces)(
  '[N1] $folder: after one read, tokens are counted from 1, and the clients received 2 and 3',
  ({ trace, truth }) => {
    const interpreter = new Interpreter({ source: 'trace' });
    interpreter.keys.take(0, 'ledger', 'fenced-lock', 0);
    // there was no counter before the first attempt
    interpreter.interpret({ ...read(0, 'ledger', []), at: signalsFromTrace(trace())[0]?.at ?? seconds(0) });
    const steps = stepsFromSignals(signalsFromTrace(trace()), true);
    const events = steps.flatMap((step) => interpreter.interpret(step));
    const reported = events.flatMap((event) => tokenOf(event) ?? []);
    expect(reported).toEqual(['1', '2', '3']);
    expect(tokensIn(truth())).toEqual(['2', '3']);
  },
);

test.each(traces)('[N1] $folder: without a read, no fencing token is reported', ({ trace }) => {
  const interpreter = new Interpreter({ source: 'trace' });
  const doubts: string[] = [];
  interpreter.onDoubt = ({ name }) => doubts.push(name);
  const events = stepsFromSignals(signalsFromTrace(trace()), true).flatMap((step) => interpreter.interpret(step));
  expect(events.some((event) => tokenOf(event) !== undefined)).toBe(false);
  expect(doubts).toContain('ledger');
});

test('[N2] [V2] a read that finds a counter makes the lock a fenced lock and reports the token of its hold', () => {
  const interpreter = new Interpreter({ source: 'story' });
  const acquired = signalsFromStory('orders:42 lease 6s\n0.000 A attempts acquired');
  const events = stepsFromSignals(acquired, true).flatMap((step) => interpreter.interpret(step));
  const holder = events[0] && 'holder' in events[0] ? events[0].holder : undefined;
  events.push(...interpreter.interpret(read(1, 'orders:42', ['41'], holder)));
  expect(events.slice(1)).toMatchObject([
    { type: 'lock.learned', kind: 'fenced-lock', kindBefore: 'lock' },
    { type: 'lock.learned', kind: 'fenced-lock', fencingToken: '41', holder },
  ]);
  expect(lockAt(events, seconds(2))).toMatchObject({ kind: 'fenced-lock', isKindKnown: true, fencingToken: '41' });
});

test('[N2] [X5] a fenced lock that moves away and returns has its token again', () => {
  const holder = '0a000000-0000-4000-8000-000000000000:1';
  const interpreter = new Interpreter({ source: 'story' });
  interpreter.keys.take(0, 'ledger', 'fenced-lock', 0);
  const elsewhere = read(2, 'ledger', []);
  const moved = { ...elsewhere, reads: elsewhere.reads.map((each) => ({ ...each, movedTo: '10.0.0.2:7002' })) };
  const signals = [read(1, 'ledger', ['41'], holder), moved, read(3, 'ledger', ['41'], holder)];
  const events = signals.flatMap((signal) => interpreter.interpret(signal));
  expect(events.flatMap((event) => tokenOf(event) ?? [])).toEqual(['41', '41']);
  expect(lockAt(events, seconds(4))).toMatchObject({ fencingToken: '41' });
});
