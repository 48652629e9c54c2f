import type { Finding } from './finding.ts';
import { finding } from './finding.ts';
import type { Matter } from './finding-values.ts';
import type { Readings, Refused } from './readings.ts';

/** The rights that a command needs, as rules of an ACL. */
const RIGHTS: Readonly<Record<string, string>> = {
  INFO: '+info',
  'CONFIG GET': '+config|get',
  TIME: '+time',
  'CLIENT LIST': '+client|list',
  MONITOR: '+monitor',
  'ACL DRYRUN': '+acl|dryrun',
};

/** The rules of `docs/operating.md` for a user of Lockscope. */
const USER_RULES = [
  'ACL SETUSER lockscope on >PASSWORD ~* resetchannels +@read +@connection +@transaction +time +info +pubsub +acl|whoami',
  'ACL SETUSER lockscope &* +psubscribe +subscribe +config|get',
  'ACL SETUSER lockscope +monitor +publish',
];

/** The line that lets `user` run a command; none if rights cannot help. */
export function grantOf(user: string, { why, command }: Refused): string[] {
  const rights = RIGHTS[command];
  return why === 'no-permission' && rights !== undefined ? [`ACL SETUSER ${user} ${rights}`] : [];
}

/** The lines that make a user for Lockscope which cannot write. */
export function userLines(): readonly string[] {
  return USER_RULES;
}

/** The line that changes a setting: for the configuration file if this server has no CONFIG. */
export function settingLine({ config }: Readings, name: string, value: string): string {
  if ('refused' in config && config.refused.why === 'no-command') return `${name} ${value === '' ? '""' : value}`;
  return `CONFIG SET ${name} ${value === '' || value.includes(' ') ? `"${value}"` : value}`;
}

/** A matter that could not be read, with the right that would allow it. */
export function unread(id: Matter, { user }: Readings, refused: Refused, read: Finding['read'] = []): Finding {
  const { command, why, said } = refused;
  return finding(id, 'unknown', 'unread', { command, why, said }, read, grantOf(user, refused));
}

/** A matter about which the server answered, without the value. */
export function notReported(id: Matter, said: string): Finding {
  return finding(id, 'unknown', 'unread', { command: '', why: 'not-reported', said });
}
