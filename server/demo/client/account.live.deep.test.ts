import { expect } from 'vitest';
import { Interpreter } from '../../../shared/events/interpreter.ts';
import { accountOf } from '../../../testing/oracle/account.ts';
import { judge } from '../../../testing/oracle/judge.ts';
import { signalsFromTrace, stepsFromSignals } from '../../../testing/traces/trace-file.ts';
import type { TestClient } from '../testing/test-bed.ts';
import { test } from '../testing/trace-of-kind.ts';
import type { Operation } from './protocol.ts';

/**
 * The locks of threads 1, 2 and 3 of each client: so threads of different clients compete for them. A thread uses only
 * one of these locks, since an operation on another lock would end its wait.
 */
const LOCKS = [
  [{ lock: 'tenant:{9}:cart' }],
  [{ lock: 'fair "queue" 锁', kind: 'fair-lock' }],
  [
    { lock: 'catalog', kind: 'read-lock' },
    { lock: 'catalog', kind: 'write-lock' },
  ],
] as const;
const ROUNDS = 25;

/** A generator of random numbers, the same for the same seed (mulberry32). */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** One thread: acquires, sometimes twice, waits or only tries, and releases what it has acquired. */
async function run(client: TestClient, thread: number, seed: number): Promise<void> {
  const below = numbersFrom(seed);
  const choices = LOCKS[thread - 1] ?? LOCKS[0];
  const ask = (action: Operation['action'], on: (typeof LOCKS)[number][number], more: Partial<Operation> = {}) =>
    client.ask(thread, action, on.lock, { ...('kind' in on ? { kind: on.kind } : {}), ...more });
  for (let round = 0; round < ROUNDS; round++) {
    const on = choices[below(choices.length)] ?? LOCKS[0][0];
    const waitMs = [undefined, 40, 400][below(3)];
    const got = await ask('tryLock', on, waitMs === undefined ? {} : { waitMs });
    if (got.result !== 'true') continue;
    if (below(3) === 0) {
      await ask('lock', on);
      await ask('unlock', on);
    }
    await new Promise((resolve) => setTimeout(resolve, below(30)));
    await ask('unlock', on);
  }
}

test('with random threads of three clients, every reported field is true', async ({ bed, tap }) => {
  const seed = Number(process.env.SEED || Math.floor(Math.random() * 1e9));
  const clients = await Promise.all(['a', 'b', 'c'].map((name) => bed.client(name, 3000)));
  await Promise.all(
    clients.flatMap((client, n) => [1, 2, 3].map((thread) => run(client, thread, seed + 10 * n + thread))),
  );
  const steps = stepsFromSignals(signalsFromTrace(await tap.caughtUp()), true);
  const interpreter = new Interpreter({ source: 'live' });
  const events = steps.flatMap((step) => interpreter.interpret(step));
  const account = accountOf(steps);
  expect(events.length).toBeGreaterThan(300);
  expect([...account.problems, ...judge(account, events)], `SEED=${seed}`).toEqual([]);
});
