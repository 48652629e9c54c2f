import type { Detector } from '../detector.ts';
import { ASLEEP } from './asleep/all.ts';
import { CONTENTION, CONTENTION_OF_ONE } from './contention/all.ts';
import { FAIR } from './fair/all.ts';
import { JVM } from './jvm/all.ts';
import { LOST } from './lost/all.ts';
import { SERVER } from './server/all.ts';
import { STUCK } from './stuck/all.ts';

/** Every detector, by theme. */
export const DETECTORS: readonly Detector[] = [...LOST, ...STUCK, ...ASLEEP, ...FAIR, ...CONTENTION, ...SERVER];

/** These run as well if a lock is asked for by name. What they find is not wrong, so no list of what is wrong has it. */
export const DETECTORS_OF_ONE: readonly Detector[] = [...DETECTORS, ...CONTENTION_OF_ONE];

/**
 * These run as well if there are thread dumps. They are in no event of the stream, so that a recording, which has no dump,
 * reports the same events again.
 */
export const DETECTORS_OF_DUMPS: readonly Detector[] = JVM;
