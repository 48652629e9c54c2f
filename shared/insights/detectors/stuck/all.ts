import type { Detector } from '../../detector.ts';
import { accidentalReentrancy } from './accidental-reentrancy.ts';
import { grantedAfterTimeout } from './granted-after-timeout.ts';
import { holderCrashed } from './holder-crashed-wait-ttl.ts';
import { holderWithoutConnection } from './holder-without-connection.ts';
import { latchLitter } from './latch-litter.ts';
import { noTtlLock } from './no-ttl-lock.ts';
import { orphanJobLock } from './orphan-job-lock.ts';
import { phantomHoldCount } from './phantom-hold-count.ts';
import { rwlockZombieReader } from './rwlock-zombie-reader.ts';
import { takenTwice } from './taken-twice-released-once.ts';
import { threadsWaitedLong } from './threads-waited-long.ts';
import { unlockByNonOwner } from './unlock-by-non-owner.ts';
import { unlockReplayed } from './unlock-replayed.ts';
import { zombieRenewal } from './zombie-renewal.ts';

/** Detectors of locks that cannot be unlocked, or that no client will unlock. */
export const STUCK: readonly Detector[] = [
  ...[holderCrashed, noTtlLock, orphanJobLock, rwlockZombieReader, phantomHoldCount, zombieRenewal],
  ...[unlockByNonOwner, unlockReplayed, latchLitter, accidentalReentrancy, grantedAfterTimeout],
  ...[holderWithoutConnection, takenTwice, threadsWaitedLong],
];
