import { waitFor } from '../wait-for.ts';
import { isMaster, type Member, type SentinelTrio } from './redis-group.ts';

/** The master that the Sentinels name, and the other server. */
type Roles = { readonly master: Member; readonly replica: Member };

/** Has the Sentinels promote the replica, although its master lives. Returns the new roles. */
export async function failOver(trio: SentinelTrio): Promise<Roles> {
  const before = await rolesOf(trio);
  await waitFor('the Sentinels to begin', async (missing) => {
    const requested = trio.sentinels[0]?.command('SENTINEL', 'FAILOVER', trio.name);
    return requested?.then(
      () => true,
      (error: unknown) => missing(String(error)),
    );
  });
  return untilAnother(trio, before);
}

/** Waits until all Sentinels name the other server as the master. */
export function untilAnother(trio: SentinelTrio, before: Roles): Promise<Roles> {
  return waitFor('the Sentinels to name another master', async () => {
    const ports = await namedPorts(trio);
    return ports.every((port) => port === before.replica.port) && rolesOf(trio);
  });
}

/** Waits until all Sentinels agree on the master, and the other server follows it and may be promoted. */
export async function untilWhole(trio: SentinelTrio): Promise<Roles> {
  return waitFor('the Sentinels to see a master and its replica', async (missing) => {
    const roles = await rolesOf(trio);
    const { master, replica } = roles;
    const seen = await Promise.all(trio.sentinels.map((each) => seenBy(each, trio.name)));
    const areAgreed = seen.every(({ port, flags }) => port === master.port && flags === 'master');
    // Only if all Sentinels agree: during a failover, REPLICAOF would undo a promotion, and the two servers could
    // become replicas of each other.
    if (areAgreed && (await isMaster(replica))) await replica.command('REPLICAOF', '127.0.0.1', String(master.port));
    const info = String(await replica.command('INFO', 'replication'));
    const follows = info.includes(`master_port:${master.port}\r\n`) && info.includes('master_link_status:up');
    const isWhole = areAgreed && seen.every(({ replicas }) => replicas.join() === `slave ok ${master.port}`);
    return (follows && isWhole && (await isMaster(master)) && roles) || missing(`${JSON.stringify(seen)}\n${info}`);
  });
}

/** The roles that the first Sentinel reports. */
export async function rolesOf({ master, replica, sentinels, name }: SentinelTrio): Promise<Roles> {
  const [port] = await namedPorts({ sentinels: sentinels.slice(0, 1), name });
  return port === master.port ? { master, replica } : { master: replica, replica: master };
}

function namedPorts({ sentinels, name }: Pick<SentinelTrio, 'sentinels' | 'name'>): Promise<number[]> {
  const portNamedBy = async ({ command }: Member) => {
    const named = await command('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', name);
    return Array.isArray(named) ? Number(named[1]) : 0;
  };
  return Promise.all(sentinels.map(portNamedBy));
}

/** What a Sentinel knows about the master and each replica: its flags, its link, and its master. */
async function seenBy({ command }: Member, name: string) {
  const master = rowOf(await command('SENTINEL', 'MASTER', name));
  const rows = await command('SENTINEL', 'REPLICAS', name);
  const replicas = Array.isArray(rows) ? rows.map(rowOf) : [];
  return {
    port: Number(master.port),
    flags: master.flags,
    replicas: replicas.map((replica) => `${replica.flags} ${replica['master-link-status']} ${replica['master-port']}`),
  };
}

/** A row that is a map (RESP3), or a list of names and values. */
function rowOf(row: unknown): Record<string, string> {
  if (!Array.isArray(row)) return { ...(row as Record<string, string>) };
  return Object.fromEntries(Array.from({ length: row.length / 2 }, (_, n) => [row[2 * n], row[2 * n + 1]]));
}
