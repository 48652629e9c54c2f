import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { parseRedisUrl } from '../../shared/base/redis-url.ts';
import type { Demo, DemoReport, DemoServerFault, DemoStarting, Scenario } from '../../shared/wire/demo.ts';
import { problem } from '../../shared/wire/problems/problem.ts';
import type { CommandConnection } from '../redis/connection/command-connection.ts';
import { inTime } from '../redis/connection/in-time.ts';
import { type LocalRedis, LocalRedisError, startLocalRedis } from '../redis/private-server/local-redis.ts';
import { actionForKind } from './action-for-kind.ts';
import { openDemoConnection } from './client/demo-connection.ts';
import { DEMO_PREFIX } from './client/own-keys.ts';
import type { Milestone } from './client/protocol.ts';
import { DemoClients, type DemoClientsOptions } from './demo-clients.ts';
import { withPrefix } from './demo-names.ts';
import { DemoProblem, type DemoStage } from './demo-stage.ts';
import { OurKeys } from './our-keys.ts';
import { RunLog } from './run-log.ts';
import { locksOf, type ScenarioScript, type Step } from './scenario.ts';
import { ScenarioRun, type ServersOfRun } from './scenario-run.ts';
import { ScenarioServers, type ServersStep, type ServerWatcher } from './scenario-servers.ts';
import { SCENARIOS } from './scenarios/all.ts';

type DemoStageOptions = {
  /** The Redis to use. Absent: a private one is started. */
  redisUrl?: string;
  /** Further arguments of the private redis-server. */
  redisArgs?: readonly string[];
  logger?: Pick<Logger, 'info' | 'warn'>;
};

/** Lease of the demo's watchdogs. Redisson's default is 30 s; with 6 s, viewers see a renewal every 2 s. */
const DEMO_WATCHDOG_MS = 6000;

/** Arguments of a private Redis: it publishes expiries and evictions, so that Lockscope does not have to infer them. */
export const EXPIRY_EVENTS = ['--notify-keyspace-events', 'Exe'];

/** The default lock of an operation. */
const FIRST_LOCK = 'orders:42';

const EXIT_WITHIN_MS = 1000;
const TIDY_WITHIN_MS = 1000;
const CONNECTED_WITHIN_MS = 10_000;

/** Starts the demo: client processes, and a private Redis if none is given. Settles when all clients are connected. */
export async function startDemoStage(options: DemoStageOptions = {}): Promise<DemoStage> {
  const logger = options.logger && { logger: options.logger };
  /** Keeps other users of this machine out of the private servers. */
  const password = randomBytes(24).toString('hex');
  const own: LocalRedis | undefined = options.redisUrl
    ? undefined
    : await startLocalRedis({ args: options.redisArgs ?? EXPIRY_EVENTS, password, ...logger });
  const redisUrl = options.redisUrl ?? own?.url ?? '';
  const prefix = own ? '' : DEMO_PREFIX;
  const connection = openDemoConnection({ url: redisUrl, name: 'lockscope-demo', prefix });
  /** Absent on a private Redis, where every key belongs to the demo. */
  const ourKeys = own ? undefined : new OurKeys(connection, prefix);
  let run: ScenarioRun | undefined;
  let servers: ScenarioServers | undefined;
  let starting: DemoStarting | undefined;
  let watcher: ServerWatcher | undefined;
  const log = new RunLog();
  const clientsOptions: DemoClientsOptions = {
    redisUrl,
    watchdogMs: DEMO_WATCHDOG_MS,
    prefix,
    ...(ourKeys && { admit: (operation) => ourKeys.admit(operation), onUuid: (uuid) => ourKeys.know(uuid) }),
    ...logger,
  };
  const demoClients = new DemoClients(clientsOptions, (client, occurrence) => {
    if (occurrence.type === 'fault') log.note(client, demoClients.uuidOf(client), occurrence.name);
    else if (occurrence.type === 'milestone') {
      const report = reportOf(client, occurrence);
      if (report) log.report(report);
    }
    run?.hear(client, occurrence);
  });
  const close = async () => {
    await run?.stop();
    await Promise.all([demoClients.close(EXIT_WITHIN_MS), servers?.close(false)]);
    if (ourKeys) await deleteDemoKeys(ourKeys, options.logger);
    connection.close();
    await own?.stop();
  };
  try {
    await Promise.all([demoClients.whenReady(), connection.whenReady(CONNECTED_WITHIN_MS)]);
    await log.begin(connection);
  } catch (error) {
    const isSentinel = await isSentinelAt(connection);
    await close();
    throw isSentinel ? sentinelError(redisUrl) : error;
  }

  const reportServer = (where: { source: string; server: string }, name: DemoServerFault['name']) => {
    log.noteServer(where, name);
    run?.hear('server', { type: 'server', name: `server-${name}` });
  };

  /** The servers in the form in which a run may use them. Each fault is logged, and reported to the run. */
  const serversOf = (all: ScenarioServers): ServersOfRun => ({
    urlOf: (n) => all.urlOf(n),
    kill: async (n) => reportServer(await all.kill(n), 'killed'),
    cutLink: async (n) => reportServer(await all.cutLink(n), 'link-cut'),
    promote: async (n) => {
      reportServer(await all.promote(n), 'promoted');
      await all.follow(n);
    },
  });

  /** One change of scenario at a time. */
  let turn: Promise<void> = Promise.resolve();
  const inTurn = (job: () => Promise<void>): Promise<void> => {
    turn = turn.catch(() => undefined).then(job);
    return turn;
  };
  let lastId: string | null = null;
  const scenarios = SCENARIOS.map((script) => withPrefix(prefix, script));
  const scriptOf = (id: string | null) => scenarios.find((script) => script.id === id);

  /**
   * Stops the run and its servers, resets all clients, and frees the locks of these scenarios, also those whose holder
   * is gone.
   */
  const clear = async (...scripts: ScenarioScript[]) => {
    await run?.stop();
    run = undefined;
    await demoClients.settle();
    await servers?.close(true);
    servers = undefined;
    for (const script of new Set(scripts)) {
      if (ourKeys) {
        await ourKeys.deleteKeysOf(script);
        continue;
      }
      const { kind = 'lock' } = script;
      for (const lock of locksOf(script)) {
        // Other kinds have companion keys, some of which exist even while the lock is free. The counter of a fenced
        // lock stays: its tokens must only rise.
        if (kind !== 'lock' && kind !== 'fenced-lock')
          await demoClients.threadAction('A', 1, 'delete', { lock, kind }).done;
        else if ((await connection.call('EXISTS', lock)) === 1)
          await demoClients.threadAction('A', 1, 'forceUnlock', { lock }).done;
      }
    }
  };

  return {
    redisUrl,
    view: () => ({
      v: 1,
      scenario: lastId,
      step: run?.step ?? 0,
      steps: scriptOf(lastId)?.steps.length ?? 0,
      script: (scriptOf(lastId)?.steps ?? []).map((step, index) =>
        stepView(step, index + 1, run?.happenedAt(index + 1)),
      ),
      state: run?.state ?? 'idle',
      ...(starting && { starting }),
      ...(run?.problem && { problem: run.problem }),
      lock: scriptOf(lastId)?.lock ?? null,
      ...(scriptOf(lastId)?.otherLocks && { locks: [...locksOf(scriptOf(lastId) as ScenarioScript)] }),
      ...(servers && { servers: servers.view() }),
      ...(scriptOf(lastId)?.localLocks && { localLocks: [...(scriptOf(lastId)?.localLocks ?? [])] }),
      ...(prefix !== '' && { prefix }),
      watchdogMs: DEMO_WATCHDOG_MS,
      ...log.view(),
      clients: demoClients.view(),
    }),
    scenarios: () => scenarios.map(summaryOf),
    startScenario: (id) =>
      inTurn(async () => {
        const script = scriptOf(id);
        if (!script) {
          const known = scenarios.map((each) => each.id);
          throw new DemoProblem(404, problem('no-such-scenario', { scenario: id, known }), 'id');
        }
        const onStep = (step: ServersStep) => {
          starting = { scenario: id, ...step };
        };
        try {
          if (script.servers) onStep({ what: 'servers', done: 0, of: script.servers.length });
          await clear(script, ...(run ? [run.script] : []));
          await ourKeys?.expectOurs(script);
          if (script.servers) {
            const options = { args: EXPIRY_EVENTS, password, ...logger };
            servers = await ScenarioServers.start(script.servers, watcher, options, onStep).catch(noServers);
          }
          await log.begin(connection);
        } finally {
          starting = undefined;
        }
        lastId = id;
        run = new ScenarioRun(script, demoClients, log, servers && serversOf(servers));
        run.start();
      }),
    stopScenario: () =>
      inTurn(async () => {
        if (run) await clear(run.script);
      }),
    attach: (to) => {
      watcher = to;
    },
    clientAction: (client, action) => demoClients.clientAction(client, action),
    threadAction: (client, thread, asked, given) => {
      const order = { ...given, lock: given.lock ?? prefix + FIRST_LOCK };
      const { action, body } = actionForKind(asked, order, scriptOf(lastId));
      return demoClients.threadAction(client, thread, action, body);
    },
    close,
  };
}

function stepView({ title, who, lock }: Step, n: number, at: number | undefined): Demo['script'][number] {
  return { n, title, who, ...(lock !== undefined && { lock }), ...(at !== undefined && { at }) };
}

function noServers(error: unknown): never {
  const quote = error instanceof Error ? error.message : String(error);
  throw new DemoProblem(500, error instanceof LocalRedisError ? error.problem : problem('servers-failed', { quote }));
}

/** The report about a lock in a client's memory, or a refused multi lock; `undefined` for other milestones. */
function reportOf(client: string, milestone: Milestone): Omit<DemoReport, 'at'> | undefined {
  const { thread = 1, lock } = milestone;
  switch (milestone.name) {
    case 'local-taken':
    case 'local-waits':
    case 'local-freed':
      return { client, thread, lock, name: milestone.name };
    case 'group-refused':
      return { client, thread, lock, name: milestone.name, have: milestone.have, of: milestone.of };
    case 'local-gave-up':
    case 'local-let-go':
      return { client, thread, lock, name: milestone.name, waitedMs: milestone.waitedMs };
    default:
      return undefined;
  }
}

function summaryOf({ id, title, summary, steps, lock }: ScenarioScript): Scenario {
  return { id, title, summary, steps: steps.length, lock };
}

/** Deletes the demo's keys on a Redis with other keys. Logs keys that it did not delete. */
async function deleteDemoKeys(ourKeys: OurKeys, logger: DemoStageOptions['logger']): Promise<void> {
  const left = (await inTime(TIDY_WITHIN_MS, ourKeys.deleteAll()).catch(String)) ?? 'Redis did not answer';
  if (typeof left === 'string') logger?.warn({ reason: left }, 'keys of the demo may remain in Redis');
  else if (left.length > 0) logger?.warn({ keys: left.slice(0, 20) }, 'keys of another client were not deleted');
}

/** Whether the server is a Sentinel. False if it does not answer in time. */
async function isSentinelAt(connection: CommandConnection): Promise<boolean> {
  const asked = connection.call('ROLE').catch(() => undefined); // refused, or not connected
  const role = await inTime(TIDY_WITHIN_MS, asked);
  return Array.isArray(role) && role[0] === 'sentinel';
}

function sentinelError(redisUrl: string): Error {
  const url = parseRedisUrl(redisUrl);
  const { message, hint } = problem('is-sentinel', { where: url.ok ? url.value.displayUrl : 'redis://' });
  return new Error(`${message} ${hint}`);
}
