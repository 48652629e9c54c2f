import { common } from './en/common.ts';
import { find } from './en/frame/find.ts';
import { frame } from './en/frame/frame.ts';
import { health } from './en/frame/health.ts';
import { range } from './en/frame/range.ts';
import { servers } from './en/frame/servers.ts';
import { counters } from './en/locks/counters.ts';
import { groups } from './en/locks/groups.ts';
import { lock } from './en/locks/lock.ts';
import { moment } from './en/locks/moment.ts';
import { overview } from './en/locks/overview.ts';
import { states } from './en/locks/states.ts';
import { verdicts } from './en/locks/verdicts.ts';
import { recordings } from './en/pages/recordings.ts';
import { problems } from './en/problems.ts';
import { time } from './en/time.ts';

/**
 * What the frame and the overview say in English: one file for each page or panel. A sentence with values is a
 * function.
 */
export const EN_FIRST = {
  common,
  counters,
  find,
  frame,
  groups,
  health,
  lock,
  moment,
  overview,
  problems,
  range,
  recordings,
  servers,
  states,
  time,
  verdicts,
};
