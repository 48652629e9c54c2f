import type { Health } from '../../shared/wire/http.ts';
import type { DemoStage } from '../demo/demo-stage.ts';
import type { Doctor } from '../doctor/doctor.ts';
import type { DumpStore } from '../dumps/dump-store.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { ProblemLog } from '../problems/problem-log.ts';
import type { Store } from '../recordings/store.ts';
import type { Observatory } from '../watch/observatory.ts';
import type { EventStreams } from './answer/event-stream.ts';
import type { Fleet } from './fleet-mount.ts';
import type { Guard } from './guard/guard.ts';
import type { OpenChannels } from './limits/open-channels.ts';
import type { Bounds } from './limits/room.ts';
import type { ApiDocument } from './openapi/document.ts';
import type { RecordingMount } from './recording-mount.ts';

/** What the routes under `/api` need, except those of the demo. */
export type ApiContext = {
  readonly observatory: Observatory;
  readonly version: string;
  readonly allowRelease: boolean;
  /**
   * Receives a line for each lock that was released by force, and for each dead head that was removed, also if that is
   * not certain.
   */
  readonly audit?: (line: string) => void;
  /** Memory limit of the whole process, in bytes; absent: unknown. */
  readonly memory?: number;
  /** Limits the memory that connections use; absent: no limit. */
  readonly connections?: Bounds;
  /** Ends the connections of a page once its login has ended; absent: there is no login in front. */
  readonly channels?: OpenChannels | undefined;
  /** The open streams of events. */
  readonly streams: EventStreams;
  /** The recordings of this Lockscope; absent: none are kept, for example inside an application, or in a recording. */
  readonly recordings?: Store<RecordingMount>;
  /** The sources of a viewer; absent: this is not a viewer, or the pages of one of its sources. */
  readonly fleet?: Fleet | undefined;
  /** The thread dumps of this Lockscope; absent: none are kept, as in a recording. */
  readonly dumps?: DumpStore;
  /** The problems of the newest 24 hours. */
  readonly problems: () => Promise<ProblemLog>;
  /** Examines the servers of the sources. */
  readonly doctor: Doctor;
  /** How the messages of `--webhook` went; absent: there is no webhook. */
  readonly webhook?: (() => Health['webhook']) | undefined;
  /** What was exported over OTLP; absent: nothing is exported. */
  readonly otlp?: (() => Health['otlp']) | undefined;
  /** Whether `/api/demo` has a demo. */
  readonly isDemo: boolean;
  /** Describes the API, for the path under which it is mounted. */
  readonly describe: (base: string) => ApiDocument;
};

/** What the routes of the demo need. */
export type DemoContext = Pick<ApiContext, 'observatory'> & { readonly stage: DemoStage };

/** What the HTTP application is made from: the API, the demo, the page, and what all three have in front of them. */
export type AppContext = Omit<ApiContext, 'isDemo' | 'describe' | 'streams' | 'doctor' | 'problems'> & {
  /** Absent: the problems in memory. */
  readonly problems?: ApiContext['problems'];
  /** Absent: a new doctor, whose measurements a shutdown does not end. */
  readonly doctor?: Doctor;
  /** Absent: new streams, which end only with their connections. */
  readonly streams?: EventStreams;
  /** Present in a demo only. */
  readonly stage: DemoStage | undefined;
  /** The body of `/metrics`; absent: this is a recording or a viewer, which have no metrics. */
  readonly metrics?: Metrics | undefined;
  /** Folder of the built page. */
  readonly webDir: string;
  readonly guard: Guard;
  /** Called with internal errors. They are answered with 500, unless an answer has begun. */
  readonly report: (error: Error) => void;
};
