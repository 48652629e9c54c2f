import { keys } from './en/frame/keys.ts';
import { levels } from './en/frame/levels.ts';
import { settings } from './en/frame/settings.ts';
import { share } from './en/frame/share.ts';
import { insights } from './en/insights.ts';
import { eventList } from './en/locks/event-list.ts';
import { events } from './en/locks/events.ts';
import { lockPage } from './en/locks/lock-page.ts';
import { pastInstant } from './en/locks/past-instant.ts';
import { release } from './en/locks/release.ts';
import { remedies } from './en/locks/remedies.ts';
import { verdictDetails } from './en/locks/verdict-details.ts';
import { charts } from './en/pages/charts.ts';
import { clients } from './en/pages/clients.ts';
import { dumps } from './en/pages/dumps.ts';
import { fleet } from './en/pages/fleet.ts';
import { graph } from './en/pages/graph.ts';
import { recordingList } from './en/pages/recording-list.ts';
import { waits } from './en/pages/waits.ts';
import { lessons } from './en/stage/lessons.ts';
import { several } from './en/stage/several.ts';
import { stage } from './en/stage/stage.ts';
import { stageKinds } from './en/stage/stage-kinds.ts';
import { starting } from './en/stage/starting.ts';
import { marks } from './en/timeline/marks.ts';
import { timeline } from './en/timeline/timeline.ts';

/** The English texts of dialogs and of most pages. Loaded when the first of them is opened. */
export const EN_LATER = {
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
