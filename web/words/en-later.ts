import { charts } from './en/charts.ts';
import { clients } from './en/clients.ts';
import { dumps } from './en/dumps.ts';
import { eventList } from './en/event-list.ts';
import { events } from './en/events.ts';
import { graph } from './en/graph.ts';
import { insights } from './en/insights.ts';
import { keys } from './en/keys.ts';
import { lessons } from './en/lessons.ts';
import { marks } from './en/marks.ts';
import { release } from './en/release.ts';
import { remedies } from './en/remedies.ts';
import { settings } from './en/settings.ts';
import { several } from './en/several.ts';
import { share } from './en/share.ts';
import { stage } from './en/stage.ts';
import { stageKinds } from './en/stage-kinds.ts';
import { starting } from './en/starting.ts';
import { timeline } from './en/timeline.ts';
import { waits } from './en/waits.ts';

/** What the other pages and the dialogs say in English. Loaded with the first of them. */
export const EN_LATER = {
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
