import type { ServerRole } from '../../../shared/base/server-role.ts';
import { aclLine, allow } from '../../../shared/doctor/rights/acl-line.ts';
import { shownCommand } from '../../../shared/doctor/rights/rights.ts';
import { type Problem, problem } from '../../../shared/wire/problems/problem.ts';
import { ConnectionEnd } from './connection-end.ts';
import { RedisError } from './reply.ts';

/** An error that carries the problem to show. */
export class RedisProblem extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** Reading locks needs rights that this user does not have. */
export class NotPermitted extends RedisProblem {}

/**
 * The problem for an error of a connection. `where` is the URL without credentials, `user` the user as Redis names it.
 */
export function problemFromError(error: unknown, where: string, user: string): Problem {
  if (error instanceof RedisProblem) return error.problem;
  const quote = error instanceof Error ? error.message : String(error);
  if (error instanceof RedisError) return problemFromReply(error, where, user);
  if (error instanceof ConnectionEnd) return error.problemAt(where);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  switch (code) {
    case 'ECONNREFUSED':
    case 'ENOENT':
      return problem('refused', { where });
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return problem('no-such-host', { where });
    case 'ECONNRESET':
    case 'EPIPE':
      return problem('closed', { where });
    default:
  }
  if (/without a reply/.test(quote)) return problem('closed', { where });
  if (/certificate|tls|ssl|wrong version number/i.test(`${code} ${quote}`)) return problem('tls', { where, quote });
  if (/no answer/.test(quote)) return problem('no-connection', { where });
  return problem('lost', { where, quote });
}

/** Redis has not answered a command for `silentMs`; `isBusy`: Redis has refused all commands, because of a script. */
export function silenceProblem(where: string, silentMs: number, isBusy = false): Problem {
  return problem('not-answering', { where, silentMs: Math.round(silentMs), ...(isBusy && { isBusy }) });
}

/** Why the subscriptions of a level, or MONITOR, were refused. */
export function refusedLevel(error: RedisError, { user, role, version }: LevelUser): Problem {
  if (error.command === 'monitor') return monitorProblem({ user, role });
  const [major = 0, minor = 0] = version.split('.').map(Number);
  // Redis 6.0 has no rules for channels.
  const channels = major > 6 || minor >= 2 ? ['allchannels'] : [];
  return problem('subscribe-refused', { user, grant: aclLine(user, ['+psubscribe', '+subscribe', ...channels]) });
}

type LevelUser = { readonly user: string; readonly role: ServerRole; readonly version: string };

/** Why MONITOR is unavailable. */
export function monitorProblem({ user, role }: { user: string; role: ServerRole }): Problem {
  return role === 'replica' ? problem('replica-monitor') : problem('monitor-refused', { user });
}

function refusedProblem({ command, message }: RedisError, user: string): Problem {
  const isDatabase = /access database/i.test(message);
  const name = command === '' ? (/run the '([^']+)'/.exec(message)?.[1] ?? '') : command;
  const commands = isDatabase || name === '' ? [] : [name];
  return problem('not-permitted', {
    ...{ user, absent: [], keys: [], isDatabase },
    commands: commands.map(shownCommand),
    grant: aclLine(user, isDatabase ? ['alldbs'] : commands.map(allow)),
  });
}

function problemFromReply(error: RedisError, where: string, user: string): Problem {
  switch (error.code) {
    case 'WRONGPASS':
      return problem('wrong-password', { where });
    case 'NOAUTH':
      return problem('password-required', { where });
    case 'NOPERM':
      return refusedProblem(error, user);
    case 'NOPROTO':
      return problem('no-resp3', { where });
    case 'LOADING':
      return problem('loading', { where });
    default:
  }
  if (/unknown command/i.test(error.message) && /hello/i.test(error.message)) return problem('too-old', { where });
  if (/max number of clients/i.test(error.message)) return problem('too-many-clients', { where });
  return problem('redis-error', { where, quote: error.message });
}
