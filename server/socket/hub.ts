import { randomUUID } from 'node:crypto';
import type { Server as HttpServer, IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { Server, type Socket } from 'socket.io';
import type { z } from 'zod';
import { type Problem, problem } from '../../shared/wire/problems/problem.ts';
import { type ClientToServer, helloMessage, type ServerToClient, wantMessage } from '../../shared/wire/socket.ts';
import { securityHeaders } from '../http/answer/headers.ts';
import type { Guard } from '../http/guard/guard.ts';
import { IgnoredUpgrades } from '../http/guard/ignored-upgrades.ts';
import type { OpenChannels } from '../http/limits/open-channels.ts';
import type { Bounds } from '../http/limits/room.ts';
import { faultOf } from '../http/problems/field-fault.ts';
import type { Observatory } from '../watch/observatory.ts';
import { ChangeLog } from './change-log.ts';
import { FlushPace } from './flush-pace.ts';
import { boundMessages } from './message-bounds.ts';
import type { Step } from './message-step.ts';
import { MessageMaker } from './messages.ts';
import { Places } from './places.ts';
import { COMPRESSION, makeFrame, writeFrame } from './shared-frame.ts';
import { isOfferOfHttp2, refuseUpgrade, socketCheck } from './socket-check.ts';
import { advance, changeSubscription, greet, isPending, newViewer, sameStepKey, type Viewer } from './viewer.ts';

const MESSAGE_LIMIT = 2_500_000;
/** How long a connection may take to connect to socket.io. */
const JOIN_WITHIN_MS = 10_000;
/** The connection of a page that reads no message for this long is closed. The page reconnects when it reads again. */
const STUCK_MS = 60_000;
const PATH = '/socket.io';

/** The live channel to every page. */
export type Hub = {
  pages(): number;
  /** Sends `last` to every page, and closes every connection of the live channel. The HTTP server stays open. */
  close(last?: Problem): Promise<void>;
};

type HubOptions = {
  readonly server: HttpServer;
  readonly observatory: Observatory;
  readonly guard: Guard;
  /** The path under which the application is mounted, `/ops/locks`; absent: the root. */
  readonly basePath?: string;
  /** Limits the memory that connections use; absent: no limit. */
  readonly connections?: Bounds;
  /**
   * Opens a channel only if the application allows it, and closes it when the login ends; absent: no login is needed.
   */
  readonly channels?: OpenChannels | undefined;
  /** Takes an upgrade that belongs to a recording, or to a source of a viewer. Returns whether it did. */
  readonly takesUpgrade?: (req: IncomingMessage, tcp: Duplex, head: Buffer) => boolean;
  /** Memory for the ids of changed locks, in bytes. Pages that are behind need them. */
  readonly changesBytes?: number;
};

type PageSocket = Socket<ClientToServer, ServerToClient>;
/** Pages with the same position and the same subscription. One message is made for all of them. */
type Group = { readonly step: Step; readonly sockets: PageSocket[] };

/**
 * Opens the live channel on an HTTP server.
 *
 * There is no queue per page: the history is the queue. Each page has a position in it. Once its connection has taken
 * the last message, the page gets everything after that position. So a slow page costs no memory and delays no other
 * page. `onBatch` only notes what changed and sets a timer.
 */
export function openHub(options: HubOptions): Hub {
  const { server, observatory, guard, basePath = '', connections, channels, takesUpgrade, changesBytes } = options;
  const path = basePath + PATH;
  const run = randomUUID();
  const log = new ChangeLog(observatory.history.nextSeq() - 1, changesBytes);
  const maker = new MessageMaker(observatory, log, run);
  const pages = new Map<PageSocket, Viewer>();
  /** Pages whose next message is being compressed. */
  const awaiting = new Set<PageSocket>();
  const pace = new FlushPace();
  let timer: NodeJS.Timeout | undefined;
  let lastFlush = Number.NEGATIVE_INFINITY;

  const io = new Server<ClientToServer, ServerToClient>(server, {
    path,
    serveClient: false,
    destroyUpgrade: false,
    maxHttpBufferSize: MESSAGE_LIMIT,
    transports: ['websocket'],
    allowUpgrades: false,
    connectTimeout: JOIN_WITHIN_MS,
    perMessageDeflate: COMPRESSION,
  });
  /**
   * Whether an upgrade is an ordinary request that offers HTTP/2. On a server that does not listen, such a request
   * would not pass the login of the application, so it is refused.
   */
  const isRequest = (req: IncomingMessage) =>
    server.listening && isBelow(req, basePath) && !isBelow(req, path) && isOfferOfHttp2(req);
  const ignored = new IgnoredUpgrades(server, isRequest);
  const places = new Places<PageSocket['conn']>();
  const onUpgrade = (req: IncomingMessage, tcp: Duplex, head: Buffer) => {
    if (!isBelow(req, basePath)) return; // the upgrade belongs to the application around us
    if (isRequest(req)) return ignored.passOn(req, tcp, head);
    if (takesUpgrade?.(req, tcp, head)) return;
    tcp.on('error', () => tcp.destroy());
    if (isClosed || !isBelow(req, path)) refuseUpgrade(req);
    else connections?.notePage(req.socket);
  };
  let isClosed = false;
  server.prependListener('upgrade', onUpgrade);
  io.engine.use(securityHeaders());
  io.engine.use(socketCheck(guard, basePath, channels));
  const bound = boundMessages(io.engine, connections);
  io.use(({ conn }, next) => {
    conn.once('close', () => places.leave(conn));
    places.ask(conn, {
      admit: next,
      refuse: () => next(Object.assign(new Error(FULL.message), { data: FULL })),
      close: () => bound.end(conn),
    });
  });

  const schedule = () => {
    if (timer !== undefined) return;
    timer = setTimeout(flush, Math.max(0, lastFlush + pace.intervalMs(pages.size) - performance.now()));
  };

  const stopListening = observatory.onBatch((batch) => {
    log.note(batch);
    if (pages.size > 0) schedule();
  });

  /** Sends every page the events and locks that it has not got yet, if its connection can accept a message. */
  function flush(): void {
    timer = undefined;
    lastFlush = performance.now();
    const groups = new Map<string, Group>();
    let isAnyPageBehind = false;
    for (const [socket, viewer] of pages) {
      if (!isPending(viewer, maker.newestSeq, log.tick)) continue;
      if (awaiting.has(socket) || !socket.conn.transport.writable) {
        viewer.stuckSince ??= lastFlush;
        if (lastFlush - viewer.stuckSince > STUCK_MS) bound.end(socket.conn);
        isAnyPageBehind = true;
        continue;
      }
      viewer.stuckSince = undefined;
      if (viewer.problem) socket.emit('problem', viewer.problem);
      viewer.problem = undefined;
      if (viewer.resync !== undefined) socket.emit('resync', { v: 1, reason: viewer.resync.message, ...viewer.resync });
      viewer.resync = undefined;
      if (viewer.pending !== 'nothing') join(groups, socket, viewer);
    }
    for (const group of groups.values()) if (sendGroup(group)) isAnyPageBehind = true;
    if (groups.size > 0) pace.made(performance.now() - lastFlush);
    if (isAnyPageBehind) schedule();
  }

  function join(groups: Map<string, Group>, socket: PageSocket, viewer: Viewer): void {
    const key = sameStepKey(viewer) ?? `only ${socket.id}`;
    const group = groups.get(key);
    if (group) group.sockets.push(socket);
    else groups.set(key, { step: maker.next(viewer), sockets: [socket] });
  }

  /** Sends one step to a group of pages. True if they are owed more. */
  function sendGroup({ step, sockets }: Group): boolean {
    try {
      if (step.type === 'batch' || step.type === 'snapshot') send([step.type, step.message], sockets);
    } catch {
      // A message that cannot be encoded must not end the process. Its pages are disconnected, and reconnect.
      for (const socket of sockets) {
        awaiting.delete(socket);
        bound.end(socket.conn);
      }
      return false;
    }
    for (const socket of sockets) {
      const viewer = pages.get(socket);
      if (viewer) advance(viewer, step);
    }
    return step.type === 'resync' || (step.type === 'batch' && !step.done);
  }

  /** Throws if the message cannot be encoded. */
  function send(message: readonly [string, unknown], sockets: readonly PageSocket[]): void {
    for (const socket of sockets) awaiting.add(socket);
    makeFrame(message, sockets, (some, frame) => {
      const began = performance.now();
      for (const socket of some) {
        awaiting.delete(socket);
        if (!frame) bound.end(socket.conn);
        else if (pages.has(socket)) writeFrame(socket.conn, frame);
      }
      pace.wrote(some.length, performance.now() - began);
    });
  }

  io.on('connection', (socket) => {
    const viewer = newViewer();
    pages.set(socket, viewer);
    const stopFollowing = channels?.follow(socket.conn.request, () => bound.end(socket.conn));
    socket.on('disconnect', () => {
      stopFollowing?.();
      pages.delete(socket);
      places.leave(socket.conn);
    });
    socket.on('hello', (raw: unknown) => {
      const hello = helloMessage.safeParse(raw);
      if (hello.success) {
        places.greet(socket.conn);
        bound.admit(socket.conn);
        const has = (after: number) =>
          observatory.history.after(after, 1) !== undefined && log.sinceSeq(after) !== undefined;
        greet(viewer, hello.data, { run, nextSeq: observatory.history.nextSeq(), has });
      } else viewer.problem = badMessage('hello', hello.error);
      schedule();
    });
    socket.on('want', (raw: unknown) => {
      const want = wantMessage.safeParse(raw);
      if (want.success) {
        const others = [...pages.values()].filter((other) => other !== viewer);
        viewer.problem = changeSubscription(viewer, want.data, { others, lockOf: (id) => observatory.lockById(id) });
      } else viewer.problem = badMessage('want', want.error);
      schedule();
    });
    socket.onAny((name: string) => {
      if (name === 'hello' || name === 'want') return;
      viewer.problem = problem('unknown-message', { name: String(name).slice(0, 50) });
      schedule();
    });
  });

  return {
    pages: () => pages.size,
    close: async (last) => {
      stopListening();
      if (last) io.emit('problem', last);
      places.close();
      clearTimeout(timer);
      timer = undefined;
      isClosed = true;
      io.disconnectSockets(true);
      io.engine.close();
    },
  };
}

const FULL = problem('too-many-pages');

function badMessage(name: string, error: z.ZodError): Problem {
  return problem('bad-message', { name, ...faultOf(error, '') });
}

function isBelow({ url = '/' }: IncomingMessage, path: string): boolean {
  return url.startsWith(`${path}/`);
}
