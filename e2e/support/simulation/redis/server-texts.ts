import { createHash } from 'node:crypto';
import type { SimulatedRedis } from './simulated-redis.ts';

const VERSION = '7.0.15';

export function versionOf({ settings }: SimulatedRedis): string {
  return settings.version ?? VERSION;
}

type Section = (redis: SimulatedRedis) => Readonly<Record<string, string | number>>;

/** About how long a command keeps Redis's main thread busy, in seconds. */
const SECONDS_PER_COMMAND = 2e-6;
const MEMORY_OF_EMPTY = 1_000_000;

/** What INFO reports, by section. */
const SECTIONS: Readonly<Record<string, Section>> = {
  server: (redis) => ({
    redis_version: versionOf(redis),
    redis_mode: 'standalone',
    run_id: idOf('run', redis),
    uptime_in_seconds: 1,
  }),
  clients: ({ sessions }) => ({ connected_clients: sessions.size, blocked_clients: 0 }),
  memory: () => ({ used_memory: MEMORY_OF_EMPTY, maxmemory: 0, maxmemory_policy: 'noeviction' }),
  persistence: () => ({ loading: 0, rdb_last_bgsave_status: 'ok' }),
  stats: ({ counts, opsPerSecond, pubSub }) => ({
    total_commands_processed: counts.commands,
    instantaneous_ops_per_sec: opsPerSecond,
    total_net_input_bytes: counts.bytes,
    instantaneous_input_kbps: 0,
    evicted_keys: 0,
    pubsub_channels: pubSub.channels,
  }),
  replication: (redis) => ({
    role: 'master',
    connected_slaves: 0,
    master_replid: idOf('history', redis),
    master_replid2: '0'.repeat(40),
    master_repl_offset: redis.counts.commands,
  }),
  cpu: ({ counts }) => ({
    used_cpu_sys_main_thread: '0.000000',
    used_cpu_user_main_thread: (counts.commands * SECONDS_PER_COMMAND).toFixed(6),
  }),
  errorstats: () => ({}),
  commandstats: () => ({}),
  keyspace: (redis) => {
    const sizes = new Map<number, number>();
    for (const { db } of redis.keyspace.model.all()) sizes.set(db, (sizes.get(db) ?? 0) + 1);
    return Object.fromEntries([...sizes].map(([db, keys]) => [`db${db}`, `keys=${keys},expires=0,avg_ttl=0`]));
  },
};

export function infoText(redis: SimulatedRedis, names: readonly string[]): string {
  const wanted = names.length > 0 ? names : Object.keys(SECTIONS);
  const texts = wanted.flatMap((name) => {
    const section = SECTIONS[name.toLowerCase()];
    if (!section) return [];
    const fields = Object.entries(section(redis)).map(([field, value]) => `${field}:${value}\r\n`);
    return [`# ${name[0]?.toUpperCase()}${name.slice(1)}\r\n${fields.join('')}`];
  });
  return texts.join('\r\n');
}

/** The text of CLIENT LIST, of all connections or of those with these ids. */
export function clientList(redis: SimulatedRedis, ids: readonly number[]): string {
  const rows = [...redis.sessions].filter(({ id }) => ids.length === 0 || ids.includes(id));
  return rows
    .map((session) => {
      const { id, address, name, db, channels, patterns, isMonitor, sinceMs, activeMs } = session;
      const seconds = (since: number) => Math.floor((redis.nowMs - since) / 1000);
      const flags = isMonitor ? 'O' : channels.size + patterns.size > 0 ? 'P' : 'N';
      const times = `age=${seconds(sinceMs)} idle=${seconds(activeMs)} flags=${flags}`;
      const subscribed = `sub=${channels.size} psub=${patterns.size}`;
      return `id=${id} addr=${address} name=${name} ${times} db=${db} ${subscribed} omem=0 user=default\n`;
    })
    .join('');
}

function idOf(what: string, { settings }: SimulatedRedis): string {
  return createHash('sha1').update(`${what} ${settings.number}`).digest('hex');
}
