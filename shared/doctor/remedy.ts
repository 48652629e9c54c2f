import type { Finding } from './finding.ts';
import { finding } from './finding.ts';
import type { Matter } from './finding-values.ts';
import type { Readings, Refused } from './readings.ts';
import { aclLine, allow, USER_LINES } from './rights/acl-line.ts';
import { commandName } from './rights/rights.ts';

/** The ACL line that lets `user` run a command; empty if no right can help. */
export function grantOf(user: string, { why, command }: Refused): string[] {
  return why === 'no-permission' ? [aclLine(user, [allow(commandName(command.split(' ')))])] : [];
}

/** The lines that make a user for Lockscope which cannot write, for the levels `events` and `monitor`. */
export function userLines(): readonly string[] {
  return USER_LINES.slice(0, 3).map(({ rules }) => `ACL SETUSER lockscope ${rules}`);
}

/** The line that changes a setting: for the configuration file if this server has no CONFIG. */
export function settingLine({ config }: Readings, name: string, value: string): string {
  if ('refused' in config && config.refused.why === 'no-command') return `${name} ${value === '' ? '""' : value}`;
  return `CONFIG SET ${name} ${value === '' || value.includes(' ') ? `"${value}"` : value}`;
}

/** The finding about a matter that could not be read, with the right that would allow it. */
export function unread(id: Matter, { user }: Readings, refused: Refused, read: Finding['read'] = []): Finding {
  const { command, why, quote } = refused;
  return finding(id, 'unknown', 'unread', { command, why, quote }, read, grantOf(user, refused));
}

/** The finding about a matter for which the server answered, but without the value. */
export function notReported(id: Matter, quote: string): Finding {
  return finding(id, 'unknown', 'unread', { command: '', why: 'not-reported', quote });
}
