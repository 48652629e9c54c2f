import type { RedisCode, TextsOf, ValuesOf } from '../values.ts';

const TRYING_AGAIN = 'Lockscope tries again by itself.';
const CONNECTING_AGAIN = 'Lockscope ended the connection and connects again by itself.';
const NEEDS = 'Lockscope needs Redis 6 or later, or Valkey.';
const PROXY = `Check for a proxy between here and Redis. ${CONNECTING_AGAIN}`;
const SENT_BY_OTHER = {
  'bad-frame': 'bytes that are not RESP',
  'too-deep': 'a reply nested more than 32 levels deep',
  'line-too-long': 'a line of more than 64 KB in a reply',
} as const;

/** What a user may not run, and what a server does not have. */
export function refusalsOf(
  { commands, absent }: Pick<ValuesOf<'not-permitted'>, 'commands' | 'absent'>,
  subject = 'it',
): string[] {
  return [
    ...(commands.length === 0 ? [] : [`${subject} may not run ${commands.join(', ')}`]),
    ...(absent.length === 0 ? [] : [`this server has no ${absent.join(', ')}`]),
  ];
}

/** How to allow what was refused. `grant`: an ACL line; empty: no line can allow it. */
export function grantText(grant: string): string {
  return grant === '' ? '' : `To allow it: ${grant}`;
}

/** Redis and the connection to it, in English. */
export const REDIS_TEXTS: TextsOf<RedisCode> = {
  refused: ({ where }) => ({
    message: `No Redis at ${where}.`,
    hint: 'Check host and port, and that Redis is running and reachable from here.',
  }),
  'no-such-host': ({ where }) => ({
    message: `The host of ${where} cannot be found.`,
    hint: 'Check its spelling and that its name resolves from here.',
  }),
  tls: ({ where, quote }) => ({
    message: `TLS with ${where} failed: ${quote}.`,
    hint: 'Use redis:// if the server has no TLS; for a private authority set NODE_EXTRA_CA_CERTS to its certificate.',
  }),
  'no-connection': ({ where }) => ({
    message: `${where} does not answer.`,
    hint: 'Check the address and firewalls between here and there.',
  }),
  'no-answer': ({ where, command, seconds }) => ({
    message: `${where} did not answer ${command} within ${seconds} s.`,
    hint: `Redis may be busy with a slow command or script, a CLIENT PAUSE may make it wait, or a proxy may drop the command. ${CONNECTING_AGAIN}`,
  }),
  lost: ({ where, quote }) => ({ message: `${where}: ${quote.replace(/\.$/, '')}.`, hint: TRYING_AGAIN }),
  closed: ({ where }) => ({
    message: `${where} closed the connection.`,
    hint: 'If it speaks TLS, use rediss://. If not, check that this is a Redis and that it accepts us.',
  }),
  cut: ({ where }) => ({
    message: `${where} closed a connection that had worked.`,
    hint: 'Redis may have restarted, or a client may be too slow for its output limit. Lockscope connects again by itself.',
  }),
  'not-redis': ({ where }) => ({
    message: `${where} is not Redis.`,
    hint: 'Something else listens there. Check the port; Redis usually has 6379.',
  }),
  'unreadable-reply': ({ where, fault }) => ({
    message: `${where} sent ${SENT_BY_OTHER[fault]}. Redis never does.`,
    hint: PROXY,
  }),
  'snapshot-late': ({ where, megabytes }) => ({
    message: `${where} sent over ${megabytes} MB of its stream while Lockscope waited for another reply.`,
    hint: CONNECTING_AGAIN,
  }),
  'no-snapshot': ({ where, seconds }) => ({
    message: `Lockscope has had no snapshot of the locks in ${where} for ${seconds} s.`,
    hint: `Redis answers too late. ${CONNECTING_AGAIN}`,
  }),
  'out-of-step': ({ where }) => ({ message: `The replies of ${where} do not match the commands.`, hint: PROXY }),
  'wrong-password': ({ where }) => ({
    message: `${where} refused the user or password.`,
    hint: 'Give them in the URL: redis://user:password@host:port (percent-encode special characters).',
  }),
  'password-required': ({ where }) => ({
    message: `${where} requires a password.`,
    hint: 'Give it in the URL: redis://:password@host:port or redis://user:password@host:port.',
  }),
  'not-permitted': ({ user, commands, absent, keys, isDatabase, grant }) => {
    const reasons = [
      ...refusalsOf({ commands, absent }),
      ...(isDatabase ? ['it may not use this database'] : []),
      ...(keys.length === 0 ? [] : [`it may not read keys such as ${keys.join(', ')}`]),
    ];
    const some = keys.length === 0 ? '' : 'If it is to read some keys only, name them with --match. ';
    return {
      message: `User ${user} may not read locks${reasons.length === 0 ? '' : `: ${reasons.join('; ')}`}.`,
      hint: `${some}${grantText(grant)}`.trim(),
    };
  },
  'no-resp3': ({ where }) => ({
    message: `${where} does not speak RESP3.`,
    hint: 'Lockscope needs Redis 6 or later, or Valkey, without a proxy that speaks only RESP2.',
  }),
  loading: ({ where, seconds }) => ({
    message: `${where} is loading its data${seconds === undefined ? '' : `, for about ${seconds} s more`}: it refuses all commands of locks, so clients wait for Redis and not for a lock.`,
    hint: TRYING_AGAIN,
  }),
  'too-old': ({ where, version }) => ({
    message:
      version === undefined
        ? `${where} is older than Redis 6: it does not know HELLO.`
        : `${where} is Redis ${version}.`,
    hint: NEEDS,
  }),
  'too-many-clients': ({ where }) => ({
    message: `${where} accepts no further clients.`,
    hint: 'Raise maxclients or close some connections.',
  }),
  'redis-error': ({ where, quote }) => ({ message: `${where}: ${quote}.`, hint: TRYING_AGAIN }),
  'no-sentinel': ({ where }) => ({
    message: `${where} is not a Sentinel.`,
    hint: 'Sentinels usually listen on 26379. To watch a server: redis://host:port.',
  }),
  'is-sentinel': ({ where }) => ({
    message: `${where} is a Sentinel, which has no locks.`,
    hint: 'Give the URL of a server: redis://host:port. To watch the current master: redis+sentinel://host:port/NAME, and SENTINEL MASTERS lists the names.',
  }),
  'no-such-master': ({ where, master }) => ({
    message: `The Sentinels of ${where} do not know a master called ${master}.`,
    hint: 'Check the name behind the hosts: SENTINEL MASTERS lists those they know.',
  }),
  'no-cluster': ({ where }) => ({
    message: `${where} is not a cluster.`,
    hint: 'Watch a server by its own URL: redis://host:port.',
  }),
  'no-slots': ({ where }) => ({
    message: `No server of ${where} serves slots.`,
    hint: 'The cluster is not set up yet, or this server was never joined to it: see CLUSTER INFO.',
  }),
  'not-connected': () => ({ message: 'Not connected to Redis yet.', hint: 'Try again once it is connected.' }),
  'not-answering': ({ where, silentMs, isBusy }) => {
    const seconds = Math.floor(silentMs / 1000);
    if (isBusy) {
      return {
        message:
          seconds < 1
            ? `${where} answers BUSY, because a script or a function runs.`
            : `${where} has run no other command for ${seconds} s: it answers BUSY, because a script or a function runs.`,
        hint: 'SCRIPT KILL or FUNCTION KILL ends it, unless it has written.',
      };
    }
    return {
      message: seconds < 1 ? `${where} is not answering.` : `${where} has not answered for ${seconds} s.`,
      hint: 'A slow command, a pause, a stopped process or the network can be the cause.',
    };
  },
};
