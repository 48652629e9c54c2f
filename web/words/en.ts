import { charts } from './en/charts.ts';
import { clients } from './en/clients.ts';
import { common } from './en/common.ts';
import { counters } from './en/counters.ts';
import { dumps } from './en/dumps.ts';
import { eventList } from './en/event-list.ts';
import { events } from './en/events.ts';
import { find } from './en/find.ts';
import { frame } from './en/frame.ts';
import { graph } from './en/graph.ts';
import { groups } from './en/groups.ts';
import { health } from './en/health.ts';
import { insights } from './en/insights.ts';
import { keys } from './en/keys.ts';
import { lessons } from './en/lessons.ts';
import { lock } from './en/lock.ts';
import { marks } from './en/marks.ts';
import { moment } from './en/moment.ts';
import { overview } from './en/overview.ts';
import { problems } from './en/problems.ts';
import { recordings } from './en/recordings.ts';
import { release } from './en/release.ts';
import { remedies } from './en/remedies.ts';
import { servers } from './en/servers.ts';
import { settings } from './en/settings.ts';
import { several } from './en/several.ts';
import { share } from './en/share.ts';
import { stage } from './en/stage.ts';
import { stageKinds } from './en/stage-kinds.ts';
import { starting } from './en/starting.ts';
import { states } from './en/states.ts';
import { time } from './en/time.ts';
import { timeline } from './en/timeline.ts';
import { verdicts } from './en/verdicts.ts';
import { waits } from './en/waits.ts';

/** The English catalogue: a file per page or panel, sentences with values in them as functions. */
export const EN = {
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
