import { contention } from './scenarios/contention.ts';
import { crash } from './scenarios/crash.ts';
import { deadlock } from './scenarios/deadlock.ts';
import { frozen } from './scenarios/frozen.ts';
import { herd } from './scenarios/herd.ts';
import { lease } from './scenarios/lease.ts';
import { names } from './scenarios/names.ts';
import { reentry } from './scenarios/reentry.ts';
import { tryLockGivesUp } from './scenarios/trylock-gives-up.ts';
import { twoClients } from './scenarios/two-clients.ts';
import { watchdog } from './scenarios/watchdog.ts';
import type { Scenario } from './stage.ts';

/** Every scenario, in playing order: the one that kills a client comes last, so that no other has to start it again. */
export const SCENARIOS: readonly Scenario[] = [
  ...[reentry, lease, contention, twoClients, tryLockGivesUp, deadlock, herd, names],
  ...[watchdog, frozen, crash],
];
