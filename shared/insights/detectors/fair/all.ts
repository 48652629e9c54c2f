import type { Detector } from '../../detector.ts';
import { fairClockSkew } from './fair-clock-skew.ts';
import { fairHeadDead } from './fair-head-dead.ts';
import { fairHotLoop } from './fair-hot-loop.ts';
import { fairLiveWaiterPurged } from './fair-live-waiter-purged.ts';
import { fairOrphanEntry } from './fair-orphan-entry.ts';
import { fairTimeoutDrift } from './fair-timeout-drift.ts';

/** Detectors of problems in the queue of a fair lock. */
export const FAIR: readonly Detector[] = [
  fairHeadDead,
  fairHotLoop,
  fairLiveWaiterPurged,
  fairOrphanEntry,
  fairClockSkew,
  fairTimeoutDrift,
];
