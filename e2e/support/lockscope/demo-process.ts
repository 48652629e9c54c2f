import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { DemoKind } from '../../../shared/wire/demo.ts';

const MAIN = fileURLToPath(new URL('../../../dist/server/demo/client/main.js', import.meta.url));

/** An operation for a thread: the messages of `server/demo/README.md`. */
export type Order = {
  thread: number;
  action: HoldAction | CountAction;
  lock: string;
  /** Absent: a plain lock. */
  kind?: DemoKind;
  permits?: number;
  /** Fair lock: how long the waiter may stay in the queue. */
  queueMs?: number;
  waitMs?: number;
  leaseMs?: number;
  /** The URL of a further server, for which the process has a client of its own. Absent: that of `redisUrl`. */
  server?: string;
};
type HoldAction = 'lock' | 'tryLock' | 'unlock' | 'forceUnlock';
type CountAction = 'trySetPermits' | 'acquire' | 'tryAcquire' | 'release' | 'trySetCount' | 'countDown' | 'await';

/** A call or a return, as the thread saw it; times in µs by the machine's clock. */
export type ReportedCall = Order & {
  type: 'truth';
  op: number;
  at: number;
  phase: 'called' | 'returned';
  ok?: boolean;
  result?: string;
};

/** One finished step of the protocol. */
export type ReportedStep = {
  type: 'milestone';
  at: number;
  name: string;
  lock: string;
  thread?: number;
  op?: number;
  attempt?: number;
  ttlMs?: number;
  wokenBy?: 'message' | 'own-timer';
  channel?: string;
};

export type Reported = ReportedCall | ReportedStep;

/** The result of an order; `undefined` if the process was killed before it reported one. */
export type Answer = { ok: boolean; result: string } | undefined;

/** One demo client in its own process, with all its messages. */
export type DemoProcess = {
  name: string;
  uuid: string;
  pid: number;
  reported: Reported[];
  /** Orders that were sent but not answered. */
  open: () => Order[];
  ask(order: Order): Promise<Answer>;
  /** Sets the client's clock this many ms ahead of the machine's clock, or behind if negative. */
  setClock(aheadMs: number): void;
  isAlive(): boolean;
  freeze(): void;
  thaw(): void;
  /** Interrupts every wait and releases every hold. */
  settle(): Promise<void>;
  /** SIGKILL; settles when all messages of the process have arrived. */
  kill(): Promise<void>;
};

/** Starts a client and waits until it is connected. */
export async function startDemoProcess(options: {
  name: string;
  redisUrl: string;
  threads: number;
  watchdogMs: number;
}): Promise<DemoProcess> {
  const child = fork(MAIN, [], {
    env: {
      PATH: process.env.PATH ?? '',
      DEMO_REDIS_URL: options.redisUrl,
      DEMO_CLIENT_NAME: options.name,
      DEMO_THREADS: String(options.threads),
      DEMO_WATCHDOG_MS: String(options.watchdogMs),
    },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let complaint = '';
  child.stderr?.on('data', (text: Buffer) => (complaint += text.toString()));
  const reported: Reported[] = [];
  const settling: (() => void)[] = [];
  const open = new Map<number, { order: Order; settle: (answer: Answer) => void }>();
  const uuid = new Promise<string>((resolve, reject) => {
    // The child is our own program and sends only the messages typed above.
    child.on('message', (message: Reported | { type: 'ready'; uuid: string } | { type: 'settled' }) => {
      if (message.type === 'ready') resolve(message.uuid);
      if (message.type === 'settled') for (const settle of settling.splice(0)) settle();
      if (message.type !== 'truth' && message.type !== 'milestone') return;
      reported.push(message);
      if (message.type !== 'truth' || message.phase !== 'returned') return;
      open.get(message.op)?.settle({ ok: message.ok === true, result: message.result ?? '' });
      open.delete(message.op);
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`demo client ${options.name} ended with ${code}: ${complaint}`)));
  });
  const gone = goneOf(child);
  gone.then(() => {
    for (const { settle } of open.values()) settle(undefined);
    for (const settle of settling) settle();
  });
  let ops = 0;
  return {
    name: options.name,
    uuid: await uuid,
    pid: child.pid ?? 0,
    reported,
    open: () => [...open.values()].map(({ order }) => order),
    ask: (order) =>
      new Promise((settle) => {
        if (!child.connected) return settle(undefined);
        const op = ++ops;
        open.set(op, { order, settle });
        child.send({ type: 'do', op, ...order }, () => undefined); // if unsent, the end of the process settles it
      }),
    setClock: (aheadMs) => void child.send({ type: 'clock', aheadMs }, () => undefined),
    isAlive: () => child.connected,
    freeze: () => child.kill('SIGSTOP'),
    thaw: () => child.kill('SIGCONT'),
    settle: () =>
      new Promise((settle) => {
        if (!child.connected) return settle();
        settling.push(settle);
        child.send({ type: 'settle' }, () => undefined); // if unsent, the end of the process settles it
      }),
    kill: () => {
      child.kill('SIGKILL');
      return gone;
    },
  };
}

/** Settles when the process has ended and its last messages are read: the channel closes after them. */
async function goneOf(child: ChildProcess): Promise<void> {
  await Promise.all([once(child, 'exit'), once(child, 'disconnect')]);
}
