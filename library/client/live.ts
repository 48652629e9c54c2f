import { io, type Socket } from 'socket.io-client';
import type { LockEvent } from '../../shared/events/event.ts';
import { LIVE_PAUSES } from '../../shared/wire/live-pauses.ts';
import type { Lock } from '../../shared/wire/locks/lock.ts';
import type { BatchMessage, ClientToServer, ServerToClient, SnapshotMessage } from '../../shared/wire/socket.ts';
import type { Source } from '../../shared/wire/source.ts';
import { WIRE_VERSION } from '../../shared/wire/version.ts';
import type { EventsAnswer } from './answers.ts';
import type { Requests } from './request.ts';

/** Events that the server no longer has, or never had, because it was restarted. */
export type Gap = {
  /** The last event before the gap, and the first one after it. */
  readonly afterSeq: number;
  readonly nextSeq: number;
  /** The server was restarted: its events are numbered from 1 again. */
  readonly isNewRun: boolean;
};

/**
 * `live`: the server has answered, and every event from now on is passed to `events`.
 * `refused`: the server has too many viewers, or demands a token. The client tries again every 5 s.
 */
export type Link = 'connecting' | 'live' | 'lost' | 'refused';

/** The callbacks of the live stream, called in its order. A call begins only after the call before it has returned. */
export type LiveListener = {
  /** The next events: each exactly once, in order, also after the connection was lost. */
  events?(events: readonly LockEvent[]): void;
  /** Events are missing here, and are no longer available. */
  gap?(gap: Gap): void;
  /**
   * Locks that changed, and ids of locks that are no longer in `locks`: they are no longer known, or a later snapshot
   * left them out, because it has at most 5,000. After a snapshot: all of its locks.
   */
  locks?(changed: readonly Lock[], gone: readonly string[]): void;
  link?(link: Link): void;
};

export type LiveOptions = {
  /** Events after this `seq`; absent: those from now on. */
  readonly after?: number;
};

/** A live view of a Lockscope, until `close`. */
export type Live = {
  /** Locks by id, as of `seq`. At the beginning: those that are held or waited for. */
  readonly locks: ReadonlyMap<string, Lock>;
  readonly sources: readonly Source[];
  /** The newest event that `events` was called with; undefined before the first snapshot. */
  readonly seq: number | undefined;
  readonly link: Link;
  close(): void;
};

const PAGE = 5000;

/** A message, and the id of the connection that received it. */
type Received = { readonly from: string | undefined } & (
  | { readonly type: 'snapshot'; readonly message: SnapshotMessage }
  | { readonly type: 'batch'; readonly message: BatchMessage }
);

/** Opens the live channel. Events that it missed, while it was not connected or was too slow, are read over HTTP. */
export function openLive(requests: Requests, listener: LiveListener, { after }: LiveOptions = {}): Live {
  const { origin, pathname } = new URL(requests.place.base);
  const socket: Socket<ServerToClient, ClientToServer> = io(origin, {
    path: `${pathname.replace(/\/$/, '')}/socket.io`,
    transports: ['websocket'],
    autoConnect: false,
    forceNew: true,
  });
  let locks = new Map<string, Lock>();
  let sources: readonly Source[] = [];
  let link: Link = 'connecting';
  let seq = after;
  let run: string | undefined;
  let isClosed = false;
  let work: Promise<void> = Promise.resolve();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function setLink(next: Link): void {
    if (link === next) return;
    link = next;
    report(() => listener.link?.(next));
  }

  function sayHello(): void {
    socket.emit('hello', { v: WIRE_VERSION, ...(run === undefined || seq === undefined ? {} : { after: seq, run }) });
  }

  /**
   * Makes a request to renew the cookie that the live channel needs, if an application with a login is around
   * Lockscope.
   */
  async function renew(): Promise<void> {
    await requests.get('/api/health').catch(() => undefined);
    socket.io.opts.extraHeaders = requests.headers();
  }

  async function connect(): Promise<void> {
    await renew();
    if (!isClosed) socket.connect();
  }

  function pass(events: readonly LockEvent[]): void {
    const fresh = events.filter((event) => seq === undefined || event.seq > seq);
    const last = fresh.at(-1);
    if (last === undefined) return;
    seq = last.seq;
    report(() => listener.events?.(fresh));
  }

  /** Reads the events up to `to` that were not received. */
  async function readMissed(to: number): Promise<void> {
    while (!isClosed && seq !== undefined && seq < to) {
      const page: EventsAnswer = await requests.get('/api/events', { after: seq, limit: PAGE });
      if (page.oldestSeq > seq + 1) {
        const gap = { afterSeq: seq, nextSeq: page.oldestSeq, isNewRun: false };
        report(() => listener.gap?.(gap));
        seq = page.oldestSeq - 1;
      }
      pass(page.events);
      if (page.events.length === 0) seq = Math.max(seq, Math.min(to, page.nextSeq - 1));
    }
  }

  async function take(received: Received): Promise<void> {
    if (received.type === 'snapshot') await takeSnapshot(received.message);
    else await takeBatch(received.message);
    if (received.from === socket.id) setLink('live');
  }

  async function takeSnapshot(message: SnapshotMessage): Promise<void> {
    const isNewRun = (run !== undefined && run !== message.run) || (seq ?? 0) > message.seq;
    if (isNewRun) {
      const gap = { afterSeq: seq ?? 0, nextSeq: 1, isNewRun };
      report(() => listener.gap?.(gap));
      seq = 0;
    }
    run = message.run;
    seq ??= message.seq;
    await readMissed(message.seq);
    const before = locks;
    locks = new Map(message.locks.map((lock) => [lock.id, lock]));
    const gone = [...before.keys()].filter((id) => !locks.has(id));
    sources = message.sources;
    report(() => listener.locks?.(message.locks, gone));
  }

  async function takeBatch(message: BatchMessage): Promise<void> {
    const isNext = seq !== undefined && message.fromSeq <= seq + 1;
    const isWhole = message.events.length === message.toSeq - message.fromSeq + 1;
    if (isNext && isWhole) pass(message.events);
    else await readMissed(message.toSeq);
    for (const lock of message.locks) locks.set(lock.id, lock);
    for (const id of message.gone) locks.delete(id);
    sources = message.sources ?? sources;
    const isChanged = message.locks.length > 0 || message.gone.length > 0;
    if (isChanged) report(() => listener.locks?.(message.locks, message.gone));
  }

  /** After an error the channel starts again: `hello` then asks for everything after `seq`. */
  function queue(received: Received): void {
    work = work.then(() => (isClosed ? undefined : take(received))).catch(restart);
  }

  function restart(): void {
    if (isClosed) return;
    socket.disconnect();
    setLink('lost');
    timer = setTimeout(() => void connect(), LIVE_PAUSES.refused);
  }

  socket.on('connect', sayHello);
  socket.on('disconnect', (reason) => {
    setLink('lost');
    void renew();
    // socket.io itself connects again only after a connection that broke, not after one that the server has ended.
    if (reason === 'io server disconnect') timer = setTimeout(() => void connect(), LIVE_PAUSES.ended);
  });
  socket.on('connect_error', () => {
    if (socket.active) return void renew(); // socket.io tries again by itself
    setLink('refused');
    timer = setTimeout(() => void connect(), LIVE_PAUSES.refused);
  });
  socket.on('snapshot', (message) => {
    clearTimeout(timer);
    queue({ type: 'snapshot', message, from: socket.id });
  });
  socket.on('batch', (message) => queue({ type: 'batch', message, from: socket.id }));
  socket.on('resync', () => {
    timer = setTimeout(() => socket.emit('hello', { v: WIRE_VERSION }), LIVE_PAUSES.resync);
  });
  void connect();
  const renewal = setInterval(() => void renew(), LIVE_PAUSES.renewal);

  return {
    get locks() {
      return locks;
    },
    get sources() {
      return sources;
    },
    get seq() {
      return seq;
    },
    get link() {
      return link;
    },
    close() {
      isClosed = true;
      clearInterval(renewal);
      clearTimeout(timer);
      socket.disconnect();
    },
  };
}

/**
 * Calls the listener. If it throws, its error is thrown outside the stream, where the program sees it, and the stream
 * goes on.
 */
function report(call: () => void): void {
  try {
    call();
  } catch (error) {
    setTimeout(() => {
      throw error;
    });
  }
}
