import type { SeenCommand } from '../../redis/testing/monitor-tap.ts';

/** A client's command, and for a script the commands it ran. */
type Group = { source: string; head: string[]; inner: string[][] };

/** Groups script lines with the command that ran them. Leaves out commands such as PING and INFO. */
export function groupsOf(commands: readonly SeenCommand[]): Group[] {
  const groups: Group[] = [];
  for (const { source, words } of commands) {
    if (source === 'lua') groups.at(-1)?.inner.push(words);
    else groups.push({ source, head: words, inner: [] });
  }
  return groups.filter(({ head }) => !BESIDES.includes(head[0]?.toLowerCase() ?? ''));
}

const BESIDES = ['ping', 'client', 'hello', 'info', 'monitor', 'exists', 'echo'];

/** A group as one line: for a script its inner commands (`exists → hincrby → pexpire`), else the command's words. */
export function inShort({ head, inner }: Group): string {
  if (inner.length > 0) return inner.map((words) => words[0]).join(' → ');
  return head[0] === 'EVALSHA' ? 'EVALSHA unknown' : head[0] === 'SCRIPT' ? 'SCRIPT LOAD' : head.join(' ');
}

/** Replaces what differs in every run: uuids, latch ids and their TTLs. */
export function withoutIds(text: string, uuids: Record<string, string>): string {
  let plain = text;
  for (const [letter, uuid] of Object.entries(uuids)) plain = plain.replaceAll(uuid, letter);
  return plain.replace(/[0-9a-f]{32}/g, 'ID').replace(/\b1[6-9]\d{3}\b|\b20000\b/g, 'LATCH-TTL');
}
