import type { z } from 'zod';
import { clientSchema } from '../../../shared/wire/clients.ts';
import { demoBody } from '../../../shared/wire/demo.ts';
import { measurementBody } from '../../../shared/wire/doctor.ts';
import { dumpBody, dumpSchema, dumpsBody } from '../../../shared/wire/dumps.ts';
import { errorBody, resyncData, sourceBody, spanSchema } from '../../../shared/wire/http.ts';
import { insightSchema } from '../../../shared/wire/insights/insight.ts';
import { loggedProblemSchema, problemsBody } from '../../../shared/wire/insights/problem-log.ts';
import { believerSchema, holderSchema, lockBody, lockSchema, waiterSchema } from '../../../shared/wire/locks/lock.ts';
import { lockEventSchema } from '../../../shared/wire/locks/lock-event.ts';
import { lockStateSchema } from '../../../shared/wire/locks/lock-state.ts';
import { problemSchema } from '../../../shared/wire/problems/problem-schema.ts';
import { recordingBody, recordingSchema, recordingsBody } from '../../../shared/wire/recordings.ts';
import { sourceSchema } from '../../../shared/wire/source.ts';
import { trendBinSchema } from '../../../shared/wire/trends.ts';

/**
 * The schemas that have a name in the API document: those of objects such as locks, and of bodies that several routes
 * return.
 */
export const COMPONENTS: Readonly<Record<string, z.ZodType>> = {
  Error: errorBody,
  Problem: problemSchema,
  Source: sourceSchema,
  SourceAnswer: sourceBody,
  Lock: lockSchema,
  LockAnswer: lockBody,
  Holder: holderSchema,
  Waiter: waiterSchema,
  Believer: believerSchema,
  LockState: lockStateSchema,
  LockEvent: lockEventSchema,
  Resync: resyncData,
  Span: spanSchema,
  TrendBin: trendBinSchema,
  Insight: insightSchema,
  LoggedProblem: loggedProblemSchema,
  ProblemsAnswer: problemsBody,
  Client: clientSchema,
  Recording: recordingSchema,
  RecordingAnswer: recordingBody,
  RecordingsAnswer: recordingsBody,
  ThreadDump: dumpSchema,
  ThreadDumpAnswer: dumpBody,
  ThreadDumpsAnswer: dumpsBody,
  MeasurementAnswer: measurementBody,
  Demo: demoBody,
};
