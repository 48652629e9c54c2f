import { plusMillis, redisTime } from '../shared/base/time.ts';
import type { ClientSight } from '../shared/insights/detector.ts';
import { DETECTORS } from '../shared/insights/detectors/all.ts';
import { type RunInput, runDetectors } from '../shared/insights/run.ts';
import type { HolderState, LockState, WaiterState } from '../shared/state/lock-state.ts';
import { reduceLock } from '../shared/state/reduce.ts';
import { type Bench, median } from './bench.ts';

const GOAL_MS = 100;
const LOCKS = 5000;
const CLIENTS = 20;
const WARM_UPS = 10;
const RUNS = 21;
const NOW = redisTime(1_795_000_000_000_000);

/**
 * CPU time of one run of all detectors over 5,000 held locks with two waiters each, at level `monitor`. One client in
 * ten is gone, and one lock in ten has a late watchdog. `longest step`: the longest time between two yields, in which
 * other work has to wait.
 */
export const insights: Bench = {
  name: 'insights',
  unit: 'ms CPU',
  goal: `≤ ${GOAL_MS} ms for ${LOCKS.toLocaleString('en-US')} locks`,
  async run(print) {
    const input = inputOf();
    const cpu: number[] = [];
    const steps: number[] = [];
    for (let run = -WARM_UPS; run < RUNS; run++) {
      const { cpuMs, stepMs, found } = measure(input);
      if (found === 0) throw new Error('no detector fired');
      if (run < 0) continue;
      cpu.push(cpuMs);
      steps.push(stepMs);
    }
    const ours = median(cpu);
    print(`${ours.toFixed(1)} ms CPU, longest step ${median(steps).toFixed(1)} ms`);
    return {
      ours,
      peers: {},
      also: { 'longest step': median(steps) },
      ratio: ours / GOAL_MS,
      ratios: cpu.map((each) => each / GOAL_MS),
      ratioTo: 'goal',
      runs: RUNS,
      holds: ours <= GOAL_MS,
    };
  },
};

function measure(input: RunInput): { cpuMs: number; stepMs: number; found: number } {
  const before = process.cpuUsage();
  const work = runDetectors(input, DETECTORS);
  for (let stepMs = 0; ; ) {
    const began = performance.now();
    const step = work.next();
    stepMs = Math.max(stepMs, performance.now() - began);
    if (!step.done) continue;
    const { user, system } = process.cpuUsage(before);
    return { cpuMs: (user + system) / 1000, stepMs, found: step.value.insights.length };
  }
}

function inputOf(): RunInput {
  const gone: ClientSight = { presence: 'gone', goneSince: plusMillis(NOW, -1000) };
  const connected: ClientSight = { presence: 'connected', goneSince: null };
  return {
    at: NOW,
    locks: Array.from({ length: LOCKS }, (_, number) => lockOf(number)),
    sources: new Map([['bench', { level: 'monitor', watchedSince: plusMillis(NOW, -3_600_000) }]]),
    events: [],
    clientOf: (_, client) => (client.endsWith('0') ? gone : connected),
  };
}

function lockOf(number: number): LockState {
  const at = plusMillis(NOW, number % 10 === 1 ? -25_000 : -5000);
  const lease = { leaseMs: 30_000, expiresAt: plusMillis(at, 30_000) };
  const ofLock = {
    source: 'bench',
    db: 0,
    lock: `warehouse:order-${number}`,
    kind: 'lock',
    certainty: 'observed',
  } as const;
  const holder = `${clientOf(number)}:${number}`;
  const acquired = { ...ofLock, seq: 1, at, type: 'lock.acquired', holder, mode: 'exclusive', holdCount: 1 } as const;
  const lock = reduceLock(undefined, { ...acquired, ...lease });
  const holders = lock.holders.map((each): HolderState => ({ ...each, renewals: 3, lastRenewedAt: at }));
  return { ...lock, holders, waiters: [waiterOf(number, 1), waiterOf(number, 2)] };
}

function waiterOf(number: number, place: number): WaiterState {
  return {
    ...{ id: `${clientOf(number + place)}:${number}-${place}`, mode: 'exclusive', since: plusMillis(NOW, -4000) },
    ...{ attempts: 2, isAsleep: true, isConfirmed: true, position: null, deadline: null, presumedGoneAt: null },
  };
}

function clientOf(number: number): string {
  return `8f3a1c02-a552-4cac-b9ed-4a986a03${String(number % CLIENTS).padStart(4, '0')}`;
}
