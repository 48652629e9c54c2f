import { EXPIRABLE_SEMAPHORE } from './expirable-semaphore.ts';
import { FAIR_LOCK } from './fair-lock.ts';
import type { Family } from './family.ts';
import { FENCED_LOCK } from './fenced-lock.ts';
import { GROUP_LOCK } from './group-lock.ts';
import { LATCH } from './latch.ts';
import { PLAIN_LOCK } from './plain-lock.ts';
import { READ_WRITE_LOCK } from './read-write-lock.ts';
import { SEMAPHORE } from './semaphore.ts';
import { SET_OF_HOLDERS } from './set-of-holders.ts';
import { SPIN_LOCK } from './spin-lock.ts';
import { TOKEN_LOCK } from './token-lock.ts';
import { BULL_JOB } from './tokens/bull-job.ts';
import { UNIQUE_JOBS } from './unique-jobs.ts';

/** Every family of locks. A script is offered to them in this order; the first that recognises it decides. */
export const FAMILIES: readonly Family[] = [
  LATCH,
  GROUP_LOCK,
  FENCED_LOCK,
  SPIN_LOCK,
  PLAIN_LOCK,
  FAIR_LOCK,
  READ_WRITE_LOCK,
  EXPIRABLE_SEMAPHORE,
  SEMAPHORE,
  BULL_JOB,
  TOKEN_LOCK,
  SET_OF_HOLDERS,
  UNIQUE_JOBS,
];
