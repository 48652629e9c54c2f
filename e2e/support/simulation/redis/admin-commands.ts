import { Failure, OK, Pairs, type Reply, Status } from './reply.ts';
import { clientList, infoText, versionOf } from './server-texts.ts';
import type { Session } from './session.ts';
import type { SimulatedRedis } from './simulated-redis.ts';

type Asked = { readonly redis: SimulatedRedis; readonly session: Session; readonly words: readonly string[] };
/** Returns the reply; `undefined` if it has been written already. */
type Command = (asked: Asked) => Reply | undefined;

const OUTPUT_LIMITS = 'normal 0 0 0 slave 268435456 67108864 60 pubsub 33554432 8388608 60';

/** Commands that are not about the content of one key. */
export const ADMIN: Readonly<Record<string, Command>> = {
  ping: () => new Status('PONG'),
  echo: ({ words }) => words[1] ?? '',
  time: ({ redis }) => {
    const micros = redis.tick();
    return [String(Math.floor(micros / 1_000_000)), String(micros % 1_000_000)];
  },
  select: ({ session, words }) => {
    session.db = Number(words[1]);
    return OK;
  },
  hello,
  auth: () => OK,
  readonly: () => OK,
  multi: ({ session }) => {
    session.queue = [];
    return OK;
  },
  monitor: ({ redis, session }) => {
    redis.startMonitor(session);
    return OK;
  },
  publish: ({ redis, words }) => redis.pubSub.publish(words[1] ?? '', words[2] ?? ''),
  subscribe: ({ redis, session, words }) => {
    redis.pubSub.subscribe(session, words.slice(1));
    return undefined;
  },
  unsubscribe: ({ redis, session, words }) => {
    redis.pubSub.unsubscribe(session, words.slice(1));
    return undefined;
  },
  psubscribe: ({ redis, session, words }) => {
    redis.pubSub.subscribeToPatterns(session, words.slice(1));
    return undefined;
  },
  script: ({ redis, words }) => redis.load(words[2] ?? ''),
  flushall: flush,
  flushdb: (asked) => flush(asked, asked.session.db),
  dbsize: ({ redis, session }) => redis.keyspace.model.names(session.db).length,
  info: ({ redis, words }) => infoText(redis, words.slice(1)),
  memory: ({ redis, session, words }) => redis.keyspace.memory(session.db, words[2] ?? ''),
  scan,
  client,
  config,
  acl: ({ words }) => (isSubcommand(words, 'whoami') ? 'default' : isSubcommand(words, 'log') ? [] : OK),
  slowlog: () => [],
  pubsub: ({ redis, words: [, sub = '', ...names] }) => {
    if (sub.toLowerCase() === 'channels') return redis.pubSub.channelsLike(names[0] ?? '*');
    const isSharded = sub.toLowerCase() === 'shardnumsub';
    return names.flatMap((name): Reply[] => [name, isSharded ? 0 : redis.pubSub.listeners(name)]);
  },
};

const HIDDEN = new Set(['monitor', 'config', 'slowlog']);
const HIDDEN_PARTS = new Set(['client list', 'client kill', 'acl dryrun', 'acl log']);

/** Commands that MONITOR does not show: those of administrators. */
export function isHidden(command: string, words: readonly string[]): boolean {
  return HIDDEN.has(command) || HIDDEN_PARTS.has(`${command} ${(words[1] ?? '').toLowerCase()}`);
}

function isSubcommand(words: readonly string[], name: string): boolean {
  return words[1]?.toLowerCase() === name;
}

function hello({ redis, session, words }: Asked): Reply {
  const named = words.findIndex((word) => word.toUpperCase() === 'SETNAME');
  if (named !== -1) session.name = words[named + 1] ?? '';
  const about: Reply[] = [
    'server',
    'redis',
    'version',
    versionOf(redis),
    'proto',
    Number(words[1] ?? 3),
    'id',
    session.id,
  ];
  return new Pairs([...about, 'mode', 'standalone', 'role', 'master', 'modules', []], 'map');
}

function flush({ redis }: Asked, db?: number): Reply {
  redis.keyspace.flush(db);
  return OK;
}

function client({ redis, session, words }: Asked): Reply {
  switch (words[1]?.toLowerCase()) {
    case 'setname':
      session.name = words[2] ?? '';
      return OK;
    case 'id':
      return session.id;
    case 'list':
      return clientList(redis, words.slice(3).map(Number));
    case 'tracking':
      session.isTracking = words[2]?.toLowerCase() === 'on';
      return OK;
    case 'caching':
      session.isCaching = true;
      return OK;
    default:
      return new Failure(`ERR unknown subcommand '${words[1]}'. Try CLIENT HELP.`);
  }
}

function config({ redis, words }: Asked): Reply {
  const [, sub = '', name = '', value = ''] = words;
  if (sub.toLowerCase() === 'set') {
    redis.keyspace.flags = value;
    return OK;
  }
  const known: Readonly<Record<string, string>> = {
    'notify-keyspace-events': redis.keyspace.flags,
    'client-output-buffer-limit': OUTPUT_LIMITS,
  };
  return new Pairs(known[name] === undefined ? [] : [name, known[name]], 'map');
}

/**
 * A cursor is the hash of the next name. So a key that exists during the whole scan is found, even if other keys come
 * and go.
 */
function scan({ redis, session, words }: Asked): Reply {
  const option = (name: string) => words[words.findIndex((word) => word.toUpperCase() === name) + 1] ?? '';
  const { keyspace } = redis;
  const from = Number(words[1]);
  const named = keyspace.model.names(session.db).map((name) => ({ name, place: hashOf(name) }));
  const left = named.filter(({ place }) => place >= from).sort((a, b) => a.place - b.place);
  const count = Number(words.some((word) => word.toUpperCase() === 'COUNT') ? option('COUNT') : 10);
  const last = left[count - 1]?.place;
  const next = last === undefined ? undefined : left.find(({ place }) => place > last)?.place;
  const seen = left.filter(({ place }) => next === undefined || place < next).map(({ name }) => name);
  const prefix = words.some((word) => word.toUpperCase() === 'MATCH') ? option('MATCH').replace(/\*$/, '') : '';
  const type = words.some((word) => word.toUpperCase() === 'TYPE') ? option('TYPE') : undefined;
  for (const name of seen) keyspace.expireIfOver(session.db, name, redis.nowMs);
  const found = seen.filter((name) => {
    const key = keyspace.model.find(session.db, name);
    return key && name.startsWith(prefix) && (type === undefined || key.content.type === type);
  });
  return [String(next ?? 0), found];
}

/** The hash of a name, at least 1, because the cursor 0 ends a scan. */
function hashOf(name: string): number {
  let hash = 2166136261;
  for (let n = 0; n < name.length; n++) hash = Math.imul(hash ^ name.charCodeAt(n), 16777619);
  return (hash >>> 0) + 1;
}
