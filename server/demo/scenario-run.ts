import type { ClientAction, Demo, DemoGroupOperation, ThreadAction } from '../../shared/wire/demo.ts';
import { type Problem, problem } from '../../shared/wire/problems/problem.ts';
import { pause } from './client/pause.ts';
import type { GroupAction, LocalAction, Operation } from './client/protocol.ts';
import type { DemoClients, Occurrence } from './demo-clients.ts';
import { type Director, locksOf, type Role, type ScenarioScript, type Step, type Times } from './scenario.ts';

/** How long to wait for reports of the last steps after all operations have returned. */
const LAST_STEPS_WITHIN_MS = 3000;
const STEP_WITHIN_MS = 20_000;

type Group = Pick<Operation, 'members' | 'mostRefused' | 'server'>;

/** What a scenario may do to its private servers. */
export type ServersOfRun = {
  urlOf(n: number): string;
  kill(n: number): Promise<void>;
  cutLink(n: number): Promise<void>;
  promote(n: number): Promise<void>;
};

/** The part of `RunLog` that a run uses. Times are Redis times. */
type LogOfRun = {
  now(): number;
  /** A thread starts a call over several locks. The result is called when that call has returned. */
  beginGroup(call: Pick<DemoGroupOperation, 'client' | 'thread' | 'does'>): () => void;
};

/** One run of a scenario. `step` follows what the clients really did. */
export class ScenarioRun {
  readonly script: ScenarioScript;
  state: Extract<Demo['state'], 'running' | 'done' | 'failed'> = 'running';
  problem: Problem | undefined;
  readonly #demoClients: DemoClients;
  readonly #servers: ServersOfRun | undefined;
  readonly #log: LogOfRun;
  readonly #stop = new AbortController();
  /** How many occurrences each step still needs. */
  readonly #open: number[];
  /** When the last report for each step arrived, in Redis time. */
  readonly #happenedAt: (number | undefined)[] = [];
  #waiting: { step: number; resolve: () => void }[] = [];
  #ended: Promise<void> = Promise.resolve();

  constructor(script: ScenarioScript, demoClients: DemoClients, log: LogOfRun, servers?: ServersOfRun) {
    this.script = script;
    this.#log = log;
    this.#servers = servers;
    this.#demoClients = demoClients;
    this.#open = script.steps.map(({ times = 1 }) => times);
  }

  /** Number of steps reached. A step counts once all steps before it are reached, in whatever order reports arrive. */
  get step(): number {
    const open = this.#open.findIndex((left) => left > 0);
    return open === -1 ? this.#open.length : open;
  }

  /** When a step happened, in Redis time; `undefined` if it has not happened yet. Steps count from 1. */
  happenedAt(step: number): number | undefined {
    return this.#happenedAt[step - 1];
  }

  start(): void {
    this.#ended = this.#perform();
  }

  /** Takes a report of a client or a server and counts it for the first open step that matches. */
  hear(client: string, occurrence: Occurrence): void {
    if (occurrence.type === 'milestone' && !isAbout(this.script, occurrence.lock)) return;
    const fits = (step: Step, n: number) => (this.#open[n] ?? 0) > 0 && isStep(step, client, occurrence);
    const n = this.script.steps.findIndex(fits);
    if (n === -1) return;
    this.#open[n] = (this.#open[n] ?? 1) - 1;
    if (this.#open[n] === 0) this.#happenedAt[n] = this.#log.now();
    const reached = this.#waiting.filter(({ step }) => step <= this.step);
    this.#waiting = this.#waiting.filter((waiter) => !reached.includes(waiter));
    for (const { resolve } of reached) resolve();
  }

  /** Stops the run. Settles when the scenario no longer starts operations. */
  async stop(): Promise<void> {
    this.#stop.abort(new Error('stopped'));
    await this.#ended;
  }

  async #perform(): Promise<void> {
    const { steps } = this.script;
    try {
      await this.script.play(this.#director());
      await Promise.race([this.#reached(steps.length), pause(LAST_STEPS_WITHIN_MS, this.#stop.signal)]);
      if (this.step < steps.length)
        this.#fail(problem('step-missing', { step: this.step + 1, title: steps[this.step]?.title ?? '' }));
      else this.state = 'done';
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      this.#fail(problem('scenario-failed', { quote: error instanceof Error ? error.message : String(error) }));
    }
  }

  /** Fails the run and stops it. */
  #breakOff(problem: Problem): void {
    if (this.#stop.signal.aborted) return;
    this.#fail(problem);
    this.#stop.abort(new Error(problem.message));
  }

  #fail(problem: Problem): void {
    this.state = 'failed';
    this.problem = problem;
  }

  #reached(step: number): Promise<void> {
    if (this.step >= step) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ step, resolve }));
  }

  #director(): Director {
    const { signal } = this.#stop;
    const stopped = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    stopped.catch(() => undefined); // each job that races with it handles the rejection
    const unlessStopped = <T>(job: () => Promise<T>): Promise<T> => {
      const result = signal.aborted ? Promise.reject(signal.reason) : Promise.race([job(), stopped]);
      result.catch(() => undefined); // a scenario may start a job and await it later, or never
      return result;
    };
    /** Clients killed by the scenario itself: their lost operations are not a failure. */
    const killed = new Set<string>();
    const { lock, kind } = this.script;
    const ask = (role: Role, action: ThreadAction | LocalAction | GroupAction, times: Times & Group = {}) =>
      unlessStopped(async () => {
        const client = role.slice(0, 1);
        const body = { lock, ...(kind && { kind }), ...times };
        const outcome = await this.#demoClients.threadAction(client, Number(role.slice(1)), action, body).done;
        if (outcome.isLost && !killed.has(client)) this.#breakOff(problem('client-ended', { client, action }));
        return outcome;
      });
    const act = (client: string, action: ClientAction) =>
      unlessStopped(() => this.#demoClients.clientAction(client, action));
    return {
      lock: (role, times) => ask(role, 'lock', times),
      tryLock: (role, times) => ask(role, 'tryLock', times),
      unlock: (role, at) => ask(role, 'unlock', at),
      ask,
      group: (role, action, call) => {
        const outcome = ask(role, action, call);
        const does = action === 'tryLockAll' ? 'lock' : action === 'unlockAll' ? 'unlock' : undefined;
        const returned =
          does && this.#log.beginGroup({ client: role.slice(0, 1), thread: Number(role.slice(1)), does });
        if (returned) outcome.then(returned, returned);
        return outcome;
      },
      local: (role, action, at) => ask(role, action, at),
      interrupt: (client) => unlessStopped(async () => this.#demoClients.interrupt(client)),
      serverUrl: (n) => this.#server().urlOf(n),
      killServer: (n) => unlessStopped(() => this.#server().kill(n)),
      cutLink: (n) => unlessStopped(() => this.#server().cutLink(n)),
      promote: (n) => unlessStopped(() => this.#server().promote(n)),
      freeze: (client) => act(client, 'freeze'),
      thaw: (client) => act(client, 'thaw'),
      kill: (client) => {
        killed.add(client);
        return act(client, 'kill');
      },
      reached: (step) => unlessStopped(() => Promise.race([this.#reached(step), this.#overdue(step)])),
      pause: (ms) => pause(ms, signal),
    };
  }

  #server(): ServersOfRun {
    if (!this.#servers) throw new Error(`${this.script.id} has no private servers`);
    return this.#servers;
  }

  async #overdue(step: number): Promise<never> {
    await pause(STEP_WITHIN_MS, this.#stop.signal);
    throw new Error(
      `Step ${step} did not happen within ${STEP_WITHIN_MS / 1000} s: ${this.script.steps[step - 1]?.title}.`,
    );
  }
}

function isAbout(script: ScenarioScript, lock: string): boolean {
  return locksOf(script).includes(lock) || script.localLocks?.some(({ name }) => name === lock) === true;
}

function isStep(step: Step, client: string, occurrence: Occurrence): boolean {
  if (step.happens !== occurrence.name) return false;
  const thread = occurrence.type === 'milestone' ? occurrence.thread : undefined;
  if (step.who !== 'anybody' && step.who !== client && step.who !== `${client}${thread}`) return false;
  if (step.lock !== undefined && !('lock' in occurrence && occurrence.lock === step.lock)) return false;
  if (step.attempt !== undefined && !('attempt' in occurrence && occurrence.attempt === step.attempt)) return false;
  return step.wokenBy === undefined || ('wokenBy' in occurrence && occurrence.wokenBy === step.wokenBy);
}
