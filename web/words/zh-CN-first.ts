import type { Translated } from './translated.ts';
import type { FirstWords } from './words.ts';
import { common } from './zh-CN/common.ts';
import { find } from './zh-CN/frame/find.ts';
import { frame } from './zh-CN/frame/frame.ts';
import { health } from './zh-CN/frame/health.ts';
import { range } from './zh-CN/frame/range.ts';
import { servers } from './zh-CN/frame/servers.ts';
import { counters } from './zh-CN/locks/counters.ts';
import { groups } from './zh-CN/locks/groups.ts';
import { lock } from './zh-CN/locks/lock.ts';
import { moment } from './zh-CN/locks/moment.ts';
import { overview } from './zh-CN/locks/overview.ts';
import { states } from './zh-CN/locks/states.ts';
import { verdicts } from './zh-CN/locks/verdicts.ts';
import { recordings } from './zh-CN/pages/recordings.ts';
import { problems } from './zh-CN/problems.ts';
import { time } from './zh-CN/time.ts';

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
  range,
  recordings,
  servers,
  states,
  time,
  verdicts,
};
