import { createServer, type Server } from 'node:net';
import { afterEach } from 'vitest';
import { healthBody } from '../../shared/wire/http.ts';
import { type CommandConnection, openCommandConnection } from '../redis/connection/command-connection.ts';
import type { LocalRedis } from '../redis/private-server/local-redis.ts';
import { Program } from './program.ts';

/**
 * Returns functions that start programs and other servers for the tests of a file. After each test, all of them are
 * ended.
 */
export function endedAfterEach() {
  const runs: Program[] = [];
  const servers: Server[] = [];

  afterEach(async () => {
    for (const run of runs.splice(0)) await run.kill();
    for (const server of servers.splice(0)) server.close();
  });

  return {
    lockscope(words: string, env?: Record<string, string>): Program {
      const run = new Program(words.split(' '), env);
      runs.push(run);
      return run;
    },
    /** Starts a server that sends `words` to every client, and returns its port. */
    async listener(words: string): Promise<number> {
      const server = createServer((socket) => socket.on('error', () => undefined).end(words));
      servers.push(server);
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const address = server.address();
      return typeof address === 'object' ? (address?.port ?? 0) : 0;
    },
  };
}

export async function health(url: string) {
  return healthBody.parse(await (await fetch(`${url}/api/health`)).json());
}

export async function connect({ url }: LocalRedis): Promise<CommandConnection> {
  const connection = openCommandConnection({ url });
  await connection.whenReady(60_000);
  return connection;
}
