import { io, type Socket } from 'socket.io-client';
import { LIVE_PAUSES } from '../../../shared/wire/live-pauses.ts';
import type { SentProblem } from '../../../shared/wire/problems/problem-schema.ts';
import type { ClientToServer, Hello, ServerToClient } from '../../../shared/wire/socket.ts';
import { WIRE_VERSION } from '../../../shared/wire/version.ts';
import { BASE_PATH } from '../../url/base-path.ts';
import { isProblem } from '../http/sent-problem.ts';
import type { LiveStore } from './live-store.ts';

type SocketClientOptions = {
  store: LiveStore;
  /** Called after each snapshot, so that the locks that it leaves out can be read. */
  onSnapshot: () => void;
  onProblem: (problem: SentProblem | null) => void;
};

/**
 * Keeps the store up to date over any number of reconnects. The first `hello`, and the one after a `resync`, requests a
 * snapshot. Any other requests the changes since the last received `seq`. Returns a function that disconnects.
 */
export function connectSocket({ store, onSnapshot, onProblem }: SocketClientOptions): () => void {
  const socket: Socket<ServerToClient, ClientToServer> = io({
    path: `${BASE_PATH}/socket.io`,
    transports: ['websocket'],
  });
  let hasSnapshot = false;
  let run: string | undefined;
  let resyncTimer: number | undefined;
  let retry: number | undefined;

  const sayHello = () => {
    const missed = hasSnapshot ? { after: store.lastSeq(), ...(run === undefined ? {} : { run }) } : {};
    const hello: Hello = { v: WIRE_VERSION, ...missed };
    socket.emit('hello', hello);
  };

  socket.on('connect', () => {
    onProblem(null);
    sayHello();
    if (hasSnapshot) store.take({ type: 'link', link: 'live' });
  });
  socket.on('connect_error', (error: Error & { data?: unknown }) => {
    // the server was not reached; while the socket is active, the library itself retries
    if (socket.active) {
      if (store.get().link === 'refused') onProblem(null);
      return store.take({ type: 'link', link: 'lost' });
    }
    store.take({ type: 'link', link: 'refused' });
    onProblem(isProblem(error.data) ? error.data : { code: '', values: {}, message: error.message, hint: '' });
    retry = window.setTimeout(() => socket.connect(), LIVE_PAUSES.refused);
  });
  socket.on('disconnect', (reason) => {
    store.take({ type: 'link', link: 'lost' });
    // socket.io itself connects again only after a connection that broke, not after one that the server has ended.
    if (reason === 'io server disconnect') retry = window.setTimeout(() => socket.connect(), LIVE_PAUSES.ended);
  });
  socket.on('snapshot', (message) => {
    window.clearTimeout(resyncTimer);
    hasSnapshot = true;
    const isNewRun = run !== undefined && run !== message.run;
    run = message.run;
    store.take({ type: 'snapshot', heardAt: Date.now(), message, isNewRun });
    onSnapshot();
  });
  socket.on('batch', (message) => {
    if (hasSnapshot) store.take({ type: 'batch', heardAt: Date.now(), message });
  });
  socket.on('resync', () => {
    hasSnapshot = false;
    window.clearTimeout(resyncTimer);
    resyncTimer = window.setTimeout(sayHello, LIVE_PAUSES.resync);
  });
  socket.on('problem', onProblem);
  const noteHeard = () => store.take({ type: 'heard', heardAt: Date.now() });
  socket.io.on('ping', noteHeard);

  const renewal = window.setInterval(() => {
    // a hidden page may send no other request, for example that of an opened recording
    if (document.hidden) void fetch(`${BASE_PATH}/api/health`).catch(() => undefined);
  }, LIVE_PAUSES.renewal);

  return () => {
    window.clearInterval(renewal);
    window.clearTimeout(resyncTimer);
    window.clearTimeout(retry);
    socket.disconnect();
  };
}
