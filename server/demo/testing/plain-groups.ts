import { permitIdFrom } from '../../../shared/events/names/counter-names.ts';
import { parseMonitorLine } from '../../../shared/signals/monitor-line.ts';
import { UNESCAPED } from '../../../testing/traces/trace-file.ts';

/**
 * The lock commands that clients sent in a trace, one string per group. What differs in every run is replaced: holders
 * by their order in the group (`H1`), ids by `ID`, times by `TIME`.
 */
export function plainGroupsOf(trace: string, leaseMs: number): string[] {
  const groups: string[][] = [];
  const isUnescaped = trace.startsWith(UNESCAPED);
  for (const line of trace.split('\n')) {
    const parsed = line.startsWith('>') || line.startsWith('#') ? undefined : parseMonitorLine(line, isUnescaped);
    if (!parsed?.ok) continue;
    const { words, client } = parsed.value;
    const known = words.map((word) => (permitIdFrom(word) === undefined ? word : 'PERMIT'));
    if (client === null) groups.at(-1)?.push(known.join(' '));
    else groups.push([headOf(known)]);
  }
  return groups.filter(isOfLocks).map((group) => plain(group, leaseMs));
}

/** False for connection commands, commands sent at startup, and scripts that the server did not know yet. */
function isOfLocks([head = '', ...inner]: readonly string[]): boolean {
  if (head.startsWith('EVAL')) return inner.length > 0 && !head.includes('test1');
  return /^(SUBSCRIBE|UNSUBSCRIBE|GET|DEL) /.test(head);
}

function headOf([name = '', sha = '', ...rest]: readonly string[]): string {
  return (name.startsWith('EVAL') ? ['EVAL', ...rest] : [name, sha, ...rest]).join(' ');
}

function plain(group: readonly string[], leaseMs: number): string {
  const holders: string[] = [];
  // the rest of the longest lease may be the whole lease by chance
  const isLonger = /^EVAL 5 .*:rwlock_timeout /.test(group[0] ?? '');
  return group
    .join(' → ')
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}:\d+/g, (holder) => {
      if (!holders.includes(holder)) holders.push(holder);
      return `H${holders.indexOf(holder) + 1}`;
    })
    .replace(/[0-9a-f]{32}/g, 'ID')
    .replace(/\b1[6-9]\d{11}\b/g, 'TIME')
    .replace(/\b(PUBLISH|px|\d+ H\d) (1[6-9]\d{3}|20000)\b/g, '$1 LATCH-TTL')
    .replace(
      /pexpire (\S+) (\d+)/g,
      (_, key, ms) => `pexpire ${key} ${ms === String(leaseMs) && !isLonger ? 'LEASE' : 'REST'}`,
    );
}
