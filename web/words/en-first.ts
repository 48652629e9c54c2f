import { common } from './en/common.ts';
import { counters } from './en/counters.ts';
import { find } from './en/find.ts';
import { frame } from './en/frame.ts';
import { groups } from './en/groups.ts';
import { health } from './en/health.ts';
import { lock } from './en/lock.ts';
import { moment } from './en/moment.ts';
import { overview } from './en/overview.ts';
import { problems } from './en/problems.ts';
import { recordings } from './en/recordings.ts';
import { servers } from './en/servers.ts';
import { states } from './en/states.ts';
import { time } from './en/time.ts';
import { verdicts } from './en/verdicts.ts';

/** What the frame and the overview say in English. Files per page or panel, sentences with values in them as functions. */
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
  recordings,
  servers,
  states,
  time,
  verdicts,
};
