import type { Translated } from './translated.ts';
import type { LaterWords } from './words.ts';
import { charts } from './zh-CN/charts.ts';
import { clients } from './zh-CN/clients.ts';
import { dumps } from './zh-CN/dumps.ts';
import { eventList } from './zh-CN/event-list.ts';
import { events } from './zh-CN/events.ts';
import { graph } from './zh-CN/graph.ts';
import { insights } from './zh-CN/insights.ts';
import { keys } from './zh-CN/keys.ts';
import { lessons } from './zh-CN/lessons.ts';
import { marks } from './zh-CN/marks.ts';
import { release } from './zh-CN/release.ts';
import { remedies } from './zh-CN/remedies.ts';
import { settings } from './zh-CN/settings.ts';
import { several } from './zh-CN/several.ts';
import { share } from './zh-CN/share.ts';
import { stage } from './zh-CN/stage.ts';
import { stageKinds } from './zh-CN/stage-kinds.ts';
import { starting } from './zh-CN/starting.ts';
import { timeline } from './zh-CN/timeline.ts';
import { waits } from './zh-CN/waits.ts';

/** What the other pages and the dialogs say in Chinese. Loaded with the first of them. */
export const ZH_CN_LATER: Translated<LaterWords> = {
  charts,
  clients,
  dumps,
  eventList,
  events,
  graph,
  insights,
  keys,
  lessons,
  marks,
  release,
  remedies,
  settings,
  several,
  share,
  stage,
  stageKinds,
  starting,
  timeline,
  waits,
};
