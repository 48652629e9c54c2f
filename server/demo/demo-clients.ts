import type { Logger } from 'pino';
import type { ClientAction, DemoClient, ThreadAction, ThreadActionBody } from '../../shared/wire/demo.ts';
import { problem } from '../../shared/wire/problems/problem.ts';
import { inTime } from '../redis/connection/in-time.ts';
import type { GroupAction, LocalAction, Milestone, Operation } from './client/protocol.ts';
import { ClientProcess, type Outcome } from './client-process.ts';
import { DemoProblem } from './demo-stage.ts';

/** Something a client process did, or that was done to it or to a server. */
export type Occurrence =
  | Milestone
  | { type: 'server'; name: 'server-killed' | 'server-link-cut' | 'server-promoted' }
  | { type: 'fault'; name: 'frozen' | 'thawed' | 'killed' | 'started' | 'cut' | 'healed' };
type DemoClientsListener = (client: string, occurrence: Occurrence) => void;

export type DemoClientsOptions = {
  redisUrl: string;
  watchdogMs: number;
  /** Every key of the clients begins with this. Absent: they may use any key. */
  prefix?: string;
  /**
   * Checks each operation before it is sent to a client, and returns fields to add. Throws `DemoProblem` to refuse it.
   */
  admit?: (operation: Operation) => Pick<Operation, 'endsAt' | 'own'>;
  onUuid?: (uuid: string) => void;
  logger?: Pick<Logger, 'info' | 'warn'>;
};
type Order = Omit<ThreadActionBody, 'lock'> & Pick<Operation, 'lock' | 'members' | 'mostRefused' | 'server'>;

type LastResult = DemoClient['threads'][number]['last'];
type Member = { id: string; name: string; process: ClientProcess; last: Map<number, LastResult> };

const CLIENTS = [
  { id: 'A', name: 'order-svc-1' },
  { id: 'B', name: 'order-svc-2' },
  { id: 'C', name: 'report-job' },
];
const THREADS = 3;

/** The demo's client processes: starts operations, applies faults, and reports their state. */
export class DemoClients {
  readonly #members: Member[];
  readonly #options: DemoClientsOptions;
  readonly #report: DemoClientsListener;
  #lastOp = 0;

  constructor(options: DemoClientsOptions, report: DemoClientsListener) {
    this.#options = options;
    this.#report = report;
    this.#members = CLIENTS.map(({ id, name }) => ({ id, name, process: this.#launch(id, name), last: new Map() }));
  }

  async whenReady(): Promise<void> {
    await Promise.all(this.#members.map((member) => member.process.ready));
  }

  view(): DemoClient[] {
    return this.#members.map(viewOf);
  }

  /** The uuid of a client, even if its process has ended. */
  uuidOf(id: string): string {
    return this.#member(id).process.uuid;
  }

  /** Freezes, thaws, kills, starts, cuts or heals a client. Rejects with `DemoProblem` if its state forbids that. */
  async clientAction(id: string, action: ClientAction): Promise<void> {
    const member = this.#member(id);
    const state = stateOf(member.process);
    if (!ALLOWED_IN[action].includes(state)) {
      const possible = possibleIn(state);
      throw new DemoProblem(409, problem('wrong-state', { client: id, state, action, possible }), 'action');
    }
    await this.#act(member, action);
  }

  /** Starts an operation of one thread. Throws `DemoProblem` if the client has no such thread, or cannot run it now. */
  threadAction(
    id: string,
    thread: number,
    action: ThreadAction | LocalAction | GroupAction,
    body: Order,
  ): { op: number; done: Promise<Outcome> } {
    const member = this.#member(id);
    if (!Number.isInteger(thread) || thread < 1 || thread > THREADS) {
      throw new DemoProblem(404, problem('no-such-thread', { client: id, thread, threads: THREADS }), 'thread');
    }
    const state = stateOf(member.process);
    if (state !== 'running' && state !== 'cut') {
      throw new DemoProblem(409, problem('wrong-state', { client: id, state, possible: possibleIn(state) }), 'client');
    }
    const operation: Operation = { op: ++this.#lastOp, thread, action, lock: body.lock };
    if (body.members !== undefined) operation.members = body.members;
    if (body.mostRefused !== undefined) operation.mostRefused = body.mostRefused;
    if (body.server !== undefined) operation.server = body.server;
    if (body.kind !== undefined) operation.kind = body.kind;
    if (body.permits !== undefined) operation.permits = body.permits;
    if (body.queueMs !== undefined) operation.queueMs = body.queueMs;
    const isAcquiring = TAKING.has(action);
    if (WAITING.has(action) && body.waitMs !== undefined) operation.waitMs = body.waitMs;
    if (isAcquiring && body.leaseMs !== undefined) operation.leaseMs = body.leaseMs;
    const done = member.process.begin({ ...operation, ...this.#options.admit?.(operation) }).then((outcome) => {
      member.last.set(thread, { op: action, lock: body.lock, ok: outcome.ok, result: outcome.result });
      return outcome;
    });
    return { op: operation.op, done };
  }

  /** Ends every wait of a client with an exception, as Java's `interrupt()` does. */
  interrupt(id: string): void {
    this.#member(id).process.interrupt();
  }

  /** Resets every client: running, connected, without waits and holds. */
  async settle(): Promise<void> {
    await Promise.all(
      this.#members.map(async (member) => {
        if (stateOf(member.process) === 'frozen') await this.#act(member, 'thaw');
        if (stateOf(member.process) === 'cut') await this.#act(member, 'heal');
        if (stateOf(member.process) === 'dead') await this.#act(member, 'start');
        await member.process.ready;
        await member.process.settle();
      }),
    );
  }

  /** Ends every process. Running clients first get up to `graceMs` to release their holds. */
  async close(graceMs: number): Promise<void> {
    const running = this.#members.filter(({ process }) => stateOf(process) === 'running');
    const settled = Promise.all(running.map(({ process }) => process.settle()));
    await inTime(graceMs, settled);
    await Promise.all(this.#members.map(({ process }) => process.kill()));
  }

  async #act(member: Member, action: ClientAction): Promise<void> {
    switch (action) {
      case 'freeze':
        member.process.freeze();
        break;
      case 'thaw':
        member.process.thaw();
        break;
      case 'kill':
        await member.process.kill();
        break;
      case 'start':
        member.process = this.#launch(member.id, member.name);
        member.last = new Map();
        await member.process.ready.catch((error: Error) => {
          throw new DemoProblem(500, problem('client-failed', { client: member.id, quote: error.message }));
        });
        break;
      case 'cut':
        await member.process.cut();
        break;
      case 'heal':
        await member.process.heal();
        break;
    }
    this.#report(member.id, { type: 'fault', name: FAULTS[action] });
  }

  #launch(id: string, name: string): ClientProcess {
    const { redisUrl, watchdogMs, prefix, onUuid, logger } = this.#options;
    return new ClientProcess({
      redisUrl,
      name,
      threads: THREADS,
      watchdogMs,
      ...(prefix !== undefined && { prefix }),
      ...(onUuid && { onUuid }),
      ...(logger && { logger }),
      onMilestone: (milestone) => this.#report(id, milestone),
    });
  }

  #member(id: string): Member {
    const member = this.#members.find((each) => each.id === id);
    if (member) return member;
    const known = this.#members.map((each) => each.id);
    throw new DemoProblem(404, problem('no-such-client', { client: id, known }), 'client');
  }
}

/** Operations that accept a lease. */
const TAKING: ReadonlySet<string> = new Set(['lock', 'tryLock', 'acquire', 'tryAcquire']);
/** Operations that accept a time limit. */
const WAITING: ReadonlySet<string> = new Set(['tryLock', 'localTryLock', 'tryAcquire', 'await']);

const ALLOWED_IN: Record<ClientAction, readonly DemoClient['state'][]> = {
  freeze: ['running', 'cut'],
  thaw: ['frozen'],
  kill: ['starting', 'running', 'frozen', 'cut'],
  start: ['dead'],
  cut: ['running'],
  heal: ['cut'],
};

const FAULTS = {
  freeze: 'frozen',
  thaw: 'thawed',
  kill: 'killed',
  start: 'started',
  cut: 'cut',
  heal: 'healed',
} as const satisfies Record<ClientAction, string>;

function possibleIn(state: DemoClient['state']): string[] {
  const actions = Object.entries(ALLOWED_IN).filter(([, states]) => states.includes(state));
  return actions.map(([action]) => action);
}

function stateOf(process: ClientProcess): DemoClient['state'] {
  if (process.isDead) return 'dead';
  if (process.isFrozen) return 'frozen';
  if (!process.isReady) return 'starting';
  return process.isCut ? 'cut' : 'running';
}

function viewOf({ id, name, process, last }: Member): DemoClient {
  const { uuid, uuids, pid } = process;
  const underWay = [...process.underWay.values()].map(({ operation }) => operation);
  const threads = Array.from({ length: THREADS }, (_, index) => {
    const n = index + 1;
    const [current, ...queued] = underWay.filter((operation) => operation.thread === n);
    const more = queued.length > 0 ? ` (then ${queued.length} more)` : '';
    return {
      n,
      holder: `${uuid}:${n}`,
      state: current ? ('busy' as const) : ('idle' as const),
      doing: current ? inWords(current) + more : null,
      last: last.get(n) ?? null,
    };
  });
  return { id, name, uuid, ...(uuids.length > 0 && { uuids: [...uuids] }), pid, state: stateOf(process), threads };
}

/** An operation as text, for example `tryLock orders:42, wait 2000 ms`. */
function inWords({ action, lock, waitMs, leaseMs }: Operation): string {
  const short = lock.length > 60 ? `${lock.slice(0, 60)}…` : lock;
  const wait = waitMs === undefined ? '' : `, wait ${waitMs} ms`;
  const lease = leaseMs === undefined ? '' : `, lease ${leaseMs} ms`;
  return `${action} ${short}${wait}${lease}`;
}
