import { createServer, type Server } from 'node:http';
import { problem } from '../shared/wire/problems/problem.ts';
import { EventStreams } from './http/answer/event-stream.ts';
import { createContent } from './http/app.ts';
import type { AppContext } from './http/app-context.ts';
import type { RecordingMount } from './http/recording-mount.ts';
import type { PagesOf } from './http/routes/page.ts';
import { openHub } from './socket/hub.ts';
import type { Observatory } from './watch/observatory.ts';

/** What the pages of one recording or source share with all others of this server. */
export type MountContext = Omit<AppContext, 'observatory' | 'stage' | 'streams' | 'recordings' | 'report' | 'fleet'>;

/** The pages, the API and the live channel of a recording, or of a source of a viewer, under its path. */
export function mountObservatory(
  context: MountContext,
  part: Extract<PagesOf, { path: string }>,
  observatory: Observatory,
): RecordingMount {
  // This server never listens: requests and upgrades for the observatory are passed to it. The server and all of its
  // listeners are dropped with the observatory.
  const server: Server = createServer();
  const { guard, connections, channels } = context;
  const streams = new EventStreams();
  const hub = openHub({
    server,
    observatory,
    guard,
    basePath: part.path,
    channels,
    ...(connections ? { connections } : {}),
  });
  return {
    answer: createContent({ ...context, observatory, stage: undefined, streams }, part),
    channel: (req, res) => {
      req.url = req.originalUrl;
      server.emit('request', req, res);
    },
    upgrade: (req, socket, head) => void server.emit('upgrade', req, socket, head),
    pages: () => hub.pages() + streams.size,
    close: (name) => {
      streams.close();
      return hub.close(problem('recording-closed', { name }));
    },
  };
}
