import type { Counts, ServerFacts } from '../../../shared/signals/server-signal.ts';
import { fieldsFromInfo, roleFromFields } from '../../redis/connection/info-fields.ts';

/**
 * Errors that a client of locks may receive. Other errors belong to the application, which may have chosen their names.
 */
const ERRORS = [
  ...['OOM', 'MISCONF', 'NOREPLICAS', 'READONLY', 'BUSY', 'WRONGTYPE', 'NOPERM', 'CROSSSLOT', 'NOSCRIPT', 'ERR'],
  ...['MOVED', 'ASK', 'TRYAGAIN', 'CLUSTERDOWN', 'LOADING', 'MASTERDOWN', 'UNKILLABLE'],
];
/** Commands that lock clients send, and those in their scripts that write. */
const COMMANDS = [
  ...[
    'eval',
    'evalsha',
    'fcall',
    'subscribe',
    'ssubscribe',
    'publish',
    'spublish',
    'wait',
    'waitaof',
    'hexists',
    'hget',
  ],
  ...['hincrby', 'hset', 'hdel', 'pexpire', 'set', 'del', 'rpush', 'lpop', 'lrem', 'zadd', 'zrem', 'decrby', 'incrby'],
];
/**
 * Reads of unknown keys, as another Lockscope sends them, fail on keys of other types. In scripts of locks, HLEN
 * follows an HGET that fails first.
 */
const READS = ['hgetall', 'hlen'];
/** The lag of a replica is rounded down to one of these, in seconds. Smaller steps would be reported all the time. */
const LAGS = [60, 30, 10, 5, 2, 0];

/** What `INFO` reports at one instant. Counters begin at the start of the server, or at CONFIG RESETSTAT. */
export type ServerCounters = {
  readonly errors: Counts;
  readonly rejected: Counts;
  readonly failed: Counts;
  /** Failed calls of `READS`: lock clients cause none. */
  readonly failedReads: number;
  readonly evicted: number;
  readonly usedMemoryBytes: number | null;
  /** How often CLIENT PAUSE was called; 0 before version 7. */
  readonly pauses: number;
  /**
   * How long clients are still paused; 0: they are not. Null: the server does not report it (Valkey does since 8.1).
   */
  readonly pausedForMs: number | null;
  readonly connected: number;
  readonly facts: ServerFacts | undefined;
};

/** Reads the text of INFO clients, errorstats, commandstats, memory, persistence, stats and replication. */
export function countersFromInfo(text: string, keyEvents: string | null): ServerCounters {
  const fields = fieldsFromInfo(text);
  const number = (name: string): number | null => {
    const value = fields.get(name) ?? '';
    return /^\d+$/.test(value) ? Number(value) : null;
  };
  const counted = (names: readonly string[], field: (name: string) => string, part: string) => {
    const counts: Record<string, number> = {};
    for (const name of names) {
      const count = partOf(fields.get(field(name)), part);
      if (count > 0) counts[name] = count;
    }
    return counts;
  };
  return {
    errors: counted(ERRORS, (name) => `errorstat_${name}`, 'count'),
    rejected: counted(COMMANDS, (name) => `cmdstat_${name}`, 'rejected_calls'),
    failed: counted(COMMANDS, (name) => `cmdstat_${name}`, 'failed_calls'),
    failedReads: READS.reduce((sum, name) => sum + partOf(fields.get(`cmdstat_${name}`), 'failed_calls'), 0),
    evicted: number('evicted_keys') ?? 0,
    usedMemoryBytes: number('used_memory'),
    pauses: partOf(fields.get('cmdstat_client|pause'), 'calls'),
    pausedForMs: isNotByClient(fields.get('paused_reason')) ? 0 : number('paused_timeout_milliseconds'),
    connected: number('connected_clients') ?? 0,
    facts: factsFrom(fields, number, keyEvents),
  };
}

/** How much each counter rose. One that fell was reset: then its whole value is new. */
export function riseOf(before: Counts, now: Counts): Record<string, number> {
  const risen: Record<string, number> = {};
  for (const [name, count] of Object.entries(now)) {
    const old = before[name] ?? 0;
    const by = count >= old ? count - old : count;
    if (by > 0) risen[name] = by;
  }
  return risen;
}

/**
 * Whether Valkey reports that no CLIENT PAUSE is in effect: clients are not paused, or the server itself paused them,
 * for example while it hands over to a replica.
 */
function isNotByClient(reason: string | undefined): boolean {
  return reason !== undefined && reason !== 'client_pause';
}

function factsFrom(
  fields: ReadonlyMap<string, string>,
  number: (name: string) => number | null,
  keyEvents: string | null,
): ServerFacts | undefined {
  const role = roleFromFields(fields);
  if (role === undefined) return undefined;
  const limit = number('maxmemory');
  const saved = fields.get('rdb_last_bgsave_status');
  return {
    role,
    replicas: number('connected_slaves') ?? 0,
    replicaLagSeconds: lagFrom(fields),
    maxMemoryBytes: limit === 0 ? null : limit,
    evictionPolicy: fields.get('maxmemory_policy') ?? null,
    canSave: saved === undefined ? null : saved === 'ok',
    keyEvents,
  };
}

/** The greatest lag of the replicas, from lines such as `slave0:ip=…,port=…,state=online,offset=…,lag=1`. */
function lagFrom(fields: ReadonlyMap<string, string>): number | null {
  let most: number | null = null;
  for (const [name, value] of fields) {
    if (/^slave\d+$/.test(name)) most = Math.max(most ?? 0, partOf(value, 'lag'));
  }
  return most === null ? null : (LAGS.find((lag) => lag <= most) ?? 0);
}

/** A number in `name=1,other=2`; 0: the name is missing. */
function partOf(value: string | undefined, part: string): number {
  for (const pair of value?.split(',') ?? []) {
    if (pair.startsWith(`${part}=`)) return Number(pair.slice(part.length + 1)) || 0;
  }
  return 0;
}
