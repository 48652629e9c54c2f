import type { Fault } from '../faults/fault.ts';
import { EVERY_KIND, isCounting, type RandomLock } from '../random/random-lock.ts';
import { FLUSH, HARMLESS, OF_APPLICATIONS, OF_LOCKSCOPE, OF_REDIS } from './faults.ts';
import type { Simulation } from './simulation.ts';

/** The level, the faults that may strike, and what is compared. */
export type Trial = {
  readonly name: string;
  readonly level: 'monitor' | 'events';
  /** The value of `notify-keyspace-events`. */
  readonly flags: string;
  /** The version of the server. Absent: 7.0.15. */
  readonly version?: string;
  readonly locks: readonly RandomLock[];
  readonly faults: readonly Fault<Simulation>[];
  /**
   * What is compared, beside the locks with the keys of the server:
   *
   *   steps     every step of every thread with the events, and every field of every event with the second account
   *   account   every field of every event with the second account
   *   chaos     steps and events outside of blind spots, as the tests in `e2e/chaos` do
   */
  readonly compares: 'steps' | 'account' | 'chaos';
  /** The lease of a hold without a lease time, in ms. A client is frozen for 650 to 1,200 ms. */
  readonly watchdogMs: number;
  /** How soon Lockscope must report what the server has, in ms. */
  readonly sameWithinMs: number;
  /**
   * By how much the end of a lease that Lockscope reports may differ from its end in Redis, in ms. A read reports no
   * smaller change.
   */
  readonly sameEndMs: number;
};

const HELD = EVERY_KIND.filter((lock) => !isCounting(lock));
const WITHOUT_QUEUES = EVERY_KIND.filter(({ kind }) => kind !== 'fair-lock');
/** At level monitor, every change is known as soon as its lines have arrived. */
const AT_ONCE = { level: 'monitor', watchdogMs: 200, sameWithinMs: 1000, sameEndMs: 3 } as const;
/** At level events, every change is read; what was missed is found by the next round. */
const SOON = { level: 'events', watchdogMs: 5000, sameWithinMs: 3000, sameEndMs: 120 } as const;

export const TRIALS: readonly Trial[] = [
  { ...AT_ONCE, name: 'calm', flags: 'Exe', locks: EVERY_KIND, faults: [], compares: 'steps' },
  { ...AT_ONCE, name: 'unheard', flags: '', locks: EVERY_KIND, faults: [], compares: 'steps' },
  { ...AT_ONCE, name: 'harmless', flags: 'EA', locks: EVERY_KIND, faults: HARMLESS, compares: 'account' },
  {
    ...{ ...AT_ONCE, name: 'chaos', flags: 'Exe', locks: EVERY_KIND, compares: 'chaos', sameWithinMs: 15_000 },
    faults: [...HARMLESS, FLUSH, ...OF_LOCKSCOPE, ...OF_APPLICATIONS, ...OF_REDIS],
  },
  { ...SOON, name: 'key-events', flags: 'KEA', locks: HELD, faults: HARMLESS, compares: 'chaos' },
  { ...SOON, name: 'fields', flags: 'KEAT', version: '8.8.0', locks: HELD, faults: HARMLESS, compares: 'chaos' },
  {
    ...{ ...SOON, name: 'tracking', flags: '', locks: WITHOUT_QUEUES, compares: 'chaos' },
    ...{ faults: HARMLESS, watchdogMs: 15_000, sameWithinMs: 12_000 },
  },
];

export function trialOf(name: string): Trial {
  const trial = TRIALS.find((each) => each.name === name);
  if (!trial) throw new Error(`there is no trial ${name}`);
  return trial;
}
