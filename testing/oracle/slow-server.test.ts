import { expect, test } from 'vitest';
import { redisTime } from '../../shared/base/time.ts';
import { Interpreter } from '../../shared/events/interpreter.ts';
import type { Step } from '../../shared/signals/step.ts';
import { holderOf } from '../stories/story.ts';
import { signalsFromTrace, stepsFromSignals } from '../traces/trace-file.ts';
import { accountOf } from './account.ts';
import { judge } from './judge.ts';

const HOLDER = holderOf('A');

/** A plain lock's attempt, which acquires a free lock for a lease. Times are in milliseconds. */
function acquired(atMs: number, lock: string, leaseMs: number): string[] {
  return [
    line(
      atMs,
      `[0 10.0.0.1:1] "EVALSHA" "de4e0174ef8aa5b186d1941b6af51a8580c50aaa" "1" "${lock}" "${leaseMs}" "${HOLDER}"`,
    ),
    line(atMs, `[0 lua] "exists" "${lock}"`),
    line(atMs, `[0 lua] "hincrby" "${lock}" "${HOLDER}" "1"`),
    line(atMs, `[0 lua] "pexpire" "${lock}" "${leaseMs}"`),
  ];
}

function line(atMs: number, text: string): string {
  return `${(1_795_000_000 + atMs / 1000).toFixed(6)} ${text}`;
}

function expiry(lock: string): string {
  return `> ["pmessage","__key*@*__:*","__keyevent@0__:expired","${lock}"]`;
}

/** A read that finds no key. */
function free(atMs: number, lock: string): Step {
  const at = redisTime(1_795_000_000_000_000 + atMs * 1000);
  const found = { db: 0, name: lock, type: 'none', fields: {}, pttl: -2, hasChanged: false, subscribers: 0 };
  return { kind: 'bookmark', at, reads: [found] };
}

/**
 * The account's own problems, and its differences from events that are moved by some microseconds. `read`: what
 * Lockscope reads after the first step.
 */
function problemsOf(
  trace: readonly string[],
  moveUs: (lock: string, type: string) => number = () => 0,
  read: readonly Step[] = [],
): string[] {
  const steps = stepsFromSignals(signalsFromTrace(trace.join('\n')), true);
  const interpreter = new Interpreter({ source: 'trace' });
  const seen = [...steps.slice(0, 1), ...read, ...steps.slice(1)];
  const events = seen.flatMap((step) => interpreter.interpret(step));
  const moved = events.map((event) => ({ ...event, at: event.at + moveUs(event.lock, event.type) }) as typeof event);
  const account = accountOf(steps);
  return [...account.problems, ...judge(account, moved)];
}

test('[L3] an expiry that Redis reports after a later one fits the account, but not if it is dated 5 ms later', () => {
  const trace = [
    ...[...acquired(0, 'orders:1', 100), ...acquired(0, 'orders:2', 60)],
    ...[expiry('orders:1'), expiry('orders:2'), ...acquired(200, 'orders:3', 100)],
  ];
  expect(problemsOf(trace)).toEqual([]);
  const late = problemsOf(trace, (lock, type) => (lock === 'orders:2' && type === 'lease.expired' ? 5000 : 0));
  expect(late).toEqual([expect.stringContaining('lease.expired of orders:2')]);
});

test('[L3] a lease may end between the first line of a script and the first command that the script runs', () => {
  const unlock = (atMs: number) => [
    line(
      10,
      `[0 10.0.0.1:1] "EVALSHA" "70a61183b8f3ee7dea6f4c0d904c31c35fee3042" "3" "orders:1" "redisson_lock__channel:{orders:1}" "redisson_unlock_latch:{orders:1}:a" "0" "600" "${HOLDER}" "PUBLISH" "19100"`,
    ),
    line(atMs, '[0 lua] "get" "redisson_unlock_latch:{orders:1}:a"'),
    expiry('orders:1'),
    line(atMs, `[0 lua] "hexists" "orders:1" "${HOLDER}"`),
  ];
  expect(problemsOf([...acquired(0, 'orders:1', 20), ...unlock(30)])).toEqual([]);
  const tooEarly = problemsOf([...acquired(0, 'orders:1', 20), ...unlock(11)]);
  expect(tooEarly).toContainEqual(expect.stringContaining('the model has it until'));
});

test('[L3] a lease begins with the first line of its script, even if the script sets the lease 3 ms later', () => {
  const slow = (pauseMs: number) => [
    ...acquired(0, 'orders:1', 7).slice(0, 2),
    ...acquired(pauseMs, 'orders:1', 7).slice(2),
  ];
  const next = [expiry('orders:1'), ...acquired(8, 'orders:1', 100)];
  expect(problemsOf([...slow(3), ...next])).toEqual([]);
  const early = problemsOf([...slow(3), ...next], (_, type) => (type === 'lease.expired' ? -3000 : 0));
  expect(early).toContainEqual(expect.stringContaining('lease.expired of orders:1'));
});

test('[L3] a renewal that is refused right after the end of its lease was late, not cut off by an error', () => {
  const renewal = [
    line(21, `[0 10.0.0.1:1] "EVALSHA" "ab1843ae12f54cd350281f538088faaae07a0203" "1" "orders:1" "600" "${HOLDER}"`),
    line(21, `[0 lua] "hexists" "orders:1" "${HOLDER}"`),
  ];
  const [unrelated] = acquired(40, 'orders:2', 100);
  expect(problemsOf([...acquired(0, 'orders:1', 20), ...renewal, unrelated ?? ''])).toEqual([]);
});

test('[L3] a read may show that a lease has ended, before the lines of other locks show it', () => {
  const trace = [...acquired(0, 'orders:1', 20), ...acquired(22, 'orders:2', 100), ...acquired(40, 'orders:1', 20)];
  expect(problemsOf(trace, () => 0, [free(21.5, 'orders:1')])).toEqual([]);
  const early = problemsOf(trace, (_, type) => (type === 'lease.expired' ? -5000 : 0), [free(21.5, 'orders:1')]);
  expect(early).toContainEqual(expect.stringContaining('lease.expired of orders:1'));
});
