/** Keys beside locks. A user whose keys are limited needs them in addition to the locks. */
export const COMPANION_RULES = ['~redisson_lock_queue:*', '~redisson_lock_timeout:*', '~redisson_lock_token:*'];

/** The ACL line that gives a user these rules; empty without rules. */
export function aclLine(user: string, rules: readonly string[]): string {
  return rules.length === 0 ? '' : `ACL SETUSER ${user} ${[...new Set(rules)].join(' ')}`;
}

/** The rules of a line that `aclLine` wrote. */
export function rulesIn(line: string): string[] {
  return line.split(' ').slice(3);
}

/** The ACL rule that allows a command. */
export function allow(command: string): string {
  return `+${command}`;
}

type UserLine = { readonly rules: string; readonly use?: string };

/**
 * The rules of a user for Lockscope, as `docs/operating.md` lists them. `use`: what needs the line; absent: everything.
 * With every line but the last one, the user sees everything and can write no key.
 */
export const USER_LINES: readonly UserLine[] = [
  {
    rules: 'on >PASSWORD ~* resetchannels +@read +@connection +@transaction +select +time +info +pubsub +acl|whoami',
  },
  { rules: '&* +psubscribe +subscribe +config|get', use: 'for level events' },
  { rules: '+monitor +publish', use: 'for level monitor' },
  { rules: '+psync +replconf +publish', use: 'for level replication (experimental)' },
  { rules: '+cluster|nodes +cluster|slots +readonly', use: 'in a cluster' },
  { rules: '+eval +del +publish +lpop +zrem', use: 'for --allow-release; +spublish in a cluster of Redis 7' },
];
