import type { Server } from 'node:http';
import type { DemoStage } from './demo/demo-stage.ts';
import { Doctor } from './doctor/doctor.ts';
import { DumpStore } from './dumps/dump-store.ts';
import { readInThread } from './dumps/read-in-thread.ts';
import type { ViewerFleet } from './fleet-site.ts';
import { mountOf, removedPrefix, setBase } from './http/answer/base-path.ts';
import { EventStreams } from './http/answer/event-stream.ts';
import { createApp } from './http/app.ts';
import type { AppContext } from './http/app-context.ts';
import { upgradeSource } from './http/fleet-mount.ts';
import type { Guard } from './http/guard/guard.ts';
import type { OpenChannels } from './http/limits/open-channels.ts';
import type { Bounds } from './http/limits/room.ts';
import { upgradeRecording } from './http/recording-mount.ts';
import { createMetrics, type MetricsOptions } from './metrics/metrics.ts';
import type { Otlp } from './otlp/otlp.ts';
import { VERSION, WEB_DIR } from './package-info.ts';
import { followProblems } from './problems/follow-problems.ts';
import { recordProblems } from './problems/record-problems.ts';
import { createStore } from './recording-store.ts';
import type { ReadFile } from './recordings/read-file.ts';
import { readInThread as readRecordingInThread } from './recordings/read-in-thread.ts';
import type { RecordFiles } from './recordings/record-files.ts';
import { openHub } from './socket/hub.ts';
import type { Observatory } from './watch/observatory.ts';

type SiteOptions = {
  /** Receives the requests and upgrades: it listens, or an application passes them to it. */
  readonly server: Server;
  readonly observatory: Observatory;
  readonly stage?: DemoStage | undefined;
  readonly guard: Guard;
  readonly connections: Bounds;
  /** Ends the connections of a page once its login has ended; absent: there is no login in front. */
  readonly channels?: OpenChannels;
  /** The memory limit in bytes, which is divided like that of a whole process. */
  readonly memory: number;
  readonly allowRelease: boolean;
  /** Memory for the ids of changed locks, in bytes. */
  readonly changesBytes: number;
  /** The files that `--record` writes. */
  readonly records?: RecordFiles | undefined;
  /** Reads recordings; absent: they are read in a thread, which needs the build. */
  readonly readRecording?: ReadFile | undefined;
  /** The sources of a viewer; absent: this is not a viewer. */
  readonly fleet?: ViewerFleet | undefined;
  /** This is a recording that has been read to its end: its problems are those in memory. */
  readonly isRecording?: boolean;
  /** Whether a recording is saved around each new critical problem. */
  readonly recordsProblems?: boolean;
  readonly webhook?: AppContext['webhook'];
  /** Exports the metrics too; absent: nothing is exported. */
  readonly otlp?: Otlp | undefined;
  /** Which locks have metrics of their own; absent: there are no metrics, as for a recording or a viewer. */
  readonly metrics?: Pick<MetricsOptions, 'locks'> | undefined;
  /**
   * Receives a line for each lock that was or may have been released by force, for each head that was or may have been
   * removed from a queue, and for each warning about recordings of problems.
   */
  audit(line: string): void;
  /** Receives internal errors, which are answered with 500 unless an answer has begun. */
  report(error: Error): void;
};

/** Pages, API and live channel of one observatory. */
type Site = {
  /** Closes an open recording to free memory, if possible one without a page. Returns false if none is open. */
  closeOneRecording(): boolean;
  /** Ends every live channel and every stream of events, and deletes the recordings that were kept. */
  close(): Promise<void>;
};

/** Opens everything that is served for an observatory on a server. */
export function openSite(options: SiteOptions): Site {
  const { server, observatory, stage, guard, connections, channels, memory, allowRelease, audit } = options;
  const { report, webhook, otlp } = options;
  const context = { guard, connections, channels, version: VERSION, memory, allowRelease, webDir: WEB_DIR, audit };
  const recordings = createStore(context, options.records, options.readRecording ?? readRecordingInThread);
  const dumps = new DumpStore(readInThread, memory);
  const streams = new EventStreams();
  const followed = options.isRecording ? undefined : followProblems(observatory);
  const saved = options.recordsProblems ? recordProblems({ observatory, recordings, warn: audit }) : undefined;
  const doctor = new Doctor(observatory);
  const metrics =
    options.metrics && createMetrics({ observatory, version: VERSION, memory, otlp: otlp?.totals, ...options.metrics });
  if (metrics) otlp?.exportMetrics(metrics);
  const states = { webhook, otlp: otlp?.state };
  const problems = followed && { problems: async () => followed.log };
  const parts = { stage, streams, doctor, recordings, dumps, metrics, ...problems };
  const fleet = options.fleet?.connect(context);
  const app = createApp({ ...context, ...states, ...parts, observatory, report, fleet });
  server.on('request', (req, res) => {
    if (mountOf(req) === '') setBase(req, removedPrefix(req));
    app(req, res);
  });
  const toRecording = upgradeRecording(recordings);
  const toSource = fleet ? upgradeSource(fleet) : () => false;
  const takesUpgrade: typeof toRecording = (req, socket, head) =>
    toRecording(req, socket, head) || toSource(req, socket, head);
  const { changesBytes } = options;
  const hub = openHub({ server, observatory, guard, connections, channels, takesUpgrade, changesBytes });
  return {
    closeOneRecording: () => recordings.closeOne(),
    async close() {
      streams.close();
      followed?.stop();
      saved?.stop();
      channels?.close();
      await doctor.cancel();
      metrics?.stop();
      await hub.close();
      await recordings.end();
    },
  };
}
