import type { Detector } from '../../detector.ts';
import { holderThreadEnded } from './holder-thread-ended.ts';
import { jvmRedisDeadlock } from './jvm-redis-deadlock.ts';

/** Detectors of incidents that a thread dump shows together with the locks. */
export const JVM: readonly Detector[] = [holderThreadEnded, jvmRedisDeadlock];
