import { randomUUID } from 'node:crypto';
import { patientClient } from '../lockscope/patient-client.ts';
import { waitFor } from '../wait-for.ts';
import { openHost, sharedHost } from './server-host.ts';

/** A test's private Redis. */
export type RunningRedis = {
  port: number;
  url: string;
  /** Runs one command on a separate connection, which stays open. */
  command(...words: string[]): Promise<unknown>;
  /** The number of calls of each command so far, also those inside scripts. */
  commandCalls(): Promise<Map<string, number>>;
  /** Ends the server immediately, like a crash. */
  crash(): Promise<void>;
  /**
   * Starts the server again after a crash, with the same port and settings. If it was started with `keeps`, it has the
   * data of its last SAVE, unless `isWithData` is false.
   */
  comeBack(isWithData?: boolean): Promise<void>;
  /** Stops the process until `thaw`. Its connections stay open. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  stop(): Promise<void>;
};

const NO_PERSISTENCE = ['--save', '', '--appendonly', 'no', '--rdb-del-sync-files', 'yes'];

/** Time and TTL of the same instant: between two commands, a busy machine may take any time. */
const TIME_AND_TTL = "return {redis.call('time'), redis.call('pttl', KEYS[1])}";

/** When a key got its lease of `leaseMs`, in µs of Redis's clock. */
export async function leaseSetAt({ command }: RunningRedis, key: string, leaseMs: number): Promise<number> {
  const [[seconds, micros], leftMs] = (await command('EVAL', TIME_AND_TTL, '1', key)) as [string[], number];
  return Number(seconds) * 1e6 + Number(micros) - (leaseMs - leftMs) * 1000;
}

/**
 * Starts a private Redis on a free loopback port: the program named by `REDIS_SERVER`, otherwise `redis-server` on
 * PATH. With `REDIS_SERVER=docker`, or without a redis-server, it runs in a container of `REDIS_IMAGE`. `settings` are
 * set with CONFIG SET before this returns. All servers of one test reach each other at 127.0.0.1. `cluster`: the server
 * alone is a whole cluster, with all slots. `keeps`: a crashed server comes back with what its last SAVE wrote.
 */
export async function startRedis(
  settings: Record<string, string> = {},
  { cluster = false, keeps = false }: { cluster?: boolean; keeps?: boolean } = {},
): Promise<RunningRedis> {
  const host = cluster ? await openHost(1) : await sharedHost();
  const asCluster = (port: number) => ['--cluster-enabled', 'yes', '--cluster-config-file', `nodes-${port}.conf`];
  const argsAt = (port: number) => ['--port', String(port), ...NO_PERSISTENCE, ...(cluster ? asCluster(port) : [])];
  let file = newFile();
  const kept = () => (keeps ? ['--dbfilename', file] : []);
  const server = await host.start((port) => [...argsAt(port), ...kept()]);
  const { port, freeze, thaw } = server;
  const stopServer = async () => {
    await server.stop();
    if (cluster) await host.close();
  };
  try {
    const ready = async () => {
      const client = await connect(port);
      if (cluster) await serveAllSlots(client);
      for (const [name, value] of Object.entries(settings)) await client.sendCommand(['CONFIG', 'SET', name, value]);
      return client;
    };
    let client = await ready();
    const command = async (...words: string[]): Promise<unknown> => client.sendCommand(words);
    return {
      port,
      url: `redis://127.0.0.1:${port}`,
      command,
      commandCalls: async () => parseCommandStats(String(await command('INFO', 'commandstats'))),
      crash: async () => {
        client.destroy();
        await server.crash();
      },
      comeBack: async (isWithData = true) => {
        if (!isWithData) file = newFile();
        await server.comeBack(kept());
        client = await ready();
      },
      freeze,
      thaw,
      stop: async () => {
        if (client.isOpen) client.destroy();
        await stopServer();
      },
    };
  } catch (error) {
    await stopServer();
    throw error;
  }
}

/** The name of a file for the data of a server, which no other server has used. */
function newFile(): string {
  return `lockscope-test-${randomUUID()}.rdb`;
}

/** Gives a single server of a cluster all slots, and waits until it serves them. */
async function serveAllSlots(client: Awaited<ReturnType<typeof connect>>): Promise<void> {
  const slots = Array.from({ length: 16_384 }, (_, slot) => String(slot));
  // after a restart the server still has the slots
  await client.sendCommand(['CLUSTER', 'ADDSLOTS', ...slots]).catch(() => undefined);
  await waitFor('the slots to be served', async () =>
    String(await client.sendCommand(['CLUSTER', 'INFO'])).includes('cluster_state:ok'),
  );
}

async function connect(port: number) {
  return waitFor(`Redis on port ${port} to answer`, async (missing) => {
    const client = patientClient({ socket: { host: '127.0.0.1', port, reconnectStrategy: false } });
    client.on('error', (error: unknown) => missing(String(error)));
    try {
      await client.connect();
      await client.ping();
      return client;
    } catch (error) {
      client.destroy();
      return missing(String(error));
    }
  });
}

function parseCommandStats(info: string): Map<string, number> {
  const calls = new Map<string, number>();
  for (const [, name, count] of info.matchAll(/^cmdstat_([^:]+):calls=(\d+)/gm)) calls.set(name!, Number(count));
  return calls;
}
