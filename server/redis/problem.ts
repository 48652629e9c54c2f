import type { Problem } from './problem-type.ts';
import { ConnectionEnd } from './stream/connection-end.ts';
import { RedisError } from './stream/reply.ts';

/** An error that has its problem: a sentence and what to do. */
export class RedisProblem extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** The problem for an error of a connection. `where` is the URL without credentials. */
export function problemFromError(error: unknown, where: string): Problem {
  if (error instanceof RedisProblem) return error.problem;
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof RedisError) return problemFromReply(error, where);
  if (error instanceof ConnectionEnd) return error.problemAt(where);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  switch (code) {
    case 'ECONNREFUSED':
    case 'ENOENT':
      return {
        code: 'refused',
        message: `No Redis at ${where}.`,
        hint: 'Check host and port, and that Redis is running and reachable from here.',
      };
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return {
        code: 'no-such-host',
        message: `The host of ${where} cannot be found.`,
        hint: 'Check its spelling and that its name resolves from here.',
      };
    case 'ECONNRESET':
    case 'EPIPE':
      return closedBy(where);
    default:
  }
  if (/without a reply/.test(message)) return closedBy(where);
  if (/certificate|tls|ssl|wrong version number/i.test(`${code} ${message}`)) {
    return {
      code: 'tls',
      message: `TLS with ${where} failed: ${message}.`,
      hint: 'Use redis:// if the server has no TLS; for a private authority set NODE_EXTRA_CA_CERTS to its certificate.',
    };
  }
  if (/no answer/.test(message)) {
    return {
      code: 'no-answer',
      message: `${where} does not answer.`,
      hint: 'Check the address and firewalls between here and there.',
    };
  }
  return { code: 'lost', message: `${where}: ${message}.`, hint: 'Lockscope tries again by itself.' };
}

/** A request came before Redis was reached. */
export const NOT_CONNECTED: Problem = {
  code: 'not-connected',
  message: 'Not connected to Redis yet.',
  hint: 'Try again once it is connected.',
};

/** Redis has not answered a command for `silentMs`. */
export function silenceProblem(where: string, silentMs: number): Problem {
  const seconds = Math.floor(silentMs / 1000);
  return {
    code: 'not-answering',
    message: seconds < 1 ? `${where} is not answering.` : `${where} has not answered for ${seconds} s.`,
    hint: 'A slow command, a pause, a stopped process or the network can be the cause.',
    values: { silentMs: Math.round(silentMs) },
  };
}

/** Why MONITOR needs an end here: without one it could fill the server's memory. `limit`: 0, or null if it is unknown. */
export function outputLimitProblem(limit: 0 | null): Problem {
  const why = limit === 0 ? 'This Redis has no output limit' : 'Lockscope cannot read the output limit of this Redis';
  return {
    code: 'no-output-limit',
    message: `${why} for pub/sub clients, so MONITOR may run for 5 minutes at most.`,
    hint: 'Choose 5 minutes or less. To change it: CONFIG SET client-output-buffer-limit "pubsub 32mb 8mb 60", and +config|get for this user.',
  };
}

/** Why MONITOR is unavailable, and what to do. */
export function monitorProblem({ user, role }: { user: string; role: 'master' | 'replica' }): Problem {
  if (role === 'replica') {
    return {
      code: 'replica-monitor',
      message: 'This server is a replica: MONITOR shows what its master did, but not which client asked for it.',
      hint: 'Watch its master instead.',
    };
  }
  return {
    code: 'monitor-refused',
    message: `User ${user} may not run MONITOR.`,
    hint: `To allow it: ACL SETUSER ${user} +monitor. Until then level events shows holders and leases.`,
  };
}

function closedBy(where: string): Problem {
  return {
    code: 'closed',
    message: `${where} closed the connection.`,
    hint: 'If it speaks TLS, use rediss://. If not, check that this is a Redis and that it accepts us.',
  };
}

function problemFromReply(error: RedisError, where: string): Problem {
  switch (error.code) {
    case 'WRONGPASS':
      return {
        code: 'wrong-password',
        message: `${where} refused the user or password.`,
        hint: 'Give them in the URL: redis://user:password@host:port (percent-encode special characters).',
      };
    case 'NOAUTH':
      return {
        code: 'password-required',
        message: `${where} requires a password.`,
        hint: 'Give it in the URL: redis://:password@host:port or redis://user:password@host:port.',
      };
    case 'NOPERM':
      return {
        code: 'not-permitted',
        message: `This user may not do what watching needs: ${error.message.replace(/^NOPERM /, '')}.`,
        hint: 'lockscope doctor prints the ACL line that allows it.',
      };
    case 'NOPROTO':
      return {
        code: 'no-resp3',
        message: `${where} does not speak RESP3.`,
        hint: 'Lockscope needs Redis 6 or later, or Valkey, without a proxy that speaks only RESP2.',
      };
    case 'LOADING':
      return { code: 'loading', message: `${where} is loading its data.`, hint: 'Lockscope tries again by itself.' };
    default:
  }
  if (/unknown command/i.test(error.message) && /hello/i.test(error.message)) {
    return {
      code: 'too-old',
      message: `${where} is older than Redis 6: it does not know HELLO.`,
      hint: 'Lockscope needs Redis 6 or later, or Valkey.',
    };
  }
  if (/max number of clients/i.test(error.message)) {
    return {
      code: 'too-many-clients',
      message: `${where} accepts no further clients.`,
      hint: 'Raise maxclients or close some connections.',
    };
  }
  return { code: 'redis-error', message: `${where}: ${error.message}.`, hint: 'Lockscope tries again by itself.' };
}
