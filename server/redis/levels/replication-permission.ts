import type { RedisUrl } from '../../../shared/base/redis-url.ts';
import type { Problem } from '../../../shared/wire/problems/problem.ts';
import { capabilitiesOf } from '../connection/capabilities.ts';
import { RawConnection } from '../connection/raw-connection.ts';
import { replicationProblem } from '../connection/replication-state.ts';

/**
 * Why the replication stream must not be read, checked on a new connection; null: nothing is known against it. Rejects
 * if the server cannot be reached.
 */
export async function askForReplication(url: RedisUrl): Promise<Problem | null> {
  const connection = await RawConnection.open(url);
  try {
    const hello = await connection.greet(url);
    const ask = (...commands: (readonly string[])[]) => connection.pipeline(commands);
    return await replicationProblem(ask, await capabilitiesOf(connection, hello, url));
  } finally {
    connection.close();
  }
}
