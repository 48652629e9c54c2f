import type { Translated } from './translated.ts';
import type { FirstWords } from './words.ts';
import { common } from './zh-CN/common.ts';
import { counters } from './zh-CN/counters.ts';
import { find } from './zh-CN/find.ts';
import { frame } from './zh-CN/frame.ts';
import { groups } from './zh-CN/groups.ts';
import { health } from './zh-CN/health.ts';
import { lock } from './zh-CN/lock.ts';
import { moment } from './zh-CN/moment.ts';
import { overview } from './zh-CN/overview.ts';
import { problems } from './zh-CN/problems.ts';
import { recordings } from './zh-CN/recordings.ts';
import { servers } from './zh-CN/servers.ts';
import { states } from './zh-CN/states.ts';
import { time } from './zh-CN/time.ts';
import { verdicts } from './zh-CN/verdicts.ts';

/** What the frame and the overview say in Chinese. */
export const ZH_CN_FIRST: Translated<FirstWords> = {
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
