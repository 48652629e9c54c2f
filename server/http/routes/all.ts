import type { ApiContext, DemoContext } from '../app-context.ts';
import type { Route } from '../route.ts';
import { clientRoute, clientsRoute } from './clients.ts';
import { deadHeadRoute } from './dead-head.ts';
import { demoRoute, scenariosRoute, startScenarioRoute, stopScenarioRoute } from './demo.ts';
import { demoClientRoute, demoThreadRoute } from './demo-clients.ts';
import { cancelMeasurementRoute, doctorRoute, measurementRoute, measureRoute } from './doctor.ts';
import { eventStreamRoute, eventsRoute } from './events.ts';
import { graphRoute } from './graph.ts';
import { healthRoute } from './health.ts';
import { insightsRoute } from './insights.ts';
import { lockRoute, namedLockRoute } from './lock.ts';
import { locksRoute } from './locks.ts';
import { observeRoute } from './observe.ts';
import { openApiRoute } from './openapi.ts';
import { ownLocksRoute } from './own-locks.ts';
import { noteRoute, problemsRoute } from './problems.ts';
import { recordingRoute } from './recording.ts';
import {
  addRecordingRoute,
  deleteRecordingRoute,
  openRecordingRoute,
  recordingFileRoute,
  recordingsRoute,
  saveRecordingRoute,
} from './recordings.ts';
import { releaseRoute } from './release.ts';
import { signalsRoute } from './signals.ts';
import { spansRoute } from './spans.ts';
import { addDumpRoute, changeDumpRoute, deleteDumpRoute, dumpRoute, dumpsRoute } from './thread-dumps.ts';
import { trendsRoute } from './trends.ts';
import { waitsRoute } from './waits.ts';
import { windowRoute } from './window.ts';

/**
 * Every route under `/api` but those of the demo, in the order in which they are matched. `docs/api.md` has a row for
 * each; a test compares them.
 */
export const API_ROUTES: readonly Route<ApiContext>[] = [
  healthRoute,
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
