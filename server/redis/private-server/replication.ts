import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type CommandConnection, openCommandConnection } from '../connection/command-connection.ts';
import type { LocalRedis } from './local-redis.ts';

const WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 20;
/** The user of a replica's link, so that only this link can be cut. */
const COPIER = { name: 'copier', password: randomBytes(16).toString('hex') };

/** Makes one private server a replica of another; settles once it has all data. */
export async function copyFrom(master: LocalRedis, replica: LocalRedis): Promise<void> {
  await using(master.url, async (redis) => {
    await redis.call('ACL', 'SETUSER', COPIER.name, 'on', `>${COPIER.password}`, '+psync', '+replconf', '+ping');
    await redis.call('CONFIG', 'SET', 'repl-diskless-sync-delay', '0');
  });
  await using(replica.url, async (redis) => {
    await redis.call('CONFIG', 'SET', 'masteruser', COPIER.name);
    await redis.call('CONFIG', 'SET', 'masterauth', COPIER.password);
    await redis.call('REPLICAOF', '127.0.0.1', master.port);
    await untilInfo(redis, /^master_link_status:up/m);
  });
}

/** Cuts the links to a master's replicas permanently; settles once they receive nothing more. */
export async function cutCopies(master: LocalRedis): Promise<void> {
  await using(master.url, async (redis) => {
    await redis.call('ACL', 'SETUSER', COPIER.name, 'off');
    await redis.call('CLIENT', 'KILL', 'USER', COPIER.name);
    await untilInfo(redis, /^connected_slaves:0/m);
  });
}

/** Makes a replica the master. */
export async function promote(replica: LocalRedis): Promise<void> {
  await using(replica.url, async (redis) => {
    await redis.call('REPLICAOF', 'NO', 'ONE');
  });
}

async function using(url: string, job: (connection: CommandConnection) => Promise<void>): Promise<void> {
  const connection = openCommandConnection({ url, name: 'lockscope-demo' });
  try {
    await connection.whenReady(WITHIN_MS);
    await job(connection);
  } finally {
    connection.close();
  }
}

async function untilInfo(connection: CommandConnection, pattern: RegExp): Promise<void> {
  for (const until = Date.now() + WITHIN_MS; Date.now() < until; ) {
    if (pattern.test(String(await connection.call('INFO', 'replication')))) return;
    await pause(LOOK_EVERY_MS);
  }
  throw new Error(`the replication of the demo did not come to ${pattern.source}`);
}
