import { contention } from './scenarios/contention.ts';
import { crash } from './scenarios/crash.ts';
import { deadlock } from './scenarios/deadlock.ts';
import { entries } from './scenarios/entries.ts';
import { expirableSemaphore } from './scenarios/expirable-semaphore.ts';
import { fair } from './scenarios/fair.ts';
import { fairDeadHead } from './scenarios/fair-dead-head.ts';
import { fenced } from './scenarios/fenced.ts';
import { frozen } from './scenarios/frozen.ts';
import { group } from './scenarios/group.ts';
import { herd } from './scenarios/herd.ts';
import { latch } from './scenarios/latch.ts';
import { lease } from './scenarios/lease.ts';
import { multi } from './scenarios/multi.ts';
import { names } from './scenarios/names.ts';
import { nonReentrant } from './scenarios/non-reentrant.ts';
import { readWrite } from './scenarios/read-write.ts';
import { readWriteWatchdog } from './scenarios/read-write-watchdog.ts';
import { redlock } from './scenarios/redlock.ts';
import { reentry } from './scenarios/reentry.ts';
import { semaphore } from './scenarios/semaphore.ts';
import { spin } from './scenarios/spin.ts';
import { transaction } from './scenarios/transaction.ts';
import { tryLockGivesUp } from './scenarios/trylock-gives-up.ts';
import { twoClients } from './scenarios/two-clients.ts';
import { watchdog } from './scenarios/watchdog.ts';
import type { Scenario } from './stage.ts';

/** Run concurrently and first, so every command that Redis runs meanwhile is for a plain lock. */
export const PLAIN_LOCKS: readonly Scenario[] = [
  ...[reentry, lease, contention, twoClients, tryLockGivesUp, deadlock, herd, names],
  ...[watchdog, frozen, crash],
];

/** Run concurrently after them. */
export const OTHER_KINDS: readonly Scenario[] = [
  ...[fair, fairDeadHead, readWrite, readWriteWatchdog, fenced, spin, nonReentrant],
  ...[semaphore, expirableSemaphore, latch, multi, redlock, group, transaction, entries],
];
