import { READING_RIGHTS } from '../../../shared/doctor/rights/rights.ts';
import type { ObserveLevel } from '../../../shared/wire/source.ts';
import { type App, connectApp } from '../clients/app.ts';
import { type RunningRedis, startRedis } from '../servers/redis.ts';
import { startReplicated } from '../servers/replicated-redis.ts';
import { NEWER_ROWS, type Row, rowsOf } from './rows.ts';

/** The rules of a user with every right that Lockscope needs, apart from those for channels. */
export const ALL = [
  ...['on', '>pw', '~*', '+@read', '+@connection', '+@transaction', '+select', '+time', '+info', '+pubsub'],
  ...['+acl|whoami', '+psubscribe', '+subscribe', '+config|get', '+monitor', '+publish', '+psync', '+replconf'],
];
/** `readonly` is needed only on a replica in a cluster. */
const READING = Object.entries(READING_RIGHTS).flatMap(([right, loss]) =>
  loss === 'reading' && right !== 'readonly' ? [right] : [],
);
const ROWS = rowsOf(READING);
export const HELD = ['a:held', 'orders:1', 'other:db1', 'string:lock'];
export const LEASE_MS = 3_600_000;
export type Server = {
  readonly redis: RunningRedis;
  readonly app: App;
  readonly rows: readonly (Row & { readonly user: string })[];
  stop(): Promise<void>;
};

/** At these levels, one Redis cannot serve a source for each row. Only the rows that differ most are used. */
const LEVELS_WITH_FEW_ROWS: readonly ObserveLevel[] = ['monitor', 'replication'];
const MAIN_ROWS = ['', '-time', '-multi', '-hgetall', '-scan', '-getrange', '-info', '-pubsub', 'resetkeys'];
const ROWS_OF_LEVELS = ['resetkeys ~orders:*', '-psubscribe', '-monitor', '-psync', 'resetchannels', 'resetdbs db=0'];

/** A server with held locks, and a user for each row that it can have. */
export async function startServer(level: ObserveLevel): Promise<Server> {
  const settings = { 'notify-keyspace-events': 'Eghxe', 'acllog-max-len': '100000' };
  const pair = level === 'replication' ? await startReplicated(settings) : undefined;
  const redis = pair?.master ?? (await startRedis(settings));
  const app = await connectApp(redis.url);
  for (const name of ['a:held', 'orders:1']) await app.acquire(name, { leaseMs: LEASE_MS });
  await app.command('SET', 'string:lock', '8b6ead8ee54611f18a0402fc00000001', 'NX', 'PX', String(LEASE_MS));
  await app.command('SELECT', '1');
  await app.acquire('other:db1', { leaseMs: LEASE_MS });
  await app.command('SELECT', '0');
  const rows = [];
  const isWanted = ({ rules }: Row) =>
    !LEVELS_WITH_FEW_ROWS.includes(level) || [...MAIN_ROWS, ...ROWS_OF_LEVELS].includes(rules.join(' '));
  for (const [index, row] of [...ROWS, ...NEWER_ROWS].filter(isWanted).entries()) {
    const user = `user-${index}`;
    if (await setUser(app, user, [...ALL, 'allchannels', ...row.rules], ROWS.includes(row)))
      rows.push({ ...row, user });
  }
  const stop = async () => {
    await app.close();
    await (pair ?? redis).stop();
  };
  return { redis, app, rows, stop };
}

/**
 * Sets the rules of a user. Returns false, without a user, if this server does not support one of them. Throws if the
 * rules are required and the server refuses them for another reason. Redis 6.0 has no rules for channels.
 */
export async function setUser(app: App, user: string, rules: readonly string[], isRequired = true): Promise<boolean> {
  const set = (words: readonly string[]) => app.command('ACL', 'SETUSER', user, ...words).then(() => true);
  const isOld = (error: unknown) => /Unknown command|Syntax error/.test(String(error));
  return set(rules)
    .catch(() => set(rules.filter((rule) => rule !== 'allchannels')))
    .catch((error: unknown) => {
      if (isRequired && !isOld(error)) throw error;
      return app.command('ACL', 'DELUSER', user).then(() => false);
    });
}

/** Further rules for all rights, if this server supports them: they restore what some rows remove. */
export function rulesThatRestore({ rows }: Server): string[] {
  const isKnown = (rule: string) => rows.some(({ rules }) => rules.includes(rule));
  return [
    ...(isKnown('resetdbs') ? ['alldbs'] : []),
    ...(rows.some(({ rules }) => rules.some((rule) => rule.startsWith('('))) ? ['clearselectors'] : []),
  ];
}

/** What was refused to users, from ACL LOG. */
export async function aclLog(app: App): Promise<{ user: string; object: string; count: number }[]> {
  const log = (await app.command('ACL', 'LOG', '100000')) as Record<string, unknown>[];
  return log.map(({ username, object, count }) => ({
    user: String(username),
    object: String(object),
    count: Number(count),
  }));
}
