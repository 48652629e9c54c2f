import type { IncidentCase } from '../setup.ts';
import { asleep } from './asleep.ts';
import { contention } from './contention.ts';
import { fair } from './fair.ts';
import { lost } from './lost.ts';
import { server } from './server.ts';
import { stuck } from './stuck.ts';

/** Every incident that can be provoked, in the order of the catalogue's chapters. */
export const CASES: readonly IncidentCase[] = [...lost, ...stuck, ...asleep, ...fair, ...contention, ...server];
