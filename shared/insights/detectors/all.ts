import type { Detector } from '../detector.ts';
import { ASLEEP } from './asleep/all.ts';
import { CONTENTION, CONTENTION_OF_ONE } from './contention/all.ts';
import { FAIR } from './fair/all.ts';
import { JVM } from './jvm/all.ts';
import { LOST } from './lost/all.ts';
import { SERVER } from './server/all.ts';
import { STUCK } from './stuck/all.ts';

/** Every detector whose findings are problems that events show, by theme. */
export const DETECTORS: readonly Detector[] = [...LOST, ...STUCK, ...ASLEEP, ...FAIR, ...CONTENTION, ...SERVER];

/**
 * The detectors of a question about one lock: all of `DETECTORS`, and those of `CONTENTION_OF_ONE`. What the latter
 * find is not a problem, so it is in no list of problems.
 */
export const DETECTORS_OF_ONE: readonly Detector[] = [...DETECTORS, ...CONTENTION_OF_ONE];

/**
 * Detectors that also run if there are thread dumps. No event of the stream reports what they find: a recording has no
 * dump, and must give the same events again.
 */
export const DETECTORS_OF_DUMPS: readonly Detector[] = JVM;
