import type { Detector } from '../../detector.ts';
import { missedWakeup } from './missed-wakeup.ts';
import { permitsFreeWaiterAsleep } from './permits-free-waiter-asleep.ts';
import { silentRelease } from './silent-release.ts';
import { subscriptionPoolExhausted } from './subscription-pool-exhausted.ts';
import { waiterAsleepWithoutLimit } from './waiter-asleep-without-limit.ts';

/** Detectors of free locks whose waiters sleep on. */
export const ASLEEP: readonly Detector[] = [
  missedWakeup,
  silentRelease,
  subscriptionPoolExhausted,
  waiterAsleepWithoutLimit,
  permitsFreeWaiterAsleep,
];
