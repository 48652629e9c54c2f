import { waitFor } from '../wait-for.ts';
import { type RunningRedis, startRedis } from './redis.ts';

/** A master and its replica, so that the master has a replication backlog. */
export type ReplicatedRedis = {
  readonly master: RunningRedis;
  readonly replica: RunningRedis;
  /** A field of INFO on the master; empty if INFO does not contain it. */
  info(name: string): Promise<string>;
  /** The replicas that INFO shows, by port; 0: a reader of the stream that is not a server. */
  replicaPorts(): Promise<number[]>;
  stop(): Promise<void>;
};

/** Starts both, and waits until the replica has all data. `settings` are for the master. */
export async function startReplicated(settings: Record<string, string> = {}): Promise<ReplicatedRedis> {
  const master = await startRedis({ 'repl-diskless-sync-delay': '0', ...settings });
  const replica = await startRedis();
  const replication = async () => String(await master.command('INFO', 'replication'));
  await replica.command('REPLICAOF', '127.0.0.1', String(master.port));
  await waitFor('the replica to be online', async () => /^slave0:.*state=online/m.test(await replication()));
  return {
    master,
    replica,
    info: async (name) =>
      new RegExp(`^${name}:(.*)$`, 'm').exec(String(await master.command('INFO', 'all')))?.[1]?.trim() ?? '',
    replicaPorts: async () =>
      [...(await replication()).matchAll(/^slave\d+:.*port=(\d+)/gm)].map(([, port]) => Number(port)),
    async stop() {
      await replica.stop();
      await master.stop();
    },
  };
}
