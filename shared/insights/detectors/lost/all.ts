import type { Detector } from '../../detector.ts';
import { evictedLockKey } from './evicted-lock-key.ts';
import { failoverLockLost } from './failover-lock-lost.ts';
import { fencingTokenBack } from './fencing-token-back.ts';
import { foreignDelete } from './foreign-delete.ts';
import { leaseShorterThanWork } from './lease-shorter-than-work.ts';
import { lostBeforeWatching } from './lost-before-watching.ts';
import { operatorDelete } from './operator-delete-or-flush.ts';
import { readRenewalLost } from './read-renewal-lost.ts';
import { redlockNodeRestart } from './redlock-node-restart.ts';
import { renewalBrokenAfterError } from './renewal-broken-after-error.ts';
import { renewalOverdue } from './renewal-overdue.ts';
import { watchdogBatchFailure } from './watchdog-batch-failure.ts';
import { watchdogStarved } from './watchdog-starved.ts';

/** Detectors of locks that were lost while their holders still work. */
export const LOST: readonly Detector[] = [
  ...[leaseShorterThanWork, failoverLockLost, evictedLockKey, operatorDelete, foreignDelete, readRenewalLost],
  ...[renewalOverdue, renewalBrokenAfterError, watchdogStarved, watchdogBatchFailure, redlockNodeRestart],
  ...[lostBeforeWatching, fencingTokenBack],
];
