import type { Detector } from '../../detector.ts';
import { abbaDeadlock } from './abba-deadlock.ts';
import { attemptFlood } from './attempt-flood.ts';
import { convoy } from './convoy.ts';
import { multilockLivelock } from './multilock-livelock.ts';
import { permitsBeyondLimit } from './permits-beyond-limit.ts';
import { quorumError } from './quorum-error-without-cause.ts';
import { releasedBeforeCommit } from './released-before-commit.ts';
import { semaphorePermitDrift } from './semaphore-permit-drift.ts';
import { thunderingHerd } from './thundering-herd.ts';
import { writerStarvation } from './writer-starvation.ts';

/** Detectors of locks that many clients want. */
export const CONTENTION: readonly Detector[] = [
  abbaDeadlock,
  multilockLivelock,
  writerStarvation,
  thunderingHerd,
  attemptFlood,
  convoy,
  semaphorePermitDrift,
  permitsBeyondLimit,
  quorumError,
];

/** Detectors that only run for a question about one lock, not for the list of problems. */
export const CONTENTION_OF_ONE: readonly Detector[] = [releasedBeforeCommit];
