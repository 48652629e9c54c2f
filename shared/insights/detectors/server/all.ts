import type { Detector } from '../../detector.ts';
import { aclDenied } from './acl-denied.ts';
import { eventsOff } from './events-off.ts';
import { keyNameCollision } from './key-name-collision.ts';
import { replicaSyncTax } from './replica-sync-tax.ts';
import { serverRefusesWrites } from './server-refuses-writes.ts';
import { slowScriptBusy } from './slow-script-busy.ts';
import { topologyChurn } from './topology-churn.ts';

/** Detectors of problems of a server, its users and its settings. */
export const SERVER: readonly Detector[] = [
  serverRefusesWrites,
  slowScriptBusy,
  aclDenied,
  topologyChurn,
  replicaSyncTax,
  keyNameCollision,
  eventsOff,
];
