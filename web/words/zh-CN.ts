import type { Words } from './words.ts';
import { charts } from './zh-CN/charts.ts';
import { clients } from './zh-CN/clients.ts';
import { common } from './zh-CN/common.ts';
import { counters } from './zh-CN/counters.ts';
import { dumps } from './zh-CN/dumps.ts';
import { eventList } from './zh-CN/event-list.ts';
import { events } from './zh-CN/events.ts';
import { find } from './zh-CN/find.ts';
import { frame } from './zh-CN/frame.ts';
import { graph } from './zh-CN/graph.ts';
import { groups } from './zh-CN/groups.ts';
import { health } from './zh-CN/health.ts';
import { insights } from './zh-CN/insights.ts';
import { keys } from './zh-CN/keys.ts';
import { lessons } from './zh-CN/lessons.ts';
import { lock } from './zh-CN/lock.ts';
import { marks } from './zh-CN/marks.ts';
import { moment } from './zh-CN/moment.ts';
import { overview } from './zh-CN/overview.ts';
import { problems } from './zh-CN/problems.ts';
import { recordings } from './zh-CN/recordings.ts';
import { release } from './zh-CN/release.ts';
import { remedies } from './zh-CN/remedies.ts';
import { servers } from './zh-CN/servers.ts';
import { settings } from './zh-CN/settings.ts';
import { several } from './zh-CN/several.ts';
import { share } from './zh-CN/share.ts';
import { stage } from './zh-CN/stage.ts';
import { stageKinds } from './zh-CN/stage-kinds.ts';
import { starting } from './zh-CN/starting.ts';
import { states } from './zh-CN/states.ts';
import { time } from './zh-CN/time.ts';
import { timeline } from './zh-CN/timeline.ts';
import { verdicts } from './zh-CN/verdicts.ts';
import { waits } from './zh-CN/waits.ts';

/** The Chinese catalogue, by the same names as the English one; loaded when chosen. */
export const ZH_CN: Words = {
  charts,
  clients,
  common,
  counters,
  dumps,
  eventList,
  events,
  find,
  frame,
  graph,
  groups,
  health,
  insights,
  keys,
  lessons,
  lock,
  marks,
  moment,
  overview,
  problems,
  recordings,
  release,
  remedies,
  servers,
  settings,
  several,
  share,
  stage,
  stageKinds,
  starting,
  states,
  time,
  timeline,
  verdicts,
  waits,
};
