import type { Detector } from '../detector.ts';
import { abbaDeadlock } from './abba-deadlock.ts';
import { failoverLockLost } from './failover-lock-lost.ts';
import { fairHeadDead } from './fair-head-dead.ts';
import { holderCrashed } from './holder-crashed-wait-ttl.ts';
import { renewalOverdue } from './renewal-overdue.ts';
import { unlockByNonOwner } from './unlock-by-non-owner.ts';

/** Every detector, one line each. */
export const DETECTORS: readonly Detector[] = [
  holderCrashed,
  renewalOverdue,
  abbaDeadlock,
  fairHeadDead,
  failoverLockLost,
  unlockByNonOwner,
];
