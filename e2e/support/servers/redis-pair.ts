import { waitFor } from '../wait-for.ts';
import { type RunningRedis, startRedis } from './redis.ts';

/** A master and its replica, which change their roles. */
export type RedisPair = {
  master(): RunningRedis;
  replica(): RunningRedis;
  /** Pauses all writes for at most 20 s, and waits until the replica has everything. */
  pauseWrites(): Promise<void>;
  /** Promotes the replica; the former master keeps running as a master. */
  promote(): Promise<void>;
  /** The former master becomes a replica of the new one, loses what only it had, and its pause of writes ends. */
  followNew(): Promise<void>;
  stop(): Promise<void>;
};

/** Starts both, and waits until the replica has all data. */
export async function startPair(settings: Record<string, string>): Promise<RedisPair> {
  const all = { 'repl-diskless-sync-delay': '0', ...settings };
  let master = await startRedis(all, { keeps: true });
  let replica = await startRedis(all, { keeps: true });
  const offsetOf = async ({ command }: RunningRedis, field: string) =>
    new RegExp(`^${field}:(\\d+)`, 'm').exec(String(await command('INFO', 'replication')))?.[1];
  const follow = async () => {
    await replica.command('REPLICAOF', '127.0.0.1', String(master.port));
    await waitFor('the replica to have all data', async () =>
      String(await replica.command('INFO', 'replication')).includes('master_link_status:up'),
    );
  };
  await follow();
  return {
    master: () => master,
    replica: () => replica,
    async pauseWrites() {
      await master.command('CLIENT', 'PAUSE', '20000', 'WRITE');
      await waitFor('the replica to have everything', async () => {
        const [sent, applied] = await Promise.all([
          offsetOf(master, 'master_repl_offset'),
          offsetOf(replica, 'slave_repl_offset'),
        ]);
        return sent === applied;
      });
    },
    async promote() {
      await replica.command('REPLICAOF', 'NO', 'ONE');
      [master, replica] = [replica, master];
    },
    async followNew() {
      await follow();
      await replica.command('CLIENT', 'UNPAUSE');
    },
    async stop() {
      await replica.stop();
      await master.stop();
    },
  };
}
