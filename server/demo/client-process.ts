import { type ChildProcess, fork } from 'node:child_process';
import type { Logger } from 'pino';
import { PROGRAMS } from '../package-info.ts';
import { endWithUs } from '../redis/private-server/end-with-us.ts';
import type { ChildMessage, ClientEnvironment, Milestone, Operation, ParentMessage, Truth } from './client/protocol.ts';

type ClientProcessOptions = {
  redisUrl: string;
  name: string;
  threads: number;
  watchdogMs: number;
  /** Every key of the client begins with this. Absent: the client may use any key. */
  prefix?: string;
  logger?: Pick<Logger, 'info' | 'warn'>;
  onMilestone?: (milestone: Milestone) => void;
  onTruth?: (truth: Truth) => void;
  /** Called with the uuid of each client in the process. */
  onUuid?: (uuid: string) => void;
};

/** The result of an operation. `ok` is false if the operation threw, or if the process ended before (`isLost`). */
export type Outcome = { ok: boolean; result: string; isLost?: true };
const LOST: Outcome = { ok: false, result: 'the client process ended', isLost: true };
type UnderWay = { operation: Operation; settle: (outcome: Outcome) => void };

/** How many characters of the process's error output are kept. */
const MOST_CHARACTERS = 2000;

/** One demo client process, seen from its parent: sends operations and receives reports. */
export class ClientProcess {
  /** Empty until the process is ready. */
  uuid = '';
  /** The uuids of all clients that the process has created for further servers. */
  uuids: readonly string[] = [];
  isReady = false;
  isFrozen = false;
  isCut = false;
  isDead = false;
  /** Settles when the process has ended. */
  readonly ended: Promise<void>;
  /** Resolves when the process is connected. Rejects if it ends before. */
  readonly ready: Promise<void>;
  /** Operations that have not returned yet, in the order they were sent. */
  readonly underWay = new Map<number, UnderWay>();
  readonly #child: ChildProcess;
  readonly #options: ClientProcessOptions;
  #complaint = '';
  #callOffGuard: () => void = () => undefined;
  #replies: { matches: (message: ChildMessage) => boolean; resolve: () => void }[] = [];

  constructor(options: ClientProcessOptions) {
    this.#options = options;
    const env: ClientEnvironment = {
      DEMO_REDIS_URL: options.redisUrl,
      DEMO_CLIENT_NAME: options.name,
      DEMO_THREADS: options.threads,
      DEMO_WATCHDOG_MS: options.watchdogMs,
      DEMO_PREFIX: options.prefix ?? '',
    };
    const child = fork(PROGRAMS.demoClient, [], {
      env: { ...process.env, ...stringValues(env) },
      execArgv: [],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#child = child;
    const killNow = () => child.kill('SIGKILL');
    process.once('exit', killNow);
    child.stderr?.on('data', (text: Buffer) => {
      this.#complaint = (this.#complaint + text).slice(-MOST_CHARACTERS);
    });
    child.on('message', (message) => this.#hear(message as ChildMessage)); // the child is our own program
    this.ended = new Promise((resolve) => {
      const end = () => {
        process.off('exit', killNow);
        this.#die();
        resolve();
      };
      child.once('exit', end);
      child.once('error', end);
    });
    const gone = this.ended.then(() => {
      throw new Error(`demo client ${options.name} ended: ${this.#complaint.trim() || 'no output'}`);
    });
    this.ready = Promise.race([this.#reply((message) => message.type === 'ready'), gone]);
    this.ready.catch(() => undefined); // not an unhandled rejection if no caller awaits it
  }

  get pid(): number | null {
    return this.isDead ? null : (this.#child.pid ?? null);
  }

  /** Starts an operation. Resolves when the operation returns, or when the process has ended. */
  begin(operation: Operation): Promise<Outcome> {
    if (this.isDead) return Promise.resolve(LOST);
    return new Promise((settle) => {
      this.underWay.set(operation.op, { operation, settle });
      this.#send({ type: 'do', ...operation });
    });
  }

  freeze(): void {
    this.isFrozen = this.#child.kill('SIGSTOP');
    // A frozen process would not notice that its parent is gone.
    if (this.#child.pid !== undefined) this.#callOffGuard = endWithUs(this.#child.pid);
  }

  thaw(): void {
    this.#callOffGuard();
    this.isFrozen = !this.#child.kill('SIGCONT');
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.ended;
  }

  async cut(): Promise<void> {
    await this.#ask({ type: 'network', want: 'cut' }, (message) => message.type === 'network' && message.is === 'cut');
    this.isCut = true;
  }

  async heal(): Promise<void> {
    const isHealed = (message: ChildMessage) => message.type === 'network' && message.is === 'healed';
    await this.#ask({ type: 'network', want: 'heal' }, isHealed);
    this.isCut = false;
  }

  /** Ends every wait of this client with an exception. */
  interrupt(): void {
    this.#send({ type: 'interrupt' });
  }

  /** Ends every wait and releases every hold of this client. */
  async settle(): Promise<void> {
    await this.#ask({ type: 'settle' }, (message) => message.type === 'settled');
  }

  async #ask(message: ParentMessage, isReply: (message: ChildMessage) => boolean): Promise<void> {
    const reply = this.#reply(isReply);
    this.#send(message);
    await Promise.race([reply, this.ended]);
  }

  #reply(matches: (message: ChildMessage) => boolean): Promise<void> {
    return new Promise((resolve) => this.#replies.push({ matches, resolve }));
  }

  #send(message: ParentMessage): void {
    if (this.#child.connected) this.#child.send(message, () => undefined); // if the client has ended, 'exit' reports it
  }

  #hear(message: ChildMessage): void {
    if (message.type === 'ready' || message.type === 'also') this.#options.onUuid?.(message.uuid);
    if (message.type === 'ready') {
      this.uuid = message.uuid;
      this.isReady = true;
    }
    if (message.type === 'also') this.uuids = [...this.uuids, message.uuid];
    if (message.type === 'milestone') this.#options.onMilestone?.(message);
    if (message.type === 'truth') {
      this.#options.onTruth?.(message);
      if (message.phase === 'returned') this.#return(message.op, { ok: message.ok, result: message.result });
    }
    const answered = this.#replies.filter((reply) => reply.matches(message));
    this.#replies = this.#replies.filter((reply) => !answered.includes(reply));
    for (const reply of answered) reply.resolve();
  }

  #return(op: number, outcome: Outcome): void {
    const underWay = this.underWay.get(op);
    this.underWay.delete(op);
    underWay?.settle(outcome);
  }

  #die(): void {
    this.#callOffGuard();
    this.isDead = true;
    this.isReady = false;
    this.isFrozen = false;
    this.isCut = false;
    if (this.#complaint)
      this.#options.logger?.warn({ client: this.#options.name, quote: this.#complaint }, 'demo client');
    for (const op of [...this.underWay.keys()]) this.#return(op, LOST);
  }
}

function stringValues(env: ClientEnvironment): Record<string, string> {
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, String(value)]));
}
