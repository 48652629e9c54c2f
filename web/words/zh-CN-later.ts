import type { Translated } from './translated.ts';
import type { LaterWords } from './words.ts';
import { keys } from './zh-CN/frame/keys.ts';
import { levels } from './zh-CN/frame/levels.ts';
import { settings } from './zh-CN/frame/settings.ts';
import { share } from './zh-CN/frame/share.ts';
import { insights } from './zh-CN/insights.ts';
import { eventList } from './zh-CN/locks/event-list.ts';
import { events } from './zh-CN/locks/events.ts';
import { lockPage } from './zh-CN/locks/lock-page.ts';
import { pastInstant } from './zh-CN/locks/past-instant.ts';
import { release } from './zh-CN/locks/release.ts';
import { remedies } from './zh-CN/locks/remedies.ts';
import { verdictDetails } from './zh-CN/locks/verdict-details.ts';
import { charts } from './zh-CN/pages/charts.ts';
import { clients } from './zh-CN/pages/clients.ts';
import { dumps } from './zh-CN/pages/dumps.ts';
import { fleet } from './zh-CN/pages/fleet.ts';
import { graph } from './zh-CN/pages/graph.ts';
import { recordingList } from './zh-CN/pages/recording-list.ts';
import { waits } from './zh-CN/pages/waits.ts';
import { lessons } from './zh-CN/stage/lessons.ts';
import { several } from './zh-CN/stage/several.ts';
import { stage } from './zh-CN/stage/stage.ts';
import { stageKinds } from './zh-CN/stage/stage-kinds.ts';
import { starting } from './zh-CN/stage/starting.ts';
import { marks } from './zh-CN/timeline/marks.ts';
import { timeline } from './zh-CN/timeline/timeline.ts';

/** The Chinese texts of dialogs and of most pages. Loaded when the first of them is opened. */
export const ZH_CN_LATER: Translated<LaterWords> = {
  charts,
  clients,
  dumps,
  eventList,
  events,
  fleet,
  graph,
  insights,
  keys,
  lessons,
  levels,
  lockPage,
  marks,
  pastInstant,
  recordingList,
  release,
  remedies,
  settings,
  several,
  share,
  stage,
  stageKinds,
  starting,
  timeline,
  verdictDetails,
  waits,
};
