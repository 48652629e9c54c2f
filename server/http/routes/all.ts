import type { Route } from '../answer/route.ts';
import type { ApiContext, DemoContext } from '../app-context.ts';
import { clientRoute, clientsRoute } from './clients.ts';
import { demoRoute, scenariosRoute, startScenarioRoute, stopScenarioRoute } from './demo.ts';
import { demoClientRoute, demoThreadRoute } from './demo-clients.ts';
import { eventStreamRoute, eventsRoute } from './events.ts';
import { fleetRoute } from './fleet.ts';
import { healthRoute } from './health.ts';
import { costsRoute } from './insights/costs.ts';
import { cancelMeasurementRoute, doctorRoute, measurementRoute, measureRoute } from './insights/doctor.ts';
import { graphRoute } from './insights/graph.ts';
import { insightsRoute } from './insights/insights.ts';
import { noteRoute, problemsRoute } from './insights/problems.ts';
import { addDumpRoute, changeDumpRoute, deleteDumpRoute, dumpRoute, dumpsRoute } from './insights/thread-dumps.ts';
import { waitsRoute } from './insights/waits.ts';
import { deadHeadRoute } from './locks/dead-head.ts';
import { lockRoute, namedLockRoute } from './locks/lock.ts';
import { lockHoursRoute } from './locks/lock-hours.ts';
import { locksRoute } from './locks/locks.ts';
import { outlineRoute } from './locks/outline.ts';
import { ownLocksRoute } from './locks/own-locks.ts';
import { releaseRoute } from './locks/release.ts';
import { signalsRoute } from './locks/signals.ts';
import { spansRoute } from './locks/spans.ts';
import { trendsRoute } from './locks/trends.ts';
import { windowRoute } from './locks/window.ts';
import { observeRoute } from './observe.ts';
import { openApiRoute } from './openapi.ts';
import { recordingRoute } from './recording.ts';
import {
  addRecordingRoute,
  deleteRecordingRoute,
  openRecordingRoute,
  recordingFileRoute,
  recordingsRoute,
  saveRecordingRoute,
} from './recordings.ts';

/**
 * Every route under `/api` but those of the demo, in the order in which they are matched. `docs/api.md` has a row for
 * each; a test compares them.
 */
export const API_ROUTES: readonly Route<ApiContext>[] = [
  healthRoute,
  fleetRoute,
  locksRoute,
  lockRoute,
  namedLockRoute,
  eventsRoute,
  eventStreamRoute,
  signalsRoute,
  spansRoute,
  observeRoute,
  ownLocksRoute,
  doctorRoute,
  measureRoute,
  measurementRoute,
  cancelMeasurementRoute,
  windowRoute,
  trendsRoute,
  outlineRoute,
  recordingRoute,
  recordingsRoute,
  addRecordingRoute,
  saveRecordingRoute,
  openRecordingRoute,
  recordingFileRoute,
  deleteRecordingRoute,
  clientsRoute,
  clientRoute,
  insightsRoute,
  problemsRoute,
  noteRoute,
  graphRoute,
  waitsRoute,
  costsRoute,
  lockHoursRoute,
  dumpsRoute,
  addDumpRoute,
  dumpRoute,
  changeDumpRoute,
  deleteDumpRoute,
  releaseRoute,
  deadHeadRoute,
  openApiRoute,
];

/** The routes of the demo, under `/api` as well. */
export const DEMO_ROUTES: readonly Route<DemoContext>[] = [
  demoRoute,
  scenariosRoute,
  startScenarioRoute,
  stopScenarioRoute,
  demoClientRoute,
  demoThreadRoute,
];
