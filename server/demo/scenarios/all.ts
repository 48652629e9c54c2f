import type { ScenarioScript } from '../scenario.ts';
import { deadlock } from './deadlock.ts';
import { expirableSemaphore } from './expirable-semaphore.ts';
import { failover } from './failover.ts';
import { fairDeadHead } from './fair-dead-head.ts';
import { fairQueue } from './fair-queue.ts';
import { fenced } from './fenced.ts';
import { frozenHolder } from './frozen-holder.ts';
import { fullShow } from './full-show.ts';
import { holderCrash } from './holder-crash.ts';
import { jdkContrast } from './jdk-contrast.ts';
import { latch } from './latch.ts';
import { multiLock } from './multi-lock.ts';
import { noWatchdog } from './no-watchdog.ts';
import { readWrite } from './read-write.ts';
import { redLock } from './redlock.ts';
import { reentrancy } from './reentrancy.ts';
import { semaphore } from './semaphore.ts';
import { spin } from './spin.ts';
import { thunderingHerd } from './thundering-herd.ts';
import { tryLockTimeout } from './trylock-timeout.ts';
import { twoThreads } from './two-threads.ts';
import { unlockByNonOwner } from './unlock-by-non-owner.ts';
import { watchdog } from './watchdog.ts';

/** Every scenario, in the order a newcomer should see them. */
export const SCENARIOS: readonly ScenarioScript[] = [
  twoThreads,
  reentrancy,
  jdkContrast,
  watchdog,
  noWatchdog,
  tryLockTimeout,
  unlockByNonOwner,
  holderCrash,
  frozenHolder,
  fairQueue,
  fairDeadHead,
  readWrite,
  fenced,
  spin,
  semaphore,
  expirableSemaphore,
  latch,
  deadlock,
  thunderingHerd,
  multiLock,
  redLock,
  failover,
  fullShow,
];
