import type { RedisUrl } from '../../shared/base/redis-url.ts';
import { parseWatchUrl } from '../../shared/base/topology-url.ts';
import { openCommandConnection } from '../redis/connection/command-connection.ts';
import { fieldsFromInfo } from '../redis/connection/info-fields.ts';
import type { BusServer } from './bus.ts';

const WITHIN_MS = 3000;

/** Whether a server is the bus. An observer of the bus would read a line for each of its own XADDs. */
export async function isBus(server: RedisUrl, bus: RedisUrl, { runId }: BusServer): Promise<boolean> {
  if (server.host === bus.host && server.port === bus.port && server.path === bus.path) return true;
  const connection = openCommandConnection({ url: server, isOnce: true });
  try {
    await connection.whenReady(WITHIN_MS);
    return runId !== undefined && fieldsFromInfo(await connection.call('INFO', 'server')).get('run_id') === runId;
  } catch {
    return false; // it cannot be reached, or it refuses INFO: its observer reports that
  } finally {
    connection.close();
  }
}

/** The server of a URL, if it names one server and not a topology. */
export function serverIn(url: string): RedisUrl | undefined {
  const parsed = parseWatchUrl(url);
  return parsed.ok && parsed.value.kind === 'single' ? parsed.value.server : undefined;
}

/** Why a server cannot be watched with this bus. */
export function sameServerProblem(server: RedisUrl, bus: RedisUrl): string {
  return (
    `${server.displayUrl} is the bus ${bus.displayUrl} itself: what Lockscope writes there would be watched too. ` +
    'Name another Redis with --bus.'
  );
}
