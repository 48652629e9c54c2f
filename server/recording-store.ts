import { createServer, type Server } from 'node:http';
import { problem } from '../shared/wire/problems/problem.ts';
import { EventStreams } from './http/answer/event-stream.ts';
import { createContent } from './http/app.ts';
import type { AppContext } from './http/app-context.ts';
import type { RecordingMount } from './http/recording-mount.ts';
import type { ReadFile } from './recordings/read-file.ts';
import type { RecordFiles } from './recordings/record-files.ts';
import { Store } from './recordings/store.ts';
import { openHub } from './socket/hub.ts';
import type { Observatory } from './watch/observatory.ts';
import { openRecordingsWithin } from './watch/terms/memory-shares.ts';

type StoreContext = Omit<AppContext, 'observatory' | 'stage' | 'streams' | 'recordings' | 'report'>;

/** The recordings of this Lockscope. An open one has the pages, the API and the live channel of any Lockscope. */
export function createStore(
  context: StoreContext,
  records: RecordFiles | undefined,
  read?: ReadFile,
): Store<RecordingMount> {
  return new Store({
    open: openRecordingsWithin(context.memory),
    ...{ records, read },
    mount: (id, observatory) => mountRecording(context, `/recordings/${id}`, observatory),
  });
}

function mountRecording(context: StoreContext, basePath: string, observatory: Observatory): RecordingMount {
  // It never listens: it is given what arrives for this recording, and is dropped with it, with all of its listeners.
  const server: Server = createServer();
  const { guard, connections, channels } = context;
  const streams = new EventStreams();
  const hub = openHub({ server, observatory, guard, basePath, channels, ...(connections ? { connections } : {}) });
  return {
    answer: createContent({ ...context, observatory, stage: undefined, streams }, { of: 'recording', path: basePath }),
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
