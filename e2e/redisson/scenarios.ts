import type { Scenario } from './scenario.ts';
import { contention } from './scenarios/contention.ts';
import { crash } from './scenarios/crash.ts';
import { deadlock } from './scenarios/deadlock.ts';
import { entries } from './scenarios/entries.ts';
import { frozen } from './scenarios/frozen.ts';
import { herd } from './scenarios/herd.ts';
import { expirableSemaphore } from './scenarios/kinds/expirable-semaphore.ts';
import { fair } from './scenarios/kinds/fair.ts';
import { fairDeadHead } from './scenarios/kinds/fair-dead-head.ts';
import { fenced } from './scenarios/kinds/fenced.ts';
import { group } from './scenarios/kinds/group.ts';
import { latch } from './scenarios/kinds/latch.ts';
import { multi } from './scenarios/kinds/multi.ts';
import { nonReentrant } from './scenarios/kinds/non-reentrant.ts';
import { readWrite } from './scenarios/kinds/read-write.ts';
import { readWriteWatchdog } from './scenarios/kinds/read-write-watchdog.ts';
import { redlock } from './scenarios/kinds/redlock.ts';
import { semaphore } from './scenarios/kinds/semaphore.ts';
import { spin } from './scenarios/kinds/spin.ts';
import { transaction } from './scenarios/kinds/transaction.ts';
import { lease } from './scenarios/lease.ts';
import { names } from './scenarios/names.ts';
import { reentry } from './scenarios/reentry.ts';
import { tryLockGivesUp } from './scenarios/trylock-gives-up.ts';
import { twoClients } from './scenarios/two-clients.ts';
import { watchdog } from './scenarios/watchdog.ts';

/** Run concurrently and first, so every command that Redis runs meanwhile is for a plain lock. */
export const PLAIN_LOCKS: readonly Scenario[] = [
  ...[reentry, lease, contention, twoClients, tryLockGivesUp, deadlock, herd, names],
  ...[watchdog, frozen, crash],
];

/** Run concurrently after the plain locks. */
export const OTHER_KINDS: readonly Scenario[] = [
  ...[fair, fairDeadHead, readWrite, readWriteWatchdog, fenced, spin, nonReentrant],
  ...[semaphore, expirableSemaphore, latch, multi, redlock, group, transaction, entries],
];
